/* Segment sums cut into so many tiles that their parts need tiles, too; and batches with every kind
 * of exception in every lane. */
#include "support/known_points.h"

#include "base/cpu.h"
#include "compute/cpu/msm_segsum.h"
#include "compute/msm.h"

#include <stdlib.h>
#include <string.h>

#define POINTS   64
#define SEGMENTS 40
#define ENTRIES  420000
#define THREADS  1000 /* for the cut only: makes tiles as small as they get */

typedef struct lists {
    cuzk_ref *entry;
    uint32_t start[SEGMENTS + 1];
    cuzk_scalar log[SEGMENTS];
} lists;

/* Finite points only, with random signs. One long segment, others short or empty. */
static lists make_lists(const test_known *k, test_rng *rng)
{
    lists l = {.entry = calloc(ENTRIES, sizeof(cuzk_ref))};
    const unsigned words = cuzk_point_words(k->curve, k->group);
    size_t at = 0;
    assert_non_null(l.entry);
    for (unsigned s = 0; s < SEGMENTS; s++) {
        cuzk_fr sum = {{0}};
        size_t length = s == 17 ? 400000 : test_rng_below(rng, 3) * test_rng_below(rng, 250);
        l.start[s] = (uint32_t)at;
        while (length > 0 && at < ENTRIES) {
            const size_t i = test_rng_below(rng, POINTS);
            const bool minus = test_rng_below(rng, 2);
            cuzk_fr log;
            if (cuzk_point_is_infinity(k->points + i * words, words))
                continue;
            l.entry[at++] = (cuzk_ref)(i << 1 | minus);
            k->curve->fr_from_scalar(&log, &k->log[i]);
            if (minus)
                k->curve->fr_neg(&log, &log);
            k->curve->fr_add(&sum, &sum, &log);
            length--;
        }
        k->curve->fr_to_scalar(&l.log[s], &sum);
    }
    l.start[SEGMENTS] = (uint32_t)at;
    return l;
}

static void take_parts(cuzk_segsum *s, size_t tiles)
{
    for (unsigned i = 0; i < 2; i++) {
        s->part[i] = calloc(2 * tiles, s->kernel->words * sizeof(uint64_t));
        s->part_sum[i] = calloc(2 * tiles, sizeof(uint64_t *));
    }
    s->next_entry = calloc(2 * tiles, sizeof(cuzk_ref));
    s->next_start = calloc(2 * tiles + 1, sizeof(uint32_t));
    s->next_sum = calloc(2 * tiles, sizeof(uint64_t *));
}

static void release_parts(cuzk_segsum *s)
{
    for (unsigned i = 0; i < 2; i++) {
        free(s->part[i]);
        free(s->part_sum[i]);
    }
    free(s->next_entry);
    free(s->next_start);
    free(s->next_sum);
}

/* Runs all passes in one thread; returns how many there were. */
static unsigned run_passes(cuzk_segsum *s)
{
    const size_t capacity = cuzk_segsum_tile(s->kernel);
    void *memory = test_guarded(cuzk_segsum_work_bytes(s->kernel, capacity));
    cuzk_segsum_work work;
    unsigned passes = 0;
    cuzk_segsum_work_init(&work, s->kernel, capacity, memory);
    cuzk_segsum_cut(s, THREADS);
    do {
        assert_true(s->tiles <= cuzk_segsum_tiles_max(s->kernel, s->start[s->segments], THREADS));
        for (size_t tile = 0; tile < s->tiles; tile++)
            cuzk_segsum_run_tile(s, tile, (tile & 1) == 0, &work);
        passes++;
    } while (cuzk_segsum_next(s, THREADS));
    test_assert_guard((uint8_t *)memory + cuzk_segsum_work_bytes(s->kernel, capacity));
    free(memory);
    return passes;
}

