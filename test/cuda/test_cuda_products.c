/* Products of rows on the device against those on the host: shared rows of random circuits and of
 * Filecoin's, plain rows of random matrices. */
#include "cuda_support.h"

#include "circuit/filecoin/registry.h"
#include "circuit/product.h"
#include "circuit/product_shared.h"
#include "compute/cuda/cuda_ntt.h"
#include "compute/cuda/products.h"
#include "field/bls12_381_fr.h"
#include "support/known_points.h"
#include "support/random_circuit.h"

#include <stdlib.h>
#include <string.h>

/* --- shared rows --- */

/* The witness on the device, as a prover has it there. */
typedef struct device_witness {
    uint64_t *bits;
    cuzk_fr *value;
} device_witness;

static device_witness upload(const cuzk_compiled *c, const cuzk_witness *w)
{
    const cuzk_packed_map *map = cuzk_compiled_packed_map(c);
    cuzk_scalar *value = malloc(map->wide * sizeof *value);
    assert_non_null(value);
    cuzk_witness_values(c, w, value);
    device_witness d = {.bits = cuda_test_new_from(w->bits, (w->aux + 63) / 64 * 8),
                        .value = cuda_test_new_from(value, map->wide * sizeof *value)};
    CUDA_OK(cuzk_cuda_fr_import(cuzk_curve_get(CUZK_BLS12_381), d.value,
                                (const cuzk_scalar *)d.value, map->wide, cuda_test_stream(),
                                &error));
    free(value);
    return d;
}

static void assert_column(const cuzk_fr *device, const cuzk_fr *host, size_t rows, size_t size,
                          int side)
{
    const cuzk_fr zero = {{0}};
    cuzk_fr *got = malloc(size * sizeof *got);
    assert_non_null(got);
    cuda_test_read(got, device, size * sizeof *got);
    for (size_t i = 0; i < size; i++)
        if (memcmp(&got[i], i < rows ? &host[i] : &zero, sizeof zero) != 0)
            fail_msg("row %zu of %zu, side %d", i, rows, side);
    free(got);
}

static void compare_products(const cuzk_compiled *c, const cuzk_witness *w, size_t rows)
{
    const size_t size = rows + rows / 3;
    cuzk_error err;
    cuzk_shared_rows shared;
    cuzk_cuda_rows device;
    cuzk_fr *host[3], *out[3];
    assert_int_equal(cuzk_compiled_shared_rows(c, &shared, &err), CUZK_OK);
    assert_int_equal(shared.rows, rows);
    void *memory = cuda_test_new(cuzk_cuda_rows_bytes(&shared));
    CUDA_OK(cuzk_cuda_rows_load(&device, &shared, memory, cuda_test_stream(), &error));
    cuzk_shared_rows_release(&shared);
    for (int i = 0; i < 3; i++) {
        host[i] = malloc((rows + 1) * sizeof *host[i]);
        assert_non_null(host[i]);
        out[i] = cuda_test_new(size * sizeof *out[i]);
    }
    device_witness d = upload(c, w);
    assert_int_equal(cuzk_compiled_products(c, w, 0, rows, host[0], host[1], host[2], NULL, &err),
                     CUZK_OK);
    CUDA_OK(cuzk_cuda_products(&device, d.bits, d.value, out[0], out[1], NULL, size,
                               cuda_test_stream(), &error));
    CUDA_OK(cuzk_cuda_products(&device, d.bits, d.value, NULL, NULL, out[2], size,
                               cuda_test_stream(), &error));
    for (int i = 0; i < 3; i++) {
        assert_column(out[i], host[i], rows, size, i);
        cuda_test_free(out[i]);
        free(host[i]);
    }
    cuda_test_free(d.bits);
    cuda_test_free(d.value);
    cuda_test_free(memory);
}

/* A circuit with a request of random elements and words: whether rows hold does not matter. */
static void compare_circuit(const cuzk_compiled *c, test_rng *rng)
{
    cuzk_error err;
    cuzk_compiled_info info;
    cuzk_witness w;
    cuzk_compiled_describe(c, &info);
    cuzk_scalar *field = calloc(info.field + 1, sizeof *field);
    uint64_t *word = calloc(info.word + 1, sizeof *word);
    assert_true(field != NULL && word != NULL);
    for (size_t i = 0; i < info.field; i++)
        test_shaped_scalar(cuzk_curve_get(CUZK_BLS12_381), &field[i],
                           (unsigned)test_rng_below(rng, TEST_SHAPES), rng);
    test_rng_bytes(rng, word, info.word * sizeof *word);
    const cuzk_circuit_inputs request = {field, info.field, word, info.word};
    if (cuzk_witness_make(&w, c, &request, NULL, &err) != CUZK_OK)
        fail_msg("%s: %s", info.name, err.message);
    compare_products(c, &w, info.rows + info.inputs);
    cuzk_witness_release(&w);
    free(field);
    free(word);
}

