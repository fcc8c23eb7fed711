/* Sums on the device against (sum s_i k_i) G, with points of known logarithms, and against the CPU
 * back end. */
#include "cuda_support.h"
#include "support/known_points.h"

#include <stdlib.h>
#include <string.h>

#include "base/cpu.h"
#include "base/pool.h"
#include "compute/cuda/cuda_msm.h"
#include "compute/msm.h"

/* Runs test for both curves and groups. */
static void each_group(void (*test)(const cuzk_curve *curve, cuzk_group group, test_rng *rng),
                       uint64_t salt)
{
    test_rng rng = test_rng_seeded(salt);
    for (int id = 0; id < CUZK_CURVES; id++)
        for (int group = 0; group < 2; group++)
            test(cuzk_curve_get((cuzk_curve_id)id), (cuzk_group)group, &rng);
}

static cuzk_cuda_info device(void)
{
    cuzk_cuda_info info;
    CUDA_OK(cuzk_cuda_info_get(&info, 0, &error));
    return info;
}

/* What is summed: product i is scalars[index[i]] bases[pick[i]]. */
typedef struct sum {
    const test_known *bases;
    const cuzk_scalar *scalars;
    size_t n_scalars;
    const uint32_t *index, *pick;
    size_t n;
} sum;

static void expect(uint64_t *expected, const sum *s)
{
    const cuzk_curve *curve = s->bases->curve;
    cuzk_fr total = {{0}}, a, b;
    for (size_t i = 0; i < s->n; i++) {
        curve->fr_from_scalar(&a, &s->scalars[s->index != NULL ? s->index[i] : i]);
        curve->fr_from_scalar(&b, &s->bases->log[s->pick != NULL ? s->pick[i] : i]);
        curve->fr_mul(&a, &a, &b);
        curve->fr_add(&total, &total, &a);
    }
    cuzk_scalar log;
    curve->fr_to_scalar(&log, &total);
    test_point_mul(curve, s->bases->group, expected, test_generator(curve, s->bases->group), &log);
}

static void *upload(const void *host, size_t bytes)
{
    return host == NULL ? NULL : cuda_test_new_from(host, bytes);
}

static void release(const void *memory)
{
    if (memory != NULL)
        cuda_test_free((void *)memory);
}

/* Runs the sum on the device by a plan. */
static void run_plan(uint64_t *result, const sum *s, const cuzk_cuda_msm_plan *plan)
{
    const size_t point = cuzk_point_words(s->bases->curve, s->bases->group) * sizeof(uint64_t);
    cuzk_cuda_msm_job job = {.bases = cuda_test_new_from(s->bases->points, s->bases->n * point),
                             .scalars =
                                 cuda_test_new_from(s->scalars, s->n_scalars * sizeof(cuzk_scalar)),
                             .index = upload(s->index, s->n * sizeof(uint32_t)),
                             .pick = upload(s->pick, s->n * sizeof(uint32_t)),
                             .points = cuda_test_new(plan->bytes)};
    void *scratch = cuda_test_new(plan->scratch), *points = malloc(plan->bytes);
    assert_non_null(points);
    CUDA_OK(cuzk_cuda_msm(plan, &job, scratch, NULL, cuda_test_stream(), &error));
    cuda_test_read(points, job.points, plan->bytes);
    cuzk_cuda_msm_finish(plan, points, result);
    free(points);
    release(scratch);
    release(job.bases);
    release(job.scalars);
    release(job.index);
    release(job.pick);
    release(job.points);
}

/* By the plan for a limit of scratch; false if there is none. */
static bool check(const sum *s, size_t limit, size_t *scratch)
{
    const cuzk_curve *curve = s->bases->curve;
    const cuzk_cuda_info info = device();
    cuzk_cuda_msm_plan plan;
    cuzk_error error;
    uint64_t expected[CUZK_G2_MAX_WORDS], result[CUZK_G2_MAX_WORDS];
    const cuzk_status status =
        cuzk_cuda_msm_plan_make(&plan, curve->id, s->bases->group, s->n, limit, &info, &error);
    *scratch = plan.scratch;
    if (limit != 0 && status == CUZK_ERR_MEMORY)
        return false;
    cuda_test_expect_ok(status, &error, "plan");
    assert_true(limit == 0 || plan.scratch <= limit);
    expect(expected, s);
    run_plan(result, s, &plan);
    const size_t point = cuzk_point_words(curve, s->bases->group) * sizeof(uint64_t);
    if (memcmp(result, expected, point) != 0)
        fail_msg("%s G%d: %zu products, %u windows, %u together, %zu slices: wrong sum",
                 curve->full_name, s->bases->group + 1, s->n, plan.windows, plan.together,
                 plan.slices);
    return true;
}

