#include "support/circuit.h"

#include "groth16/params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void test_expect(cuzk_status status, cuzk_status expected, const cuzk_error *err, const char *file,
                 int line)
{
    if (status == expected)
        return;
    print_error("%s:%d: status %s, expected %s; message: %s\n", file, line,
                cuzk_status_name(status), cuzk_status_name(expected),
                status != CUZK_OK && err != NULL ? err->message : "-");
    _fail(file, line);
}

cuzk_scalar test_scalar_hex(const char *hex)
{
    if (hex[0] == '0' && hex[1] == 'x')
        hex += 2;
    assert_int_equal(strlen(hex), 64);
    cuzk_scalar value = {{0}};
    for (size_t i = 0; i < 64; i++) {
        char digit[2] = {hex[i], 0};
        uint64_t nibble = strtoul(digit, NULL, 16);
        size_t shift = 4 * (63 - i);
        value.l[shift / 64] |= nibble << shift % 64;
    }
    return value;
}

cuzk_scalar test_scalar(const cuzk_curve *curve, test_rng *rng)
{
    cuzk_scalar value;
    switch (test_rng_below(rng, 4)) {
    case 0:
        return (cuzk_scalar){{test_rng_below(rng, 2)}};
    case 1:
        return (cuzk_scalar){{test_rng_below(rng, 1000)}};
    default:
        do {
            test_rng_bytes(rng, &value, sizeof value);
            value.l[3] >>= 1;
        } while (!curve->scalar_is_canonical(&value));
        return value;
    }
}

void test_scalar_flip(const cuzk_curve *curve, cuzk_scalar *a)
{
    cuzk_fr x, one;
    cuzk_scalar unit = {{1}};
    curve->fr_from_scalar(&x, a);
    curve->fr_from_scalar(&one, &unit);
    curve->fr_add(&x, &x, &one);
    curve->fr_neg(&x, &x);
    curve->fr_to_scalar(a, &x);
}

cuzk_toxic test_toxic(const cuzk_curve *curve, cuzk_setup_kind kind, test_rng *rng)
{
    cuzk_toxic toxic;
    cuzk_scalar *members[] = {&toxic.tau, &toxic.alpha, &toxic.beta, &toxic.gamma, &toxic.delta};
    for (size_t i = 0; i < 5; i++) {
        uint8_t wide[64];
        for (size_t at = 0; at < sizeof wide; at += 8) {
            uint64_t word = test_rng_next(rng);
            memcpy(wide + at, &word, sizeof word);
        }
        curve->scalar_from_wide(members[i], wide);
    }
    if (kind == CUZK_SETUP_SNARKJS)
        toxic.gamma = (cuzk_scalar){{1}};
    return toxic;
}

void test_circuit_release(test_circuit *circuit)
{
    cuzk_r1cs_release(&circuit->cs);
    free(circuit->z);
    circuit->z = NULL;
}

static void *copy(const void *data, size_t size)
{
    void *made = malloc(size + 1);
    assert_non_null(made);
    if (size > 0)
        memcpy(made, data, size);
    return made;
}

static cuzk_matrix copy_matrix(const cuzk_matrix *matrix)
{
    size_t entries = matrix->rows == 0 ? 0 : matrix->row_start[matrix->rows];
    return (cuzk_matrix){.rows = matrix->rows,
                         .row_start =
                             matrix->row_start == NULL
                                 ? NULL
                                 : copy(matrix->row_start, (matrix->rows + 1) * sizeof(uint64_t)),
                         .col = copy(matrix->col, entries * sizeof(uint32_t)),
                         .coef = copy(matrix->coef, entries * sizeof(uint32_t))};
}

cuzk_r1cs test_r1cs_copy(const cuzk_r1cs *cs)
{
    cuzk_r1cs made = *cs;
    made.coefs.value = copy(cs->coefs.value, cs->coefs.count * sizeof *cs->coefs.value);
    made.a = copy_matrix(&cs->a);
    made.b = copy_matrix(&cs->b);
    made.c = copy_matrix(&cs->c);
    return made;
}

/* A constraint system under construction. */
typedef struct writer {
    const cuzk_curve *curve;
    cuzk_coef_table *table;
    cuzk_matrix_builder *builders[3];
    cuzk_error err;
} writer;

static void start(writer *w, const cuzk_curve *curve, size_t rows)
{
    w->curve = curve;
    TEST_EXPECT(cuzk_coef_table_new(&w->table, curve, &w->err), CUZK_OK, &w->err);
    for (size_t i = 0; i < 3; i++)
        TEST_EXPECT(cuzk_matrix_builder_new(&w->builders[i], w->table, rows, 4 * rows, &w->err),
                    CUZK_OK, &w->err);
}

static void add_term(writer *w, size_t matrix, size_t col, const cuzk_fr *value)
{
    TEST_EXPECT(cuzk_matrix_builder_add(w->builders[matrix], (uint32_t)col, value, &w->err),
                CUZK_OK, &w->err);
}

static void end_row(writer *w)
{
    for (size_t i = 0; i < 3; i++)
        TEST_EXPECT(cuzk_matrix_builder_end_row(w->builders[i], &w->err), CUZK_OK, &w->err);
}

