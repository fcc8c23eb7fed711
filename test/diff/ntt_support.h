/* What the tests of compute/ntt.h share: guarded buffers, plans with their scratch, naive
 * transforms. */
#ifndef CUZK_TEST_NTT_SUPPORT_H
#define CUZK_TEST_NTT_SUPPORT_H

#include "base/cpu.h"
#include "base/memory.h"
#include "compute/ntt.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#define GUARD      128
#define GUARD_BYTE 0xa5

/* size bytes, 64-byte aligned, between two guards. */
static inline void *guarded_new(size_t size)
{
    uint8_t *p = cuzk_memory_new(size + 2 * GUARD, 1);
    assert_non_null(p);
    memset(p, GUARD_BYTE, size + 2 * GUARD);
    return p + GUARD;
}

static inline void guarded_free(void *data, size_t size)
{
    const uint8_t *p = data;
    for (size_t i = 0; i < GUARD; i++) {
        assert_int_equal(p[i - GUARD], GUARD_BYTE);
        assert_int_equal(p[size + i], GUARD_BYTE);
    }
    free((uint8_t *)data - GUARD);
}

/* A plan on the selected level, with scratch for the threads of a pool. */
typedef struct fixture {
    const cuzk_curve *curve;
    unsigned log_m;
    size_t m, plan_bytes, scratch_bytes;
    cuzk_fr omega;
    cuzk_ntt_plan *plan;
    void *memory, *scratch;
    cuzk_pool *pool;
} fixture;

static inline fixture fixture_new(const cuzk_curve *curve, const cuzk_fr *root, unsigned log_m,
                                  cuzk_pool *pool)
{
    fixture f = {.curve = curve, .log_m = log_m, .m = (size_t)1 << log_m, .pool = pool};
    const unsigned threads = cuzk_pool_threads(pool);
    cuzk_root_of_unity(&f.omega, curve, root, log_m);
    f.plan_bytes = cuzk_ntt_plan_bytes(curve, log_m);
    f.memory = guarded_new(f.plan_bytes);
    f.plan = cuzk_ntt_plan_init(f.memory, curve, log_m, &f.omega, pool);
    f.scratch_bytes = cuzk_ntt_scratch(f.plan, threads);
    if (cuzk_quotient_scratch(f.plan, threads) > f.scratch_bytes)
        f.scratch_bytes = cuzk_quotient_scratch(f.plan, threads);
    f.scratch = guarded_new(f.scratch_bytes);
    return f;
}

static inline void fixture_free(fixture *f)
{
    guarded_free(f->memory, f->plan_bytes);
    guarded_free(f->scratch, f->scratch_bytes);
}

static inline cuzk_fr random_fr(test_rng *rng, const cuzk_curve *curve)
{
    uint8_t wide[64];
    cuzk_scalar s = {{0}};
    cuzk_fr r;
    switch (test_rng_below(rng, 8)) {
    case 0: /* 0, 1, 2 */
        s.l[0] = test_rng_below(rng, 3);
        break;
    case 1: /* r - 1, r - 2 */
        s = curve->r;
        s.l[0] -= 1 + (s.l[0] > 1 ? test_rng_below(rng, 2) : 0);
        break;
    default:
        test_rng_bytes(rng, wide, sizeof wide);
        curve->scalar_from_wide(&s, wide);
    }
    curve->fr_from_scalar(&r, &s);
    return r;
}

static inline cuzk_fr *random_vector(test_rng *rng, const cuzk_curve *curve, size_t n)
{
    cuzk_fr *v = guarded_new(n * sizeof *v);
    for (size_t i = 0; i < n; i++)
        v[i] = random_fr(rng, curve);
    return v;
}

/* The value at x of the polynomial with these coefficients. */
static inline cuzk_fr evaluate(const cuzk_curve *curve, const cuzk_fr *coefficients, size_t n,
                               const cuzk_fr *x)
{
    cuzk_fr y = {{0}};
    for (size_t i = n; i-- > 0;) {
        curve->fr_mul(&y, &y, x);
        curve->fr_add(&y, &y, &coefficients[i]);
    }
    return y;
}

/* out[i] = value at g * omega^i. */
static inline void naive_forward(const cuzk_curve *curve, cuzk_fr *out, const cuzk_fr *in, size_t m,
                                 const cuzk_fr *omega, const cuzk_fr *g)
{
    cuzk_fr x = g != NULL ? *g : curve->fr_one;
    for (size_t i = 0; i < m; i++) {
        out[i] = evaluate(curve, in, m, &x);
        curve->fr_mul(&x, &x, omega);
    }
}

/* Coefficients of the polynomial with these values at omega^i. */
static inline void naive_inverse(const cuzk_curve *curve, cuzk_fr *out, const cuzk_fr *in, size_t m,
                                 const cuzk_fr *omega)
{
    cuzk_fr omega_inverse, size = {{0}};
    curve->fr_inv(&omega_inverse, omega);
    naive_forward(curve, out, in, m, &omega_inverse, NULL);
    for (size_t i = 0; i < m; i++)
        curve->fr_add(&size, &size, &curve->fr_one);
    curve->fr_inv(&size, &size);
    for (size_t i = 0; i < m; i++)
        curve->fr_mul(&out[i], &out[i], &size);
}

#define assert_fr_equal(a, b, n) assert_memory_equal(a, b, (n) * sizeof(cuzk_fr))

#endif
