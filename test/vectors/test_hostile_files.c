/* The hostile files of the fixtures: what their README demands, with words that name the trouble.
 */
#include "support/fixtures.h"

#include <stdio.h>

#define NEGATIVE "circom/negative/"

static cuzk_pool *pool;

static char *read_text(const char *name, size_t *size)
{
    return (char *)test_read_data(name, size);
}

static void public_plus_r_is_refused(void **state)
{
    (void)state;
    cuzk_error err;
    size_t size = 0;
    cuzk_scalar *inputs = NULL;
    char *text = read_text(NEGATIVE "multiplier-bn128.public_plus_r.json", &size);
    assert_refused(cuzk_json_read_public(&inputs, 1, cuzk_curve_get(CUZK_BN254), text, size,
                                         "public.json", &err),
                   CUZK_ERR_FORMAT, "public.json: public signal 1: ");
    assert_non_null(strstr(err.message, "not below the prime"));
    assert_null(inputs);
    free(text);
}

static void witness_plus_r_is_refused(void **state)
{
    (void)state;
    cuzk_error err;
    cuzk_wtns witness;
    cuzk_map *map = open_data(NEGATIVE "multiplier-bn128.witness_wire1_plus_r.wtns");
    assert_refused(cuzk_wtns_read(&witness, map, &err), CUZK_ERR_FORMAT,
                   "the value of wire 1 is not below the prime");
    assert_non_null(strstr(err.message, "witness_wire1_plus_r.wtns"));
    cuzk_map_close(map);
}

/* Proves with a key that is good; returns the status. */
static cuzk_status try_prove(const char *fixture_name, const char *wtns_name, cuzk_proof *proof,
                             cuzk_error *out)
{
    cuzk_error err;
    cuzk_map *map = open_fixture(find_fixture(fixture_name), "circuit.zkey");
    cuzk_map *wtns = open_data(wtns_name);
    cuzk_pk *pk = NULL;
    cuzk_wtns witness;
    assert_ok(cuzk_zkey_open(&pk, map, 0, NULL, pool, &err));
    assert_ok(cuzk_wtns_read(&witness, wtns, &err));
    cuzk_assignment assignment = {.z = witness.z, .n = witness.n, .name = "the witness"};
    cuzk_status status = cuzk_prove(pk, &assignment, proof, pool, out);
    cuzk_wtns_release(&witness);
    cuzk_pk_free(pk);
    cuzk_map_close(wtns);
    cuzk_map_close(map);
    return status;
}

static void unsatisfied_witness_gives_no_proof(void **state)
{
    (void)state;
    cuzk_error err = {0};
    cuzk_proof proof, untouched;
    memset(&proof, 0x5a, sizeof proof);
    untouched = proof;
    cuzk_status status = try_prove(
        "multiplier-bn128", NEGATIVE "multiplier-bn128.witness_unsatisfied.wtns", &proof, &err);
    if (status != CUZK_ERR_UNSATISFIED)
        fail_msg("status %s: %s", cuzk_status_name(status), err.message);
    assert_memory_equal(&proof, &untouched, sizeof proof);

    /* With the circuit at hand, the row is named. */
    cuzk_map *map = open_fixture(find_fixture("multiplier-bn128"), "circuit.r1cs");
    cuzk_map *wtns = open_data(NEGATIVE "multiplier-bn128.witness_unsatisfied.wtns");
    cuzk_r1cs cs;
    cuzk_wtns witness;
    assert_ok(cuzk_r1cs_read(&cs, map, &err));
    assert_ok(cuzk_wtns_read(&witness, wtns, &err));
    cuzk_fr *z = malloc(witness.n * sizeof *z);
    cuzk_fr_import(cs.curve, z, witness.z, witness.n, NULL);
    assert_int_equal(cuzk_r1cs_check(&cs, z, NULL, NULL, NULL, NULL), 0);
    free(z);
    cuzk_wtns_release(&witness);
    cuzk_r1cs_release(&cs);
    cuzk_map_close(map);
    cuzk_map_close(wtns);
}

static void refuse_proof(const char *file, cuzk_curve_id curve, const char *member,
                         const char *text)
{
    cuzk_error err;
    cuzk_proof proof;
    size_t size = 0;
    char *json = read_text(file, &size);
    assert_refused(cuzk_json_read_proof(&proof, cuzk_curve_get(curve), json, size, file, &err),
                   CUZK_ERR_FORMAT, text);
    assert_non_null(strstr(err.message, member));
    assert_non_null(strstr(err.message, file));
    free(json);
}

