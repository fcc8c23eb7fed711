/* Compiled circuits against the direct system: counts, hashes, every variable, every product, the
 * first row that does not hold; for random circuits and for Filecoin's small ones. */
#include "base/cpu.h"
#include "circuit/compile_columns.h"
#include "circuit/direct.h"
#include "circuit/filecoin/circuit_porep.h"
#include "circuit/filecoin/circuit_post.h"
#include "circuit/filecoin/circuit_update.h"
#include "circuit/product.h"
#include "field/bls12_381_fr.h"
#include "support/random_circuit.h"
#include "support/small_circuits.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RANDOM_CIRCUITS 60

typedef struct request {
    cuzk_circuit_inputs inputs;
    cuzk_scalar *field;
    uint64_t *word;
} request;

static request random_request(test_rng *rng, const cuzk_compiled_info *info)
{
    request r = {0};
    r.field = calloc(info->field + 1, sizeof *r.field);
    r.word = calloc(info->word + 1, sizeof *r.word);
    assert_non_null(r.field);
    assert_non_null(r.word);
    for (size_t i = 0; i < info->field; i++) {
        test_rng_bytes(rng, &r.field[i], sizeof r.field[i]);
        r.field[i].l[3] >>= 2; /* below the order */
    }
    for (size_t i = 0; i < info->word; i++)
        test_rng_bytes(rng, &r.word[i], sizeof r.word[i]);
    r.inputs = (cuzk_circuit_inputs){r.field, info->field, r.word, info->word};
    return r;
}

static void release_request(request *r)
{
    free(r->field);
    free(r->word);
}

/* The products of rows, as the direct system finds them. */
typedef struct rows {
    cuzk_fr *value[3];
    size_t n, room;
} rows;

static void take_row(void *user, const cuzk_fr *a, const cuzk_fr *b, const cuzk_fr *c)
{
    rows *r = user;
    assert_true(r->n < r->room);
    r->value[0][r->n] = *a;
    r->value[1][r->n] = *b;
    r->value[2][r->n++] = *c;
}

static rows rows_new(size_t n)
{
    rows r = {.room = n};
    for (int i = 0; i < 3; i++) {
        r.value[i] = malloc((n + 1) * sizeof(cuzk_fr));
        assert_non_null(r.value[i]);
    }
    return r;
}

static void rows_free(rows *r)
{
    for (int i = 0; i < 3; i++)
        free(r->value[i]);
}

static void assert_counts(const cuzk_compiled *c, const cuzk_circuit *circuit)
{
    cuzk_circuit_counts counts;
    cuzk_compiled_info info;
    uint8_t expected[32], hash[32];
    cuzk_error err;
    if (cuzk_circuit_hash(circuit, expected, &counts, &err) != CUZK_OK)
        fail_msg("%s: %s", circuit->name, err.message);
    cuzk_compiled_describe(c, &info);
    assert_string_equal(info.name, circuit->name);
    assert_int_equal(info.inputs, counts.inputs);
    assert_int_equal(info.aux, counts.aux);
    assert_int_equal(info.rows, counts.rows);
    assert_int_equal(info.nnz_a, counts.nnz_a);
    assert_int_equal(info.nnz_b, counts.nnz_b);
    assert_int_equal(info.nnz_c, counts.nnz_c);
    assert_int_equal(cuzk_compiled_hash(c, hash, &err), CUZK_OK);
    assert_memory_equal(hash, expected, sizeof hash);
    uint64_t *a = calloc(info.aux / 64 + 1, 8), *b = calloc(info.aux / 64 + 1, 8);
    uint64_t *b_input = calloc(info.inputs / 64 + 1, 8);
    size_t n[3] = {0};
    assert_int_equal(cuzk_compiled_densities(c, a, b, b_input, &err), CUZK_OK);
    for (size_t i = 0; i < info.aux / 64 + 1; i++) {
        n[0] += (size_t)__builtin_popcountll(a[i]);
        n[1] += (size_t)__builtin_popcountll(b[i]);
    }
    for (size_t i = 0; i < info.inputs / 64 + 1; i++)
        n[2] += (size_t)__builtin_popcountll(b_input[i]);
    assert_int_equal(n[0], counts.a_aux);
    assert_int_equal(n[1], counts.b_aux);
    assert_int_equal(n[2], counts.b_input);
    free(a);
    free(b);
    free(b_input);
}

