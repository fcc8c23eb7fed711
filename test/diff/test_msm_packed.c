/* Sums with packed scalars against the same with arrays, byte for byte, and against the points'
 * logarithms. */
#include "support/known_points.h"
#include "support/packed.h"

#include "base/cpu.h"
#include "base/pool.h"
#include "compute/msm.h"

#include <stdlib.h>
#include <string.h>

#define FEW  60   /* different points, from which the others are picked */
#define MOST 5000 /* scalars of a vector */

/* A job, with bases that repeat few points: equal and opposite ones, and infinity, abound. */
typedef struct subject {
    const test_known *few;
    size_t n, first;
    uint32_t *index; /* NULL: none */
    uint32_t *pick;  /* which of the few points each base is */
    void *bases;
} subject;

static void run(const subject *s, const test_packed *p, bool packed, size_t n_wide, cuzk_pool *pool,
                uint64_t *result)
{
    const cuzk_msm_job job = {.group = s->few->group,
                              .bases = s->bases,
                              .scalars = packed ? NULL : p->all,
                              .packed = packed ? &p->packed : NULL,
                              .n_wide = n_wide,
                              .index = s->index,
                              .first = s->first,
                              .n = s->n,
                              .result = result};
    const size_t bytes =
        cuzk_msm_scratch(s->few->curve, &job, 1, pool == NULL ? 1 : cuzk_pool_threads(pool));
    uint8_t *scratch = test_guarded(bytes);
    memset(result, TEST_PATTERN, CUZK_G2_MAX_WORDS * sizeof *result);
    cuzk_msm(s->few->curve, &job, 1, scratch, pool);
    test_assert_guard(scratch + bytes);
    free(scratch);
}

static void expect(const subject *s, const test_packed *p, uint64_t *expected)
{
    const cuzk_curve *curve = s->few->curve;
    cuzk_fr sum = {{0}}, a, b;
    cuzk_scalar total;
    for (size_t i = 0; i < s->n; i++) {
        const size_t scalar = s->index != NULL ? s->index[i] : s->first + i;
        curve->fr_from_scalar(&a, &p->all[scalar]);
        curve->fr_from_scalar(&b, &s->few->log[s->pick[i]]);
        curve->fr_mul(&a, &a, &b);
        curve->fr_add(&sum, &sum, &a);
    }
    curve->fr_to_scalar(&total, &sum);
    memset(expected, TEST_PATTERN, CUZK_G2_MAX_WORDS * sizeof *expected);
    test_point_mul(curve, s->few->group, expected, test_generator(curve, s->few->group), &total);
}

/* Every third vector has no index; the others one of random gaps, or of long runs. */
static void choose_index(subject *s, size_t n, test_rng *rng)
{
    const uint64_t kind = test_rng_below(rng, 3);
    s->first = s->n = 0;
    if (kind == 0) {
        s->first = test_rng_below(rng, n + 1);
        s->n = n - s->first;
        return;
    }
    s->index = malloc((n + 1) * sizeof *s->index);
    assert_non_null(s->index);
    const uint64_t gap = kind == 1 ? 1 + test_rng_below(rng, 4) : 200;
    for (size_t i = 0; i < n; i++)
        if (kind == 1 ? test_rng_below(rng, gap) == 0 : test_rng_below(rng, gap) != 0)
            s->index[s->n++] = (uint32_t)i;
}

static subject subject_new(const test_known *few, size_t n, test_rng *rng)
{
    subject s = {.few = few};
    choose_index(&s, n, rng);
    s.pick = malloc((s.n + 1) * sizeof *s.pick);
    s.bases = test_guarded(cuzk_bases_bytes(few->curve, few->group, s.n));
    assert_non_null(s.pick);
    for (size_t i = 0; i < s.n; i++)
        s.pick[i] = (uint32_t)test_rng_below(rng, few->n);
    cuzk_bases_prepare(few->curve, few->group, s.bases, few->points, s.pick, s.n, NULL);
    return s;
}

static void subject_free(subject *s)
{
    free(s->index);
    free(s->pick);
    free(s->bases);
}

static size_t count_wide(const subject *s, const test_packed *p)
{
    size_t count = 0;
    for (size_t i = 0; i < s->n; i++) {
        const size_t scalar = s->index != NULL ? s->index[i] : s->first + i;
        const size_t at = scalar - p->map.head;
        count += scalar < p->map.head || (p->is_wide[at / 64] >> (at % 64) & 1) != 0;
    }
    return count;
}

static void compare(const test_known *few, const test_packed *p, cuzk_pool *pool, test_rng *rng)
{
    uint64_t packed[CUZK_G2_MAX_WORDS], array[CUZK_G2_MAX_WORDS], expected[CUZK_G2_MAX_WORDS];
    subject s = subject_new(few, p->map.n, rng);
    const cuzk_packed_range range = {.index = s.index, .first = s.first, .n = s.n};
    const size_t wide = cuzk_packed_count(&p->map, &range);
    assert_int_equal(wide, count_wide(&s, p));
    run(&s, p, true, test_rng_below(rng, 4) ? wide : s.n, pool, packed);
    run(&s, p, false, 0, pool, array);
    expect(&s, p, expected);
    assert_memory_equal(packed, array, sizeof packed);
    assert_memory_equal(packed, expected, sizeof packed);
    subject_free(&s);
}