static void finish(writer *w, cuzk_r1cs *cs, size_t rows, size_t vars, size_t n_public)
{
    *cs = (cuzk_r1cs){.curve = w->curve, .rows = rows, .vars = vars, .n_public = n_public};
    cuzk_matrix_builder_take(w->builders[0], &cs->a);
    cuzk_matrix_builder_take(w->builders[1], &cs->b);
    cuzk_matrix_builder_take(w->builders[2], &cs->c);
    for (size_t i = 0; i < 3; i++)
        cuzk_matrix_builder_free(w->builders[i]);
    cuzk_coef_table_take(w->table, &cs->coefs);
    cuzk_coef_table_free(w->table);
}

static void add_small(writer *w, size_t matrix, size_t col, int value)
{
    const cuzk_scalar magnitude = {{(uint64_t)abs(value)}};
    cuzk_fr element;
    w->curve->fr_from_scalar(&element, &magnitude);
    if (value < 0)
        w->curve->fr_neg(&element, &element);
    add_term(w, matrix, col, &element);
}

void test_circuit_tiny(test_circuit *circuit)
{
    enum { ONE, OUT, A, B, T, U, V, VARS };
    static const struct {
        size_t row, matrix, col;
        int value;
    } terms[] = {{0, 0, A, 1},   {0, 1, A, 1},   {0, 2, T, 1},  {1, 0, T, 1},   {1, 1, A, 1},
                 {1, 2, U, 1},   {2, 0, ONE, 1}, {2, 0, B, -1}, {2, 1, B, 1},   {3, 0, U, 1},
                 {3, 1, U, 1},   {3, 2, V, 1},   {4, 0, U, 1},  {4, 0, ONE, 5}, {4, 0, B, 1},
                 {4, 1, ONE, 1}, {4, 2, OUT, 1}};
    static const uint64_t values[VARS] = {1, 33, 3, 1, 9, 27, 729};
    writer w;
    start(&w, cuzk_curve_get(CUZK_BLS12_381), 5);
    size_t row = 0;
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
        for (; row < terms[i].row; row++)
            end_row(&w);
        add_small(&w, terms[i].matrix, terms[i].col, terms[i].value);
    }
    end_row(&w);
    finish(&w, &circuit->cs, 5, VARS, 1);
    circuit->z = calloc(VARS, sizeof *circuit->z);
    assert_non_null(circuit->z);
    for (size_t i = 0; i < VARS; i++)
        circuit->z[i].l[0] = values[i];
}

/* Adds value * z[col] and keeps *sum up to date. */
static void add_counted(writer *w, size_t matrix, size_t col, const cuzk_fr *value,
                        const cuzk_fr *z, cuzk_fr *sum)
{
    cuzk_fr term;
    add_term(w, matrix, col, value);
    w->curve->fr_mul(&term, value, &z[col]);
    w->curve->fr_add(sum, sum, &term);
}

static cuzk_fr random_coefficient(const cuzk_curve *curve, test_rng *rng)
{
    cuzk_scalar scalar = test_scalar(curve, rng);
    if (test_rng_below(rng, 2) == 0)
        scalar = (cuzk_scalar){{1}};
    cuzk_fr value;
    curve->fr_from_scalar(&value, &scalar);
    if (test_rng_below(rng, 3) == 0)
        curve->fr_neg(&value, &value);
    return value;
}

static void random_side(writer *w, size_t matrix, const size_t *known, size_t n_known,
                        const cuzk_fr *z, cuzk_fr *sum, test_rng *rng)
{
    size_t terms = test_rng_below(rng, 4);
    for (size_t i = 0; i < terms; i++) {
        size_t col = known[test_rng_below(rng, n_known)];
        cuzk_fr value = random_coefficient(w->curve, rng);
        add_counted(w, matrix, col, &value, z, sum);
        if (test_rng_below(rng, 4) != 0)
            continue;
        w->curve->fr_neg(&value, &value);
        add_counted(w, matrix, col, &value, z, sum);
    }
}

void test_circuit_random(test_circuit *circuit, const cuzk_curve *curve, size_t rows,
                         size_t n_public, test_rng *rng)
{
    enum { FREE = 3 };
    size_t from_rows = rows < n_public ? rows : n_public;
    size_t n_free = rows == 0 ? 0 : FREE;
    size_t vars = 1 + n_public + n_free + rows - from_rows;
    cuzk_fr *z = calloc(vars, sizeof *z);
    size_t *known = calloc(vars, sizeof *known);
    circuit->z = calloc(vars, sizeof *circuit->z);
    assert_true(z != NULL && known != NULL && circuit->z != NULL);

    /* Known from the start: the constant, public variables that no row defines, the free ones. */
    size_t n_known = 0;
    z[0] = curve->fr_one;
    known[n_known++] = 0;
    for (size_t i = 1 + from_rows; i < 1 + n_public + n_free; i++) {
        cuzk_scalar value = test_scalar(curve, rng);
        curve->fr_from_scalar(&z[i], &value);
        known[n_known++] = i;
    }
    writer w;
    start(&w, curve, rows);
    for (size_t row = 0; row < rows; row++) {
        cuzk_fr a = {{0}}, b = {{0}};
        /* Nothing may cancel the free variables in the only row that surely uses them. */
        for (size_t i = 0; row == 0 && i < FREE; i++)
            add_counted(&w, 0, 1 + n_public + i, &curve->fr_one, z, &a);
        if (row > 0)
            random_side(&w, 0, known, n_known, z, &a, rng);
        random_side(&w, 1, known, n_known, z, &b, rng);
        size_t out = row < from_rows ? 1 + row : 1 + n_public + n_free + row - from_rows;
        curve->fr_mul(&z[out], &a, &b);
        add_term(&w, 2, out, &curve->fr_one);
        known[n_known++] = out;
        end_row(&w);
    }
    finish(&w, &circuit->cs, rows, vars, n_public);
    for (size_t i = 0; i < vars; i++)
        curve->fr_to_scalar(&circuit->z[i], &z[i]);
    free(z);
    free(known);
}

