#include "groth16/verifier.h"

#include <stdlib.h>

/* prepared_b: room for one prepared point. */
static bool equation_holds(const cuzk_verifier *verifier, const cuzk_g1 *ic,
                           const cuzk_proof *proof, uint64_t *prepared_b)
{
    const cuzk_curve *curve = verifier->vk.curve;
    curve->g2_prepare(prepared_b, proof->b.l);
    const uint64_t *points[] = {proof->a.l, ic->l, proof->c.l};
    const void *prepared[] = {prepared_b, verifier->minus_gamma, verifier->minus_delta};
    cuzk_gt f;
    curve->miller(&f, points, prepared, 3);
    curve->final_exp(&f, &f);
    return curve->gt_equal(&f, &verifier->alpha_beta);
}

cuzk_status cuzk_verify_proof(const cuzk_verifier *verifier, const cuzk_scalar *inputs,
                              size_t n_inputs, const cuzk_proof *proof, cuzk_pool *pool,
                              cuzk_error *err)
{
    size_t bad;
    CUZK_TRY(cuzk_verifier_check_inputs(verifier, inputs, n_inputs, 1, &bad, err));
    CUZK_TRY(cuzk_verifier_check_points(verifier, proof, CUZK_ONE_PROOF, err));
    static const cuzk_scalar one = {{1}};
    cuzk_g1 ic;
    CUZK_TRY(cuzk_verifier_combine(verifier, &ic, &one, inputs, pool, err));
    uint64_t *prepared_b = malloc(verifier->vk.curve->g2_prepared_bytes);
    if (prepared_b == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory to verify a proof");
    bool holds = equation_holds(verifier, &ic, proof, prepared_b);
    free(prepared_b);
    if (holds)
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_REJECTED,
                     "the proof is false: it does not prove these public inputs under this "
                     "verification key");
}
