/* The public library: cuzk.h as a program sees it. */
#include "cuzk.h"

#include "support/test.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MULTIPLIER "circom/multiplier-bn128/"
#define PUBLIC_33  "[\n \"33\"\n]"

static cuzk_key *open_key(const char *folder, const char *r1cs, uint32_t flags)
{
    char path[128], circuit[128];
    cuzk_key *key = NULL;
    cuzk_error err;
    snprintf(path, sizeof path, "%scircuit.zkey", folder);
    snprintf(circuit, sizeof circuit, "%s%s", folder, r1cs == NULL ? "" : r1cs);
    if (cuzk_key_open(&key, test_data_path(path), r1cs == NULL ? NULL : test_data_path(circuit),
                      flags, &err) != CUZK_OK)
        fail_msg("%s", err.message);
    return key;
}

static cuzk_status verify_with(const char *folder, const char *public_json, const char *proof_json,
                               cuzk_error *err)
{
    char path[128];
    snprintf(path, sizeof path, "%sverification_key.json", folder);
    char *vk = (char *)test_read_data(path, NULL);
    cuzk_status status = cuzk_verify(vk, public_json, proof_json, 0, err);
    free(vk);
    return status;
}

static void expect(cuzk_status found, cuzk_status expected, const cuzk_error *err,
                   const char *words)
{
    assert_int_equal(found, expected);
    assert_int_equal(err->status, expected);
    if (strstr(err->message, words) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", words, err->message);
}

static void test_version(void **state)
{
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", CUZK_VERSION_MAJOR, CUZK_VERSION_MINOR,
             CUZK_VERSION_PATCH);
    assert_string_equal(cuzk_version(), text);
}

static void test_proves_file_and_bytes(void **state)
{
    (void)state;
    cuzk_key *key = open_key(MULTIPLIER, NULL, 0);
    cuzk_error err;
    char *proof, *signals;
    size_t size;
    assert_int_equal(cuzk_key_public_count(key), 1);
    assert_int_equal(
        cuzk_key_prove_file(key, test_data_path(MULTIPLIER "witness.wtns"), &proof, &signals, &err),
        CUZK_OK);
    assert_string_equal(signals, PUBLIC_33);
    assert_int_equal(verify_with(MULTIPLIER, signals, proof, &err), CUZK_OK);
    cuzk_free(signals);

    /* The bytes at an odd address, and no public signals wanted. */
    uint8_t *bytes = test_read_data(MULTIPLIER "witness.wtns", &size);
    uint8_t *moved = malloc(size + 1);
    assert_non_null(moved);
    memcpy(moved + 1, bytes, size);
    char *other;
    assert_int_equal(cuzk_key_prove(key, moved + 1, size, &other, NULL, &err), CUZK_OK);
    assert_int_equal(verify_with(MULTIPLIER, PUBLIC_33, other, &err), CUZK_OK);
    assert_string_not_equal(proof, other); /* fresh blinding */
    cuzk_free(other);
    cuzk_free(proof);
    free(moved);
    free(bytes);
    cuzk_key_close(key);
}

static void test_exports_verification_key(void **state)
{
    (void)state;
    static const char *const folders[] = {MULTIPLIER, "circom/chain6-bls12381/"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char path[128], *vk;
        cuzk_key *key = open_key(folders[i], NULL, 0);
        snprintf(path, sizeof path, "%sverification_key.json", folders[i]);
        char *expected = (char *)test_read_data(path, NULL);
        assert_int_equal(cuzk_key_export_vk(key, &vk, NULL), CUZK_OK);
        assert_string_equal(vk, expected);
        cuzk_free(vk);
        free(expected);
        cuzk_key_close(key);
    }
}