/* Of every density, about the edges of words and regions; larger ones in G1 of the best level. */
static void densities(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    static const size_t lengths[] = {0, 1, 2, 63, 64, 65, 129, 400, 1023, 1024, 1025, MOST};
    static const unsigned shares[] = {0, 1, 32, 64};
    const bool best = cuzk_cpu_selected() == cuzk_cpu_best() && group == CUZK_G1;
    test_known few = test_known_points(curve, group, FEW, rng);
    cuzk_pool *pool = cuzk_pool_new(2);
    assert_non_null(pool);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t share = 0; share < 16 && (best || lengths[i] <= 129); share++) {
            const size_t n = lengths[i], head = test_rng_below(rng, n < 100 ? n + 1 : 100);
            test_packed p;
            test_packed_make(&p, curve, n, head, shares[share % 4], shares[share / 4], rng);
            compare(&few, &p, share % 2 ? pool : NULL, rng);
            test_packed_release(&p);
        }
    cuzk_pool_free(pool);
    test_known_release(&few);
}

static void test_densities(void **state)
{
    (void)state;
    test_each_group(densities, 1);
}

/* Only bits, all of them 1, and one wide scalar among bits; no head. */
static void extremes(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    test_known few = test_known_points(curve, group, FEW, rng);
    for (size_t n = 1; n <= 300; n += 1 + test_rng_below(rng, 40)) {
        test_packed p;
        test_packed_make(&p, curve, n, 0, 0, 64, rng);
        compare(&few, &p, NULL, rng);
        test_packed_release(&p);
        test_packed_make(&p, curve, n, 1, 0, 32, rng);
        compare(&few, &p, NULL, rng);
        test_packed_release(&p);
    }
    test_known_release(&few);
}

static void test_extremes(void **state)
{
    (void)state;
    test_each_group(extremes, 2);
}

/* Jobs of both kinds and groups side by side: many tiles of ones, which pass sums of parts on. */
static void test_side_by_side(void **state)
{
    (void)state;
    enum { JOBS = 4, N = 40000 };
    test_rng rng = test_rng_seeded(3);
    const cuzk_curve *curve = cuzk_curve_get(CUZK_BLS12_381);
    cuzk_cpu_force(cuzk_cpu_best());
    cuzk_pool *pool = cuzk_pool_new(3);
    test_known g1 = test_known_points(curve, CUZK_G1, FEW, &rng);
    test_known g2 = test_known_points(curve, CUZK_G2, FEW, &rng);
    uint64_t expected[JOBS][CUZK_G2_MAX_WORDS], result[JOBS][CUZK_G2_MAX_WORDS];
    test_packed p;
    subject s[JOBS];
    cuzk_msm_job jobs[JOBS];
    assert_non_null(pool);
    test_packed_make(&p, curve, N, 17, 1, 32, &rng);
    memset(result, TEST_PATTERN, sizeof result);
    for (size_t i = 0; i < JOBS; i++) {
        s[i] = subject_new(i % 2 ? &g2 : &g1, N, &rng);
        expect(&s[i], &p, expected[i]);
        jobs[i] = (cuzk_msm_job){.group = i % 2 ? CUZK_G2 : CUZK_G1,
                                 .bases = s[i].bases,
                                 .scalars = p.all,
                                 .packed = i < JOBS - 1 ? &p.packed : NULL,
                                 .n_wide = count_wide(&s[i], &p),
                                 .index = s[i].index,
                                 .first = s[i].first,
                                 .n = s[i].n,
                                 .result = result[i]};
    }
    const size_t bytes = cuzk_msm_scratch(curve, jobs, JOBS, 3);
    uint8_t *scratch = test_guarded(bytes);
    cuzk_msm(curve, jobs, JOBS, scratch, pool);
    test_assert_guard(scratch + bytes);
    assert_memory_equal(result, expected, sizeof result);
    for (size_t i = 0; i < JOBS; i++)
        subject_free(&s[i]);
    free(scratch);
    test_packed_release(&p);
    test_known_release(&g1);
    test_known_release(&g2);
    cuzk_pool_free(pool);
}

/* What packing is for: a vector of bits takes a small part of the array's scratch. */
static void test_scratch(void **state)
{
    (void)state;
    const size_t n = (size_t)1 << 22;
    static const cuzk_packed_scalars some;
    const cuzk_curve *curve = cuzk_curve_get(CUZK_BLS12_381);
    cuzk_msm_job job = {.group = CUZK_G1, .n = n};
    const size_t array = cuzk_msm_scratch(curve, &job, 1, 4);
    job.packed = &some;
    job.n_wide = n / 64;
    const size_t packed = cuzk_msm_scratch(curve, &job, 1, 4);
    if (packed > array / 4)
        fail_msg("%zu bytes packed, %zu as an array", packed, array);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_densities),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_side_by_side),
        cmocka_unit_test(test_scratch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