static void assert_values(const cuzk_compiled *c, const cuzk_witness *w, const cuzk_direct *d)
{
    cuzk_scalar *z = malloc((w->inputs + w->aux) * sizeof *z), expected;
    cuzk_fr value;
    uint32_t *wide = malloc((w->wide + 1) * sizeof *wide);
    size_t next = 0;
    assert_non_null(z);
    assert_non_null(wide);
    cuzk_witness_expand(c, w, z);
    cuzk_compiled_wide(c, wide);
    for (size_t i = 0; i < w->inputs; i++) {
        bls12_381_fr_to_canon(&expected, &cuzk_direct_inputs(d)[i]);
        assert_memory_equal(&z[i], &expected, sizeof expected);
    }
    for (size_t i = 0; i < w->aux; i++) {
        bls12_381_fr_to_canon(&expected, &cuzk_direct_aux(d)[i]);
        if (memcmp(&z[w->inputs + i], &expected, sizeof expected) != 0)
            fail_msg("aux %zu: found %016lx.., expected %016lx..", i,
                     (unsigned long)z[w->inputs + i].l[0], (unsigned long)expected.l[0]);
        if (next < w->wide && wide[next] == i) {
            cuzk_witness_get(c, w, i, &value);
            assert_memory_equal(&w->value[next++], &value, sizeof value);
            assert_int_equal(w->bits[i / 64] >> (i % 64) & 1, 0);
        }
    }
    assert_int_equal(next, w->wide);
    free(z);
    free(wide);
}

static void assert_products(test_rng *rng, const cuzk_compiled *c, const cuzk_witness *w,
                            const rows *r, cuzk_pool *pool)
{
    rows got = rows_new(r->n + w->inputs);
    assert_int_equal(cuzk_compiled_products(c, w, 0, r->n + w->inputs, got.value[0], got.value[1],
                                            got.value[2], pool, NULL),
                     CUZK_OK);
    for (size_t i = 0; i < r->n; i++) {
        for (int side = 0; side < 3; side++) {
            if (memcmp(&got.value[side][i], &r->value[side][i], sizeof(cuzk_fr)) != 0)
                fail_msg("row %zu, side %d", i, side);
        }
    }
    assert_memory_equal(got.value[0] + r->n, w->input, w->inputs * sizeof(cuzk_fr));
    for (int i = 0; i < 8 && r->n != 0; i++) { /* stretches from anywhere */
        const size_t first = test_rng_below(rng, r->n);
        const size_t n = test_rng_below(rng, r->n - first + 1);
        const int side = i % 3;
        cuzk_fr *out[3] = {NULL};
        out[side] = got.value[side];
        assert_int_equal(cuzk_compiled_products(c, w, first, n, out[0], out[1], out[2], pool, NULL),
                         CUZK_OK);
        assert_memory_equal(out[side], r->value[side] + first, n * sizeof(cuzk_fr));
    }
    rows_free(&got);
}

static void assert_check(const cuzk_compiled *c, const cuzk_witness *w, const cuzk_direct *d,
                         cuzk_pool *pool)
{
    const cuzk_row_violation *expected = cuzk_direct_violation(d);
    cuzk_violation v;
    cuzk_error err;
    const cuzk_status status = cuzk_compiled_check(c, w, &v, pool, &err);
    if (expected == NULL) {
        if (status != CUZK_OK)
            fail_msg("%s", err.message);
        return;
    }
    assert_int_equal(status, CUZK_ERR_UNSATISFIED);
    assert_int_equal(v.row, expected->row);
    assert_memory_equal(&v.a, &expected->a, sizeof v.a);
    assert_memory_equal(&v.b, &expected->b, sizeof v.b);
    assert_memory_equal(&v.c, &expected->c, sizeof v.c);
}

