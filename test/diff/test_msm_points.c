/* Fixed-base multiplication and the check of long arrays of points, against the curves' functions
 * for single points, at each CPU level of this machine. */
#include "support/known_points.h"

#include "base/cpu.h"
#include "base/pool.h"
#include "compute/cpu/msm_kernel.h"
#include "compute/msm.h"

#include <stdlib.h>
#include <string.h>

static void fixed_base(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    const unsigned words = cuzk_point_words(curve, group);
    cuzk_scalar scalars[70];
    uint64_t expected[CUZK_G2_MAX_WORDS], base[CUZK_G2_MAX_WORDS];
    test_random_scalar(curve, &scalars[0], rng);
    test_point_mul(curve, group, base, test_generator(curve, group), &scalars[0]);
    cuzk_pool *pool = cuzk_pool_new(2);
    for (size_t n = 0; n <= 70; n += n < 3 ? 1 : 33) {
        for (size_t i = 0; i < n; i++)
            test_shaped_scalar(curve, &scalars[i], (unsigned)i, rng);
        const size_t scratch_bytes = cuzk_fixed_base_scratch(curve, group, n, 2);
        const size_t out_bytes = n * words * sizeof(uint64_t);
        uint8_t *scratch = test_guarded(scratch_bytes), *out = test_guarded(out_bytes);
        cuzk_fixed_base(curve, group, (uint64_t *)(void *)out, base, scalars, n, scratch, pool);
        for (size_t i = 0; i < n; i++) {
            test_point_mul(curve, group, expected, base, &scalars[i]);
            assert_memory_equal(out + i * words * 8, expected, words * 8);
        }
        test_assert_guard(out + out_bytes);
        test_assert_guard(scratch + scratch_bytes);
        free(scratch);
        free(out);
    }
    uint64_t infinity[CUZK_G2_MAX_WORDS] = {0};
    uint8_t *scratch = test_guarded(cuzk_fixed_base_scratch(curve, group, 1, 2));
    cuzk_fixed_base(curve, group, base, infinity, scalars, 1, scratch, pool);
    assert_memory_equal(base, infinity, words * 8);
    free(scratch);
    cuzk_pool_free(pool);
}

static void test_fixed_base(void **state)
{
    (void)state;
    test_each_group(fixed_base, 5);
}

/* A point on the curve and, in all likelihood, outside the subgroup if that is smaller than the
 * curve. */
static void stray_point(const cuzk_curve *curve, cuzk_group group, uint64_t *point, test_rng *rng)
{
    uint8_t bytes[8 * CUZK_G2_MAX_WORDS];
    const size_t size = cuzk_encoding_size(curve, group, CUZK_ENC_IDEN3_C);
    cuzk_point_status status;
    do {
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)test_rng_next(rng);
        bytes[0] &= 0x0f;
        bytes[size / 2] &= 0x0f;
        status = (group == CUZK_G1 ? curve->g1_decode : curve->g2_decode)(point, bytes,
                                                                          CUZK_ENC_IDEN3_C, false);
    } while (status != CUZK_POINT_OK);
}

static void spoil(const cuzk_curve *curve, cuzk_group group, uint64_t *point, unsigned kind,
                  test_rng *rng)
{
    const unsigned words = cuzk_point_words(curve, group);
    switch (kind) {
    case 0: /* a coordinate that is not canonical */
        memset(point + curve->fp_words * test_rng_below(rng, words / curve->fp_words), 0xff,
               curve->fp_words * sizeof *point);
        break;
    case 1: /* x = p, y = 0: infinity, were it reduced */
        memset(point, 0, words * sizeof *point);
        memcpy(point, curve->p, curve->fp_words * sizeof *point);
        break;
    case 2:
        point[test_rng_below(rng, words)] ^= 1;
        break;
    case 3: /* half of infinity */
        memset(point + words / 2 * test_rng_below(rng, 2), 0, words / 2 * sizeof *point);
        break;
    default:
        stray_point(curve, group, point, rng);
    }
}

