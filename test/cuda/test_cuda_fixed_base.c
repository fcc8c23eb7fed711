/* Multiples of one point on the device against those of the host, and points as bytes. */
#include "cuda_support.h"

#include "compute/cuda/fixed_base.h"
#include "compute/msm.h"
#include "support/known_points.h"

#include <stdlib.h>
#include <string.h>

static cuzk_scalar *make_scalars(const cuzk_curve *curve, size_t n, test_rng *rng)
{
    cuzk_scalar *scalars = malloc((n + 1) * sizeof *scalars);
    assert_non_null(scalars);
    for (size_t i = 0; i < n; i++)
        test_shaped_scalar(curve, &scalars[i], (unsigned)test_rng_below(rng, TEST_SHAPES), rng);
    return scalars;
}

/* table: for how many multiplications the table is made, which decides its windows. */
static void compare(const cuzk_curve *curve, cuzk_group group, const uint64_t *base, size_t n,
                    size_t table, test_rng *rng)
{
    const size_t bytes = n * cuzk_point_words(curve, group) * sizeof(uint64_t);
    const size_t host_scratch = cuzk_fixed_base_scratch(curve, group, n, 1);
    cuzk_scalar *scalars = make_scalars(curve, n, rng);
    uint64_t *expected = malloc(bytes + 1), *got = malloc(bytes + 1);
    void *host = aligned_alloc(64, host_scratch + 64 - host_scratch % 64);
    assert_true(expected != NULL && got != NULL && host != NULL);
    cuzk_fixed_base(curve, group, expected, base, scalars, n, host, NULL);
    cuzk_cuda_fixed_base fixed;
    void *memory = cuda_test_new(cuzk_cuda_fixed_base_bytes(curve, group, table));
    void *scratch = cuda_test_new(cuzk_cuda_fixed_base_scratch(curve, group, n));
    cuzk_scalar *device = cuda_test_new_from(scalars, n * sizeof *scalars);
    uint64_t *out = cuda_test_new(bytes);
    CUDA_OK(cuzk_cuda_fixed_base_make(&fixed, curve, group, base, table, memory, cuda_test_stream(),
                                      &error));
    CUDA_OK(
        cuzk_cuda_fixed_base_multiply(&fixed, out, device, n, scratch, cuda_test_stream(), &error));
    cuda_test_read(got, out, bytes);
    for (size_t i = 0; i < n; i++) {
        const size_t words = cuzk_point_words(curve, group);
        if (memcmp(got + i * words, expected + i * words, 8 * words) != 0)
            fail_msg("%s, group %d: point %zu of %zu, windows of %u bits", curve->full_name,
                     (int)group, i, n, fixed.c);
    }
    cuda_test_free(memory);
    cuda_test_free(scratch);
    cuda_test_free(device);
    cuda_test_free(out);
    free(scalars);
    free(expected);
    free(got);
    free(host);
}

static void compare_group(const cuzk_curve *curve, cuzk_group group, test_rng *rng)
{
    const uint64_t *base = test_generator(curve, group);
    uint64_t other[CUZK_G2_MAX_WORDS] = {0};
    cuzk_scalar k;
    for (size_t n = 0; n < 20; n += 1 + n / 2)
        compare(curve, group, base, n, n + 1, rng);
    compare(curve, group, other, 33, 1000, rng); /* infinity */
    test_random_scalar(curve, &k, rng);
    test_point_mul(curve, group, other, base, &k);
    compare(curve, group, other, cuda_test_size(100, 100003), 1, rng);
    compare(curve, group, other, cuda_test_size(333, 3000001), cuda_test_size(3000, 100000000),
            rng);
}

static void test_multiples(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(1);
    for (int id = 0; id < CUZK_CURVES; id++) {
        compare_group(cuzk_curve_get((cuzk_curve_id)id), CUZK_G1, &rng);
        compare_group(cuzk_curve_get((cuzk_curve_id)id), CUZK_G2, &rng);
    }
}

static void test_bytes(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(2);
    const cuzk_curve *curve = cuzk_curve_get(CUZK_BLS12_381);
    const size_t n = cuda_test_size(300, 30000);
    for (int g = 0; g < 2; g++) {
        const cuzk_group group = (cuzk_group)g;
        const size_t words = cuzk_point_words(curve, group);
        test_known k = test_known_points(curve, group, n, &rng);
        memset(k.points + words, 0, 8 * words); /* infinity */
        uint64_t *points = cuda_test_new_from(k.points, 8 * words * n);
        uint8_t *out = cuda_test_new(8 * words * n), *got = malloc(8 * words * n);
        assert_non_null(got);
        CUDA_OK(cuzk_cuda_points_encode(curve, group, out, points, n, cuda_test_stream(), &error));
        cuda_test_read(got, out, 8 * words * n);
        for (size_t i = 0; i < n; i++) {
            uint8_t expected[8 * CUZK_G2_MAX_WORDS];
            (g == 0 ? curve->g1_encode : curve->g2_encode)(expected, k.points + i * words,
                                                           CUZK_ENC_ZCASH);
            assert_memory_equal(got + 8 * words * i, expected, 8 * words);
        }
        cuda_test_free(points);
        cuda_test_free(out);
        free(got);
        test_known_release(&k);
    }
    cuzk_error err;
    assert_int_equal(cuzk_cuda_points_encode(cuzk_curve_get(CUZK_BN254), CUZK_G1, NULL, NULL, 1,
                                             cuda_test_stream(), &err),
                     CUZK_ERR_UNSUPPORTED);
}

CUDA_TESTS(fixed_base, cmocka_unit_test(test_multiples), cmocka_unit_test(test_bytes))