/* The columns, found from templates and from matrices. */
static void assert_columns(test_rng *rng, const cuzk_compiled *c, cuzk_pool *pool)
{
    cuzk_r1cs cs;
    cuzk_error err;
    cuzk_r1cs_columns plain;
    cuzk_compiled_columns shared;
    cuzk_fr *expected[3], *got[3];
    assert_int_equal(cuzk_compiled_expand(c, &cs, &err), CUZK_OK);
    cuzk_r1cs_columns_init(&plain, &cs);
    cuzk_compiled_columns_init(&shared, c);
    assert_int_equal(shared.columns.rows, cs.rows);
    assert_int_equal(shared.columns.vars, cs.vars);
    assert_int_equal(shared.columns.n_public, cs.n_public);
    cuzk_fr *x = malloc((cs.rows + 1) * sizeof *x);
    assert_non_null(x);
    test_rng_bytes(rng, x, cs.rows * sizeof *x);
    for (size_t i = 0; i < cs.rows; i++)
        x[i].l[3] >>= 2; /* below the order */
    for (int side = 0; side < 3; side++) {
        expected[side] = malloc(cs.vars * sizeof(cuzk_fr));
        got[side] = malloc(cs.vars * sizeof(cuzk_fr));
        assert_true(expected[side] != NULL && got[side] != NULL);
    }
    assert_int_equal(plain.columns.multiply(&plain.columns, expected, x, pool, &err), CUZK_OK);
    assert_int_equal(shared.columns.multiply(&shared.columns, got, x, pool, &err), CUZK_OK);
    for (int side = 0; side < 3; side++) {
        assert_memory_equal(got[side], expected[side], cs.vars * sizeof(cuzk_fr));
        free(expected[side]);
        free(got[side]);
    }
    free(x);
    cuzk_r1cs_release(&cs);
}

/* One request through both. */
static void compare_request(test_rng *rng, const cuzk_compiled *c, const cuzk_circuit *circuit,
                            cuzk_pool *pool)
{
    cuzk_compiled_info info;
    cuzk_direct *d;
    cuzk_error err;
    cuzk_witness w;
    cuzk_compiled_describe(c, &info);
    request req = random_request(rng, &info);
    rows r = rows_new(info.rows);
    const cuzk_direct_options options = {.inputs = &req.inputs, .on_row = take_row, .user = &r};
    assert_int_equal(cuzk_direct_new(&d, &options, &err), CUZK_OK);
    if (cuzk_direct_run(d, circuit, &err) != CUZK_OK)
        fail_msg("%s: %s", circuit->name, err.message);
    if (cuzk_witness_make(&w, c, &req.inputs, pool, &err) != CUZK_OK)
        fail_msg("%s: %s", circuit->name, err.message);
    assert_values(c, &w, d);
    assert_products(rng, c, &w, &r, pool);
    assert_check(c, &w, d, pool);
    cuzk_witness_release(&w);
    cuzk_direct_free(d);
    rows_free(&r);
    release_request(&req);
}

static void compare(const cuzk_circuit *circuit, uint64_t salt)
{
    test_rng rng = test_rng_seeded(salt);
    cuzk_pool *pool = cuzk_pool_new(3);
    cuzk_compiled *c;
    cuzk_error err;
    assert_non_null(pool);
    if (cuzk_compile(&c, circuit, &err) != CUZK_OK)
        fail_msg("%s: %s", circuit->name, err.message);
    assert_counts(c, circuit);
    assert_columns(&rng, c, pool);
    compare_request(&rng, c, circuit, pool);
    const cuzk_cpu_level level = cuzk_cpu_selected();
    cuzk_cpu_force(CUZK_CPU_PORTABLE);
    compare_request(&rng, c, circuit, NULL);
    cuzk_cpu_force(level);
    cuzk_compiled_free(c);
    cuzk_pool_free(pool);
}

static void random_circuits(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(1);
    for (uint64_t i = 0; i < RANDOM_CIRCUITS; i++) {
        const test_random_circuit params = {.seed = test_rng_next(&rng),
                                            .calls = (unsigned)(i * i / 8),
                                            .steps = (unsigned)(2 + i % 7),
                                            .honest = i % 2 == 0};
        const cuzk_circuit circuit = {"random", test_random_build, &params};
        compare(&circuit, i);
    }
}

static void inclusion_circuits(void **state)
{
    (void)state;
    const test_por_params params[] = {{CUZK_TREE_POSEIDON, {8, 4, 2, 2}, false},
                                      {CUZK_TREE_SHA256, {2, 0, 0, 3}, true}};
    for (size_t i = 0; i < 2; i++) {
        const cuzk_circuit circuit = {"por", test_por_build, &params[i]};
        compare(&circuit, 100 + i);
    }
}

static void post_circuit(void **state)
{
    (void)state;
    const cuzk_post_params params = {{8, 4, 2, 2}, 3, 5};
    const cuzk_circuit circuit = {"post", cuzk_post_build, &params};
    compare(&circuit, 200);
}

static void porep_circuit(void **state)
{
    (void)state;
    const cuzk_porep_params params = {{8, 0, 0, 1}, {2, 0, 0, 3}, 2, 1};
    const cuzk_circuit circuit = {"porep", cuzk_porep_build, &params};
    compare(&circuit, 300);
}

