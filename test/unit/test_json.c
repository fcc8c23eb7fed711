/* snarkjs' JSON: what is refused, and the exact bytes that are written. */
#include "support/fixtures.h"

#include <stdio.h>

/* The generators of BN254 and infinity, as text. */
#define G1_X  "\"1\""
#define G1_Y  "\"2\""
#define G1    "[" G1_X "," G1_Y ",\"1\"]"
#define G2_X0 "\"10857046999023057135944570762232829481370756359578518086990519993285655852781\""
#define G2_X1 "\"11559732032986387107991004021392285783925812861821192530917403151452391805634\""
#define G2_Y0 "\"8495653923123431417604973247489272438418190587263600148770280649306958101930\""
#define G2_Y1 "\"4082367875863433681332203403145435568316851327593401208105741076214120093531\""
#define G2    "[[" G2_X0 "," G2_X1 "],[" G2_Y0 "," G2_Y1 "],[\"1\",\"0\"]]"
#define ZERO1 "[\"0\",\"1\",\"0\"]"
#define ZERO2 "[[\"0\",\"0\"],[\"1\",\"0\"],[\"0\",\"0\"]]"
#define BN_P  "21888242871839275222246405745257275088696311157297823662689037894645226208583"
#define BN_R  "21888242871839275222246405745257275088548364400416034343698204186575808495617"

static const cuzk_curve *bn(void)
{
    return cuzk_curve_get(CUZK_BN254);
}

static cuzk_status read_proof(cuzk_proof *proof, const char *text, cuzk_error *err)
{
    return cuzk_json_read_proof(proof, bn(), text, strlen(text), "p.json", err);
}

/* Reads a proof whose pi_a is the given text, all else being good. */
static cuzk_status read_with_a(const char *a, cuzk_error *err)
{
    char text[4096];
    cuzk_proof proof;
    snprintf(text, sizeof text, "{\"pi_a\":%s,\"pi_b\":" G2 ",\"pi_c\":" G1 "}", a);
    return read_proof(&proof, text, err);
}

static cuzk_status read_with_b(const char *b, cuzk_error *err)
{
    char text[4096];
    cuzk_proof proof;
    snprintf(text, sizeof text, "{\"pi_a\":" G1 ",\"pi_b\":%s,\"pi_c\":" G1 "}", b);
    return read_proof(&proof, text, err);
}

static void good_points_read(void **state)
{
    (void)state;
    cuzk_error err;
    cuzk_proof proof;
    assert_ok(read_proof(&proof, "{\"pi_a\":" G1 ",\"pi_b\":" G2 ",\"pi_c\":" ZERO1 "}", &err));
    assert_memory_equal(proof.a.l, bn()->g1_generator, 64);
    assert_memory_equal(proof.b.l, bn()->g2_generator, 128);
    assert_true(cuzk_point_is_infinity(proof.c.l, bn()->g1_words));
    assert_ok(read_with_b(ZERO2, &err));
    /* Other members are nobody's business; rapidsnark has no curve, snarkjs has one. */
    assert_ok(read_proof(&proof,
                         "{\"x\":[1,{}],\"pi_a\":" G1 ",\"pi_b\":" G2 ",\"pi_c\":" G1
                         ",\"protocol\":\"groth16\",\"curve\":\"BN-254\"}",
                         &err));
}

