#include "groth16/verifier.h"

#include <stdlib.h>

typedef struct pairing {
    const cuzk_verifier *verifier;
    const cuzk_proof *proof;
    cuzk_g1 ic;
    uint64_t *prepared_b; /* room for one prepared point */
    cuzk_gt miller[2];
} pairing;

/* The Miller values of (A, B), and of the two pairs whose second points are the key's. */
static void run_tile(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    pairing *p = context;
    const cuzk_curve *curve = p->verifier->vk.curve;
    if (tile == 0) {
        curve->g2_prepare(p->prepared_b, p->proof->b.l);
        const uint64_t *point = p->proof->a.l;
        const void *prepared = p->prepared_b;
        curve->miller(&p->miller[0], &point, &prepared, 1);
    } else {
        const uint64_t *points[] = {p->ic.l, p->proof->c.l};
        const void *prepared[] = {p->verifier->minus_gamma, p->verifier->minus_delta};
        curve->miller(&p->miller[1], points, prepared, 2);
    }
}

static bool equation_holds(pairing *p, cuzk_pool *pool)
{
    const cuzk_curve *curve = p->verifier->vk.curve;
    cuzk_gt f;
    cuzk_pool_run(pool, 2, run_tile, p);
    curve->gt_mul(&f, &p->miller[0], &p->miller[1]);
    curve->final_exp(&f, &f);
    return curve->gt_equal(&f, &p->verifier->alpha_beta);
}

cuzk_status cuzk_verify_proof(const cuzk_verifier *verifier, const cuzk_scalar *inputs,
                              size_t n_inputs, const cuzk_proof *proof, cuzk_pool *pool,
                              cuzk_error *err)
{
    size_t bad;
    CUZK_TRY(cuzk_verifier_check_inputs(verifier, inputs, n_inputs, 1, &bad, err));
    CUZK_TRY(cuzk_verifier_check_points(verifier, proof, CUZK_ONE_PROOF, err));
    static const cuzk_scalar one = {{1}};
    pairing p = {.verifier = verifier, .proof = proof};
    CUZK_TRY(cuzk_verifier_combine(verifier, &p.ic, &one, inputs, pool, err));
    p.prepared_b = malloc(verifier->vk.curve->g2_prepared_bytes);
    if (p.prepared_b == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory to verify a proof");
    bool holds = equation_holds(&p, pool);
    free(p.prepared_b);
    if (holds)
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_REJECTED,
                     "the proof is false: it does not prove these public inputs under this "
                     "verification key");
}
