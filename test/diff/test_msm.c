/* compute/msm.h against the curves' own group operations, at each CPU level of this machine. Points have known
 * discrete logarithms, so that a sum has a second way: (sum s_i k_i) G. */
#include "support/test.h"

#include "base/cpu.h"
#include "base/pool.h"
#include "compute/msm.h"

#include <stdlib.h>
#include <string.h>

#define POINTS  300
#define LARGE   (1u << 14)
#define GUARD   64
#define PATTERN 0xa5

/* Points in memory form and their logarithms. */
typedef struct known {
    const cuzk_curve *curve;
    cuzk_group group;
    size_t n;
    uint64_t *points;
    cuzk_scalar *log;
} known;

static const uint64_t *generator(const cuzk_curve *curve, cuzk_group group)
{
    return group == CUZK_G1 ? curve->g1_generator : curve->g2_generator;
}

static void point_mul(const cuzk_curve *curve, cuzk_group group, uint64_t *r, const uint64_t *a,
                      const cuzk_scalar *k)
{
    (group == CUZK_G1 ? curve->g1_mul : curve->g2_mul)(r, a, k);
}

static void point_add(const cuzk_curve *curve, cuzk_group group, uint64_t *r, const uint64_t *a,
                      const uint64_t *b)
{
    (group == CUZK_G1 ? curve->g1_add : curve->g2_add)(r, a, b);
}

static void random_scalar(const cuzk_curve *curve, cuzk_scalar *k, test_rng *rng)
{
    do {
        test_rng_bytes(rng, k, sizeof *k);
        k->l[3] &= UINT64_MAX >> (256 - curve->scalar_bits);
    } while (!curve->scalar_is_canonical(k));
}

static void small_scalar(cuzk_scalar *k, uint64_t value)
{
    *k = (cuzk_scalar){{value, 0, 0, 0}};
}

/* k := r - k, k > 0 */
static void negate(const cuzk_curve *curve, cuzk_scalar *k)
{
    cuzk_fr f;
    curve->fr_from_scalar(&f, k);
    curve->fr_neg(&f, &f);
    curve->fr_to_scalar(k, &f);
}

/* All shapes that the classification tells apart, and some that it must not trip over. */
static void shaped_scalar(const cuzk_curve *curve, cuzk_scalar *k, unsigned shape, test_rng *rng)
{
    switch (shape % 9) {
    case 0:
        small_scalar(k, 0);
        break;
    case 1:
        small_scalar(k, 1);
        break;
    case 2:
        small_scalar(k, 1 + test_rng_below(rng, 3));
        negate(curve, k);
        break;
    case 3:
        small_scalar(k, 0);
        k->l[test_rng_below(rng, 3)] = (uint64_t)1 << test_rng_below(rng, 64);
        break;
    case 4:
        small_scalar(k, test_rng_below(rng, 1000));
        break;
    case 5: /* about r/2, where signs turn */
        for (unsigned i = 0; i < 4; i++)
            k->l[i] = curve->r.l[i] >> 1 | (i < 3 ? curve->r.l[i + 1] << 63 : 0);
        k->l[0] += test_rng_below(rng, 2);
        break;
    default:
        random_scalar(curve, k, rng);
    }
}

static void add_logs(const cuzk_curve *curve, cuzk_scalar *r, const cuzk_scalar *a, const cuzk_scalar *b)
{
    cuzk_fr x, y;
    curve->fr_from_scalar(&x, a);
    curve->fr_from_scalar(&y, b);
    curve->fr_add(&x, &x, &y);
    curve->fr_to_scalar(r, &x);
}

/* Point i as the sum of two earlier ones, or a repeat, the opposite of one, infinity or a multiple of
 * the first. */
