#include "groth16/verifier.h"

#include "base/memory.h"
#include "compute/msm.h"

#include <stdlib.h>
#include <string.h>

void cuzk_verifier_free(cuzk_verifier *verifier)
{
    if (verifier == NULL)
        return;
    cuzk_vk_release(&verifier->vk);
    free(verifier->minus_gamma);
    free(verifier->minus_delta);
    free(verifier->ic_bases);
    free(verifier);
}

static bool allocate(cuzk_verifier *verifier, const cuzk_vk *vk)
{
    size_t ic_bytes = (vk->n_public + 1) * vk->curve->g1_words * sizeof(uint64_t);
    verifier->vk = *vk;
    verifier->vk.ic = malloc(ic_bytes);
    if (verifier->vk.ic != NULL)
        memcpy(verifier->vk.ic, vk->ic, ic_bytes);
    verifier->minus_gamma = malloc(vk->curve->g2_prepared_bytes);
    verifier->minus_delta = malloc(vk->curve->g2_prepared_bytes);
    verifier->ic_bases = cuzk_memory_new(cuzk_bases_bytes(vk->curve, CUZK_G1, vk->n_public), 1);
    return verifier->vk.ic != NULL && verifier->minus_gamma != NULL &&
           verifier->minus_delta != NULL && verifier->ic_bases != NULL;
}

/* scratch: one prepared point. */
static void pair_alpha_beta(cuzk_verifier *verifier, uint64_t *scratch)
{
    const cuzk_vk *vk = &verifier->vk;
    vk->curve->g2_prepare(scratch, vk->beta_g2.l);
    cuzk_g1 minus_alpha;
    vk->curve->g1_neg(minus_alpha.l, vk->alpha_g1.l);
    const uint64_t *point = minus_alpha.l;
    const void *prepared = scratch;
    vk->curve->miller(&verifier->alpha_beta, &point, &prepared, 1);
}

static void prepare_negated(const cuzk_curve *curve, uint64_t *prepared, const uint64_t *point)
{
    cuzk_g2 negated;
    curve->g2_neg(negated.l, point);
    curve->g2_prepare(prepared, negated.l);
}

typedef struct preparation {
    cuzk_verifier *verifier;
    uint64_t *scratch; /* one prepared point */
} preparation;

/* Two tiles of about the same length. */
static void prepare_tile(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    const preparation *work = context;
    cuzk_verifier *verifier = work->verifier;
    const cuzk_vk *vk = &verifier->vk;
    if (tile == 0) {
        pair_alpha_beta(verifier, work->scratch);
        return;
    }
    prepare_negated(vk->curve, verifier->minus_gamma, vk->gamma_g2.l);
    prepare_negated(vk->curve, verifier->minus_delta, vk->delta_g2.l);
    cuzk_bases_prepare(vk->curve, CUZK_G1, verifier->ic_bases, vk->ic + vk->curve->g1_words, NULL,
                       vk->n_public, NULL);
}

cuzk_status cuzk_verifier_new(cuzk_verifier **verifier, const cuzk_vk *vk, cuzk_pool *pool,
                              cuzk_error *err)
{
    cuzk_verifier *made = calloc(1, sizeof *made);
    preparation work = {made, malloc(vk->curve->g2_prepared_bytes)};
    if (made == NULL || work.scratch == NULL || !allocate(made, vk)) {
        cuzk_verifier_free(made);
        free(work.scratch);
        return cuzk_fail(err, CUZK_ERR_MEMORY,
                         "no memory for a verification key with %zu public inputs", vk->n_public);
    }
    cuzk_pool_run(pool, 2, prepare_tile, &work);
    free(work.scratch);
    *verifier = made;
    return CUZK_OK;
}