static void test_random_circuits(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(1);
    for (uint64_t i = 0; i < cuda_test_size(24, 200); i++) {
        const test_random_circuit params = {.seed = test_rng_next(&rng),
                                            .calls = (unsigned)(i * i / 8 % 200),
                                            .steps = (unsigned)(2 + i % 7),
                                            .honest = i % 2 == 0};
        const cuzk_circuit circuit = {"random", test_random_build, &params};
        cuzk_compiled *c;
        cuzk_error err;
        assert_int_equal(cuzk_compile(&c, &circuit, &err), CUZK_OK);
        compare_circuit(c, &rng);
        cuzk_compiled_free(c);
    }
}

static void test_filecoin_circuits(void **state)
{
    (void)state;
    const char *names[] = {"window-2k", "winning-2k", "porep-2k", "update-2k"};
    test_rng rng = test_rng_seeded(2);
    for (size_t i = 0; i < cuda_test_size(2, sizeof names / sizeof *names); i++) {
        cuzk_error err;
        cuzk_fil_proof proof;
        cuzk_compiled *c;
        assert_int_equal(cuzk_fil_circuit_find(&proof, names[i], &err), CUZK_OK);
        assert_int_equal(cuzk_fil_circuit_compile(&c, &proof, &err), CUZK_OK);
        compare_circuit(c, &rng);
        cuzk_compiled_free(c);
    }
}

/* --- plain rows --- */

static cuzk_fr random_fr(const cuzk_curve *curve, test_rng *rng)
{
    cuzk_scalar s;
    cuzk_fr r;
    test_shaped_scalar(curve, &s, (unsigned)test_rng_below(rng, TEST_SHAPES), rng);
    curve->fr_from_scalar(&r, &s);
    return r;
}

/* Rows of any length, with all of the dictionary. */
static void make_matrix(cuzk_matrix *m, cuzk_coefs *coefs, const cuzk_curve *curve, size_t rows,
                        size_t cols, test_rng *rng)
{
    cuzk_matrix_builder *builder;
    cuzk_coef_table *table;
    assert_int_equal(cuzk_coef_table_new(&table, curve, NULL), CUZK_OK);
    assert_int_equal(cuzk_matrix_builder_new(&builder, table, rows, rows, NULL), CUZK_OK);
    for (size_t i = 0; i < rows; i++) {
        const uint64_t longest = test_rng_below(rng, 30) == 0 ? 3 * CUZK_LONG_ROW : 6;
        for (uint64_t e = test_rng_below(rng, longest); e > 0; e--) {
            cuzk_fr value = curve->fr_one;
            if (test_rng_below(rng, 4) == 0)
                value = random_fr(curve, rng);
            else if (test_rng_below(rng, 2) == 0)
                curve->fr_neg(&value, &value);
            assert_int_equal(
                cuzk_matrix_builder_add(builder, (uint32_t)test_rng_below(rng, cols), &value, NULL),
                CUZK_OK);
        }
        assert_int_equal(cuzk_matrix_builder_end_row(builder, NULL), CUZK_OK);
    }
    cuzk_matrix_builder_take(builder, m);
    cuzk_matrix_builder_free(builder);
    cuzk_coef_table_take(table, coefs);
    cuzk_coef_table_free(table);
}

static void compare_matrix(const cuzk_curve *curve, size_t rows, size_t size, test_rng *rng)
{
    const size_t cols = 1 + rows / 2;
    cuzk_matrix m;
    cuzk_coefs coefs;
    cuzk_cuda_matrix device;
    make_matrix(&m, &coefs, curve, rows, cols, rng);
    cuzk_fr *z = malloc(cols * sizeof *z), *host = malloc((rows + 1) * sizeof *host);
    assert_true(z != NULL && host != NULL);
    for (size_t i = 0; i < cols; i++)
        z[i] = random_fr(curve, rng);
    cuzk_matrix_mul(curve, &m, &coefs, host, z, NULL);
    void *memory = cuda_test_new(cuzk_cuda_matrix_bytes(&m));
    cuzk_fr *value = cuda_test_new_from(coefs.value, coefs.count * sizeof *value);
    cuzk_fr *device_z = cuda_test_new_from(z, cols * sizeof *z);
    cuzk_fr *out = cuda_test_new(size * sizeof *out);
    CUDA_OK(cuzk_cuda_matrix_load(&device, curve, &m, value, memory, cuda_test_stream(), &error));
    CUDA_OK(cuzk_cuda_matrix_mul(&device, out, device_z, size, cuda_test_stream(), &error));
    assert_column(out, host, rows, size, 0);
    cuda_test_free(out);
    cuda_test_free(device_z);
    cuda_test_free(value);
    cuda_test_free(memory);
    cuzk_matrix_release(&m);
    free(coefs.value);
    free(z);
    free(host);
}

static void test_matrices(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(3);
    for (int id = 0; id < CUZK_CURVES; id++) {
        const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)id);
        for (size_t rows = 0; rows < 4; rows++)
            compare_matrix(curve, rows, 4, &rng);
        for (size_t rows = 100; rows < cuda_test_size(4000, 3000000); rows = 5 * rows + 31)
            compare_matrix(curve, rows, rows + rows % 7, &rng);
    }
}

CUDA_TESTS(products, cmocka_unit_test(test_random_circuits),
           cmocka_unit_test(test_filecoin_circuits), cmocka_unit_test(test_matrices))