static void derive_point(known *k, size_t i, unsigned words, test_rng *rng)
{
    const size_t a = test_rng_below(rng, i), b = test_rng_below(rng, i);
    uint64_t *point = k->points + i * words;
    switch (test_rng_below(rng, 8)) {
    case 0:
        k->log[i] = k->log[a];
        memcpy(point, k->points + a * words, words * sizeof *point);
        break;
    case 1:
        k->log[i] = k->log[a];
        if (!cuzk_point_is_infinity(k->points + a * words, words))
            negate(k->curve, &k->log[i]);
        (k->group == CUZK_G1 ? k->curve->g1_neg : k->curve->g2_neg)(point, k->points + a * words);
        break;
    case 2:
        small_scalar(&k->log[i], 0);
        memset(point, 0, words * sizeof *point);
        break;
    default:
        add_logs(k->curve, &k->log[i], &k->log[a], &k->log[b]);
        point_add(k->curve, k->group, point, k->points + a * words, k->points + b * words);
    }
}

/* Known points; the first ones are random. */
static known known_points(const cuzk_curve *curve, cuzk_group group, size_t n, test_rng *rng)
{
    known k = {.curve = curve, .group = group, .n = n};
    const unsigned words = cuzk_point_words(curve, group);
    k.points = calloc(n, words * sizeof(uint64_t));
    k.log = calloc(n, sizeof(cuzk_scalar));
    assert_true(k.points != NULL && k.log != NULL);
    for (size_t i = 0; i < n; i++) {
        if (i >= 3) {
            derive_point(&k, i, words, rng);
            continue;
        }
        random_scalar(curve, &k.log[i], rng);
        point_mul(curve, group, k.points + i * words, generator(curve, group), &k.log[i]);
    }
    return k;
}

static void known_release(known *k)
{
    free(k->points);
    free(k->log);
}

/* expected = (sum scalars[index[i]] log[i]) G */
static void expect(const known *k, uint64_t *expected, const cuzk_scalar *scalars,
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
    point_mul(k->curve, k->group, expected, generator(k->curve, k->group), &total);
}

static void *aligned(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 2 * GUARD + 63) & ~(size_t)63);
    assert_non_null(p);
    memset(p, PATTERN, bytes + 2 * GUARD);
    return p;
}

static void assert_guard(const void *at)
{
    for (size_t i = 0; i < GUARD; i++)
        assert_int_equal(((const uint8_t *)at)[i], PATTERN);
}

static void *prepared(const known *k, size_t n, cuzk_pool *pool)
{
    const size_t bytes = cuzk_bases_bytes(k->curve, k->group, n);
    uint8_t *bases = aligned(bytes);
    const size_t size = n * cuzk_point_words(k->curve, k->group) * sizeof(uint64_t);
    uint8_t *unaligned = malloc(size + 1);
    assert_non_null(unaligned);
    memcpy(unaligned + 1, k->points, size);
    cuzk_bases_prepare(k->curve, k->group, bases, unaligned + 1, n, pool);
    assert_guard(bases + bytes);
    free(unaligned);
    return bases;
}

/* Runs jobs and checks each result, and that nothing else was written. */
static void run_jobs(const cuzk_curve *curve, cuzk_msm_job *jobs, uint64_t (*expected)[CUZK_G2_MAX_WORDS],
                     size_t n, cuzk_pool *pool)
{
    const size_t bytes = cuzk_msm_scratch(curve, jobs, n, pool == NULL ? 1 : cuzk_pool_threads(pool));
    uint8_t *scratch = aligned(bytes);
    uint64_t result[4][CUZK_G2_MAX_WORDS + GUARD / 8];
    memset(result, PATTERN, sizeof result);
    for (size_t i = 0; i < n; i++)
        jobs[i].result = result[i];
    cuzk_msm(curve, jobs, n, scratch, pool);
    for (size_t i = 0; i < n; i++) {
        const unsigned words = cuzk_point_words(curve, jobs[i].group);
        assert_memory_equal(result[i], expected[i], words * sizeof(uint64_t));
        assert_guard(result[i] + words);
    }
    assert_guard(scratch + bytes);
    free(scratch);
}

static void run_one(const known *k, const void *bases, const cuzk_scalar *scalars,
                    const uint32_t *index, size_t n, cuzk_pool *pool)
{
    uint64_t expected[1][CUZK_G2_MAX_WORDS];
    cuzk_msm_job job = {.group = k->group, .bases = bases, .scalars = scalars, .index = index, .n = n};
    expect(k, expected[0], scalars, index, n);
    run_jobs(k->curve, &job, expected, 1, pool);
}