static void check_points(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    enum { N = 45 };
    const unsigned words = cuzk_point_words(curve, group);
    cuzk_point_status (*check)(const uint64_t *, bool) =
        group == CUZK_G1 ? curve->g1_check : curve->g2_check;
    test_known k = test_known_points(curve, group, N, rng);
    uint8_t unaligned[N * sizeof(uint64_t) * CUZK_G2_MAX_WORDS + 1];
    cuzk_pool *pool = cuzk_pool_new(2);
    size_t bad;
    for (size_t n = 0; n <= N; n += 1 + test_rng_below(rng, 20)) {
        memcpy(unaligned + 1, k.points, n * words * sizeof(uint64_t));
        assert_int_equal(cuzk_points_check(curve, group, unaligned + 1, n, true, &bad, pool),
                         CUZK_POINT_OK);
        assert_int_equal(cuzk_points_check(curve, group, unaligned + 1, n, false, &bad, pool),
                         CUZK_POINT_OK);
    }
    /* The kernel alone tells good points; else all would be checked one by one. */
    const cuzk_msm_kernel *kernel = cuzk_msm_kernel_get(curve, group);
    assert_int_equal(kernel->suspect((const uint8_t *)k.points, kernel->lanes, true), 0);
    for (unsigned kind = 0; kind < 5; kind++) {
        const size_t first = test_rng_below(rng, N), later = first + test_rng_below(rng, N - first);
        uint64_t point[CUZK_G2_MAX_WORDS];
        memcpy(unaligned + 1, k.points, N * words * sizeof(uint64_t));
        memcpy(point, test_generator(curve, group), words * sizeof(uint64_t));
        spoil(curve, group, point, kind, rng);
        memcpy(unaligned + 1 + later * words * sizeof *point, point, words * sizeof *point);
        memcpy(unaligned + 1 + first * words * sizeof *point, point, words * sizeof *point);
        for (unsigned subgroup = 0; subgroup < 2; subgroup++) {
            const cuzk_point_status expected = check(point, subgroup);
            const bool whole = curve->id == CUZK_BN254 && group == CUZK_G1; /* no stray points */
            assert_int_equal(expected != CUZK_POINT_OK, kind < 4 || (subgroup && !whole));
            bad = SIZE_MAX;
            assert_int_equal(
                cuzk_points_check(curve, group, unaligned + 1, N, subgroup, &bad, pool), expected);
            assert_true(bad == (expected == CUZK_POINT_OK ? SIZE_MAX : first));
        }
    }
    cuzk_pool_free(pool);
    test_known_release(&k);
}

static void test_check_points(void **state)
{
    (void)state;
    test_each_group(check_points, 7);
}

/* The points (0, +-2) of BLS12-381 have order 3: additions on the way to their multiples are
 * exceptional. */
static void test_check_order_three(void **state)
{
    (void)state;
    const cuzk_curve *curve = cuzk_curve_get(CUZK_BLS12_381);
    for (int level = CUZK_CPU_PORTABLE; level <= (int)cuzk_cpu_best(); level++) {
        cuzk_cpu_force((cuzk_cpu_level)level);
        uint64_t points[20 * CUZK_G1_MAX_WORDS] = {0};
        const uint8_t two[48] = {2};
        size_t bad = 0;
        assert_true(curve->fp_from_le(points + 13 * curve->g1_words + curve->fp_words, two));
        assert_int_equal(cuzk_points_check(curve, CUZK_G1, points, 20, false, &bad, NULL),
                         CUZK_POINT_OK);
        assert_int_equal(cuzk_points_check(curve, CUZK_G1, points, 20, true, &bad, NULL),
                         CUZK_POINT_NOT_IN_SUBGROUP);
        assert_int_equal(bad, 13);
        memcpy(points + 13 * curve->g1_words, curve->p,
               sizeof curve->p); /* the same but for x = p */
        assert_int_equal(cuzk_points_check(curve, CUZK_G1, points, 20, false, &bad, NULL),
                         CUZK_POINT_NOT_CANONICAL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixed_base),
        cmocka_unit_test(test_check_points),
        cmocka_unit_test(test_check_order_three),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