enum { POINTS = 40 };

/* Few products of all shapes; equal, opposite and infinite bases; maps of indices. */
static void small(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    test_known k = test_known_points(curve, group, POINTS, rng);
    cuzk_scalar scalars[POINTS];
    uint32_t index[POINTS], pick[POINTS];
    for (size_t n = 0; n <= POINTS; n += n < 3 ? 1 : 2 + test_rng_below(rng, 8)) {
        const unsigned mixed = (unsigned)test_rng_below(rng, 3),
                       shape = (unsigned)test_rng_below(rng, TEST_SHAPES);
        for (size_t i = 0; i < POINTS; i++) {
            test_shaped_scalar(curve, &scalars[i],
                               mixed ? (unsigned)test_rng_below(rng, TEST_SHAPES) : shape, rng);
            index[i] = (uint32_t)test_rng_below(rng, POINTS);
            pick[i] = (uint32_t)test_rng_below(rng, mixed == 1 ? 4 : POINTS);
        }
        const sum s = {&k,
                       scalars,
                       POINTS,
                       test_rng_below(rng, 2) ? index : NULL,
                       test_rng_below(rng, 2) ? pick : NULL,
                       n};
        size_t scratch;
        check(&s, 0, &scratch);
    }
    test_known_release(&k);
}

static void test_small(void **state)
{
    (void)state;
    each_group(small, 1);
}

/* Many products over few bases, so that equal and opposite points meet at all levels: uniform,
 * nearly all 0 or 1, all equal, all r - 1, about r / 2, of one bit. */
static void shapes(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    const bool cheap = group == CUZK_G1;
    const size_t n = cuda_test_size(cheap ? 900 : 300, 100000);
    test_known k = test_known_points(curve, group, POINTS, rng);
    cuzk_scalar *scalars = calloc(n, sizeof *scalars);
    uint32_t *pick = calloc(n, sizeof *pick);
    assert_true(scalars != NULL && pick != NULL);
    for (unsigned form = 0; form < 6; form++) {
        cuzk_scalar same;
        test_shaped_scalar(curve, &same, form == 2 ? 8 : 7, rng);
        for (size_t i = 0; i < n; i++) {
            const bool odd = test_rng_below(rng, 50) == 0;
            const unsigned of_form[] = {8, odd ? 8 : (unsigned)test_rng_below(rng, 2), 0, 0, 7, 3};
            test_shaped_scalar(curve, &scalars[i], of_form[form], rng);
            if (form == 2)
                scalars[i] = same;
            if (form == 3) {
                test_small_scalar(&scalars[i], 1);
                test_negate_scalar(curve, &scalars[i]);
            }
            pick[i] = (uint32_t)test_rng_below(rng, POINTS);
        }
        const sum s = {&k, scalars, n, NULL, pick, n};
        size_t scratch;
        check(&s, 0, &scratch);
    }
    free(scalars);
    free(pick);
    test_known_release(&k);
}

static void test_shapes(void **state)
{
    (void)state;
    each_group(shapes, 2);
}