/* Calls test for both curves, both groups and each level. */
static void each(void (*test)(const cuzk_curve *curve, cuzk_group group, test_rng *rng), uint64_t salt)
{
    test_rng rng = test_rng_seeded(salt);
    for (int level = CUZK_CPU_PORTABLE; level <= (int)cuzk_cpu_best(); level++) {
        cuzk_cpu_force((cuzk_cpu_level)level);
        for (int id = 0; id < CUZK_CURVES; id++)
            for (int group = CUZK_G1; group <= CUZK_G2; group++)
                test(cuzk_curve_get((cuzk_curve_id)id), (cuzk_group)group, &rng);
    }
}

/* Every n up to 300 in the fastest group and some in the others; scalars of one random shape and of all. */
static void small(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    known k = known_points(curve, group, POINTS, rng);
    const bool every = curve->id == CUZK_BN254 && group == CUZK_G1;
    for (size_t n = 0; n <= POINTS; n += every || n < 12 ? 1 : 20 + test_rng_below(rng, 50)) {
        void *bases = prepared(&k, n, NULL);
        cuzk_scalar scalars[POINTS];
        const unsigned mode = (unsigned)test_rng_below(rng, 2), shape = (unsigned)test_rng_below(rng, 9);
        for (size_t i = 0; i < n; i++)
            shaped_scalar(curve, &scalars[i], mode ? shape : (unsigned)test_rng_below(rng, 9), rng);
        run_one(&k, bases, scalars, NULL, n, NULL);
        free(bases);
    }
    known_release(&k);
}

static void test_small(void **state)
{
    (void)state;
    each(small, 1);
}

/* Truly naive, so that the logarithms are not the only witness. */
static void naive(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    enum { N = 40 };
    known k = known_points(curve, group, N, rng);
    const unsigned words = cuzk_point_words(curve, group);
    uint64_t expected[1][CUZK_G2_MAX_WORDS] = {{0}}, t[CUZK_G2_MAX_WORDS];
    cuzk_scalar scalars[N];
    for (size_t i = 0; i < N; i++) {
        shaped_scalar(curve, &scalars[i], (unsigned)i, rng);
        point_mul(curve, group, t, k.points + i * words, &scalars[i]);
        point_add(curve, group, expected[0], expected[0], t);
    }
    void *bases = prepared(&k, N, NULL);
    cuzk_msm_job job = {.group = group, .bases = bases, .scalars = scalars, .n = N};
    run_jobs(curve, &job, expected, 1, NULL);
    free(bases);
    known_release(&k);
}

static void test_naive(void **state)
{
    (void)state;
    each(naive, 2);
}

/* Sets that put everything into few buckets, with equal and opposite points in them. */
static void skewed(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    known k = known_points(curve, group, POINTS, rng);
    void *bases = prepared(&k, POINTS, NULL);
    cuzk_scalar scalars[POINTS], two[2];
    uint32_t index[POINTS];
    random_scalar(curve, &two[0], rng);
    two[1] = two[0];
    negate(curve, &two[1]);
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
        memcpy(k.points + i * words, generator(curve, group), words * sizeof(uint64_t));
        small_scalar(&k.log[i], 1);
        index[i] = i & 1;
    }
    free(bases);
    bases = prepared(&k, POINTS, NULL);
    run_one(&k, bases, two, index, POINTS, NULL);
    run_one(&k, bases, scalars, NULL, POINTS, NULL);
    free(bases);
    known_release(&k);
}