static void bad_points_are_refused(void **state)
{
    (void)state;
    cuzk_error err;
    const struct {
        const char *a, *text;
    } cases[] = {
        {"[\"1\",\"2\"]", "expected an array of 3"},
        {"[\"1\",\"2\",\"1\",\"1\"]", "expected an array of 3"},
        {"{\"x\":\"1\"}", "expected an array of 3"},
        {"null", "expected an array of 3"},
        {"[1,\"2\",\"1\"]", "written as a string"},
        {"[\"1\",2,\"1\"]", "written as a string"},
        {"[\"1\",\"2\",1]", "third coordinate"},
        {"[\"1\",\"2\",\"0\"]", "third coordinate"},
        {"[\"1\",\"2\",\"2\"]", "third coordinate"},
        {"[\"1\",\"2\",\"01\"]", "third coordinate"},
        {"[\"01\",\"2\",\"1\"]", "not a decimal number"},
        {"[\"+1\",\"2\",\"1\"]", "not a decimal number"},
        {"[\"-1\",\"2\",\"1\"]", "not a decimal number"},
        {"[\" 1\",\"2\",\"1\"]", "not a decimal number"},
        {"[\"1 \",\"2\",\"1\"]", "not a decimal number"},
        {"[\"\",\"2\",\"1\"]", "not a decimal number"},
        {"[\"0x1\",\"2\",\"1\"]", "not a decimal number"},
        {"[\"1.0\",\"2\",\"1\"]", "not a decimal number"},
        {"[\"" BN_P "\",\"2\",\"1\"]", "not below the prime"},
        {"[\"1\",\"" BN_P "\",\"1\"]", "not below the prime"},
        {"[\"1" BN_P "\",\"2\",\"1\"]", "not below the prime"},
        {"[\"1\",\"3\",\"1\"]", "not on the curve"},
        {"[\"0\",\"0\",\"1\"]", "not on the curve"},
        {"[\"0\",\"2\",\"0\"]", "third coordinate"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_refused(read_with_a(cases[i].a, &err), CUZK_ERR_FORMAT, cases[i].text);
        assert_non_null(strstr(err.message, "p.json: pi_a"));
    }
    assert_refused(read_with_b(G1, &err), CUZK_ERR_FORMAT, "third coordinate");
    assert_refused(read_with_b("[[" G2_X0 "],[" G2_Y0 "," G2_Y1 "],[\"1\",\"0\"]]", &err),
                   CUZK_ERR_FORMAT, "expected an array of 2");
    assert_refused(read_with_b("[[" G2_X0 "," G2_X1 "],[" G2_Y0 "," G2_Y1 "],[\"1\",\"1\"]]", &err),
                   CUZK_ERR_FORMAT, "third coordinate");
    assert_refused(read_with_b("[[" G2_X1 "," G2_X0 "],[" G2_Y0 "," G2_Y1 "],[\"1\",\"0\"]]", &err),
                   CUZK_ERR_FORMAT, "not on the curve");
    assert_refused(read_with_b("[[\"0\",\"0\"],[\"0\",\"0\"],[\"1\",\"0\"]]", &err),
                   CUZK_ERR_FORMAT, "not on the curve");
}

static void bad_documents_are_refused(void **state)
{
    (void)state;
    cuzk_error err;
    cuzk_proof proof;
    assert_refused(read_proof(&proof, "", &err), CUZK_ERR_FORMAT, "not JSON");
    assert_refused(read_proof(&proof, "[]", &err), CUZK_ERR_FORMAT, "expected a JSON object");
    assert_refused(read_proof(&proof, "{}", &err), CUZK_ERR_FORMAT, "pi_a is missing");
    assert_refused(read_proof(&proof, "{\"pi_a\":" G1 ",\"pi_b\":" G2 "}", &err), CUZK_ERR_FORMAT,
                   "pi_c is missing");
    assert_refused(read_proof(&proof,
                              "{\"pi_a\":" G1 ",\"pi_b\":" G2 ",\"pi_c\":" G1 ",\"pi_c\":" G1 "}",
                              &err),
                   CUZK_ERR_FORMAT, "duplicate");
    assert_refused(read_proof(&proof, "{\"pi_a\":" G1 ",\"pi_b\":" G2 ",\"pi_c\":" G1 "} x", &err),
                   CUZK_ERR_FORMAT, "not JSON");
    assert_refused(read_proof(&proof,
                              "{\"pi_a\":" G1 ",\"pi_b\":" G2 ",\"pi_c\":" G1
                              ",\"protocol\":\"plonk\"}",
                              &err),
                   CUZK_ERR_UNSUPPORTED, "plonk");
    assert_refused(read_proof(&proof,
                              "{\"pi_a\":" G1 ",\"pi_b\":" G2 ",\"pi_c\":" G1
                              ",\"curve\":\"bls12381\"}",
                              &err),
                   CUZK_ERR_MISMATCH, "bls12381");
    assert_refused(read_proof(&proof, "{\"curve\":\"secp256k1\"}", &err), CUZK_ERR_UNSUPPORTED,
                   "secp256k1");
    size_t size = (size_t)1 << 20;
    char *spaces = malloc(size);
    memset(spaces, ' ', size);
    assert_refused(cuzk_json_read_proof(&proof, bn(), spaces, size, "p.json", &err),
                   CUZK_ERR_FORMAT, "at most");
    free(spaces);
}

static cuzk_status read_public(cuzk_scalar **inputs, size_t n, const char *text, cuzk_error *err)
{
    return cuzk_json_read_public(inputs, n, bn(), text, strlen(text), "public.json", err);
}

static void public_signals_are_strict(void **state)
{
    (void)state;
    cuzk_error err;
    cuzk_scalar *inputs = NULL;
    assert_ok(read_public(&inputs, 0, "[]", &err));
    free(inputs);
    assert_ok(read_public(&inputs, 2, " [ \"0\" , \"258\" ] ", &err));
    assert_int_equal(inputs[0].l[0], 0);
    assert_int_equal(inputs[1].l[0], 258);
    assert_int_equal(inputs[1].l[1], 0);
    free(inputs);
    inputs = NULL;
    assert_refused(read_public(&inputs, 1, "[]", &err), CUZK_ERR_MISMATCH, "0 public signals");
    assert_refused(read_public(&inputs, 1, "[\"1\",\"2\"]", &err), CUZK_ERR_MISMATCH,
                   "2 public signals");
    assert_refused(read_public(&inputs, 1, "{}", &err), CUZK_ERR_FORMAT, "expected a JSON array");
    assert_refused(read_public(&inputs, 1, "null", &err), CUZK_ERR_FORMAT, "public.json");
    assert_refused(read_public(&inputs, 1, "[1]", &err), CUZK_ERR_FORMAT, "public signal 1");
    assert_refused(read_public(&inputs, 2, "[\"1\",\"00\"]", &err), CUZK_ERR_FORMAT,
                   "public signal 2");
    assert_refused(read_public(&inputs, 1, "[\"" BN_R "\"]", &err), CUZK_ERR_FORMAT,
                   "not below the prime");
    assert_refused(read_public(&inputs, 1, "[[\"1\"]]", &err), CUZK_ERR_FORMAT, "public signal 1");
    assert_null(inputs);
}

#define VK_HEAD(n)                                                                                 \
    "{\"protocol\":\"groth16\",\"curve\":\"bn128\",\"nPublic\":" n ",\"vk_alpha_1\":" G1           \
    ",\"vk_beta_2\":" G2 ",\"vk_gamma_2\":" G2 ",\"vk_delta_2\":" G2

static cuzk_status read_vk(cuzk_vk *vk, const char *text, cuzk_error *err)
{
    return cuzk_json_read_vk(vk, text, strlen(text), "vk.json", err);
}

static void vk_counts_are_checked(void **state)
{
    (void)state;
    cuzk_error err;
    cuzk_vk vk;
    assert_ok(read_vk(&vk, VK_HEAD("1") ",\"IC\":[" G1 "," ZERO1 "]}", &err));
    assert_int_equal(vk.n_public, 1);
    cuzk_vk_release(&vk);
    assert_refused(read_vk(&vk, VK_HEAD("1") ",\"IC\":[" G1 "]}", &err), CUZK_ERR_FORMAT,
                   "IC has 1");
    assert_refused(read_vk(&vk, VK_HEAD("0") ",\"IC\":[" G1 "," G1 "]}", &err), CUZK_ERR_FORMAT,
                   "IC has 2");
    assert_refused(read_vk(&vk, VK_HEAD("1") "}", &err), CUZK_ERR_FORMAT, "IC");
    assert_refused(read_vk(&vk, VK_HEAD("-1") ",\"IC\":[]}", &err), CUZK_ERR_FORMAT, "nPublic");
    assert_refused(read_vk(&vk, VK_HEAD("\"1\"") ",\"IC\":[" G1 "," G1 "]}", &err), CUZK_ERR_FORMAT,
                   "nPublic");
    assert_refused(read_vk(&vk, VK_HEAD("18446744073709551615") ",\"IC\":[]}", &err),
                   CUZK_ERR_FORMAT, "vk.json");
    assert_refused(read_vk(&vk, VK_HEAD("9223372036854775807") ",\"IC\":[]}", &err),
                   CUZK_ERR_FORMAT, "nPublic");
    assert_refused(read_vk(&vk, VK_HEAD("1") ",\"IC\":[" G1 ",[\"1\",\"3\",\"1\"]]}", &err),
                   CUZK_ERR_FORMAT, "IC[1]: the point is not on the curve");
    assert_refused(read_vk(&vk, "{\"protocol\":\"groth16\"}", &err), CUZK_ERR_FORMAT,
                   "curve is missing");
}

/* rapidsnark prints by nlohmann's dump(): keys in alphabetical order, no white space, no new line.
 */
static void rapidsnark_bytes(void **state)
{
    (void)state;
    cuzk_error err;
    cuzk_proof proof;
    char *text = NULL;
    assert_ok(read_proof(&proof, "{\"pi_a\":" G1 ",\"pi_b\":" G2 ",\"pi_c\":" G1 "}", &err));
    assert_ok(cuzk_json_write_proof(&text, &proof, bn(), CUZK_JSON_RAPIDSNARK, &err));
    assert_string_equal(text, "{\"pi_a\":" G1 ",\"pi_b\":" G2 ",\"pi_c\":" G1
                              ",\"protocol\":\"groth16\"}");
    free(text);
    const cuzk_scalar inputs[2] = {{{33, 0, 0, 0}}, {{0, 1, 0, 0}}};
    assert_ok(cuzk_json_write_public(&text, inputs, 2, CUZK_JSON_RAPIDSNARK, &err));
    assert_string_equal(text, "[\"33\",\"18446744073709551616\"]");
    free(text);
    assert_ok(cuzk_json_write_public(&text, inputs, 0, CUZK_JSON_RAPIDSNARK, &err));
    assert_string_equal(text, "[]");
    free(text);
}

static void infinity_prints_and_reads(void **state)
{
    (void)state;
    cuzk_error err;
    cuzk_proof proof, again;
    char *text = NULL;
    memset(&proof, 0, sizeof proof);
    assert_ok(cuzk_json_write_proof(&text, &proof, bn(), CUZK_JSON_RAPIDSNARK, &err));
    assert_string_equal(text, "{\"pi_a\":" ZERO1 ",\"pi_b\":" ZERO2 ",\"pi_c\":" ZERO1
                              ",\"protocol\":\"groth16\"}");
    memset(&again, 0xff, sizeof again);
    assert_ok(read_proof(&again, text, &err));
    assert_memory_equal(again.b.l, proof.b.l, 128);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_points_read),          cmocka_unit_test(bad_points_are_refused),
        cmocka_unit_test(bad_documents_are_refused), cmocka_unit_test(public_signals_are_strict),
        cmocka_unit_test(vk_counts_are_checked),     cmocka_unit_test(rapidsnark_bytes),
        cmocka_unit_test(infinity_prints_and_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