/* Plans for less and less scratch: fewer windows together, narrower ones, slices. */
static void limits(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    const size_t n = cuda_test_size(2500, 1000000);
    if (group == CUZK_G2 && cuda_test_size(1, 0))
        return; /* the plan does not depend on the group */
    test_known k = test_known_points(curve, group, POINTS, rng);
    cuzk_scalar *scalars = calloc(n, sizeof *scalars);
    uint32_t *pick = calloc(n, sizeof *pick);
    assert_true(scalars != NULL && pick != NULL);
    for (size_t i = 0; i < n; i++) {
        test_random_scalar(curve, &scalars[i], rng);
        pick[i] = (uint32_t)test_rng_below(rng, POINTS);
    }
    const sum s = {&k, scalars, n, NULL, pick, n};
    const cuzk_cuda_info info = device();
    cuzk_cuda_msm_plan plan;
    CUDA_OK(cuzk_cuda_msm_plan_make(&plan, curve->id, group, n, 0, &info, &error));
    cuzk_error least;
    assert_int_equal(cuzk_cuda_msm_plan_make(&plan, curve->id, group, n, 1, &info, &least),
                     CUZK_ERR_MEMORY);
    size_t limit = plan.scratch, scratch, runs = 0;
    for (bool fits = true; runs < 3 && fits; runs++) {
        fits = check(&s, limit, &scratch);
        limit += limit / 4;
    }
    assert_true(runs > 1);
    free(scalars);
    free(pick);
    test_known_release(&k);
}

static void test_limits(void **state)
{
    (void)state;
    each_group(limits, 3);
}

/* Against cuzk_msm. */
static void same_as_cpu(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    const size_t n = cuda_test_size(200, group == CUZK_G1 ? 1 << 20 : 1 << 17);
    const unsigned words = cuzk_point_words(curve, group);
    test_known k = {.curve = curve, .group = group, .n = n};
    cuzk_scalar *scalars = calloc(n, sizeof *scalars);
    k.log = calloc(n, sizeof *k.log);
    k.points = calloc(n, words * sizeof(uint64_t));
    cuzk_pool *pool = cuzk_pool_new((unsigned)cuda_test_size(2, 16));
    assert_true(scalars != NULL && k.log != NULL && k.points != NULL && pool != NULL);
    for (size_t i = 0; i < n; i++) {
        test_random_scalar(curve, &k.log[i], rng);
        test_random_scalar(curve, &scalars[i], rng);
    }
    void *scratch = test_guarded(cuzk_fixed_base_scratch(curve, group, n, cuzk_pool_threads(pool)));
    cuzk_fixed_base(curve, group, k.points, test_generator(curve, group), k.log, n, scratch, pool);
    free(scratch);
    void *bases = test_guarded(cuzk_bases_bytes(curve, group, n));
    cuzk_bases_prepare(curve, group, bases, k.points, NULL, n, pool);
    uint64_t expected[CUZK_G2_MAX_WORDS], result[CUZK_G2_MAX_WORDS];
    const cuzk_msm_job job = {
        .group = group, .bases = bases, .scalars = scalars, .n = n, .result = expected};
    scratch = test_guarded(cuzk_msm_scratch(curve, &job, 1, cuzk_pool_threads(pool)));
    cuzk_msm(curve, &job, 1, scratch, pool);
    const cuzk_cuda_info info = device();
    cuzk_cuda_msm_plan plan;
    CUDA_OK(cuzk_cuda_msm_plan_make(&plan, curve->id, group, n, 0, &info, &error));
    const sum s = {&k, scalars, n, NULL, NULL, n};
    run_plan(result, &s, &plan);
    assert_memory_equal(result, expected, words * sizeof(uint64_t));
    free(scratch);
    free(bases);
    free(scalars);
    cuzk_pool_free(pool);
    test_known_release(&k);
}

static void test_same_as_cpu(void **state)
{
    (void)state;
    each_group(same_as_cpu, 4);
}

