/* Sparse matrices against dense ones. */
#include "base/cpu.h"
#include "compute/sparse.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ROWS 40
#define MAX_COLS 30

static bool same(const cuzk_fr *a, const cuzk_fr *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static cuzk_fr small_fr(const cuzk_curve *curve, int64_t value)
{
    const cuzk_scalar s = {{(uint64_t)(value < 0 ? -value : value), 0, 0, 0}};
    cuzk_fr r;
    curve->fr_from_scalar(&r, &s);
    if (value < 0)
        curve->fr_neg(&r, &r);
    return r;
}

/* 0, +-1, +-2, and now and then any value. */
static cuzk_fr random_fr(test_rng *rng, const cuzk_curve *curve)
{
    if (test_rng_below(rng, 4) != 0)
        return small_fr(curve, (int64_t)test_rng_below(rng, 5) - 2);
    uint8_t wide[64];
    cuzk_scalar s;
    cuzk_fr r;
    test_rng_bytes(rng, wide, sizeof wide);
    curve->scalar_from_wide(&s, wide);
    curve->fr_from_scalar(&r, &s);
    return r;
}

typedef struct dense {
    size_t rows, cols;
    cuzk_fr value[MAX_ROWS][MAX_COLS];
} dense;

static void add_entry(const cuzk_curve *curve, cuzk_matrix_builder *builder, dense *d, size_t row,
                      uint32_t col, const cuzk_fr *value)
{
    curve->fr_add(&d->value[row][col], &d->value[row][col], value);
    assert_int_equal(cuzk_matrix_builder_add(builder, col, value, NULL), CUZK_OK);
}

/* Random rows: many empty, entries in any order, with duplicates, zeros, and sums that vanish. */
static void build_random(test_rng *rng, const cuzk_curve *curve, cuzk_coef_table *table,
                         cuzk_matrix *m, dense *d)
{
    cuzk_matrix_builder *builder;
    assert_int_equal(cuzk_matrix_builder_new(&builder, table, test_rng_below(rng, 50),
                                             test_rng_below(rng, 50), NULL),
                     CUZK_OK);
    for (size_t i = 0; i < d->rows; i++) {
        const uint64_t entries = test_rng_below(rng, 3) == 0 ? 0 : test_rng_below(rng, 60);
        for (uint64_t e = 0; e < entries; e++) {
            const uint32_t col = (uint32_t)test_rng_below(rng, d->cols);
            cuzk_fr value = random_fr(rng, curve);
            add_entry(curve, builder, d, i, col, &value);
            if (test_rng_below(rng, 4) == 0) { /* cancels */
                value = d->value[i][col];
                curve->fr_neg(&value, &value);
                add_entry(curve, builder, d, i, col, &value);
            }
        }
        assert_int_equal(cuzk_matrix_builder_end_row(builder, NULL), CUZK_OK);
    }
    cuzk_matrix_builder_take(builder, m);
    cuzk_matrix_builder_free(builder);
}

/* The compressed rows hold exactly the entries of d that are not zero, in rising columns. */
static void assert_matrix_is(const cuzk_matrix *m, const cuzk_coefs *coefs, const dense *d)
{
    const cuzk_fr zero = {{0}};
    assert_int_equal(m->rows, d->rows);
    uint64_t e = 0;
    assert_int_equal(m->row_start[0], 0);
    for (size_t i = 0; i < d->rows; i++) {
        for (uint32_t j = 0; j < d->cols; j++) {
            if (same(&d->value[i][j], &zero))
                continue;
            assert_true(e < m->row_start[i + 1]);
            assert_int_equal(m->col[e], j);
            assert_true(m->coef[e] < coefs->count);
            assert_true(same(&coefs->value[m->coef[e]], &d->value[i][j]));
            e++;
        }
        assert_int_equal(m->row_start[i + 1], e);
    }
}

static void assert_products(test_rng *rng, const cuzk_curve *curve, const cuzk_matrix *m,
                            const cuzk_coefs *coefs, const dense *d, cuzk_pool *pool)
{
    cuzk_fr z[MAX_COLS], x[MAX_ROWS], out[MAX_ROWS], columns[MAX_COLS], expected_columns[MAX_COLS];
    for (size_t j = 0; j < d->cols; j++) {
        z[j] = random_fr(rng, curve);
        columns[j] = expected_columns[j] = random_fr(rng, curve);
    }
    for (size_t i = 0; i < d->rows; i++)
        x[i] = random_fr(rng, curve);
    cuzk_matrix_mul(curve, m, coefs, out, z, pool);
    cuzk_matrix_mul_transposed(curve, m, coefs, columns, x);
    for (size_t i = 0; i < d->rows; i++) {
        cuzk_fr sum = {{0}}, t;
        for (size_t j = 0; j < d->cols; j++) {
            curve->fr_mul(&t, &d->value[i][j], &z[j]);
            curve->fr_add(&sum, &sum, &t);
            curve->fr_mul(&t, &d->value[i][j], &x[i]);
            curve->fr_add(&expected_columns[j], &expected_columns[j], &t);
        }
        assert_true(same(&out[i], &sum));
    }
    for (size_t j = 0; j < d->cols; j++)
        assert_true(same(&columns[j], &expected_columns[j]));
}

static void matrices_equal_dense_ones(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(1);
    cuzk_pool *pool = cuzk_pool_new(3);
    for (unsigned round = 0; round < 60; round++) {
        cuzk_cpu_force((cuzk_cpu_level)(round / 2 % (cuzk_cpu_best() + 1u)));
        const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)(round % CUZK_CURVES));
        cuzk_coef_table *table;
        cuzk_coefs coefs;
        cuzk_matrix m[2];
        dense *d = calloc(2, sizeof *d);
        assert_int_equal(cuzk_coef_table_new(&table, curve, NULL), CUZK_OK);
        for (int i = 0; i < 2; i++) {
            d[i].rows = test_rng_below(&rng, MAX_ROWS + 1);
            d[i].cols = 1 + test_rng_below(&rng, MAX_COLS);
            build_random(&rng, curve, table, &m[i], &d[i]);
        }
        cuzk_coef_table_take(table, &coefs);
        cuzk_coef_table_free(table);
        for (int i = 0; i < 2; i++) {
            assert_matrix_is(&m[i], &coefs, &d[i]);
            assert_products(&rng, curve, &m[i], &coefs, &d[i], round % 3 ? pool : NULL);
            cuzk_matrix_release(&m[i]);
        }
        free(coefs.value);
        free(d);
    }
    cuzk_pool_free(pool);
}

