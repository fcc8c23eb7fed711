/* Keys and proofs of Filecoin's circuits with known secrets, byte for byte those of the original
 * generator and prover (Filecoin circuits, section 15.3a): the whole way from gadgets to proofs.
 * The two large ones, minutes and gigabytes, want CUZK_TEST_LONG=1,
 * and the third runs without sanitizers. */
#include "base/digest.h"
#include "base/map.h"
#include "circuit/direct.h"
#include "field/bls12_381_fr.h"
#include "groth16/params.h"
#include "groth16/prove.h"
#include "groth16/setup.h"
#include "support/circuit.h"
#include "support/fil_keys.h"
#include "support/group_pool.h"
#include "support/model_circuits.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct key_case {
    model_kind kind;
    bool is_long;
    const char *vk, *proof; /* in test/data */
    const char *params_sha256;
    size_t n_h, n_l, n_a, n_b;
} key_case;

static const key_case cases[] = {
    {MODEL_POR, false, "vectors/rust-por.vk", "vectors/rust-por.proof",
     "075192e3cd0e1f7047e7a2f723ea2b04e2faae4e792bbc723e6319ecb861e4e4", 2047, 1076, 818, 779},
    {MODEL_WINNING, TEST_SANITIZED, "filecoin/rust-winning2k.vk", "filecoin/rust-winning2k.proof",
     "9ac049528c223e8edfdc9ca00c281d859edaa693f3d46b2a3eb89b5143c7ed99", 131071, 91674, 69433,
     66793},
    {MODEL_SNAP, true, "filecoin/rust-snap2k.vk", "filecoin/rust-snap2k.proof",
     "c9dfe963724349d890b83fe3395af6cf4d340debe21f0547178571d010f9b8b0", 2097151, 1703569, 1697194,
     444404},
    {MODEL_POREP, true, "filecoin/rust-porep2k.vk", "filecoin/rust-porep2k.proof",
     "0d2d5f3b2386d00678ca95f8bb4a0650cb859e2d351430f120e3ce02ca0548ff", 4194303, 2685673, 2674948,
     685522},
};

static cuzk_error err;

static void to_canonical(cuzk_scalar *out, const cuzk_fr *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bls12_381_fr_to_canon(&out[i], &values[i]);
}

/* The circuit's matrices and its witness, which the caller frees. */
static cuzk_scalar *evaluate(cuzk_r1cs *r1cs, model_kind kind)
{
    model_circuit m;
    cuzk_direct *d;
    model_circuit_open(&m, kind);
    const cuzk_direct_options options = {.inputs = &m.inputs.inputs, .r1cs = true};
    TEST_EXPECT(cuzk_direct_new(&d, &options, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_direct_run(d, &m.circuit, &err), CUZK_OK, &err);
    assert_null(cuzk_direct_violation(d));
    TEST_EXPECT(cuzk_direct_take_r1cs(d, r1cs, &err), CUZK_OK, &err);
    const cuzk_circuit_counts *counts = cuzk_direct_counts(d);
    cuzk_scalar *z = calloc(r1cs->vars, sizeof *z);
    assert_non_null(z);
    to_canonical(z, cuzk_direct_inputs(d), counts->inputs);
    to_canonical(z + counts->inputs, cuzk_direct_aux(d), counts->aux);
    cuzk_direct_free(d);
    model_circuit_release(&m);
    return z;
}

static void expect_sha256(const cuzk_map *map, const char *expected)
{
    uint8_t out[CUZK_SHA256_BYTES];
    char text[2 * CUZK_SHA256_BYTES + 1];
    cuzk_digest *digest;
    TEST_EXPECT(cuzk_digest_new(&digest, CUZK_SHA256, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_digest_update(digest, cuzk_map_data(map), cuzk_map_size(map), &err), CUZK_OK,
                &err);
    TEST_EXPECT(cuzk_digest_finish(digest, out, &err), CUZK_OK, &err);
    cuzk_digest_free(digest);
    for (size_t i = 0; i < sizeof out; i++)
        snprintf(text + 2 * i, 3, "%02x", out[i]);
    assert_string_equal(text, expected);
}

static void expect_file(const char *path, const char *expected)
{
    size_t n, m;
    uint8_t *is = test_read_file(path, &n), *should = test_read_data(expected, &m);
    assert_int_equal(n, m);
    assert_memory_equal(is, should, n);
    free(is);
    free(should);
}

/* Writes the key, compares its files and opens it; takes r1cs. */
static cuzk_pk *make_key(const key_case *c, cuzk_r1cs *r1cs)
{
    const cuzk_toxic toxic = test_known_toxic();
    char *path = test_write_temp("", 0);
    cuzk_setup setup;
    cuzk_map *map;
    cuzk_pk *pk;
    TEST_EXPECT(cuzk_setup_make(&setup, r1cs, &toxic, CUZK_SETUP_BELLPERSON, test_pool, &err),
                CUZK_OK, &err);
    assert_int_equal(setup.n_h, c->n_h);
    assert_int_equal(setup.n_l, c->n_l);
    assert_int_equal(setup.n_a, c->n_a);
    assert_int_equal(setup.n_b, c->n_b);
    TEST_EXPECT(cuzk_params_write_vk(path, &setup.vk, &setup.beta_g1, &setup.delta_g1, &err),
                CUZK_OK, &err);
    expect_file(path, c->vk);
    TEST_EXPECT(cuzk_params_write(path, &setup, &err), CUZK_OK, &err);
    cuzk_setup_release(&setup);
    TEST_EXPECT(cuzk_map_open(&map, path, &err), CUZK_OK, &err);
    expect_sha256(map, c->params_sha256);
    /* Its bytes are known: points need no check. */
    TEST_EXPECT(cuzk_params_open(&pk, map, r1cs, CUZK_PK_SKIP_CHECK, NULL, test_pool, &err),
                CUZK_OK, &err);
    cuzk_map_close(map);
    unlink(path);
    free(path);
    return pk;
}

static void run_case(const key_case *c)
{
    const cuzk_scalar r = test_secret("r"), s = test_secret("s");
    uint8_t bytes[CUZK_PROOF_BYTES];
    cuzk_r1cs r1cs;
    cuzk_proof proof;
    size_t size;
    cuzk_scalar *z = evaluate(&r1cs, c->kind);
    const cuzk_assignment assignment = {.z = z, .n = r1cs.vars, .name = "model witness"};
    cuzk_pk *pk = make_key(c, &r1cs);
    TEST_EXPECT(cuzk_prove_with_blinding(pk, &assignment, &r, &s, &proof, test_pool, &err), CUZK_OK,
                &err);
    cuzk_proof_encode(bytes, &proof);
    uint8_t *expected = test_read_data(c->proof, &size);
    assert_int_equal(size, sizeof bytes);
    assert_memory_equal(bytes, expected, sizeof bytes);
    free(expected);
    cuzk_pk_free(pk);
    free(z);
}

static void run_those(bool is_long)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].is_long == is_long)
            run_case(&cases[i]);
    }
}

static void small_keys(void **state)
{
    (void)state;
    run_those(false);
}

static void large_keys(void **state)
{
    (void)state;
    if (getenv("CUZK_TEST_LONG") == NULL)
        skip();
    run_those(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_keys),
        cmocka_unit_test(large_keys),
    };
    return cmocka_run_group_tests(tests, test_pool_start, test_pool_stop);
}
