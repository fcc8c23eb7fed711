/* Batch verification by a random linear combination: with weights w_j of 128 random bits,
 *
 *   prod_j e(w_j A_j, B_j) * e(sum_j w_j IC(x_j), -gamma) * e(sum_j w_j C_j, -delta)
 *       * e(-alpha, beta)^(sum_j w_j) = 1
 *
 * holds for a set with a false proof with probability 2^-128. Each proof's share of the left side
 * does not depend on the others', so it is computed once, in tiles on the pool, and a bisection
 * only multiplies shares again. */
#include "groth16/verifier.h"

#include "base/memory.h"
#include "base/random.h"

#include <stdlib.h>
#include <string.h>

/* What one proof adds: its Miller value and its weighted C. */
typedef struct share {
    cuzk_scalar weight;
    cuzk_gt miller;
    cuzk_g1 c;
    cuzk_status status; /* of its points */
} share;

typedef struct batch {
    const cuzk_verifier *verifier;
    const cuzk_scalar *inputs;
    const cuzk_proof *proofs;
    size_t n;
    share *shares;
    uint8_t *prepared;    /* one prepared point per worker */
    cuzk_fr *sums;        /* n_public elements */
    cuzk_scalar *weights; /* n_public elements */
} batch;

static void make_share(void *context, size_t tile, unsigned worker)
{
    batch *work = context;
    const cuzk_curve *curve = work->verifier->vk.curve;
    const cuzk_proof *proof = &work->proofs[tile];
    share *mine = &work->shares[tile];
    mine->status = cuzk_verifier_check_points(work->verifier, proof, tile, NULL);
    if (mine->status != CUZK_OK)
        return;
    cuzk_g1 a;
    curve->g1_mul(a.l, proof->a.l, &mine->weight);
    curve->g1_mul(mine->c.l, proof->c.l, &mine->weight);
    void *prepared = work->prepared + worker * cuzk_align_up(curve->g2_prepared_bytes);
    curve->g2_prepare(prepared, proof->b.l);
    const uint64_t *point = a.l;
    const void *line = prepared;
    curve->miller(&mine->miller, &point, &line, 1);
}

static cuzk_status draw_weights(batch *work, cuzk_error *err)
{
    for (size_t i = 0; i < work->n; i++) {
        cuzk_scalar *weight = &work->shares[i].weight;
        memset(weight, 0, sizeof *weight);
        while (weight->l[0] == 0 && weight->l[1] == 0)
            CUZK_TRY(cuzk_random(weight->l, 2 * sizeof weight->l[0], err));
    }
    return CUZK_OK;
}

/* work->weights[i] = sum over j of w_j * x_ji, and *total = sum over j of w_j. */
static void weigh_inputs(const batch *work, size_t first, size_t end, cuzk_scalar *total)
{
    const cuzk_curve *curve = work->verifier->vk.curve;
    size_t n_public = work->verifier->vk.n_public;
    cuzk_fr sum = {{0}};
    memset(work->sums, 0, n_public * sizeof *work->sums);
    for (size_t j = first; j < end; j++) {
        cuzk_fr weight, x;
        curve->fr_from_scalar(&weight, &work->shares[j].weight);
        curve->fr_add(&sum, &sum, &weight);
        for (size_t i = 0; i < n_public; i++) {
            curve->fr_from_scalar(&x, &work->inputs[j * n_public + i]);
            curve->fr_mul(&x, &x, &weight);
            curve->fr_add(&work->sums[i], &work->sums[i], &x);
        }
    }
    for (size_t i = 0; i < n_public; i++)
        curve->fr_to_scalar(&work->weights[i], &work->sums[i]);
    curve->fr_to_scalar(total, &sum);
}

