/* Packed vectors on the device against the same vectors as arrays. */
#include "cuda_support.h"

#include "compute/cuda/cuda_ntt.h"
#include "compute/cuda/products.h"
#include "compute/cuda/unpack.h"
#include "support/known_points.h"
#include "support/packed.h"

#include <stdlib.h>
#include <string.h>

/* A packed vector, and the same on the device. */
typedef struct vector {
    const cuzk_curve *curve;
    test_packed host;
    cuzk_cuda_map map;
    uint64_t *is_wide, *bits;
    uint32_t *rank;
    cuzk_scalar *value;
} vector;

static void make(vector *v, cuzk_curve_id id, size_t n, size_t head, test_rng *rng)
{
    v->curve = cuzk_curve_get(id);
    test_packed_make(&v->host, v->curve, n, head, (unsigned)test_rng_below(rng, 65),
                     (unsigned)test_rng_below(rng, 65), rng);
    const size_t words = cuzk_cuda_bit_words(n - head);
    v->is_wide = cuda_test_new_from(v->host.is_wide, words * sizeof *v->is_wide);
    v->bits = cuda_test_new_from(v->host.bits, words * sizeof *v->bits);
    v->rank = cuda_test_new_from(v->host.rank, words * sizeof *v->rank);
    v->value = cuda_test_new_from(v->host.value, v->host.map.wide * sizeof *v->value);
    v->map = (cuzk_cuda_map){
        .n = n, .head = head, .wide = v->host.map.wide, .is_wide = v->is_wide, .rank = v->rank};
}

static void release(vector *v)
{
    cuda_test_free(v->is_wide);
    cuda_test_free(v->bits);
    cuda_test_free(v->rank);
    cuda_test_free(v->value);
    test_packed_release(&v->host);
}

static void assert_unpacked(const vector *v)
{
    const size_t n = v->map.n;
    cuzk_scalar *out = cuda_test_new(n * sizeof *out), *got = malloc(n * sizeof *got);
    cuzk_fr *value = cuda_test_new(v->map.wide * sizeof *value), expected;
    assert_non_null(got);
    CUDA_OK(cuzk_cuda_unpack(&v->map, v->bits, v->value, out, cuda_test_stream(), &error));
    cuda_test_read(got, out, n * sizeof *got);
    assert_memory_equal(got, v->host.all, n * sizeof *got);
    CUDA_OK(
        cuzk_cuda_fr_import(v->curve, value, v->value, v->map.wide, cuda_test_stream(), &error));
    CUDA_OK(cuzk_cuda_unpack_fr(v->curve, &v->map, v->bits, value, (cuzk_fr *)out,
                                cuda_test_stream(), &error));
    cuda_test_read(got, out, n * sizeof *got);
    for (size_t i = 0; i < n; i++) {
        v->curve->fr_from_scalar(&expected, &v->host.all[i]);
        assert_memory_equal(&got[i], &expected, sizeof expected);
    }
    free(got);
    cuda_test_free(out);
    cuda_test_free(value);
}

/* What the three query operations give, put together again. */
static void assert_query(const vector *v, const uint32_t *index, size_t first, size_t n)
{
    const cuzk_packed_range range = {.index = index, .first = first, .n = n};
    const size_t wide = cuzk_packed_count(&v->host.map, &range), words = cuzk_cuda_bit_words(n);
    uint32_t *device_index = index == NULL ? NULL : cuda_test_new_from(index, n * sizeof *index);
    const cuzk_cuda_range device = {.index = device_index, .first = first, .n = n};
    uint64_t *out = cuda_test_new(words * 8), *bits = calloc(words + 1, 8);
    uint32_t *place = cuda_test_new(wide * 4), *which = cuda_test_new(wide * 4);
    uint32_t *places = calloc(wide + 1, 4);
    cuzk_scalar *value = cuda_test_new(wide * sizeof *value), *values = calloc(wide + 1, 32);
    void *scratch = cuda_test_new(cuzk_cuda_query_wide_scratch(n));
    assert_true(bits != NULL && places != NULL && values != NULL);
    CUDA_OK(cuzk_cuda_query_bits(&v->map, &device, v->bits, out, cuda_test_stream(), &error));
    CUDA_OK(cuzk_cuda_query_wide(&v->map, &device, wide, place, which, scratch, cuda_test_stream(),
                                 &error));
    CUDA_OK(cuzk_cuda_query_values(which, wide, v->value, value, cuda_test_stream(), &error));
    cuda_test_read(bits, out, words * 8);
    cuda_test_read(places, place, wide * 4);
    cuda_test_read(values, value, wide * sizeof *values);
    size_t next = 0;
    for (size_t i = 0; i < 64 * words; i++) {
        cuzk_scalar got = {{bits[i / 64] >> (i % 64) & 1, 0, 0, 0}}, expected = {{0}};
        if (i < n)
            expected = v->host.all[index == NULL ? first + i : index[i]];
        if (next < wide && places[next] == i) {
            assert_int_equal(got.l[0], 0);
            got = values[next++];
        }
        assert_memory_equal(&got, &expected, sizeof got);
    }
    assert_int_equal(next, wide);
    free(bits);
    free(places);
    free(values);
    cuda_test_free(out);
    cuda_test_free(place);
    cuda_test_free(which);
    cuda_test_free(value);
    cuda_test_free(scratch);
    if (device_index != NULL)
        cuda_test_free(device_index);
}

/* A random rising index. */
static void assert_indexed(const vector *v, test_rng *rng)
{
    uint32_t *index = malloc((v->map.n + 1) * sizeof *index);
    size_t n = 0;
    const uint64_t keep = 1 + test_rng_below(rng, 64);
    assert_non_null(index);
    for (size_t i = 0; i < v->map.n; i++)
        if (test_rng_below(rng, 64) < keep)
            index[n++] = (uint32_t)i;
    assert_query(v, index, 0, n);
    free(index);
}

static void test_vectors(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(1);
    for (int id = 0; id < CUZK_CURVES; id++) {
        for (size_t n = 1; n < cuda_test_size(3000, 2000000); n = 2 * n + 13) {
            const size_t head = test_rng_below(&rng, n < 300 ? n : 300);
            vector v;
            make(&v, (cuzk_curve_id)id, n, head, &rng);
            assert_unpacked(&v);
            assert_query(&v, NULL, 0, n);
            assert_query(&v, NULL, head, n - head);
            assert_indexed(&v, &rng);
            release(&v);
        }
    }
}

CUDA_TESTS(unpack, cmocka_unit_test(test_vectors))