cuzk_status cuzk_verifier_check_inputs(const cuzk_verifier *verifier, const cuzk_scalar *inputs,
                                       size_t n_inputs, size_t n, size_t *bad, cuzk_error *err)
{
    const cuzk_vk *vk = &verifier->vk;
    *bad = 0;
    if (n_inputs != vk->n_public)
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%zu public inputs; the verification key is for %zu", n_inputs,
                         vk->n_public);
    size_t at = cuzk_scalars_check(vk->curve, inputs, n * n_inputs);
    if (at == n * n_inputs)
        return CUZK_OK;
    *bad = at / n_inputs;
    return cuzk_fail(err, CUZK_ERR_FORMAT,
                     "public input %zu%s is not below the order of %s; inputs must be canonical",
                     at % n_inputs, n > 1 ? " of a proof in the batch" : "", vk->curve->full_name);
}

static cuzk_status judge(cuzk_point_status found, const uint64_t *point, unsigned words,
                         size_t number, char letter, cuzk_error *err)
{
    const char *wrong = NULL;
    if (found != CUZK_POINT_OK)
        wrong = cuzk_point_status_text(found);
    else if (cuzk_point_is_infinity(point, words))
        wrong = "the point at infinity";
    if (wrong == NULL)
        return CUZK_OK;
    if (number == CUZK_ONE_PROOF)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "proof: point %c is %s", letter, wrong);
    return cuzk_fail(err, CUZK_ERR_FORMAT, "proof %zu: point %c is %s", number, letter, wrong);
}

cuzk_status cuzk_verifier_check_points(const cuzk_verifier *verifier, const cuzk_proof *proof,
                                       size_t number, cuzk_error *err)
{
    const cuzk_curve *curve = verifier->vk.curve;
    CUZK_TRY(
        judge(curve->g1_check(proof->a.l, true), proof->a.l, curve->g1_words, number, 'A', err));
    CUZK_TRY(
        judge(curve->g2_check(proof->b.l, true), proof->b.l, curve->g2_words, number, 'B', err));
    return judge(curve->g1_check(proof->c.l, true), proof->c.l, curve->g1_words, number, 'C', err);
}

static cuzk_status sum_many(const cuzk_verifier *verifier, cuzk_g1 *sum, const cuzk_scalar *weights,
                            cuzk_pool *pool, cuzk_error *err)
{
    const cuzk_vk *vk = &verifier->vk;
    cuzk_msm_job job = {.group = CUZK_G1,
                        .bases = verifier->ic_bases,
                        .scalars = weights,
                        .n = vk->n_public,
                        .result = sum->l};
    unsigned threads = pool == NULL ? 1 : cuzk_pool_threads(pool);
    void *scratch = cuzk_memory_new(cuzk_msm_scratch(vk->curve, &job, 1, threads), 1);
    if (scratch == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory to combine %zu public inputs",
                         vk->n_public);
    cuzk_msm(vk->curve, &job, 1, scratch, pool);
    free(scratch);
    return CUZK_OK;
}

static void sum_few(const cuzk_verifier *verifier, cuzk_g1 *sum, const cuzk_scalar *weights)
{
    const cuzk_curve *curve = verifier->vk.curve;
    memset(sum, 0, sizeof *sum);
    for (size_t i = 0; i < verifier->vk.n_public; i++) {
        cuzk_g1 term;
        curve->g1_mul(term.l, verifier->vk.ic + (i + 1) * curve->g1_words, &weights[i]);
        curve->g1_add(sum->l, sum->l, term.l);
    }
}

cuzk_status cuzk_verifier_combine(const cuzk_verifier *verifier, cuzk_g1 *acc,
                                  const cuzk_scalar *first, const cuzk_scalar *weights,
                                  cuzk_pool *pool, cuzk_error *err)
{
    const cuzk_curve *curve = verifier->vk.curve;
    cuzk_g1 sum, start;
    if (verifier->vk.n_public >= CUZK_VERIFIER_MSM_FROM)
        CUZK_TRY(sum_many(verifier, &sum, weights, pool, err));
    else
        sum_few(verifier, &sum, weights);
    curve->g1_mul(start.l, verifier->vk.ic, first);
    curve->g1_add(acc->l, sum.l, start.l);
    return CUZK_OK;
}