static void test_skewed(void **state)
{
    (void)state;
    each(skewed, 3);
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
            known g1 = known_points(curve, CUZK_G1, POINTS, &rng);
            known g2 = known_points(curve, CUZK_G2, POINTS, &rng);
            void *bases1 = prepared(&g1, POINTS, NULL), *bases2 = prepared(&g2, POINTS, NULL);
            for (size_t i = 0; i < POINTS; i++) {
                shaped_scalar(curve, &scalars[i], (unsigned)test_rng_below(&rng, 9), &rng);
                index[i] = (uint32_t)test_rng_below(&rng, POINTS);
            }
            void *bases3 = prepared(&g1, 17, NULL);
            uint64_t expected[4][CUZK_G2_MAX_WORDS];
            expect(&g1, expected[0], scalars, index, POINTS);
            expect(&g2, expected[1], scalars, NULL, POINTS);
            expect(&g1, expected[2], scalars, NULL, 17);
            expect(&g1, expected[3], scalars, NULL, 0);
            cuzk_msm_job jobs[4] = {
                {.group = CUZK_G1, .bases = bases1, .scalars = scalars, .index = index, .n = POINTS},
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
            known_release(&g1);
            known_release(&g2);
        }
    }
}

static void fixed_base(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    const unsigned words = cuzk_point_words(curve, group);
    cuzk_scalar scalars[70];
    uint64_t expected[CUZK_G2_MAX_WORDS], base[CUZK_G2_MAX_WORDS];
    random_scalar(curve, &scalars[0], rng);
    point_mul(curve, group, base, generator(curve, group), &scalars[0]);
    cuzk_pool *pool = cuzk_pool_new(2);
    for (size_t n = 0; n <= 70; n += n < 3 ? 1 : 33) {
        for (size_t i = 0; i < n; i++)
            shaped_scalar(curve, &scalars[i], (unsigned)i, rng);
        const size_t scratch_bytes = cuzk_fixed_base_scratch(curve, group, n, 2);
        const size_t out_bytes = n * words * sizeof(uint64_t);
        uint8_t *scratch = aligned(scratch_bytes), *out = aligned(out_bytes);
        cuzk_fixed_base(curve, group, (uint64_t *)(void *)out, base, scalars, n, scratch, pool);
        for (size_t i = 0; i < n; i++) {
            point_mul(curve, group, expected, base, &scalars[i]);
            assert_memory_equal(out + i * words * 8, expected, words * 8);
        }
        assert_guard(out + out_bytes);
        assert_guard(scratch + scratch_bytes);
        free(scratch);
        free(out);
    }
    uint64_t infinity[CUZK_G2_MAX_WORDS] = {0};
    uint8_t *scratch = aligned(cuzk_fixed_base_scratch(curve, group, 1, 2));
    cuzk_fixed_base(curve, group, base, infinity, scalars, 1, scratch, pool);
    assert_memory_equal(base, infinity, words * 8);
    free(scratch);
    cuzk_pool_free(pool);
}

static void test_fixed_base(void **state)
{
    (void)state;
    each(fixed_base, 5);
}

/* Lower levels than the best do one group only: the algorithm is the same. 2^14 points made by the fixed-base multiplication, which is itself tested above: several tiles, cut
 * buckets, chunks of the sort. Random scalars, bits, one bucket, small ones. */
static void large(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    const unsigned words = cuzk_point_words(curve, group);
    const bool cheap = curve->id == CUZK_BN254 && group == CUZK_G1;
    if (cuzk_cpu_selected() < cuzk_cpu_best() && !cheap)
        return;
    known k = {.curve = curve, .group = group, .n = LARGE};
    cuzk_scalar *scalars = calloc(LARGE, sizeof *scalars);
    k.log = calloc(LARGE, sizeof *k.log);
    k.points = calloc(LARGE, words * sizeof(uint64_t));
    cuzk_pool *pool = cuzk_pool_new(2);
    assert_true(scalars != NULL && k.log != NULL && k.points != NULL && pool != NULL);
    for (size_t i = 0; i < LARGE; i++)
        random_scalar(curve, &k.log[i], rng);
    void *scratch = aligned(cuzk_fixed_base_scratch(curve, group, LARGE, 2));
    cuzk_fixed_base(curve, group, k.points, generator(curve, group), k.log, LARGE, scratch, pool);
    free(scratch);
    void *bases = prepared(&k, LARGE, pool);
    cuzk_scalar one_value;
    random_scalar(curve, &one_value, rng);
    for (unsigned form = 0; form < 4; form++) {
        for (size_t i = 0; i < LARGE; i++) {
            if (form == 0)
                random_scalar(curve, &scalars[i], rng);
            else if (form == 1)
                shaped_scalar(curve, &scalars[i], test_rng_below(rng, 50) ? (unsigned)test_rng_below(rng, 2) : 8, rng);
            else if (form == 2)
                scalars[i] = one_value;
            else
                small_scalar(&scalars[i], test_rng_below(rng, 1 << 16));
        }
        run_one(&k, bases, scalars, NULL, LARGE, pool);
    }
    cuzk_pool_free(pool);
    free(bases);
    free(scalars);
    known_release(&k);
}

