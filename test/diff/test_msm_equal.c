/* Sums of segments of equal length (cuzk_msm_kernel.sum_equal) against the curves' own additions,
 * at each CPU level of this machine. */
#include "support/known_points.h"

#include "compute/cpu/msm_kernel.h"

#include <stdlib.h>
#include <string.h>

enum {
    POINTS = 192,
    GROUPS_MAX = 3,
    LENGTH_MAX = 67, /* seven levels, with a point left over on each of several */
    SEGMENTS_MAX = GROUPS_MAX * 8
};

typedef struct fixture {
    test_known k;
    const cuzk_msm_kernel *kernel;
    uint64_t *points; /* packed */
    cuzk_ref ref[SEGMENTS_MAX * LENGTH_MAX];
    uint64_t out[SEGMENTS_MAX][CUZK_G2_MAX_WORDS];
} fixture;

/* Distinct points none of which is the opposite of another. */
static void open_fixture(fixture *f, const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    const unsigned words = cuzk_point_words(curve, group);
    f->k = test_known_points(curve, group, POINTS, rng);
    f->kernel = cuzk_msm_kernel_get(curve, group);
    for (size_t i = 0; i < POINTS; i++) {
        cuzk_scalar log;
        test_random_scalar(curve, &log, rng);
        test_point_mul(curve, group, f->k.points + i * words, test_generator(curve, group), &log);
    }
    uint64_t infinity[POINTS / 64];
    f->points = test_guarded(POINTS * f->kernel->words * sizeof(uint64_t));
    f->kernel->import(f->points, infinity, (const uint8_t *)f->k.points, POINTS);
}

static void close_fixture(fixture *f)
{
    test_assert_guard(f->points + POINTS * f->kernel->words);
    free(f->points);
    test_known_release(&f->k);
}

/* Refers to all points in turn, each segment to different ones, negated at random. */
static void choose(fixture *f, size_t groups, size_t length, test_rng *rng)
{
    const unsigned lanes = f->kernel->lanes;
    for (size_t s = 0; s < groups * lanes; s++) {
        const size_t first = test_rng_below(rng, POINTS);
        for (size_t i = 0; i < length; i++)
            f->ref[(s / lanes * length + i) * lanes + s % lanes] =
                (cuzk_ref)((first + i) % POINTS << 1 | test_rng_below(rng, 2));
    }
}

static bool sum(fixture *f, size_t groups, size_t length)
{
    const cuzk_msm_kernel *kernel = f->kernel;
    const size_t slot_bytes = cuzk_msm_equal_bytes(kernel, groups, length);
    const size_t product_bytes =
        cuzk_msm_products_bytes(kernel, groups * (length / 2) * kernel->lanes);
    uint8_t *slots = test_guarded(slot_bytes), *products = test_guarded(product_bytes);
    uint64_t *where[SEGMENTS_MAX];
    for (size_t s = 0; s < groups * kernel->lanes; s++)
        where[s] = f->out[s];
    const bool summed = kernel->sum_equal(where, f->points, f->ref, groups, length, f->ref, length,
                                          slots, products);
    test_assert_guard(slots + slot_bytes);
    test_assert_guard(products + product_bytes);
    free(slots);
    free(products);
    return summed;
}

static void expect_sums(fixture *f, size_t groups, size_t length)
{
    const test_known *k = &f->k;
    const unsigned lanes = f->kernel->lanes, words = cuzk_point_words(k->curve, k->group);
    for (size_t s = 0; s < groups * lanes; s++) {
        uint64_t want[CUZK_G2_MAX_WORDS] = {0}, term[CUZK_G2_MAX_WORDS];
        for (size_t i = 0; i < length; i++) {
            const cuzk_ref ref = f->ref[(s / lanes * length + i) * lanes + s % lanes];
            memcpy(term, k->points + (ref >> 1) * words, words * sizeof *term);
            if (ref & 1)
                (k->group == CUZK_G1 ? k->curve->g1_neg : k->curve->g2_neg)(term, term);
            test_point_add(k->curve, k->group, want, want, term);
        }
        f->kernel->export(f->out[s], f->out[s], 1);
        assert_memory_equal(f->out[s], want, words * sizeof *want);
    }
}

static void lengths(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    fixture f;
    open_fixture(&f, curve, group, rng);
    for (size_t length = 2; length <= LENGTH_MAX; length += length < 10 ? 1 : 19) {
        const size_t groups = 1 + test_rng_below(rng, GROUPS_MAX);
        choose(&f, groups, length, rng);
        assert_true(sum(&f, groups, length));
        expect_sums(&f, groups, length);
    }
    close_fixture(&f);
}

static void test_lengths(void **state)
{
    (void)state;
    test_each_group(lengths, 21);
}

/* Equal and opposite summands are refused, on whatever level they meet, in whatever lane. */
static void refusals(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    enum { LENGTH = 8 };
    fixture f;
    open_fixture(&f, curve, group, rng);
    const unsigned lanes = f.kernel->lanes;
    for (unsigned negate = 0; negate < 2; negate++)
        for (size_t half = 1; half < LENGTH; half *= 2) {
            const size_t lane = test_rng_below(rng, lanes), g = test_rng_below(rng, GROUPS_MAX);
            cuzk_ref *ref = f.ref + g * LENGTH * lanes + lane;
            choose(&f, GROUPS_MAX, LENGTH, rng);
            assert_true(sum(&f, GROUPS_MAX, LENGTH));
            for (size_t i = 0; i < half; i++)
                ref[(half + i) * lanes] = ref[i * lanes] ^ negate;
            assert_false(sum(&f, GROUPS_MAX, LENGTH));
        }
    close_fixture(&f);
}

static void test_refusals(void **state)
{
    (void)state;
    test_each_group(refusals, 22);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
