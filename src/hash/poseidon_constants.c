/* Poseidon's constants are computed, not stored: round constants by the Grain LFSR, a Cauchy
 * matrix, and from both the forms that save most multiplications of partial rounds (Filecoin
 * circuits, sections 5.2, 5.3, 5.5). */
#include "hash/poseidon.h"

#include "field/bls12_381_fr.h"
#include "hash/poseidon_matrix.h"

#include <pthread.h>
#include <string.h>

#define HALF (CUZK_POSEIDON_FULL_ROUNDS / 2)

/* The Grain LFSR: bit i of its state is s[(start + i) % 80]. */
typedef struct grain {
    uint8_t s[80];
    unsigned start;
} grain;

static unsigned step(grain *g)
{
    static const uint8_t taps[] = {62, 51, 38, 23, 13, 0};
    unsigned bit = 0;
    for (unsigned i = 0; i < sizeof taps; i++)
        bit ^= g->s[(g->start + taps[i]) % 80];
    g->s[g->start] = (uint8_t)bit;
    g->start = (g->start + 1) % 80;
    return bit;
}

static void append_bits(grain *g, unsigned *at, unsigned n, uint32_t value)
{
    for (unsigned i = n; i-- > 0;)
        g->s[(*at)++] = value >> i & 1;
}

static void start_grain(grain *g, unsigned width, unsigned partial_rounds)
{
    unsigned at = 0;
    g->start = 0;
    append_bits(g, &at, 2, 1); /* prime field */
    append_bits(g, &at, 4, 1); /* x^5 */
    append_bits(g, &at, 12, 255);
    append_bits(g, &at, 12, width);
    append_bits(g, &at, 10, CUZK_POSEIDON_FULL_ROUNDS);
    append_bits(g, &at, 10, partial_rounds);
    append_bits(g, &at, 30, (UINT32_C(1) << 30) - 1);
    for (unsigned i = 0; i < 160; i++)
        step(g);
}

/* The next bit of the shrunken stream. */
static unsigned next_bit(grain *g)
{
    while (!step(g))
        step(g);
    return step(g);
}

static void next_element(grain *g, bls12_381_fr *out)
{
    cuzk_scalar c;
    do {
        memset(&c, 0, sizeof c);
        for (unsigned i = 255; i-- > 0;)
            c.l[i / 64] |= (uint64_t)next_bit(g) << i % 64;
    } while (!bls12_381_fr_from_limbs(out, &c));
}

static void make_round(cuzk_fr *round, unsigned t, unsigned partial_rounds)
{
    grain g;
    start_grain(&g, t, partial_rounds);
    for (unsigned i = 0; i < (CUZK_POSEIDON_FULL_ROUNDS + partial_rounds) * t; i++)
        next_element(&g, &round[i]);
}

static void make_mds(cuzk_fr *mds, unsigned t)
{
    for (unsigned i = 0; i < t; i++) {
        for (unsigned j = 0; j < t; j++) {
            cuzk_fr sum;
            bls12_381_fr_from_u64(&sum, i + t + j);
            bls12_381_fr_inv_var(&mds[i * t + j], &sum);
        }
    }
}

/* Constants are moved through the inverse matrix to before the mix where that leaves all but one of
 * a partial round's zero. */
static void make_compressed(cuzk_fr *out, const cuzk_fr *round, const cuzk_fr *inverse, unsigned t,
                            unsigned partial_rounds)
{
    cuzk_fr acc[CUZK_POSEIDON_MAX_WIDTH], v[CUZK_POSEIDON_MAX_WIDTH];
    memcpy(out, round, t * sizeof *out);
    out += t;
    for (unsigned r = 1; r < HALF; r++, out += t)
        cuzk_matrix_times(out, inverse, round + r * t, t);

    memcpy(acc, round + (HALF + partial_rounds) * t, t * sizeof *acc);
    cuzk_fr *partial = out + t; /* behind the t constants that the loop leaves */
    for (unsigned i = 0; i < partial_rounds; i++) {
        cuzk_matrix_times(v, inverse, acc, t);
        partial[partial_rounds - 1 - i] = v[0];
        bls12_381_fr_set_zero(&v[0]);
        for (unsigned j = 0; j < t; j++)
            bls12_381_fr_add(&acc[j], &round[(HALF + partial_rounds - 1 - i) * t + j], &v[j]);
    }
    cuzk_matrix_times(out, inverse, acc, t);
    out = partial + partial_rounds;
    for (unsigned r = 1; r < HALF; r++, out += t)
        cuzk_matrix_times(out, inverse, round + (HALF + partial_rounds + r) * t, t);
}