static void update_circuit(void **state)
{
    (void)state;
    const cuzk_update_params params = {{8, 4, 0, 1}, 5, 0, 3, 2, {1, 1, 1, 1, 1, 1}};
    const cuzk_circuit circuit = {"update", cuzk_update_build, &params};
    compare(&circuit, 400);
}

/* The expanded witness satisfies the expanded rows, the rows for inputs aside. */
static void assert_satisfied(test_rng *rng, const cuzk_compiled *c, const cuzk_r1cs *r1cs,
                             bool expected)
{
    cuzk_compiled_info info;
    cuzk_witness w;
    cuzk_compiled_describe(c, &info);
    request req = random_request(rng, &info);
    assert_int_equal(cuzk_witness_make(&w, c, &req.inputs, NULL, NULL), CUZK_OK);
    cuzk_scalar *z = malloc(r1cs->vars * sizeof *z);
    cuzk_fr *value = malloc(r1cs->vars * sizeof *value);
    assert_non_null(z);
    assert_non_null(value);
    cuzk_witness_expand(c, &w, z);
    for (size_t i = 0; i < r1cs->vars; i++)
        bls12_381_fr_from_canon(&value[i], &z[i]);
    const size_t row = cuzk_r1cs_check(r1cs, value, NULL, NULL, NULL, NULL);
    assert_true((row == r1cs->rows) == expected);
    assert_int_equal(cuzk_compiled_check(c, &w, NULL, NULL, NULL),
                     expected ? CUZK_OK : CUZK_ERR_UNSATISFIED);
    free(z);
    free(value);
    cuzk_witness_release(&w);
    release_request(&req);
}

static void expanded_circuits(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(500);
    for (uint64_t seed = 0; seed < 6; seed++) {
        const test_random_circuit params = {
            .seed = seed, .calls = 60, .steps = 5, .honest = seed % 2 == 0};
        const cuzk_circuit circuit = {"random", test_random_build, &params};
        cuzk_compiled *c;
        cuzk_r1cs r1cs;
        assert_int_equal(cuzk_compile(&c, &circuit, NULL), CUZK_OK);
        assert_int_equal(cuzk_compiled_expand(c, &r1cs, NULL), CUZK_OK);
        assert_satisfied(&rng, c, &r1cs, params.honest);
        cuzk_r1cs_release(&r1cs);
        cuzk_compiled_free(c);
    }
}

/* The matrices are those of the direct system. */
static void matrices(void **state)
{
    (void)state;
    const test_por_params params = {CUZK_TREE_POSEIDON, {8, 0, 0, 2}, false};
    const cuzk_circuit circuit = {"por", test_por_build, &params};
    cuzk_compiled *c;
    cuzk_direct *d;
    cuzk_r1cs got, expected;
    assert_int_equal(cuzk_compile(&c, &circuit, NULL), CUZK_OK);
    assert_int_equal(cuzk_compiled_expand(c, &got, NULL), CUZK_OK);
    assert_int_equal(cuzk_direct_new(&d, &(cuzk_direct_options){.r1cs = true}, NULL), CUZK_OK);
    assert_int_equal(cuzk_direct_run(d, &circuit, NULL), CUZK_OK);
    assert_int_equal(cuzk_direct_take_r1cs(d, &expected, NULL), CUZK_OK);
    assert_int_equal(got.rows, expected.rows);
    assert_int_equal(got.vars, expected.vars);
    assert_int_equal(got.n_public, expected.n_public);
    const cuzk_matrix *m[3] = {&got.a, &got.b, &got.c};
    const cuzk_matrix *e[3] = {&expected.a, &expected.b, &expected.c};
    for (int side = 0; side < 3; side++) {
        assert_memory_equal(m[side]->row_start, e[side]->row_start, (got.rows + 1) * 8);
        for (size_t i = 0; i < m[side]->row_start[got.rows]; i++) {
            assert_int_equal(m[side]->col[i], e[side]->col[i]);
            assert_memory_equal(&got.coefs.value[m[side]->coef[i]],
                                &expected.coefs.value[e[side]->coef[i]], sizeof(cuzk_fr));
        }
    }
    cuzk_r1cs_release(&got);
    cuzk_r1cs_release(&expected);
    cuzk_direct_free(d);
    cuzk_compiled_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_circuits),   cmocka_unit_test(inclusion_circuits),
        cmocka_unit_test(post_circuit),      cmocka_unit_test(porep_circuit),
        cmocka_unit_test(update_circuit),    cmocka_unit_test(matrices),
        cmocka_unit_test(expanded_circuits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
