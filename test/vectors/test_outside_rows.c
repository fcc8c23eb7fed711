/* Proofs with keys that have no matrices: the rows come from a compiled circuit. Byte for byte
 * those of the original prover (Filecoin circuits, section 15.3a), and the verdicts on witnesses
 * that are wrong. CUZK_TEST_LONG=1 adds the large ones. */
#include "api/filecoin_key.h"
#include "groth16/params.h"
#include "support/circuit.h"
#include "support/fil_keys.h"
#include "support/model_circuits.h"
#include "field/bls12_381_fr.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static cuzk_error err;
static cuzk_pool *pool;

/* A circuit of the model, compiled, with a key that is only of points; whether it takes witnesses
 * packed. */
typedef struct subject {
    bool packed;
    model_circuit model;
    cuzk_compiled *compiled;
    cuzk_pk *pk;
    cuzk_scalar *statement;
} subject;

static void open_key(subject *s)
{
    const cuzk_toxic toxic = test_known_toxic();
    char *path = test_write_temp("", 0);
    cuzk_r1cs r1cs;
    cuzk_setup setup;
    cuzk_density density;
    cuzk_map *map;
    TEST_EXPECT(cuzk_compiled_expand(s->compiled, &r1cs, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_setup_make(&setup, &r1cs, &toxic, CUZK_SETUP_BELLPERSON, pool, &err), CUZK_OK,
                &err);
    TEST_EXPECT(cuzk_params_write(path, &setup, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_density_make(&density, &r1cs, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_map_open(&map, path, &err), CUZK_OK, &err);
    const cuzk_params_circuit circuit = {.rows = r1cs.rows,
                                         .vars = r1cs.vars,
                                         .n_public = r1cs.n_public,
                                         .density = &density,
                                         .packed = s->packed ? cuzk_compiled_packed_map(s->compiled)
                                                             : NULL};
    /* Whoever made the points knows them: no check. */
    TEST_EXPECT(cuzk_params_open_bare(&s->pk, map, &circuit, CUZK_PK_SKIP_CHECK, pool, &err),
                CUZK_OK, &err);
    assert_int_equal(s->pk->rows, r1cs.rows + r1cs.n_public + 1);
    const cuzk_packed_map wrong = {.n = r1cs.vars, .head = r1cs.n_public};
    cuzk_params_circuit other = circuit;
    cuzk_pk *pk;
    other.packed = &wrong;
    TEST_EXPECT(cuzk_params_open_bare(&pk, map, &other, 0, pool, &err), CUZK_ERR_MISMATCH, &err);
    cuzk_map_close(map);
    cuzk_density_release(&density);
    cuzk_setup_release(&setup);
    cuzk_r1cs_release(&r1cs);
    unlink(path);
    free(path);
}

static void open_subject(subject *s, model_kind kind, bool packed_key)
{
    cuzk_witness packed;
    s->packed = packed_key;
    model_circuit_open(&s->model, kind);
    TEST_EXPECT(cuzk_compile(&s->compiled, &s->model.circuit, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_witness_make(&packed, s->compiled, &s->model.inputs.inputs, pool, &err),
                CUZK_OK, &err);
    s->statement = calloc(packed.inputs, sizeof *s->statement);
    for (size_t i = 1; i < packed.inputs; i++)
        bls12_381_fr_to_canon(&s->statement[i - 1], &packed.input[i]);
    cuzk_witness_release(&packed);
    open_key(s);
}

static void close_subject(subject *s)
{
    cuzk_pk_free(s->pk);
    cuzk_compiled_free(s->compiled);
    model_circuit_release(&s->model);
    free(s->statement);
}

static cuzk_circuit_witness *make_witness(const subject *s)
{
    cuzk_circuit_witness *w;
    TEST_EXPECT(cuzk_circuit_witness_make(&w, s->compiled, &s->model.inputs.inputs, s->statement,
                                          "model", &err),
                CUZK_OK, &err);
    return w;
}

static cuzk_scalar *expand(const subject *s, const cuzk_circuit_witness *w)
{
    cuzk_scalar *z = calloc(s->pk->vars, sizeof *z);
    assert_non_null(z);
    cuzk_witness_expand(s->compiled, &w->witness, z);
    return z;
}

static void prove_like_the_original(model_kind kind, const char *expected_file, bool packed_key)
{
    const cuzk_scalar r = test_secret("r"), blind = test_secret("s");
    uint8_t bytes[CUZK_PROOF_BYTES];
    cuzk_proof proof;
    subject s;
    size_t size;
    open_subject(&s, kind, packed_key);
    cuzk_circuit_witness *w = make_witness(&s);
    cuzk_assignment assignment = cuzk_circuit_witness_assign(w, "model");
    cuzk_scalar *z = expand(&s, w);
    if (!packed_key) {
        assignment.packed = NULL;
        assignment.z = z;
        assignment.n = s.pk->vars;
    }
    TEST_EXPECT(cuzk_prove_with_blinding(s.pk, &assignment, &r, &blind, &proof, pool, &err),
                CUZK_OK, &err);
    cuzk_proof_encode(bytes, &proof);
    uint8_t *expected = test_read_data(expected_file, &size);
    assert_int_equal(size, sizeof bytes);
    assert_memory_equal(bytes, expected, sizeof bytes);
    free(expected);
    free(z);
    cuzk_circuit_witness_free(w);
    close_subject(&s);
}

static void proofs_are_the_originals(void **state)
{
    (void)state;
    prove_like_the_original(MODEL_POR, "vectors/rust-por.proof", true);
    prove_like_the_original(MODEL_POR, "vectors/rust-por.proof", false);
    prove_like_the_original(MODEL_WINNING, "filecoin/rust-winning2k.proof", true);
}

/* Mostly bits, in all queries: minutes and gigabytes. */
static void large_proofs_are_the_originals(void **state)
{
    (void)state;
    if (getenv("CUZK_TEST_LONG") == NULL)
        skip();
    prove_like_the_original(MODEL_SNAP, "filecoin/rust-snap2k.proof", true);
    prove_like_the_original(MODEL_POREP, "filecoin/rust-porep2k.proof", true);
}

/* A key takes arrays or its own circuit's packed values, nothing else; and wide values that are
 * below the order. */
static void values_are_as_the_key_takes_them(void **state)
{
    (void)state;
    cuzk_proof proof;
    subject s;
    open_subject(&s, MODEL_POR, true);
    cuzk_circuit_witness *w = make_witness(&s);
    cuzk_scalar *z = expand(&s, w);
    cuzk_assignment assignment = cuzk_circuit_witness_assign(w, "model");
    const cuzk_packed_map copy = *w->packed.map;
    const cuzk_packed_scalars other = {
        .map = &copy, .bits = w->packed.bits, .value = w->packed.value};
    assignment.packed = &other;
    TEST_EXPECT(cuzk_prove(s.pk, &assignment, &proof, pool, &err), CUZK_ERR_MISMATCH, &err);
    assignment.packed = NULL;
    assignment.z = z;
    assignment.n = s.pk->vars;
    TEST_EXPECT(cuzk_prove(s.pk, &assignment, &proof, pool, &err), CUZK_ERR_MISMATCH, &err);
    assignment = cuzk_circuit_witness_assign(w, "model");
    w->value[0].l[0]++;
    TEST_EXPECT(cuzk_prove(s.pk, &assignment, &proof, pool, &err), CUZK_ERR_MISMATCH, &err);
    w->value[0].l[0]--;
    w->value[copy.wide - 1] = cuzk_curve_get(CUZK_BLS12_381)->r;
    TEST_EXPECT(cuzk_prove(s.pk, &assignment, &proof, pool, &err), CUZK_ERR_FORMAT, &err);
    free(z);
    cuzk_circuit_witness_free(w);
    close_subject(&s);
}

/* What is known before the key is loaded is enough, and packed keys take less. */
static void scratch_is_bounded(void **state)
{
    (void)state;
    subject s;
    open_subject(&s, MODEL_POR, true);
    const cuzk_packed_map *map = s.pk->packed;
    cuzk_prove_counts counts = {.log_m = s.pk->log_m,
                                .vars = s.pk->vars,
                                .n_public = s.pk->vk.n_public,
                                .packed = true,
                                .wide = map->wide};
    const size_t bound = cuzk_prove_scratch_bound(s.pk->vk.curve, &counts, 3);
    const size_t need = cuzk_prove_scratch(s.pk, 3);
    counts.packed = false;
    assert_in_range(need, 1, bound);
    assert_in_range(bound, 1, cuzk_prove_scratch_bound(s.pk->vk.curve, &counts, 3));
    assert_true(s.pk->l.n_wide == map->wide - map->head && s.pk->a.n_wide <= map->wide);
    close_subject(&s);
}

/* A leaf that is not in the tree: the paths do not end in the root any more. */
static void violated_rows_are_named(void **state)
{
    (void)state;
    cuzk_proof proof;
    subject s;
    open_subject(&s, MODEL_POR, true);
    s.model.inputs.field[0].l[0] ^= 1;
    cuzk_circuit_witness *w = make_witness(&s);
    const cuzk_assignment assignment = cuzk_circuit_witness_assign(w, "model");
    TEST_EXPECT(cuzk_prove(s.pk, &assignment, &proof, pool, &err), CUZK_ERR_UNSATISFIED, &err);
    if (strstr(err.message, "model: ") != err.message || strstr(err.message, "row ") == NULL ||
        strstr(err.message, "circuit por") == NULL)
        fail_msg("\"%s\" does not say which row", err.message);
    cuzk_circuit_witness_free(w);
    close_subject(&s);
}

/* Of another circuit, or none at all. */
static void rows_must_be_the_keys(void **state)
{
    (void)state;
    cuzk_proof proof;
    subject s;
    open_subject(&s, MODEL_POR, true);
    cuzk_circuit_witness *w = make_witness(&s);
    cuzk_assignment assignment = cuzk_circuit_witness_assign(w, "model");
    assignment.rows = NULL;
    TEST_EXPECT(cuzk_prove(s.pk, &assignment, &proof, pool, &err), CUZK_ERR_MISMATCH, &err);
    w->source.rows--;
    assignment.rows = &w->source;
    TEST_EXPECT(cuzk_prove(s.pk, &assignment, &proof, pool, &err), CUZK_ERR_MISMATCH, &err);
    cuzk_circuit_witness_free(w);
    close_subject(&s);
}

/* The statement is the request's: a witness that computes another is refused, and a proof is
 * verified with it. */
static void statements_are_the_requests(void **state)
{
    (void)state;
    cuzk_circuit_witness *w;
    cuzk_proof proof;
    subject s;
    open_subject(&s, MODEL_POR, true);
    w = make_witness(&s);
    const cuzk_assignment assignment = cuzk_circuit_witness_assign(w, "model");
    w->statement[0].l[0] ^= 1;
    TEST_EXPECT(cuzk_prove(s.pk, &assignment, &proof, pool, &err), CUZK_ERR_MISMATCH, &err);
    cuzk_circuit_witness_free(w);
    s.statement[0].l[0] ^= 1;
    TEST_EXPECT(cuzk_circuit_witness_make(&w, s.compiled, &s.model.inputs.inputs, s.statement,
                                          "model", &err),
                CUZK_ERR_MISMATCH, &err);
    close_subject(&s);
}

static int start_pool(void **state)
{
    (void)state;
    pool = cuzk_pool_new(2);
    return pool != NULL ? 0 : -1;
}

static int stop_pool(void **state)
{
    (void)state;
    cuzk_pool_free(pool);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proofs_are_the_originals),
        cmocka_unit_test(large_proofs_are_the_originals),
        cmocka_unit_test(values_are_as_the_key_takes_them),
        cmocka_unit_test(scratch_is_bounded),
        cmocka_unit_test(violated_rows_are_named),
        cmocka_unit_test(rows_must_be_the_keys),
        cmocka_unit_test(statements_are_the_requests),
    };
    return cmocka_run_group_tests(tests, start_pool, stop_pool);
}