static void dictionary_keeps_values_apart(void **state)
{
    (void)state;
    const cuzk_curve *curve = cuzk_curve_get(CUZK_BN254);
    cuzk_coef_table *table;
    cuzk_coefs coefs;
    assert_int_equal(cuzk_coef_table_new(&table, curve, NULL), CUZK_OK);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < 5000; i++) {
            const cuzk_fr value =
                small_fr(curve, i % 2 ? -(int64_t)(i / 2 + 1) : (int64_t)(i / 2 + 1));
            uint32_t id;
            assert_int_equal(cuzk_coef_intern(table, &value, &id, NULL), CUZK_OK);
            assert_int_equal(id, i); /* 1, -1, 2, -2, ..: the fixed ids 0 and 1 come first */
        }
    cuzk_coef_table_take(table, &coefs);
    assert_int_equal(coefs.count, 5000);
    assert_true(same(&coefs.value[CUZK_COEF_ONE], &curve->fr_one));
    const cuzk_fr minus_one = small_fr(curve, -1);
    assert_true(same(&coefs.value[CUZK_COEF_MINUS_ONE], &minus_one));
    free(coefs.value);

    uint32_t id; /* an emptied table starts afresh */
    const cuzk_fr seven = small_fr(curve, 7);
    assert_int_equal(cuzk_coef_intern(table, &seven, &id, NULL), CUZK_OK);
    assert_int_equal(id, 2);
    assert_int_equal(cuzk_coef_intern(table, &minus_one, &id, NULL), CUZK_OK);
    assert_int_equal(id, CUZK_COEF_MINUS_ONE);
    cuzk_coef_table_free(table);
}

static void huge_expectations_reserve_little(void **state)
{
    (void)state;
    cuzk_coef_table *table;
    cuzk_matrix_builder *builder;
    cuzk_matrix m;
    assert_int_equal(cuzk_coef_table_new(&table, cuzk_curve_get(CUZK_BLS12_381), NULL), CUZK_OK);
    assert_int_equal(cuzk_matrix_builder_new(&builder, table, SIZE_MAX, SIZE_MAX, NULL), CUZK_OK);
    cuzk_matrix_builder_take(builder, &m);
    assert_int_equal(m.rows, 0);
    assert_int_equal(m.row_start[0], 0);
    cuzk_matrix_release(&m);
    cuzk_matrix_builder_free(builder);
    cuzk_matrix_builder_free(NULL);
    cuzk_coef_table_free(table);
    cuzk_coef_table_free(NULL);
}