static void test_many_tiles(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(1);
    for (int level = CUZK_CPU_PORTABLE; level <= (int)cuzk_cpu_best(); level++) {
        cuzk_cpu_force((cuzk_cpu_level)level);
        const cuzk_curve *curve = cuzk_curve_get(CUZK_BN254);
        test_known k = test_known_points(curve, CUZK_G1, POINTS, &rng);
        lists l = make_lists(&k, &rng);
        uint64_t out[SEGMENTS][8], expected[8];
        void *bases = test_guarded(cuzk_bases_bytes(curve, CUZK_G1, POINTS));
        cuzk_bases_prepare(curve, CUZK_G1, bases, k.points, NULL, POINTS, NULL);
        memset(out, TEST_PATTERN, sizeof out);
        cuzk_segsum s = {.kernel = cuzk_msm_kernel_get(curve, CUZK_G1), .points = bases};
        s.entry = l.entry;
        s.start = l.start;
        s.segments = SEGMENTS;
        s.out = out[0];
        take_parts(&s, cuzk_segsum_tiles_max(s.kernel, ENTRIES, THREADS));
        assert_true(run_passes(&s) >= 3);
        s.kernel->export(out[0], out[0], SEGMENTS);
        for (unsigned i = 0; i < SEGMENTS; i++) {
            test_point_mul(curve, CUZK_G1, expected, curve->g1_generator, &l.log[i]);
            assert_memory_equal(out[i], expected, sizeof expected);
        }
        release_parts(&s);
        free(l.entry);
        free(bases);
        test_known_release(&k);
    }
}

/* All pairs of a few points and their negatives, in batches that end anywhere in a vector. */
static void add_pairs(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    enum { FINITE = 3, SIGNED = 2 * FINITE, PAIRS = SIGNED * SIGNED };
    const unsigned words = cuzk_point_words(curve, group);
    const cuzk_msm_kernel *kernel = cuzk_msm_kernel_get(curve, group);
    test_known k = test_known_points(curve, group, FINITE, rng);
    uint64_t *bases = test_guarded(cuzk_bases_bytes(curve, group, FINITE));
    uint64_t *slots = test_guarded(PAIRS * words * sizeof(uint64_t));
    void *products = test_guarded(cuzk_msm_products_bytes(kernel, PAIRS));
    uint64_t expected[CUZK_G2_MAX_WORDS], b[CUZK_G2_MAX_WORDS];
    cuzk_ref ref[2 * PAIRS];
    cuzk_bases_prepare(curve, group, bases, k.points, NULL, FINITE, NULL);
    for (size_t n = 1; n <= PAIRS; n++) {
        const size_t shift = test_rng_below(rng, PAIRS);
        bool any = false;
        for (size_t i = 0; i < n; i++) {
            ref[2 * i] = (cuzk_ref)((i + shift) % PAIRS / SIGNED);
            ref[2 * i + 1] = (cuzk_ref)((i + shift) % SIGNED);
            any |= ref[2 * i] == (ref[2 * i + 1] ^ 1);
        }
        assert_int_equal(kernel->add(slots, 0, bases, ref, n, NULL, 0, products), any);
        kernel->export(slots, slots, n);
        for (size_t i = 0; i < n; i++) {
            memcpy(expected, k.points + (ref[2 * i] >> 1) * words, words * sizeof *b);
            memcpy(b, k.points + (ref[2 * i + 1] >> 1) * words, words * sizeof *b);
            if (ref[2 * i] & 1)
                (group == CUZK_G1 ? curve->g1_neg : curve->g2_neg)(expected, expected);
            if (ref[2 * i + 1] & 1)
                (group == CUZK_G1 ? curve->g1_neg : curve->g2_neg)(b, b);
            test_point_add(curve, group, expected, expected, b);
            assert_memory_equal(slots + i * words, expected, words * sizeof *b);
        }
    }
    test_assert_guard((uint8_t *)slots + PAIRS * words * sizeof(uint64_t));
    test_assert_guard((uint8_t *)products + cuzk_msm_products_bytes(kernel, PAIRS));
    free(bases);
    free(slots);
    free(products);
    test_known_release(&k);
}

static void test_add_pairs(void **state)
{
    (void)state;
    test_each_group(add_pairs, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add_pairs),
        cmocka_unit_test(test_many_tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
