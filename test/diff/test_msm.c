/* compute/msm.h against the curves' own group operations, at each CPU level of this machine. Points
 * have known discrete logarithms, so that a sum has a second way: (sum s_i k_i) G. */
#include "support/known_points.h"

#include "base/cpu.h"
#include "base/pool.h"
#include "compute/msm.h"

#include <stdlib.h>
#include <string.h>

#define POINTS 300
#define LARGE  (1u << 14)
#define HUGE   (1u << 18) /* its entries are sorted in more than one round */

/* expected = (sum scalars[index[i]] log[i]) G */
static void expect(const test_known *k, uint64_t *expected, const cuzk_scalar *scalars,
                   const uint32_t *index, size_t n)
{
    cuzk_fr sum = {{0}}, a, b;
    for (size_t i = 0; i < n; i++) {
        k->curve->fr_from_scalar(&a, &scalars[index != NULL ? index[i] : i]);
        k->curve->fr_from_scalar(&b, &k->log[i]);
        k->curve->fr_mul(&a, &a, &b);
        k->curve->fr_add(&sum, &sum, &a);
    }
    cuzk_scalar total;
    k->curve->fr_to_scalar(&total, &sum);
    test_point_mul(k->curve, k->group, expected, test_generator(k->curve, k->group), &total);
}

/* An odd number of points lies in memory the other way round, and is picked from there. */
static void *prepared(const test_known *k, size_t n, cuzk_pool *pool)
{
    const size_t bytes = cuzk_bases_bytes(k->curve, k->group, n);
    uint8_t *bases = test_guarded(bytes);
    const size_t size = cuzk_point_words(k->curve, k->group) * sizeof(uint64_t);
    const bool turned = n % 2 == 1;
    uint8_t *unaligned = malloc(n * size + 1);
    uint32_t *pick = malloc((n + 1) * sizeof *pick);
    assert_true(unaligned != NULL && pick != NULL);
    for (size_t i = 0; i < n; i++) {
        pick[i] = (uint32_t)(turned ? n - 1 - i : i);
        memcpy(unaligned + 1 + pick[i] * size, (const uint8_t *)k->points + i * size, size);
    }
    cuzk_bases_prepare(k->curve, k->group, bases, unaligned + 1, turned ? pick : NULL, n, pool);
    test_assert_guard(bases + bytes);
    free(unaligned);
    free(pick);
    return bases;
}

/* Runs jobs and checks each result, and that nothing else was written. */
static void run_jobs(const cuzk_curve *curve, cuzk_msm_job *jobs,
                     uint64_t (*expected)[CUZK_G2_MAX_WORDS], size_t n, cuzk_pool *pool)
{
    const size_t bytes =
        cuzk_msm_scratch(curve, jobs, n, pool == NULL ? 1 : cuzk_pool_threads(pool));
    uint8_t *scratch = test_guarded(bytes);
    uint64_t result[4][CUZK_G2_MAX_WORDS + TEST_GUARD / 8];
    memset(result, TEST_PATTERN, sizeof result);
    for (size_t i = 0; i < n; i++)
        jobs[i].result = result[i];
    cuzk_msm(curve, jobs, n, scratch, pool);
    for (size_t i = 0; i < n; i++) {
        const unsigned words = cuzk_point_words(curve, jobs[i].group);
        assert_memory_equal(result[i], expected[i], words * sizeof(uint64_t));
        test_assert_guard(result[i] + words);
    }
    test_assert_guard(scratch + bytes);
    free(scratch);
}

static void run_one(const test_known *k, const void *bases, const cuzk_scalar *scalars,
                    const uint32_t *index, size_t n, cuzk_pool *pool)
{
    uint64_t expected[1][CUZK_G2_MAX_WORDS];
    cuzk_msm_job job = {
        .group = k->group, .bases = bases, .scalars = scalars, .index = index, .n = n};
    expect(k, expected[0], scalars, index, n);
    run_jobs(k->curve, &job, expected, 1, pool);
}

/* Every n up to 300 in the fastest group and some in the others; scalars of one random shape and of
 * all. */
static void small(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    test_known k = test_known_points(curve, group, POINTS, rng);
    const bool every = curve->id == CUZK_BN254 && group == CUZK_G1;
    for (size_t n = 0; n <= POINTS; n += every || n < 12 ? 1 : 20 + test_rng_below(rng, 50)) {
        void *bases = prepared(&k, n, NULL);
        cuzk_scalar scalars[POINTS];
        const unsigned mode = (unsigned)test_rng_below(rng, 2),
                       shape = (unsigned)test_rng_below(rng, TEST_SHAPES);
        for (size_t i = 0; i < n; i++)
            test_shaped_scalar(curve, &scalars[i],
                               mode ? shape : (unsigned)test_rng_below(rng, TEST_SHAPES), rng);
        run_one(&k, bases, scalars, NULL, n, NULL);
        free(bases);
    }
    test_known_release(&k);
}