/* Rows x_i * (x_i + i) = x_(i+1): z satisfies all of them. */
static void build_chain(cuzk_r1cs *cs, const cuzk_curve *curve, size_t rows, cuzk_fr *z)
{
    cuzk_coef_table *table;
    cuzk_matrix_builder *builder[3];
    cuzk_matrix *m[3] = {&cs->a, &cs->b, &cs->c};
    assert_int_equal(cuzk_coef_table_new(&table, curve, NULL), CUZK_OK);
    for (int k = 0; k < 3; k++)
        assert_int_equal(cuzk_matrix_builder_new(&builder[k], table, rows, rows, NULL), CUZK_OK);
    z[0] = curve->fr_one;
    z[1] = small_fr(curve, 3);
    for (size_t i = 0; i < rows; i++) {
        const cuzk_fr constant = small_fr(curve, (int64_t)i);
        const uint32_t x = (uint32_t)i + 1;
        assert_int_equal(cuzk_matrix_builder_add(builder[0], x, &curve->fr_one, NULL), CUZK_OK);
        assert_int_equal(cuzk_matrix_builder_add(builder[1], x, &curve->fr_one, NULL), CUZK_OK);
        assert_int_equal(cuzk_matrix_builder_add(builder[1], 0, &constant, NULL), CUZK_OK);
        assert_int_equal(cuzk_matrix_builder_add(builder[2], x + 1, &curve->fr_one, NULL), CUZK_OK);
        for (int k = 0; k < 3; k++)
            assert_int_equal(cuzk_matrix_builder_end_row(builder[k], NULL), CUZK_OK);
        curve->fr_add(&z[x + 1], &z[x], &constant);
        curve->fr_mul(&z[x + 1], &z[x + 1], &z[x]);
    }
    *cs = (cuzk_r1cs){.curve = curve, .rows = rows, .vars = rows + 2};
    for (int k = 0; k < 3; k++) {
        cuzk_matrix_builder_take(builder[k], m[k]);
        cuzk_matrix_builder_free(builder[k]);
    }
    cuzk_coef_table_take(table, &cs->coefs);
    cuzk_coef_table_free(table);
}

static void check_finds_the_first_violated_row(void **state)
{
    (void)state;
    enum { ROWS = 20000 };
    test_rng rng = test_rng_seeded(2);
    cuzk_fr *z = malloc((ROWS + 2) * sizeof *z);
    for (int round = 0; round < 8; round++) {
        const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)(round % CUZK_CURVES));
        cuzk_pool *pool = round < 2 ? NULL : cuzk_pool_new(1 + (unsigned)round % 3);
        const size_t rows = round < 2 ? (size_t)round * 3 : ROWS;
        cuzk_r1cs cs;
        cuzk_fr a, b, c;
        build_chain(&cs, curve, rows, z);
        assert_int_equal(cuzk_r1cs_check(&cs, z, &a, &b, &c, pool), rows);
        for (int k = 0; k < 20 && rows > 0; k++) {
            const size_t bad =
                test_rng_below(&rng, rows); /* breaks row bad (as its C), then bad + 1 */
            const size_t later = bad + test_rng_below(&rng, rows - bad);
            const cuzk_fr kept = z[bad + 2], kept_later = z[later + 2];
            curve->fr_add(&z[later + 2], &z[later + 2], &curve->fr_one);
            curve->fr_add(&z[bad + 2], &kept, &curve->fr_one);
            assert_int_equal(cuzk_r1cs_check(&cs, z, &a, &b, &c, pool), bad);
            assert_true(same(&a, &z[bad + 1]));
            assert_true(same(&c, &z[bad + 2]));
            curve->fr_mul(&a, &a, &b);
            assert_true(same(&a, &kept));
            assert_int_equal(cuzk_r1cs_check(&cs, z, NULL, NULL, NULL, pool), bad);
            z[later + 2] = kept_later;
            z[bad + 2] = kept;
        }
        cuzk_r1cs_release(&cs);
        assert_null(cs.coefs.value);
        cuzk_pool_free(pool);
    }
    free(z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_equal_dense_ones),
        cmocka_unit_test(dictionary_keeps_values_apart),
        cmocka_unit_test(huge_expectations_reserve_little),
        cmocka_unit_test(check_finds_the_first_violated_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
