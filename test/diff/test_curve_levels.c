/* The mulx/adx level against the portable one, limb for limb, on values that carry and borrow:
 * edges around 0, p, p/2 and powers of 2^64, and long runs of equal bits. */
#include "support/big.h"
#include "support/levels.h"

#if CUZK_X86_LEVELS

typedef struct pair_of_levels {
    const cuzk_curve *portable, *adx;
    BIGNUM *p, *r;
} pair_of_levels;

static void fr_operations(const pair_of_levels *l, test_rng *rng)
{
    const cuzk_curve *a = l->portable, *b = l->adx;
    for (unsigned i = 0; i < BIG_EDGES(4) + 60; i++) {
        for (unsigned j = 0; j < BIG_EDGES(4) + 60; j++) {
            cuzk_fr x, y, r, s;
            big_operand(x.l, l->r, 4, i, rng);
            big_operand(y.l, l->r, 4, j, rng);
            a->fr_add(&r, &x, &y), b->fr_add(&s, &x, &y);
            assert_memory_equal(&r, &s, sizeof r);
            a->fr_sub(&r, &x, &y), b->fr_sub(&s, &x, &y);
            assert_memory_equal(&r, &s, sizeof r);
            a->fr_mul(&r, &x, &y), b->fr_mul(&s, &x, &y);
            assert_memory_equal(&r, &s, sizeof r);
            a->fr_neg(&r, &x), b->fr_neg(&s, &x);
            assert_memory_equal(&r, &s, sizeof r);
            s = x, b->fr_mul(&s, &s, &s), a->fr_mul(&r, &x, &x);
            assert_memory_equal(&r, &s, sizeof r);
        }
    }
}

/* Products of single coefficients reach Fp's mul, add and sub directly with the chosen limbs. */
static void fp_operations(const pair_of_levels *l, test_rng *rng)
{
    unsigned n = l->portable->fp_words;
    for (unsigned i = 0; i < BIG_EDGES(n) + 20; i++) {
        for (unsigned j = 0; j < BIG_EDGES(n) + 20; j++) {
            cuzk_gt x, y, r, s;
            memset(&x, 0, sizeof x);
            memset(&y, 0, sizeof y);
            unsigned at_x = (unsigned)test_rng_below(rng, 12);
            unsigned at_y = (unsigned)test_rng_below(rng, 12);
            big_operand(x.l + at_x * n, l->p, n, i, rng);
            big_operand(y.l + at_y * n, l->p, n, j, rng);
            l->portable->gt_mul(&r, &x, &y);
            l->adx->gt_mul(&s, &x, &y);
            assert_memory_equal(&r, &s, sizeof r);
            big_operand(x.l + at_y * n, l->p, n, j, rng);
            l->portable->gt_mul(&r, &x, &x);
            l->adx->gt_mul(&s, &x, &x);
            assert_memory_equal(&r, &s, sizeof r);
        }
    }
}

/* Coordinates need not be on the curve for the formulas to be computed. */
static void group_operations(const pair_of_levels *l, test_rng *rng)
{
    unsigned n = l->portable->fp_words;
    for (int group = 0; group < 2; group++) {
        test_group a = test_group_of(l->portable, (cuzk_group)group);
        test_group b = test_group_of(l->adx, (cuzk_group)group);
        for (unsigned i = 0; i < 200; i++) {
            uint64_t x[CUZK_G2_MAX_WORDS], y[CUZK_G2_MAX_WORDS];
            uint64_t r[CUZK_G2_MAX_WORDS], s[CUZK_G2_MAX_WORDS];
            cuzk_scalar k;
            for (unsigned at = 0; at < a.words; at += n) {
                unsigned which = (unsigned)test_rng_below(rng, 2 * BIG_EDGES(n));
                big_operand(x + at, l->p, n, which, rng);
                which = (unsigned)test_rng_below(rng, 2 * BIG_EDGES(n));
                big_operand(y + at, l->p, n, which, rng);
            }
            a.add(r, x, y), b.add(s, x, y);
            assert_memory_equal(r, s, 8 * a.words);
            a.neg(r, x), b.neg(s, x);
            assert_memory_equal(r, s, 8 * a.words);
            assert_int_equal(a.check(x, true), b.check(x, true));
            big_operand(k.l, l->r, 4, i, rng);
            if (i % 8 != 0)
                continue;
            a.mul(r, a.generator, &k), b.mul(s, a.generator, &k);
            assert_memory_equal(r, s, 8 * a.words);
            a.mul_any(r, a.generator, &k), b.mul_any(s, a.generator, &k);
            assert_memory_equal(r, s, 8 * a.words);
        }
    }
}

static void pairings(const pair_of_levels *l, test_rng *rng)
{
    uint64_t p[CUZK_G1_MAX_WORDS], q[CUZK_G2_MAX_WORDS];
    cuzk_gt r, s;
    cuzk_scalar k = test_uniform_scalar(l->portable, rng);
    l->portable->g1_mul(p, l->portable->g1_generator, &k);
    k = test_uniform_scalar(l->portable, rng);
    l->portable->g2_mul(q, l->portable->g2_generator, &k);
    assert_int_equal(l->portable->g2_prepared_bytes, l->adx->g2_prepared_bytes);
    uint64_t *x = test_malloc(l->portable->g2_prepared_bytes);
    uint64_t *y = test_malloc(l->portable->g2_prepared_bytes);
    const uint64_t *points[1] = {p};
    const void *one[1] = {x}, *other[1] = {y};
    l->portable->g2_prepare(x, q), l->adx->g2_prepare(y, q);
    assert_memory_equal(x, y, l->portable->g2_prepared_bytes);
    l->portable->miller(&r, points, one, 1), l->adx->miller(&s, points, other, 1);
    assert_memory_equal(&r, &s, sizeof r);
    l->portable->final_exp(&r, &r), l->adx->final_exp(&s, &s);
    assert_memory_equal(&r, &s, sizeof r);
    test_free(x);
    test_free(y);
}

static void on_both(void (*check)(const pair_of_levels *l, test_rng *rng), uint64_t salt)
{
    const cuzk_curve *curves[4];
    test_rng rng = test_rng_seeded(salt);
    if (test_all_curves(curves) < 4)
        skip();
    for (int i = 0; i < 2; i++) {
        pair_of_levels l = {curves[i], curves[i + 2], NULL, NULL};
        assert_int_equal(l.portable->id, l.adx->id);
        l.p = big_from_limbs(l.portable->p, l.portable->fp_words);
        l.r = big_from_limbs(l.portable->r.l, 4);
        check(&l, &rng);
        BN_free(l.p);
        BN_free(l.r);
    }
}

static void fr(void **state)
{
    (void)state;
    on_both(fr_operations, 1);
}

static void fp(void **state)
{
    (void)state;
    on_both(fp_operations, 2);
}

static void groups(void **state)
{
    (void)state;
    on_both(group_operations, 3);
}

static void pairing(void **state)
{
    (void)state;
    on_both(pairings, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fr), cmocka_unit_test(fp),
                                       cmocka_unit_test(groups), cmocka_unit_test(pairing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void only_one_level(void **state)
{
    (void)state;
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_one_level)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