static void test_small(void **state)
{
    (void)state;
    test_each_group(small, 1);
}

/* Truly naive, so that the logarithms are not the only witness. */
static void naive(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    enum { N = 40 };
    test_known k = test_known_points(curve, group, N, rng);
    const unsigned words = cuzk_point_words(curve, group);
    uint64_t expected[1][CUZK_G2_MAX_WORDS] = {{0}}, t[CUZK_G2_MAX_WORDS];
    cuzk_scalar scalars[N];
    for (size_t i = 0; i < N; i++) {
        test_shaped_scalar(curve, &scalars[i], (unsigned)i, rng);
        test_point_mul(curve, group, t, k.points + i * words, &scalars[i]);
        test_point_add(curve, group, expected[0], expected[0], t);
    }
    void *bases = prepared(&k, N, NULL);
    cuzk_msm_job job = {.group = group, .bases = bases, .scalars = scalars, .n = N};
    run_jobs(curve, &job, expected, 1, NULL);
    free(bases);
    test_known_release(&k);
}

static void test_naive(void **state)
{
    (void)state;
    test_each_group(naive, 2);
}

/* Sets that put everything into few buckets, with equal and opposite points in them. */
static void skewed(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    test_known k = test_known_points(curve, group, POINTS, rng);
    void *bases = prepared(&k, POINTS, NULL);
    cuzk_scalar scalars[POINTS], two[2];
    uint32_t index[POINTS];
    test_random_scalar(curve, &two[0], rng);
    two[1] = two[0];
    test_negate_scalar(curve, &two[1]);
    for (unsigned form = 0; form < 3; form++) {
        for (size_t i = 0; i < POINTS; i++) {
            scalars[i] = two[0];
            index[i] = (uint32_t)(form == 1 ? test_rng_below(rng, 2) : POINTS - 1 - i);
        }
        run_one(&k, bases, form == 1 ? two : scalars, form == 0 ? NULL : index, POINTS, NULL);
    }
    /* One point and its negative alone: everything cancels. */
    const unsigned words = cuzk_point_words(curve, group);
    for (size_t i = 0; i < POINTS; i++) {
        memcpy(k.points + i * words, test_generator(curve, group), words * sizeof(uint64_t));
        test_small_scalar(&k.log[i], 1);
        index[i] = i & 1;
    }
    free(bases);
    bases = prepared(&k, POINTS, NULL);
    run_one(&k, bases, two, index, POINTS, NULL);
    run_one(&k, bases, scalars, NULL, POINTS, NULL);
    free(bases);
    test_known_release(&k);
}

static void test_skewed(void **state)
{
    (void)state;
    test_each_group(skewed, 3);
}

/* Several jobs of both groups at once, with index maps, on pools. */
static void test_jobs(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(4);
    static cuzk_scalar scalars[POINTS];
    uint32_t index[POINTS];
    for (int level = CUZK_CPU_PORTABLE; level <= (int)cuzk_cpu_best(); level++) {
        cuzk_cpu_force((cuzk_cpu_level)level);
        for (int id = 0; id < (level == CUZK_CPU_PORTABLE ? 1 : CUZK_CURVES); id++) {
            const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)id);
            test_known g1 = test_known_points(curve, CUZK_G1, POINTS, &rng);
            test_known g2 = test_known_points(curve, CUZK_G2, POINTS, &rng);
            void *bases1 = prepared(&g1, POINTS, NULL), *bases2 = prepared(&g2, POINTS, NULL);
            for (size_t i = 0; i < POINTS; i++) {
                test_shaped_scalar(curve, &scalars[i], (unsigned)test_rng_below(&rng, TEST_SHAPES),
                                   &rng);
                index[i] = (uint32_t)test_rng_below(&rng, POINTS);
            }
            void *bases3 = prepared(&g1, 17, NULL);
            uint64_t expected[4][CUZK_G2_MAX_WORDS];
            expect(&g1, expected[0], scalars, index, POINTS);
            expect(&g2, expected[1], scalars, NULL, POINTS);
            expect(&g1, expected[2], scalars, NULL, 17);
            expect(&g1, expected[3], scalars, NULL, 0);
            cuzk_msm_job jobs[4] = {
                {.group = CUZK_G1,
                 .bases = bases1,
                 .scalars = scalars,
                 .index = index,
                 .n = POINTS},
                {.group = CUZK_G2, .bases = bases2, .scalars = scalars, .n = POINTS},
                {.group = CUZK_G1, .bases = bases3, .scalars = scalars, .n = 17},
                {.group = CUZK_G1, .bases = NULL, .scalars = NULL, .n = 0},
            };
            for (unsigned threads = 1; threads <= 3; threads++) {
                cuzk_pool *pool = cuzk_pool_new(threads);
                assert_non_null(pool);
                run_jobs(curve, jobs, expected, 4, pool);
                cuzk_pool_free(pool);
            }
            free(bases1);
            free(bases2);
            free(bases3);
            test_known_release(&g1);
            test_known_release(&g2);
        }
    }
}

