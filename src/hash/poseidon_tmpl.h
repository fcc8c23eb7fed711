/* The permutation of poseidon.h, compiled once per processor level: POSEIDON_KERNEL is the name of
 * the function that it defines. */
#include "field/bls12_381_fr.h"
#include "hash/poseidon_levels.h"

#include <string.h>

/* x = x^5. */
static void quintic(cuzk_fr *x)
{
    cuzk_fr square;
    bls12_381_fr_sqr(&square, x);
    bls12_381_fr_sqr(&square, &square);
    bls12_381_fr_mul(x, x, &square);
}

/* out = state * m. */
static void mix(cuzk_fr *out, const cuzk_fr *state, const cuzk_fr *m, unsigned t)
{
    cuzk_fr product;
    for (unsigned j = 0; j < t; j++)
        bls12_381_fr_mul(&out[j], &state[0], &m[j]);
    for (unsigned i = 1; i < t; i++) {
        for (unsigned j = 0; j < t; j++) {
            bls12_381_fr_mul(&product, &state[i], &m[i * t + j]);
            bls12_381_fr_add(&out[j], &out[j], &product);
        }
    }
}

/* constants NULL: none. */
static void full_round(cuzk_fr *state, const cuzk_fr *constants, const cuzk_fr *m, unsigned t)
{
    cuzk_fr powers[CUZK_POSEIDON_MAX_WIDTH];
    for (unsigned i = 0; i < t; i++) {
        powers[i] = state[i];
        quintic(&powers[i]);
        if (constants != NULL)
            bls12_381_fr_add(&powers[i], &powers[i], &constants[i]);
    }
    mix(state, powers, m, t);
}

static void partial_round(cuzk_fr *state, const cuzk_fr *constant, const cuzk_fr *w,
                          const cuzk_fr *v, unsigned t)
{
    cuzk_fr first, sum, product;
    first = state[0];
    quintic(&first);
    bls12_381_fr_add(&first, &first, constant);
    bls12_381_fr_mul(&sum, &w[0], &first);
    for (unsigned i = 1; i < t; i++) {
        bls12_381_fr_mul(&product, &w[i], &state[i]);
        bls12_381_fr_add(&sum, &sum, &product);
        bls12_381_fr_mul(&product, &v[i - 1], &first);
        bls12_381_fr_add(&state[i], &state[i], &product);
    }
    state[0] = sum;
}

void POSEIDON_KERNEL(cuzk_fr *state, const cuzk_poseidon *p)
{
    const unsigned t = p->width, half = CUZK_POSEIDON_FULL_ROUNDS / 2;
    const cuzk_fr *next = p->compressed;
    for (unsigned i = 0; i < t; i++)
        bls12_381_fr_add(&state[i], &state[i], next++);
    for (unsigned r = 0; r < half; r++, next += t)
        full_round(state, next, r + 1 < half ? p->mds : p->pre, t);
    for (unsigned r = 0; r < p->partial_rounds; r++)
        partial_round(state, next++, p->w_hat + r * t, p->v_rest + r * (t - 1), t);
    for (unsigned r = 0; r + 1 < half; r++, next += t)
        full_round(state, next, p->mds, t);
    full_round(state, NULL, p->mds, t);
}
