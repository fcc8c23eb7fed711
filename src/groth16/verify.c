#include "groth16/verifier.h"

#include <stdlib.h>

typedef struct verification {
    const cuzk_verifier *verifier;
    const cuzk_proof *proof;
    const cuzk_scalar *inputs;
    cuzk_status status[2];
    cuzk_error err[2];
    cuzk_g1 ic;
    uint64_t *prepared_b; /* room for one prepared point */
    cuzk_gt miller[2];
} verification;

static void combine(verification *v, cuzk_pool *pool)
{
    static const cuzk_scalar one = {{1}};
    v->status[1] = cuzk_verifier_combine(v->verifier, &v->ic, &one, v->inputs, pool, &v->err[1]);
}

/* The checks of the points; the public inputs' point. */
static void prepare_tile(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    verification *v = context;
    if (tile == 0)
        v->status[0] =
            cuzk_verifier_check_points(v->verifier, v->proof, CUZK_ONE_PROOF, &v->err[0]);
    else
        combine(v, NULL);
}

/* The Miller values of (A, B), and of the two pairs whose second points are the key's. */
static void miller_tile(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    verification *v = context;
    const cuzk_curve *curve = v->verifier->vk.curve;
    if (tile == 0) {
        curve->g2_prepare(v->prepared_b, v->proof->b.l);
        const uint64_t *point = v->proof->a.l;
        const void *prepared = v->prepared_b;
        curve->miller(&v->miller[0], &point, &prepared, 1);
    } else {
        const uint64_t *points[] = {v->ic.l, v->proof->c.l};
        const void *prepared[] = {v->verifier->minus_gamma, v->verifier->minus_delta};
        curve->miller(&v->miller[1], points, prepared, 2);
    }
}

static bool equation_holds(verification *v, cuzk_pool *pool)
{
    const cuzk_curve *curve = v->verifier->vk.curve;
    cuzk_gt f, one;
    cuzk_pool_run(pool, 2, miller_tile, v);
    curve->gt_mul(&f, &v->miller[0], &v->miller[1]);
    curve->gt_mul(&f, &f, &v->verifier->alpha_beta);
    curve->final_exp(&f, &f);
    curve->gt_one(&one);
    return curve->gt_equal(&f, &one);
}

/* Fills ic; the points are good then. */
static cuzk_status prepare(verification *v, cuzk_pool *pool, cuzk_error *err)
{
    const bool few = v->verifier->vk.n_public < CUZK_VERIFIER_MSM_FROM;
    cuzk_pool_run(pool, few ? 2 : 1, prepare_tile, v);
    if (!few && v->status[0] == CUZK_OK)
        combine(v, pool);
    for (int i = 0; i < 2; i++)
        if (v->status[i] != CUZK_OK)
            return cuzk_fail(err, v->status[i], "%s", v->err[i].message);
    return CUZK_OK;
}

cuzk_status cuzk_verify_proof(const cuzk_verifier *verifier, const cuzk_scalar *inputs,
                              size_t n_inputs, const cuzk_proof *proof, cuzk_pool *pool,
                              cuzk_error *err)
{
    size_t bad;
    CUZK_TRY(cuzk_verifier_check_inputs(verifier, inputs, n_inputs, 1, &bad, err));
    verification v = {.verifier = verifier, .proof = proof, .inputs = inputs};
    CUZK_TRY(prepare(&v, pool, err));
    v.prepared_b = malloc(verifier->vk.curve->g2_prepared_bytes);
    if (v.prepared_b == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory to verify a proof");
    bool holds = equation_holds(&v, pool);
    free(v.prepared_b);
    if (holds)
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_REJECTED,
                     "the proof is false: it does not prove these public inputs under this "
                     "verification key");
}
