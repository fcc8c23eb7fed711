/* Points with known discrete logarithms, scalars of all shapes, and guarded memory: for the tests
 * of multi-scalar multiplication and its kin. */
#ifndef CUZK_TEST_KNOWN_POINTS_H
#define CUZK_TEST_KNOWN_POINTS_H

#include "support/test.h"

#include "curve/curve.h"

/* Points in memory form and their logarithms. */
typedef struct test_known {
    const cuzk_curve *curve;
    cuzk_group group;
    size_t n;
    uint64_t *points;
    cuzk_scalar *log;
} test_known;

/* Random points for a start, then sums, repeats, opposites and infinity. */
test_known test_known_points(const cuzk_curve *curve, cuzk_group group, size_t n, test_rng *rng);
void test_known_release(test_known *k);

const uint64_t *test_generator(const cuzk_curve *curve, cuzk_group group);
void test_point_mul(const cuzk_curve *curve, cuzk_group group, uint64_t *r, const uint64_t *a,
                    const cuzk_scalar *k);
void test_point_add(const cuzk_curve *curve, cuzk_group group, uint64_t *r, const uint64_t *a,
                    const uint64_t *b);

void test_random_scalar(const cuzk_curve *curve, cuzk_scalar *k, test_rng *rng);
void test_small_scalar(cuzk_scalar *k, uint64_t value);
/* k := r - k, k > 0 */
void test_negate_scalar(const cuzk_curve *curve, cuzk_scalar *k);
/* By shape modulo TEST_SHAPES: 0, 1, small negative, power of two, small, about r/2, random. */
#define TEST_SHAPES 9
void test_shaped_scalar(const cuzk_curve *curve, cuzk_scalar *k, unsigned shape, test_rng *rng);

/* bytes of memory, 64-byte aligned, full of a pattern, and TEST_GUARD more of it behind. */
#define TEST_GUARD   64
#define TEST_PATTERN 0xa5
void *test_guarded(size_t bytes);
void test_assert_guard(const void *at);

/* Calls test for both curves, both groups and each CPU level of this machine. */
void test_each_group(void (*test)(const cuzk_curve *curve, cuzk_group group, test_rng *rng),
                     uint64_t salt);

#endif