/* Whether the proofs first .. end-1 are all true. */
static cuzk_status check_range(const batch *work, size_t first, size_t end, bool *holds,
                               cuzk_pool *pool, cuzk_error *err)
{
    const cuzk_verifier *verifier = work->verifier;
    const cuzk_curve *curve = verifier->vk.curve;
    cuzk_scalar total;
    cuzk_g1 ic, c = {{0}};
    weigh_inputs(work, first, end, &total);
    CUZK_TRY(cuzk_verifier_combine(verifier, &ic, &total, work->weights, pool, err));
    for (size_t j = first; j < end; j++)
        curve->g1_add(c.l, c.l, work->shares[j].c.l);
    const uint64_t *points[] = {ic.l, c.l};
    const void *prepared[] = {verifier->minus_gamma, verifier->minus_delta};
    cuzk_gt f, constant, one;
    curve->miller(&f, points, prepared, 2);
    for (size_t j = first; j < end; j++)
        curve->gt_mul(&f, &f, &work->shares[j].miller);
    curve->final_exp(&f, &f);
    curve->final_exp(&constant, &verifier->alpha_beta);
    curve->gt_pow(&constant, &constant, &total);
    curve->gt_mul(&f, &f, &constant);
    curve->gt_one(&one);
    *holds = curve->gt_equal(&f, &one);
    return CUZK_OK;
}

/* [first, end) holds a false proof; narrows it down to the first one. */
static cuzk_status bisect(const batch *work, size_t *bad, cuzk_pool *pool, cuzk_error *err)
{
    size_t first = 0, end = work->n;
    while (end - first > 1) {
        size_t middle = first + (end - first) / 2;
        bool holds;
        CUZK_TRY(check_range(work, first, middle, &holds, pool, err));
        if (holds)
            first = middle;
        else
            end = middle;
    }
    *bad = first;
    return cuzk_fail(err, CUZK_ERR_REJECTED,
                     "proof %zu of %zu is false: it does not prove its public inputs under this "
                     "verification key",
                     first, work->n);
}

static cuzk_status verify(batch *work, size_t *bad, cuzk_pool *pool, cuzk_error *err)
{
    CUZK_TRY(draw_weights(work, err));
    cuzk_pool_run(pool, work->n, make_share, work);
    for (size_t i = 0; i < work->n; i++) {
        if (work->shares[i].status == CUZK_OK)
            continue;
        *bad = i;
        return cuzk_verifier_check_points(work->verifier, &work->proofs[i], i, err);
    }
    bool holds;
    CUZK_TRY(check_range(work, 0, work->n, &holds, pool, err));
    return holds ? CUZK_OK : bisect(work, bad, pool, err);
}

static bool allocate(batch *work, cuzk_pool *pool)
{
    const cuzk_vk *vk = &work->verifier->vk;
    unsigned threads = pool == NULL ? 1 : cuzk_pool_threads(pool);
    work->shares = calloc(work->n, sizeof *work->shares);
    work->prepared = cuzk_memory_new(threads, cuzk_align_up(vk->curve->g2_prepared_bytes));
    work->sums = calloc(vk->n_public + 1, sizeof *work->sums);
    work->weights = calloc(vk->n_public + 1, sizeof *work->weights);
    return work->shares != NULL && work->prepared != NULL && work->sums != NULL &&
           work->weights != NULL;
}

cuzk_status cuzk_verify_batch(const cuzk_verifier *verifier, const cuzk_scalar *inputs,
                              size_t n_inputs, const cuzk_proof *proofs, size_t n, size_t *bad,
                              cuzk_pool *pool, cuzk_error *err)
{
    size_t at = 0;
    size_t product;
    if (n == 0 || __builtin_mul_overflow(n, n_inputs, &product))
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "a batch of %zu proofs; there must be at least one to say anything", n);
    batch work = {.verifier = verifier, .inputs = inputs, .proofs = proofs, .n = n};
    cuzk_status status = cuzk_verifier_check_inputs(verifier, inputs, n_inputs, n, &at, err);
    if (status == CUZK_OK && !allocate(&work, pool))
        status = cuzk_fail(err, CUZK_ERR_MEMORY, "no memory to verify %zu proofs", n);
    else if (status == CUZK_OK)
        status = verify(&work, &at, pool, err);
    free(work.shares);
    free(work.prepared);
    free(work.sums);
    free(work.weights);
    if (status != CUZK_OK && bad != NULL)
        *bad = at;
    return status;
}