/* 2^14 points made by the fixed-base multiplication, which is itself tested above: several tiles,
 * cut buckets, chunks of the sort. Random scalars, bits, one bucket, small ones. Lower levels than
 * the best do one group only: the algorithm is the same. */
static void large(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    const unsigned words = cuzk_point_words(curve, group);
    const bool cheap = curve->id == CUZK_BN254 && group == CUZK_G1;
    if (cuzk_cpu_selected() < cuzk_cpu_best() && !cheap)
        return;
    test_known k = {.curve = curve, .group = group, .n = LARGE};
    cuzk_scalar *scalars = calloc(LARGE, sizeof *scalars);
    k.log = calloc(LARGE, sizeof *k.log);
    k.points = calloc(LARGE, words * sizeof(uint64_t));
    cuzk_pool *pool = cuzk_pool_new(2);
    assert_true(scalars != NULL && k.log != NULL && k.points != NULL && pool != NULL);
    for (size_t i = 0; i < LARGE; i++)
        test_random_scalar(curve, &k.log[i], rng);
    void *scratch = test_guarded(cuzk_fixed_base_scratch(curve, group, LARGE, 2));
    cuzk_fixed_base(curve, group, k.points, test_generator(curve, group), k.log, LARGE, scratch,
                    pool);
    free(scratch);
    void *bases = prepared(&k, LARGE, pool);
    cuzk_scalar one_value;
    test_random_scalar(curve, &one_value, rng);
    for (unsigned form = 0; form < 4; form++) {
        for (size_t i = 0; i < LARGE; i++) {
            if (form == 0)
                test_random_scalar(curve, &scalars[i], rng);
            else if (form == 1)
                test_shaped_scalar(curve, &scalars[i],
                                   test_rng_below(rng, 50) ? (unsigned)test_rng_below(rng, 2) : 8,
                                   rng);
            else if (form == 2)
                scalars[i] = one_value;
            else
                test_small_scalar(&scalars[i], test_rng_below(rng, 1 << 16));
        }
        run_one(&k, bases, scalars, NULL, LARGE, pool);
    }
    cuzk_pool_free(pool);
    free(bases);
    free(scalars);
    test_known_release(&k);
}

static void test_large(void **state)
{
    (void)state;
    test_each_group(large, 6);
}

/* More entries than one round sorts; the points repeat, so that equal and opposite ones meet in
 * every tile. */
static void test_rounds(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(8);
    cuzk_cpu_force(cuzk_cpu_best());
    const cuzk_curve *curve = cuzk_curve_get(CUZK_BN254);
    test_known few = test_known_points(curve, CUZK_G1, POINTS, &rng);
    test_known k = {.curve = curve, .group = CUZK_G1, .n = HUGE};
    const size_t bytes = curve->g1_words * sizeof(uint64_t);
    cuzk_scalar *scalars = calloc(HUGE, sizeof *scalars);
    k.log = calloc(HUGE, sizeof *k.log);
    k.points = calloc(HUGE, bytes);
    cuzk_pool *pool = cuzk_pool_new(3);
    assert_true(scalars != NULL && k.log != NULL && k.points != NULL && pool != NULL);
    for (size_t i = 0; i < HUGE; i++) {
        const size_t at = test_rng_below(&rng, POINTS);
        k.log[i] = few.log[at];
        memcpy((uint8_t *)k.points + i * bytes, (const uint8_t *)few.points + at * bytes, bytes);
        test_shaped_scalar(curve, &scalars[i], i % 50 ? 8 : (unsigned)test_rng_below(&rng, 8),
                           &rng);
    }
    void *bases = prepared(&k, HUGE, pool);
    run_one(&k, bases, scalars, NULL, HUGE, pool);
    cuzk_pool_free(pool);
    free(bases);
    free(scalars);
    test_known_release(&k);
    test_known_release(&few);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_naive), cmocka_unit_test(test_small), cmocka_unit_test(test_skewed),
        cmocka_unit_test(test_jobs),  cmocka_unit_test(test_large), cmocka_unit_test(test_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
