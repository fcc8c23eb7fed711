#include "support/known_points.h"

#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>

const uint64_t *test_generator(const cuzk_curve *curve, cuzk_group group)
{
    return group == CUZK_G1 ? curve->g1_generator : curve->g2_generator;
}

void test_point_mul(const cuzk_curve *curve, cuzk_group group, uint64_t *r, const uint64_t *a,
                    const cuzk_scalar *k)
{
    (group == CUZK_G1 ? curve->g1_mul : curve->g2_mul)(r, a, k);
}

void test_point_add(const cuzk_curve *curve, cuzk_group group, uint64_t *r, const uint64_t *a,
                    const uint64_t *b)
{
    (group == CUZK_G1 ? curve->g1_add : curve->g2_add)(r, a, b);
}

void test_random_scalar(const cuzk_curve *curve, cuzk_scalar *k, test_rng *rng)
{
    do {
        test_rng_bytes(rng, k, sizeof *k);
        k->l[3] &= UINT64_MAX >> (256 - curve->scalar_bits);
    } while (!curve->scalar_is_canonical(k));
}

void test_small_scalar(cuzk_scalar *k, uint64_t value)
{
    *k = (cuzk_scalar){{value, 0, 0, 0}};
}

/* k := r - k, k > 0 */
void test_negate_scalar(const cuzk_curve *curve, cuzk_scalar *k)
{
    cuzk_fr f;
    curve->fr_from_scalar(&f, k);
    curve->fr_neg(&f, &f);
    curve->fr_to_scalar(k, &f);
}

/* All shapes that the classification tells apart, and some that it must not trip over. */
void test_shaped_scalar(const cuzk_curve *curve, cuzk_scalar *k, unsigned shape, test_rng *rng)
{
    switch (shape % TEST_SHAPES) {
    case 0:
        test_small_scalar(k, 0);
        break;
    case 1:
        test_small_scalar(k, 1);
        break;
    case 2:
        test_small_scalar(k, 1 + test_rng_below(rng, 3));
        test_negate_scalar(curve, k);
        break;
    case 3:
        test_small_scalar(k, 0);
        k->l[test_rng_below(rng, 3)] = (uint64_t)1 << test_rng_below(rng, 64);
        break;
    case 4:
        test_small_scalar(k, test_rng_below(rng, 1000));
        break;
    case 5: /* about r/2, where signs turn */
        for (unsigned i = 0; i < 4; i++)
            k->l[i] = curve->r.l[i] >> 1 | (i < 3 ? curve->r.l[i + 1] << 63 : 0);
        k->l[0] += test_rng_below(rng, 2);
        break;
    default:
        test_random_scalar(curve, k, rng);
    }
}

static void add_logs(const cuzk_curve *curve, cuzk_scalar *r, const cuzk_scalar *a,
                     const cuzk_scalar *b)
{
    cuzk_fr x, y;
    curve->fr_from_scalar(&x, a);
    curve->fr_from_scalar(&y, b);
    curve->fr_add(&x, &x, &y);
    curve->fr_to_scalar(r, &x);
}

/* Point i as the sum of two earlier ones, or a repeat, the opposite of one, infinity or a multiple
 * of the first. */
static void derive_point(test_known *k, size_t i, unsigned words, test_rng *rng)
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
            test_negate_scalar(k->curve, &k->log[i]);
        (k->group == CUZK_G1 ? k->curve->g1_neg : k->curve->g2_neg)(point, k->points + a * words);
        break;
    case 2:
        test_small_scalar(&k->log[i], 0);
        memset(point, 0, words * sizeof *point);
        break;
    default:
        add_logs(k->curve, &k->log[i], &k->log[a], &k->log[b]);
        test_point_add(k->curve, k->group, point, k->points + a * words, k->points + b * words);
    }
}

/* Known points; the first ones are random. */
test_known test_known_points(const cuzk_curve *curve, cuzk_group group, size_t n, test_rng *rng)
{
    test_known k = {.curve = curve, .group = group, .n = n};
    const unsigned words = cuzk_point_words(curve, group);
    k.points = calloc(n, words * sizeof(uint64_t));
    k.log = calloc(n, sizeof(cuzk_scalar));
    assert_true(k.points != NULL && k.log != NULL);
    for (size_t i = 0; i < n; i++) {
        if (i >= 3) {
            derive_point(&k, i, words, rng);
            continue;
        }
        test_random_scalar(curve, &k.log[i], rng);
        test_point_mul(curve, group, k.points + i * words, test_generator(curve, group), &k.log[i]);
    }
    return k;
}

void test_known_release(test_known *k)
{
    free(k->points);
    free(k->log);
}

void *test_guarded(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 2 * TEST_GUARD + 63) & ~(size_t)63);
    assert_non_null(p);
    memset(p, TEST_PATTERN, bytes + 2 * TEST_GUARD);
    return p;
}

void test_assert_guard(const void *at)
{
    for (size_t i = 0; i < TEST_GUARD; i++)
        assert_int_equal(((const uint8_t *)at)[i], TEST_PATTERN);
}

/* Calls test for both curves, both groups and each level. */
void test_each_group(void (*test)(const cuzk_curve *curve, cuzk_group group, test_rng *rng),
                     uint64_t salt)
{
    test_rng rng = test_rng_seeded(salt);
    for (int level = CUZK_CPU_PORTABLE; level <= (int)cuzk_cpu_best(); level++) {
        cuzk_cpu_force((cuzk_cpu_level)level);
        for (int id = 0; id < CUZK_CURVES; id++)
            for (int group = CUZK_G1; group <= CUZK_G2; group++)
                test(cuzk_curve_get((cuzk_curve_id)id), (cuzk_group)group, &rng);
    }
}