static void bad_points_are_decode_errors(void **state)
{
    (void)state;
    refuse_proof(NEGATIVE "multiplier-bn128.proof_A_not_on_curve.json", CUZK_BN254, "pi_a",
                 "not on the curve");
    refuse_proof(NEGATIVE "multiplier-bn128.proof_B_not_in_subgroup.json", CUZK_BN254, "pi_b",
                 "subgroup");
    refuse_proof(NEGATIVE "multiplier-bls12381.proof_A_plus_3torsion.json", CUZK_BLS12_381, "pi_a",
                 "subgroup");
}

/* A forged gate output satisfies every constraint and its proof verifies: only refusing the circuit
 * helps. Both are shown, so that the refusal is known to be what stands between. */
static void custom_gates_are_refused(void **state)
{
    (void)state;
    cuzk_error err;
    cuzk_r1cs cs;
    cuzk_map *map = open_fixture(find_fixture("customgate-bn128"), "circuit.r1cs");
    assert_refused(cuzk_r1cs_read(&cs, map, &err), CUZK_ERR_UNSUPPORTED, "custom gates");
    assert_non_null(strstr(err.message, "circuit.r1cs"));
    cuzk_map_close(map);

    cuzk_vk vk;
    cuzk_proof proof;
    size_t size = 0;
    read_fixture_vk(&vk, "circom/customgate-bn128/verification_key.json");
    cuzk_scalar *inputs = read_fixture_public(&vk, NEGATIVE "customgate-bn128.forged_public.json");
    char *json = read_text(NEGATIVE "customgate-bn128.forged_proof.json", &size);
    assert_ok(cuzk_json_read_proof(&proof, vk.curve, json, size, "forged", &err));
    assert_ok(verify_once(&vk, inputs, &proof, &err));
    free(json);
    free(inputs);
    cuzk_vk_release(&vk);
}

static void key_without_contribution_is_refused(void **state)
{
    (void)state;
    cuzk_error err;
    cuzk_pk *pk = NULL;
    cuzk_zkey_info info;
    cuzk_map *map = open_data(NEGATIVE "multiplier-bn128.no_contribution.zkey");
    assert_refused(cuzk_zkey_open(&pk, map, 0, NULL, pool, &err), CUZK_ERR_INSECURE,
                   "no_contribution.zkey");
    assert_null(pk);
    assert_ok(cuzk_zkey_info_read(&info, map, &err));
    assert_true(info.gamma_is_delta);
    assert_int_equal(info.contributions, 0);
    assert_ok(cuzk_zkey_open(&pk, map, CUZK_PK_ALLOW_INSECURE, NULL, pool, &err));
    cuzk_pk_free(pk);
    cuzk_map_close(map);

    cuzk_vk vk;
    read_fixture_vk(&vk, NEGATIVE "multiplier-bn128.no_contribution.vk.json");
    assert_refused(cuzk_vk_check(&vk, false, "vk.json", &err), CUZK_ERR_INSECURE, "vk.json");
    assert_ok(cuzk_vk_check(&vk, true, "vk.json", &err));
    cuzk_vk_release(&vk);
}

static void witness_of_another_circuit_or_curve_is_refused(void **state)
{
    (void)state;
    cuzk_error err;
    cuzk_proof proof;
    cuzk_status status =
        try_prove("multiplier-bn128", "circom/chain5-bn128/witness.wtns", &proof, &err);
    assert_int_equal(status, CUZK_ERR_MISMATCH);
    assert_non_null(strstr(err.message, "7"));

    size_t size = 0;
    char *json = read_text("circom/multiplier-bls12381/proof.json", &size);
    assert_refused(cuzk_json_read_proof(&proof, cuzk_curve_get(CUZK_BN254), json, size, "p", &err),
                   CUZK_ERR_MISMATCH, "bls12381");
    free(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(public_plus_r_is_refused),
        cmocka_unit_test(witness_plus_r_is_refused),
        cmocka_unit_test(unsatisfied_witness_gives_no_proof),
        cmocka_unit_test(bad_points_are_decode_errors),
        cmocka_unit_test(custom_gates_are_refused),
        cmocka_unit_test(key_without_contribution_is_refused),
        cmocka_unit_test(witness_of_another_circuit_or_curve_is_refused),
    };
    disable_cache();
    pool = cuzk_pool_new(2);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    cuzk_pool_free(pool);
    return failed;
}