/* Splits partial rounds' matrices into sparse ones, used in reverse order of their making. */
static void make_sparse(cuzk_fr *pre, cuzk_fr *w_hat, cuzk_fr *v_rest, const cuzk_fr *mds,
                        unsigned t, unsigned partial_rounds)
{
    cuzk_fr minor[CUZK_MATRIX_MAX], next[CUZK_MATRIX_MAX], column[CUZK_POSEIDON_MAX_WIDTH];
    unsigned m = t - 1;
    memcpy(pre, mds, t * t * sizeof *pre);
    for (unsigned r = partial_rounds; r-- > 0;) {
        for (unsigned i = 0; i < m; i++) {
            memcpy(minor + i * m, pre + (i + 1) * t + 1, m * sizeof *minor);
            column[i] = pre[(i + 1) * t];
        }
        w_hat[r * t] = pre[0];
        memcpy(v_rest + r * m, pre + 1, m * sizeof *v_rest);
        /* pre = mds * [[1, 0], [0, minor]] */
        for (unsigned i = 0; i < t; i++) {
            next[i * t] = mds[i * t];
            cuzk_matrix_row_times(next + i * t + 1, mds + i * t + 1, minor, m);
        }
        cuzk_matrix_invert(minor, m);
        cuzk_matrix_times(w_hat + r * t + 1, minor, column, m);
        memcpy(pre, next, t * t * sizeof *pre);
    }
}

/* Everything of one arity in one array. */
#define ELEMENTS(t, rp)                                                                            \
    ((8 + (rp)) * (t) + 2 * (t) * (t) + 8 * (t) + (rp) + (rp) * (t) + (rp) * ((t)-1))
#define INSTANCE(a, rp)                                                                            \
    static cuzk_fr store_##a[ELEMENTS(a + 1, rp)];                                                 \
    static cuzk_poseidon poseidon_##a;                                                             \
    static pthread_once_t once_##a = PTHREAD_ONCE_INIT;                                            \
    static void make_##a(void)                                                                     \
    {                                                                                              \
        make_constants(&poseidon_##a, store_##a, a, rp);                                           \
    }

static void make_constants(cuzk_poseidon *p, cuzk_fr *store, unsigned arity, unsigned rp)
{
    unsigned t = arity + 1;
    cuzk_fr inverse[CUZK_MATRIX_MAX];
    cuzk_fr *round = store;
    cuzk_fr *mds = round + (CUZK_POSEIDON_FULL_ROUNDS + rp) * t;
    cuzk_fr *compressed = mds + t * t;
    cuzk_fr *pre = compressed + CUZK_POSEIDON_FULL_ROUNDS * t + rp;
    cuzk_fr *w_hat = pre + t * t;
    cuzk_fr *v_rest = w_hat + rp * t;

    make_round(round, t, rp);
    make_mds(mds, t);
    memcpy(inverse, mds, t * t * sizeof *mds);
    cuzk_matrix_invert(inverse, t);
    make_compressed(compressed, round, inverse, t, rp);
    make_sparse(pre, w_hat, v_rest, mds, t, rp);
    *p = (cuzk_poseidon){.arity = arity,
                         .width = t,
                         .partial_rounds = rp,
                         .round = round,
                         .mds = mds,
                         .compressed = compressed,
                         .pre = pre,
                         .w_hat = w_hat,
                         .v_rest = v_rest};
}

INSTANCE(1, 55)
INSTANCE(2, 55)
INSTANCE(4, 56)
INSTANCE(8, 57)
INSTANCE(11, 57)
INSTANCE(16, 59)
INSTANCE(24, 59)
INSTANCE(36, 60)

const cuzk_poseidon *cuzk_poseidon_get(unsigned arity)
{
    static const struct {
        unsigned arity;
        pthread_once_t *once;
        void (*make)(void);
        const cuzk_poseidon *poseidon;
    } instances[] = {
        {1, &once_1, make_1, &poseidon_1},     {2, &once_2, make_2, &poseidon_2},
        {4, &once_4, make_4, &poseidon_4},     {8, &once_8, make_8, &poseidon_8},
        {11, &once_11, make_11, &poseidon_11}, {16, &once_16, make_16, &poseidon_16},
        {24, &once_24, make_24, &poseidon_24}, {36, &once_36, make_36, &poseidon_36},
    };
    for (size_t i = 0; i < sizeof instances / sizeof instances[0]; i++) {
        if (instances[i].arity == arity) {
            pthread_once(instances[i].once, instances[i].make);
            return instances[i].poseidon;
        }
    }
    return NULL;
}
