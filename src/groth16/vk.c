#include "groth16/key.h"

#include <stdlib.h>
#include <string.h>

void cuzk_vk_release(cuzk_vk *vk)
{
    free(vk->ic);
    memset(vk, 0, sizeof *vk);
}

static cuzk_status refuse_infinity(const uint64_t *point, unsigned words, const char *what,
                                   const char *name, cuzk_error *err)
{
    if (!cuzk_point_is_infinity(point, words))
        return CUZK_OK;
    return cuzk_fail(
        err, CUZK_ERR_INSECURE,
        "%s: %s is the point at infinity: with such a key anyone can forge proofs; get "
        "the key again from its source",
        name, what);
}

cuzk_status cuzk_vk_check(const cuzk_vk *vk, bool allow_insecure, const char *name, cuzk_error *err)
{
    unsigned g1 = vk->curve->g1_words, g2 = vk->curve->g2_words;
    CUZK_TRY(refuse_infinity(vk->alpha_g1.l, g1, "alpha", name, err));
    CUZK_TRY(refuse_infinity(vk->beta_g2.l, g2, "beta", name, err));
    CUZK_TRY(refuse_infinity(vk->gamma_g2.l, g2, "gamma", name, err));
    CUZK_TRY(refuse_infinity(vk->delta_g2.l, g2, "delta", name, err));
    if (!allow_insecure && memcmp(vk->gamma_g2.l, vk->delta_g2.l, g2 * sizeof(uint64_t)) == 0)
        return cuzk_fail(
            err, CUZK_ERR_INSECURE,
            "%s: gamma = delta: phase 2 of the setup was never run, so anyone can forge "
            "proofs; contribute to the key first (snarkjs zkey contribute); for tests "
            "only, insecure keys can be allowed",
            name);
    return CUZK_OK;
}