static void set_snarkjs_roots(cuzk_pk_source *source, const cuzk_curve *curve)
{
    cuzk_root_of_unity(&source->omega, curve, &curve->root_iden3, source->log_m);
    if (source->log_m == curve->two_adicity)
        source->coset = curve->coset_iden3_max;
    else
        cuzk_root_of_unity(&source->coset, curve, &curve->root_iden3, source->log_m + 1);
}

cuzk_pk_source test_pk_source(const cuzk_setup *setup, const cuzk_r1cs *cs, bool with_c)
{
    const cuzk_curve *curve = setup->curve;
    cuzk_error err;
    cuzk_pk_source source = {.name = "test key",
                             .vk = setup->vk,
                             .beta_g1 = setup->beta_g1,
                             .delta_g1 = setup->delta_g1,
                             .h_kind = CUZK_H_ODD_LAGRANGE,
                             .log_m = (unsigned)setup->log_m,
                             .vars = setup->vars,
                             .a = {.points = setup->a, .n = setup->n_a},
                             .b1 = {.points = setup->b1, .n = setup->n_b},
                             .b2 = {.points = setup->b2, .n = setup->n_b},
                             .l = {.points = setup->l, .n = setup->n_l},
                             .h = {.points = setup->h, .n = setup->n_h}};
    assert_int_equal(setup->kind, CUZK_SETUP_SNARKJS);
    size_t ic_bytes = (setup->n_public + 1) * curve->g1_words * sizeof(uint64_t);
    source.vk.ic = copy(setup->vk.ic, ic_bytes);
    set_snarkjs_roots(&source, curve);
    TEST_EXPECT(cuzk_append_input_rows(cs, &source.mat_a, &source.mat_b,
                                       with_c ? &source.mat_c : NULL, &err),
                CUZK_OK, &err);
    source.coefs.count = cs->coefs.count;
    source.coefs.value = copy(cs->coefs.value, cs->coefs.count * sizeof *cs->coefs.value);
    return source;
}

static cuzk_pk *open_params(const cuzk_setup *setup, const cuzk_r1cs *cs, uint32_t flags,
                            cuzk_pool *pool)
{
    cuzk_error err;
    char *path = test_write_temp("", 0);
    TEST_EXPECT(cuzk_params_write(path, setup, &err), CUZK_OK, &err);
    cuzk_map *map;
    TEST_EXPECT(cuzk_map_open(&map, path, &err), CUZK_OK, &err);
    cuzk_r1cs consumed = test_r1cs_copy(cs);
    cuzk_pk *pk;
    TEST_EXPECT(cuzk_params_open(&pk, map, &consumed, flags, NULL, pool, &err), CUZK_OK, &err);
    assert_null(consumed.a.col);
    cuzk_map_close(map);
    unlink(path);
    free(path);
    return pk;
}

cuzk_pk *test_pk_new(const cuzk_setup *setup, const cuzk_r1cs *cs, bool with_c, uint32_t flags,
                     cuzk_pool *pool)
{
    if (setup->kind == CUZK_SETUP_BELLPERSON)
        return open_params(setup, cs, flags, pool);
    cuzk_error err;
    cuzk_pk_source source = test_pk_source(setup, cs, with_c);
    cuzk_pk *pk;
    TEST_EXPECT(cuzk_pk_new(&pk, &source, flags, NULL, pool, &err), CUZK_OK, &err);
    assert_null(source.vk.ic);
    assert_null(source.mat_a.col);
    return pk;
}

cuzk_pk *test_pk_random(const cuzk_r1cs *cs, cuzk_setup_kind kind, bool with_c, cuzk_pool *pool,
                        test_rng *rng)
{
    cuzk_error err;
    cuzk_setup setup;
    cuzk_toxic toxic = test_toxic(cs->curve, kind, rng);
    TEST_EXPECT(cuzk_setup_make(&setup, cs, &toxic, kind, pool, &err), CUZK_OK, &err);
    cuzk_pk *pk = test_pk_new(&setup, cs, with_c, 0, pool);
    cuzk_setup_release(&setup);
    return pk;
}