static void check_bits(const test_known *k, const uint64_t *bits, size_t n, size_t limit)
{
    const cuzk_curve *curve = k->curve;
    const size_t point = cuzk_point_words(curve, k->group) * sizeof(uint64_t);
    cuzk_fr total = {{0}}, a;
    for (size_t i = 0; i < n; i++)
        if (bits[i / 64] >> (i % 64) & 1) {
            curve->fr_from_scalar(&a, &k->log[i]);
            curve->fr_add(&total, &total, &a);
        }
    cuzk_scalar log;
    uint64_t expected[CUZK_G2_MAX_WORDS], result[CUZK_G2_MAX_WORDS];
    curve->fr_to_scalar(&log, &total);
    test_point_mul(curve, k->group, expected, test_generator(curve, k->group), &log);
    const cuzk_cuda_info info = device();
    cuzk_cuda_bits_plan plan;
    CUDA_OK(cuzk_cuda_bits_plan_make(&plan, curve->id, k->group, n, limit, &info, &error));
    void *bases = cuda_test_new_from(k->points, n * point), *scratch = cuda_test_new(plan.scratch),
         *device_bits = cuda_test_new_from(bits, (n + 63) / 64 * 8),
         *points = cuda_test_new(plan.bytes), *host = malloc(plan.bytes);
    CUDA_OK(
        cuzk_cuda_sum_bits(&plan, bases, device_bits, points, scratch, cuda_test_stream(), &error));
    cuda_test_read(host, points, plan.bytes);
    cuzk_cuda_bits_finish(&plan, host, result);
    if (memcmp(result, expected, point) != 0)
        fail_msg("%s G%d: %zu bits, %zu slices: wrong sum", curve->full_name, k->group + 1, n,
                 plan.slices);
    free(host);
    release(bases);
    release(scratch);
    release(device_bits);
    release(points);
}

/* Random bits, few, all, none; bits beyond the last point are set. */
static void bits(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    const size_t most = cuda_test_size(400, 20000);
    test_known few = test_known_points(curve, group, POINTS, rng);
    const unsigned words = cuzk_point_words(curve, group);
    test_known k = {.curve = curve, .group = group, .n = most};
    k.log = calloc(most, sizeof *k.log);
    k.points = calloc(most, words * sizeof(uint64_t));
    uint64_t *set = calloc(most / 64 + 1, sizeof *set);
    assert_true(k.log != NULL && k.points != NULL && set != NULL);
    for (size_t i = 0; i < most; i++) {
        const size_t at = test_rng_below(rng, POINTS);
        k.log[i] = few.log[at];
        memcpy(k.points + i * words, few.points + at * words, words * sizeof(uint64_t));
    }
    for (size_t n = 0; n <= most; n += n < 3 ? 1 : 1 + test_rng_below(rng, most / 2)) {
        for (size_t i = 0; i < most / 64 + 1; i++) {
            const unsigned form = (unsigned)test_rng_below(rng, 4);
            set[i] = form == 0   ? test_rng_next(rng)
                     : form == 1 ? (uint64_t)1 << test_rng_below(rng, 64)
                                 : 0 - (uint64_t)(form == 2);
        }
        check_bits(&k, set, n, 0);
    }
    free(set);
    test_known_release(&k);
    test_known_release(&few);
}

static void test_bits(void **state)
{
    (void)state;
    each_group(bits, 5);
}

static void progression(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    enum { N = 70 };
    const size_t point = cuzk_point_words(curve, group) * sizeof(uint64_t);
    const cuzk_cuda_info info = device();
    cuzk_scalar k;
    uint64_t first[CUZK_G2_MAX_WORDS], step[CUZK_G2_MAX_WORDS], *points = calloc(N, point);
    assert_non_null(points);
    test_random_scalar(curve, &k, rng);
    test_point_mul(curve, group, first, test_generator(curve, group), &k);
    test_random_scalar(curve, &k, rng);
    test_point_mul(curve, group, step, test_generator(curve, group), &k);
    void *out = cuda_test_new(N * point),
         *scratch = cuda_test_new(cuzk_cuda_progression_scratch(curve->id, group, &info));
    CUDA_OK(cuzk_cuda_progression(curve, group, out, first, step, N, scratch, &info,
                                  cuda_test_stream(), &error));
    cuda_test_read(points, out, N * point);
    for (size_t i = 0; i < N; i++) {
        assert_memory_equal(points + i * (point / 8), first, point);
        test_point_add(curve, group, first, first, step);
    }
    free(points);
    release(out);
    release(scratch);
}

static void test_progression(void **state)
{
    (void)state;
    each_group(progression, 6);
}

CUDA_TESTS(msm, cmocka_unit_test(test_small), cmocka_unit_test(test_shapes),
           cmocka_unit_test(test_limits), cmocka_unit_test(test_same_as_cpu),
           cmocka_unit_test(test_bits), cmocka_unit_test(test_progression))
