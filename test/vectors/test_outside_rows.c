/* Proofs with keys that have no matrices: the rows come from a compiled circuit. Byte for byte
 * those of the original prover (Filecoin circuits, section 15.3a), and the verdicts on witnesses
 * that are wrong. CUZK_TEST_LONG=1 adds the large ones. */
#include "api/filecoin_key.h"
#include "groth16/params.h"
#include "support/circuit.h"
#include "support/fil_keys.h"
#include "support/model_key.h"
#include "support/group_pool.h"

#include <stdlib.h>
#include <string.h>

static cuzk_error err;

/* A circuit of the model with a key that is only of points. */
typedef struct subject {
    test_model_key key;
    cuzk_pk *pk;
} subject;

static void open_subject(subject *s, model_kind kind, bool packed)
{
    cuzk_pk *pk;
    test_model_key_make(&s->key, kind, packed, test_pool);
    s->pk = test_model_key_open(&s->key, NULL, test_pool);
    const cuzk_packed_map wrong = {.n = s->pk->vars, .head = s->pk->vk.n_public};
    cuzk_params_circuit other = s->key.circuit;
    other.packed = &wrong;
    TEST_EXPECT(cuzk_params_open_bare(&pk, s->key.map, &other, NULL, 0, NULL, test_pool, &err),
                CUZK_ERR_MISMATCH, &err);
}

static void close_subject(subject *s)
{
    cuzk_pk_free(s->pk);
    test_model_key_release(&s->key);
}

static cuzk_circuit_witness *make_witness(const subject *s)
{
    return test_model_key_witness(&s->key);
}

static cuzk_scalar *expand(const subject *s, const cuzk_circuit_witness *w)
{
    cuzk_scalar *z = calloc(s->pk->vars, sizeof *z);
    assert_non_null(z);
    cuzk_witness_expand(s->key.compiled, &w->witness, z);
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
    TEST_EXPECT(cuzk_prove_with_blinding(s.pk, &assignment, &r, &blind, &proof, test_pool, &err),
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
    if (!TEST_SANITIZED)
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
    TEST_EXPECT(cuzk_prove(s.pk, &assignment, &proof, test_pool, &err), CUZK_ERR_MISMATCH, &err);
    assignment.packed = NULL;
    assignment.z = z;
    assignment.n = s.pk->vars;
    TEST_EXPECT(cuzk_prove(s.pk, &assignment, &proof, test_pool, &err), CUZK_ERR_MISMATCH, &err);
    assignment = cuzk_circuit_witness_assign(w, "model");
    w->value[0].l[0]++;
    TEST_EXPECT(cuzk_prove(s.pk, &assignment, &proof, test_pool, &err), CUZK_ERR_MISMATCH, &err);
    w->value[0].l[0]--;
    w->value[copy.wide - 1] = cuzk_curve_get(CUZK_BLS12_381)->r;
    TEST_EXPECT(cuzk_prove(s.pk, &assignment, &proof, test_pool, &err), CUZK_ERR_FORMAT, &err);
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
    s.key.model.inputs.field[0].l[0] ^= 1;
    cuzk_circuit_witness *w = make_witness(&s);
    const cuzk_assignment assignment = cuzk_circuit_witness_assign(w, "model");
    TEST_EXPECT(cuzk_prove(s.pk, &assignment, &proof, test_pool, &err), CUZK_ERR_UNSATISFIED, &err);
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
    TEST_EXPECT(cuzk_prove(s.pk, &assignment, &proof, test_pool, &err), CUZK_ERR_MISMATCH, &err);
    w->source.rows--;
    assignment.rows = &w->source;
    TEST_EXPECT(cuzk_prove(s.pk, &assignment, &proof, test_pool, &err), CUZK_ERR_MISMATCH, &err);
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
    TEST_EXPECT(cuzk_prove(s.pk, &assignment, &proof, test_pool, &err), CUZK_ERR_MISMATCH, &err);
    cuzk_circuit_witness_free(w);
    s.key.statement[0].l[0] ^= 1;
    TEST_EXPECT(cuzk_circuit_witness_make(&w, s.key.compiled, &s.key.model.inputs.inputs,
                                          s.key.statement, "model", &err),
                CUZK_ERR_MISMATCH, &err);
    close_subject(&s);
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
    return cmocka_run_group_tests(tests, test_pool_start, test_pool_stop);
}