static void test_large(void **state)
{
    (void)state;
    each(large, 6);
}

/* A point on the curve and, in all likelihood, outside the subgroup if that is smaller than the curve. */
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
        status = (group == CUZK_G1 ? curve->g1_decode : curve->g2_decode)(point, bytes, CUZK_ENC_IDEN3_C,
                                                                         false);
    } while (status != CUZK_POINT_OK);
}

static void spoil(const cuzk_curve *curve, cuzk_group group, uint64_t *point, unsigned kind, test_rng *rng)
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
    cuzk_point_status (*check)(const uint64_t *, bool) = group == CUZK_G1 ? curve->g1_check : curve->g2_check;
    known k = known_points(curve, group, N, rng);
    uint8_t unaligned[N * sizeof(uint64_t) * CUZK_G2_MAX_WORDS + 1];
    cuzk_pool *pool = cuzk_pool_new(2);
    size_t bad;
    for (size_t n = 0; n <= N; n += 1 + test_rng_below(rng, 20)) {
        memcpy(unaligned + 1, k.points, n * words * sizeof(uint64_t));
        assert_int_equal(cuzk_points_check(curve, group, unaligned + 1, n, true, &bad, pool), CUZK_POINT_OK);
        assert_int_equal(cuzk_points_check(curve, group, unaligned + 1, n, false, &bad, pool), CUZK_POINT_OK);
    }
    for (unsigned kind = 0; kind < 5; kind++) {
        const size_t first = test_rng_below(rng, N), later = first + test_rng_below(rng, N - first);
        uint64_t point[CUZK_G2_MAX_WORDS];
        memcpy(unaligned + 1, k.points, N * words * sizeof(uint64_t));
        memcpy(point, generator(curve, group), words * sizeof(uint64_t));
        spoil(curve, group, point, kind, rng);
        memcpy(unaligned + 1 + later * words * sizeof *point, point, words * sizeof *point);
        memcpy(unaligned + 1 + first * words * sizeof *point, point, words * sizeof *point);
        for (unsigned subgroup = 0; subgroup < 2; subgroup++) {
            const cuzk_point_status expected = check(point, subgroup);
            const bool whole = curve->id == CUZK_BN254 && group == CUZK_G1; /* no stray points */
            assert_int_equal(expected != CUZK_POINT_OK, kind < 4 || (subgroup && !whole));
            bad = SIZE_MAX;
            assert_int_equal(cuzk_points_check(curve, group, unaligned + 1, N, subgroup, &bad, pool),
                             expected);
            assert_true(bad == (expected == CUZK_POINT_OK ? SIZE_MAX : first));
        }
    }
    cuzk_pool_free(pool);
    known_release(&k);
}

static void test_check_points(void **state)
{
    (void)state;
    each(check_points, 7);
}

/* The points (0, +-2) of BLS12-381 have order 3: additions on the way to their multiples are exceptional. */
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
        assert_int_equal(cuzk_points_check(curve, CUZK_G1, points, 20, false, &bad, NULL), CUZK_POINT_OK);
        assert_int_equal(cuzk_points_check(curve, CUZK_G1, points, 20, true, &bad, NULL),
                         CUZK_POINT_NOT_IN_SUBGROUP);
        assert_int_equal(bad, 13);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_naive),      cmocka_unit_test(test_small),
        cmocka_unit_test(test_skewed),     cmocka_unit_test(test_jobs),
        cmocka_unit_test(test_fixed_base), cmocka_unit_test(test_large),
        cmocka_unit_test(test_check_points), cmocka_unit_test(test_check_order_three),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
