#include "bench_key.h"

#include "groth16/density.h"

#include <stdlib.h>
#include <string.h>

static void choose_roots(cuzk_pk_source *source, const cuzk_setup *setup)
{
    const cuzk_curve *curve = setup->curve;
    if (setup->kind == CUZK_SETUP_BELLPERSON) {
        source->h_kind = CUZK_H_COSET_MONOMIAL;
        cuzk_root_of_unity(&source->omega, curve, &curve->root_zcash, source->log_m);
        source->coset = curve->coset_zcash;
        return;
    }
    source->h_kind = CUZK_H_ODD_LAGRANGE;
    cuzk_root_of_unity(&source->omega, curve, &curve->root_iden3, source->log_m);
    if (source->log_m < curve->two_adicity)
        cuzk_root_of_unity(&source->coset, curve, &curve->root_iden3, source->log_m + 1);
    else
        source->coset = curve->coset_iden3_max;
}

static cuzk_status copy_vk(cuzk_vk *vk, const cuzk_vk *from, cuzk_error *err)
{
    size_t bytes = (from->n_public + 1) * from->curve->g1_words * sizeof(uint64_t);
    *vk = *from;
    vk->ic = malloc(bytes);
    if (vk->ic == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a key");
    memcpy(vk->ic, from->ic, bytes);
    return CUZK_OK;
}

static cuzk_status fill_matrices(cuzk_pk_source *source, const cuzk_setup *setup,
                                 const cuzk_r1cs *cs, cuzk_error *err)
{
    bool with_c = setup->kind == CUZK_SETUP_BELLPERSON;
    CUZK_TRY(cuzk_append_input_rows(cs, &source->mat_a, &source->mat_b,
                                    with_c ? &source->mat_c : NULL, err));
    size_t bytes = cs->coefs.count * sizeof *cs->coefs.value;
    source->coefs.value = malloc(bytes);
    if (source->coefs.value == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a key");
    memcpy(source->coefs.value, cs->coefs.value, bytes);
    source->coefs.count = cs->coefs.count;
    return copy_vk(&source->vk, &setup->vk, err);
}

cuzk_status cuzk_bench_key(cuzk_pk **pk, cuzk_setup *setup, const cuzk_r1cs *cs, cuzk_pool *pool,
                           cuzk_error *err)
{
    cuzk_density density = {0};
    cuzk_pk_source source = {.name = "key",
                             .beta_g1 = setup->beta_g1,
                             .delta_g1 = setup->delta_g1,
                             .log_m = (unsigned)setup->log_m,
                             .vars = setup->vars};
    if (setup->kind == CUZK_SETUP_BELLPERSON)
        CUZK_TRY(cuzk_density_make(&density, cs, err));
    choose_roots(&source, setup);
    source.a = (struct cuzk_query_source){setup->a, setup->n_a, density.a, false};
    source.b1 = (struct cuzk_query_source){setup->b1, setup->n_b, density.b, false};
    source.b2 = (struct cuzk_query_source){setup->b2, setup->n_b, density.b, false};
    source.l = (struct cuzk_query_source){setup->l, setup->n_l, NULL, false};
    source.h = (struct cuzk_query_source){setup->h, setup->n_h, NULL, false};
    cuzk_status status = fill_matrices(&source, setup, cs, err);
    if (status == CUZK_OK)
        status = cuzk_pk_new(pk, &source, CUZK_PK_SKIP_CHECK, NULL, pool, err);
    cuzk_pk_source_release(&source);
    cuzk_density_release(&density);
    return status;
}
