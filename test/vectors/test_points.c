/* Multiples of the BLS12-381 generators in the ZCash encodings, made by blstrs. */
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>
#include <openssl/evp.h>

#include "support/big.h"
#include "support/levels.h"

#define MAX_BYTES (8 * CUZK_G2_MAX_WORDS)

static size_t read_hex(uint8_t *out, const json_t *json)
{
    const char *text = json_string_value(json);
    assert_non_null(text);
    size_t n = strlen(text) / 2;
    assert_true(n <= MAX_BYTES);
    for (size_t i = 0; i < n; i++) {
        unsigned byte = 0;
        assert_int_equal(sscanf(text + 2 * i, "%2x", &byte), 1);
        out[i] = (uint8_t)byte;
    }
    return n;
}

/* The bytes decode to the point, and the point encodes to the bytes. */
static void expect_bytes(const test_group *g, const uint64_t *point, const json_t *json,
                         cuzk_encoding enc)
{
    uint8_t expected[MAX_BYTES], bytes[MAX_BYTES];
    uint64_t decoded[CUZK_G2_MAX_WORDS];
    size_t n = read_hex(expected, json);
    assert_int_equal(n, cuzk_encoding_size(g->curve, g->group, enc));
    assert_int_equal(g->decode(decoded, expected, enc, true), CUZK_POINT_OK);
    assert_memory_equal(decoded, point, 8 * g->words);
    g->encode(bytes, point, enc);
    assert_memory_equal(bytes, expected, n);
}

/* The scalar that "k" names: a number, which may be negative, or x(name): SHA-256 of the name, the
 * two top bits of the last byte cleared, little-endian. */
static cuzk_scalar read_scalar(const cuzk_curve *c, const json_t *json)
{
    cuzk_scalar k = {{0}};
    if (json_is_string(json)) {
        char name[32];
        uint8_t digest[32];
        assert_int_equal(sscanf(json_string_value(json), "x(%31[a-z])", name), 1);
        assert_int_equal(EVP_Digest(name, strlen(name), digest, NULL, EVP_sha256(), NULL), 1);
        digest[31] &= 0x3f;
        memcpy(k.l, digest, sizeof digest);
        return k;
    }
    assert_true(json_is_integer(json));
    json_int_t number = json_integer_value(json);
    k.l[0] = (uint64_t)(number < 0 ? -number : number);
    if (number < 0) {
        BIGNUM *b = big_from_limbs(k.l, 1), *r = big_from_limbs(c->r.l, 4);
        BN_sub(b, r, b);
        big_to_limbs(k.l, b, 4);
        BN_free(b);
        BN_free(r);
    }
    return k;
}

static void check_entry(const cuzk_curve *c, const json_t *entry)
{
    static const char *const names[2][2] = {{"g1", "g1u"}, {"g2", "g2u"}};
    cuzk_scalar k = read_scalar(c, json_object_get(entry, "k"));
    for (int i = 0; i < 2; i++) {
        test_group g = test_group_of(c, (cuzk_group)i);
        uint64_t point[CUZK_G2_MAX_WORDS];
        g.mul(point, g.generator, &k);
        expect_bytes(&g, point, json_object_get(entry, names[i][0]), CUZK_ENC_ZCASH_COMPRESSED);
        expect_bytes(&g, point, json_object_get(entry, names[i][1]), CUZK_ENC_ZCASH);
        g.mul_secret(point, g.generator, &k);
        expect_bytes(&g, point, json_object_get(entry, names[i][0]), CUZK_ENC_ZCASH_COMPRESSED);
    }
}

static void check_points(const cuzk_curve *c, test_rng *rng)
{
    (void)rng;
    if (c->id != CUZK_BLS12_381)
        return;
    uint8_t *text = test_read_data("vectors/bls12-381-points.json", NULL);
    json_t *entries = json_loads((const char *)text, 0, NULL);
    assert_true(json_is_array(entries) && json_array_size(entries) == 13);
    for (size_t i = 0; i < json_array_size(entries); i++)
        check_entry(c, json_array_get(entries, i));
    json_decref(entries);
    free(text);
}

static void multiples_of_generators(void **state)
{
    (void)state;
    test_each_curve(check_points, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(multiples_of_generators)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