static void test_verify_outcomes(void **state)
{
    (void)state;
    cuzk_error err;
    char *vk = (char *)test_read_data(MULTIPLIER "verification_key.json", NULL);
    char *proof = (char *)test_read_data(MULTIPLIER "proof.json", NULL);
    char *off =
        (char *)test_read_data("circom/negative/multiplier-bn128.proof_A_not_on_curve.json", NULL);
    char *aliased =
        (char *)test_read_data("circom/negative/multiplier-bn128.public_plus_r.json", NULL);
    char *insecure =
        (char *)test_read_data("circom/negative/multiplier-bn128.no_contribution.vk.json", NULL);
    assert_int_equal(cuzk_verify(vk, PUBLIC_33, proof, 0, &err), CUZK_OK);
    assert_int_equal(cuzk_verify(vk, PUBLIC_33, proof, 0, NULL), CUZK_OK);
    expect(cuzk_verify(vk, "[\"34\"]", proof, 0, &err), CUZK_ERR_REJECTED, &err, "false");
    assert_int_equal(cuzk_verify(vk, "[\"34\"]", proof, 0, NULL), CUZK_ERR_REJECTED);
    expect(cuzk_verify(vk, aliased, proof, 0, &err), CUZK_ERR_FORMAT, &err, "public signals");
    expect(cuzk_verify(vk, PUBLIC_33, off, 0, &err), CUZK_ERR_FORMAT, &err, "not on the curve");
    expect(cuzk_verify(vk, PUBLIC_33, "", 0, &err), CUZK_ERR_FORMAT, &err, "proof");
    expect(cuzk_verify("{", PUBLIC_33, proof, 0, &err), CUZK_ERR_FORMAT, &err, "verification key");
    expect(cuzk_verify(insecure, PUBLIC_33, proof, 0, &err), CUZK_ERR_INSECURE, &err, "phase 2");
    /* Let in, the key is another one than the proof's. */
    expect(cuzk_verify(insecure, PUBLIC_33, proof, CUZK_KEY_ALLOW_INSECURE, &err),
           CUZK_ERR_REJECTED, &err, "false");
    expect(cuzk_verify(vk, NULL, proof, 0, &err), CUZK_ERR_ARGUMENT, &err, "NULL");
    expect(cuzk_verify(vk, PUBLIC_33, proof, 0x80, &err), CUZK_ERR_ARGUMENT, &err, "0x80");
    free(insecure);
    free(aliased);
    free(off);
    free(proof);
    free(vk);
}

static void test_failures_leave_outputs(void **state)
{
    (void)state;
    char mark, *proof = &mark, *signals = &mark;
    cuzk_key *key = open_key(MULTIPLIER, NULL, 0);
    cuzk_error err;
    expect(cuzk_key_prove_file(key, "/nowhere/witness.wtns", &proof, &signals, &err), CUZK_ERR_IO,
           &err, "/nowhere/witness.wtns");
    expect(cuzk_key_prove_file(
               key, test_data_path("circom/negative/multiplier-bn128.witness_unsatisfied.wtns"),
               &proof, &signals, &err),
           CUZK_ERR_UNSATISFIED, &err, "witness_unsatisfied.wtns");
    expect(cuzk_key_prove_file(
               key, test_data_path("circom/negative/multiplier-bn128.witness_wire1_plus_r.wtns"),
               &proof, &signals, &err),
           CUZK_ERR_FORMAT, &err, "witness_wire1_plus_r.wtns");
    expect(cuzk_key_prove_file(key, test_data_path("circom/multiplier-bls12381/witness.wtns"),
                               &proof, &signals, &err),
           CUZK_ERR_MISMATCH, &err, "BLS12-381");
    expect(cuzk_key_prove_file(key, test_data_path("circom/chain5-bn128/witness.wtns"), &proof,
                               &signals, &err),
           CUZK_ERR_MISMATCH, &err, "values");
    expect(cuzk_key_prove(key, "wtns", 4, &proof, &signals, &err), CUZK_ERR_FORMAT, &err,
           "witness");
    expect(cuzk_key_prove(key, NULL, 0, &proof, &signals, &err), CUZK_ERR_FORMAT, &err, "empty");
    expect(cuzk_key_prove(key, NULL, 4, &proof, &signals, &err), CUZK_ERR_ARGUMENT, &err, "NULL");
    assert_ptr_equal(proof, &mark);
    assert_ptr_equal(signals, &mark);
    cuzk_key_close(key);
}

