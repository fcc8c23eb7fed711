/* The curves on every CPU level that this machine has. */
#ifndef CUZK_TEST_LEVELS_H
#define CUZK_TEST_LEVELS_H

#include "base/cpu.h"
#include "curve/tables.h"
#include "support/test.h"

/* Fills curves (room for 4) with all tables, portable ones first; returns how many. */
static inline size_t test_all_curves(const cuzk_curve **curves)
{
    size_t n = 0;
    curves[n++] = &cuzk_curve_bn254_portable;
    curves[n++] = &cuzk_curve_bls12_381_portable;
#if CUZK_X86_LEVELS
    if (cuzk_cpu_best() >= CUZK_CPU_ADX) {
        curves[n++] = &cuzk_curve_bn254_adx;
        curves[n++] = &cuzk_curve_bls12_381_adx;
    }
#endif
    return n;
}

/* Runs check on each of them. */
static inline void test_each_curve(void (*check)(const cuzk_curve *curve, test_rng *rng),
                                   uint64_t salt)
{
    const cuzk_curve *curves[4];
    test_rng rng = test_rng_seeded(salt);
    size_t n = test_all_curves(curves);
    for (size_t i = 0; i < n; i++)
        check(curves[i], &rng);
}

/* The functions of one group, so that a check can be written once for both. */
typedef struct test_group {
    const cuzk_curve *curve;
    cuzk_group group;
    unsigned words;
    const uint64_t *generator;
    void (*neg)(uint64_t *r, const uint64_t *a);
    void (*add)(uint64_t *r, const uint64_t *a, const uint64_t *b);
    void (*mul)(uint64_t *r, const uint64_t *a, const cuzk_scalar *k);
    void (*mul_any)(uint64_t *r, const uint64_t *a, const cuzk_scalar *k);
    void (*mul_secret)(uint64_t *r, const uint64_t *a, const cuzk_scalar *k);
    cuzk_point_status (*check)(const uint64_t *a, bool subgroup);
    void (*encode)(uint8_t *out, const uint64_t *a, cuzk_encoding enc);
    cuzk_point_status (*decode)(uint64_t *r, const uint8_t *in, cuzk_encoding enc, bool subgroup);
} test_group;

static inline test_group test_group_of(const cuzk_curve *c, cuzk_group group)
{
    test_group g1 = {
        c,         CUZK_G1,       c->g1_words,      c->g1_generator, c->g1_neg,    c->g1_add,
        c->g1_mul, c->g1_mul_any, c->g1_mul_secret, c->g1_check,     c->g1_encode, c->g1_decode};
    test_group g2 = {
        c,         CUZK_G2,       c->g2_words,      c->g2_generator, c->g2_neg,    c->g2_add,
        c->g2_mul, c->g2_mul_any, c->g2_mul_secret, c->g2_check,     c->g2_encode, c->g2_decode};
    return group == CUZK_G1 ? g1 : g2;
}

/* Uniform below r. */
static inline cuzk_scalar test_uniform_scalar(const cuzk_curve *curve, test_rng *rng)
{
    uint8_t wide[64];
    cuzk_scalar k;
    for (size_t i = 0; i < sizeof wide; i++)
        wide[i] = (uint8_t)(test_rng_next(rng) >> 24);
    curve->scalar_from_wide(&k, wide);
    return k;
}

#endif