static void test_bad_keys(void **state)
{
    (void)state;
    cuzk_error err;
    cuzk_key *key = (cuzk_key *)(uintptr_t)8;
    const char *insecure = "circom/negative/multiplier-bn128.no_contribution.zkey";
    expect(cuzk_key_open(&key, "/nowhere/k.zkey", NULL, 0, &err), CUZK_ERR_IO, &err, "k.zkey");
    expect(cuzk_key_open(&key, test_data_path(MULTIPLIER "proof.json"), NULL, 0, &err),
           CUZK_ERR_FORMAT, &err, "proving key");
    expect(cuzk_key_open(&key, test_data_path(insecure), NULL, 0, &err), CUZK_ERR_INSECURE, &err,
           "phase 2");
    expect(cuzk_key_open(&key, test_data_path("vectors/rust-por.params"), NULL, 0, &err),
           CUZK_ERR_ARGUMENT, &err, ".r1cs");
    expect(cuzk_key_open(&key, test_data_path("vectors/rust-por.params"),
                         test_data_path("circom/chain6-bls12381/circuit.r1cs"), 0, &err),
           CUZK_ERR_MISMATCH, &err, "made for");
    expect(cuzk_key_open(&key, test_data_path(MULTIPLIER "circuit.zkey"),
                         test_data_path("circom/chain6-bn128/circuit.r1cs"), 0, &err),
           CUZK_ERR_MISMATCH, &err, "made for");
    expect(cuzk_key_open(&key, test_data_path("circom/customgate-bn128/circuit.zkey"),
                         test_data_path("circom/customgate-bn128/circuit.r1cs"), 0, &err),
           CUZK_ERR_UNSUPPORTED, &err, "custom gate");
    expect(cuzk_key_open(&key, test_data_path(MULTIPLIER "circuit.zkey"), NULL, 0x100, &err),
           CUZK_ERR_ARGUMENT, &err, "0x100");
    expect(cuzk_key_open(&key, NULL, NULL, 0, &err), CUZK_ERR_ARGUMENT, &err, "NULL");
    assert_ptr_equal(key, (void *)(uintptr_t)8);
    cuzk_key_close(NULL);
    cuzk_free(NULL);

    assert_int_equal(
        cuzk_key_open(&key, test_data_path(insecure), NULL, CUZK_KEY_ALLOW_INSECURE, &err),
        CUZK_OK);
    cuzk_key_close(key);
}

static void test_rows_are_checked(void **state)
{
    (void)state;
    cuzk_error err;
    char *proof;
    cuzk_key *key = open_key(MULTIPLIER, "circuit.r1cs", CUZK_KEY_SKIP_CHECK);
    expect(cuzk_key_prove_file(
               key, test_data_path("circom/negative/multiplier-bn128.witness_unsatisfied.wtns"),
               &proof, NULL, &err),
           CUZK_ERR_UNSATISFIED, &err, "row 0 of 1");
    assert_int_equal(
        cuzk_key_prove_file(key, test_data_path(MULTIPLIER "witness.wtns"), &proof, NULL, &err),
        CUZK_OK);
    assert_int_equal(verify_with(MULTIPLIER, PUBLIC_33, proof, &err), CUZK_OK);
    cuzk_free(proof);
    cuzk_key_close(key);
}

#define PROVERS 4

static void *prove_repeatedly(void *context)
{
    cuzk_key *key = context;
    char *witness = strdup(test_data_path("circom/chain30-bn128/witness.wtns"));
    bool good = witness != NULL;
    for (int i = 0; i < 3 && good; i++) {
        char *proof = NULL, *signals = NULL;
        good = cuzk_key_prove_file(key, witness, &proof, &signals, NULL) == CUZK_OK &&
               verify_with("circom/chain30-bn128/", signals, proof, NULL) == CUZK_OK;
        cuzk_free(proof);
        cuzk_free(signals);
    }
    free(witness);
    return good ? key : NULL;
}

static void test_one_key_in_many_threads(void **state)
{
    (void)state;
    cuzk_key *key = open_key("circom/chain30-bn128/", NULL, 0);
    pthread_t threads[PROVERS];
    for (size_t i = 0; i < PROVERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, prove_repeatedly, key), 0);
    for (size_t i = 0; i < PROVERS; i++) {
        void *result;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_ptr_equal(result, key);
    }
    cuzk_key_close(key);
}

int main(void)
{
    setenv("CUZK_NO_CACHE", "1", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_proves_file_and_bytes),
        cmocka_unit_test(test_exports_verification_key),
        cmocka_unit_test(test_verify_outcomes),
        cmocka_unit_test(test_failures_leave_outputs),
        cmocka_unit_test(test_bad_keys),
        cmocka_unit_test(test_rows_are_checked),
        cmocka_unit_test(test_one_key_in_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
