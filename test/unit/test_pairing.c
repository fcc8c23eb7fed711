/* The pairing by its laws, the final exponentiation by its definition, and snarkjs' values. */
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "support/big.h"
#include "support/levels.h"

static void *prepare(const cuzk_curve *c, const uint64_t *q)
{
    void *prepared = malloc(c->g2_prepared_bytes);
    assert_non_null(prepared);
    c->g2_prepare(prepared, q);
    return prepared;
}

static void pair(const cuzk_curve *c, cuzk_gt *r, const uint64_t *p, const uint64_t *q)
{
    void *prepared = prepare(c, q);
    const void *all[1] = {prepared};
    c->miller(r, &p, all, 1);
    c->final_exp(r, r);
    free(prepared);
}

static void check_bilinear(const cuzk_curve *c, test_rng *rng)
{
    uint64_t p[CUZK_G1_MAX_WORDS], q[CUZK_G2_MAX_WORDS];
    cuzk_gt e, one, ab, power;
    c->gt_one(&one);
    pair(c, &e, c->g1_generator, c->g2_generator);
    assert_false(c->gt_equal(&e, &one));
    c->gt_pow(&power, &e, &c->r);
    assert_true(c->gt_equal(&power, &one));
    for (int i = 0; i < 4; i++) {
        cuzk_scalar a = test_uniform_scalar(c, rng), b = test_uniform_scalar(c, rng), product;
        cuzk_fr fa, fb;
        c->g1_mul(p, c->g1_generator, &a);
        c->g2_mul(q, c->g2_generator, &b);
        pair(c, &ab, p, q);
        c->fr_from_scalar(&fa, &a);
        c->fr_from_scalar(&fb, &b);
        c->fr_mul(&fa, &fa, &fb);
        c->fr_to_scalar(&product, &fa);
        c->gt_pow(&power, &e, &product);
        assert_true(c->gt_equal(&ab, &power));
        c->gt_conjugate(&power, &ab);
        c->g1_neg(p, p);
        pair(c, &ab, p, q);
        assert_true(c->gt_equal(&ab, &power));
        c->g1_neg(p, p);
        c->g2_neg(q, q);
        pair(c, &ab, p, q);
        assert_true(c->gt_equal(&ab, &power));
    }
}

/* A product of Miller values is the Miller value of the product, for 0 to 4 pairs, infinite ones
 * too. */
static void check_products(const cuzk_curve *c, test_rng *rng)
{
    uint64_t p[4][CUZK_G1_MAX_WORDS] = {{0}}, q[4][CUZK_G2_MAX_WORDS] = {{0}};
    const uint64_t *points[4];
    const void *prepared[4];
    cuzk_gt one, product, all, e;
    c->gt_one(&one);
    for (int i = 0; i < 4; i++) {
        cuzk_scalar k = test_uniform_scalar(c, rng);
        c->g1_mul(p[i], c->g1_generator, &k);
        k = test_uniform_scalar(c, rng);
        c->g2_mul(q[i], c->g2_generator, &k);
        if (i == 1)
            memset(p[i], 0, sizeof p[i]);
        if (i == 2)
            memset(q[i], 0, sizeof q[i]);
        points[i] = p[i];
        prepared[i] = prepare(c, q[i]);
    }
    product = one;
    for (size_t n = 0; n <= 4; n++) {
        c->miller(&all, points, prepared, n);
        c->final_exp(&all, &all);
        assert_true(c->gt_equal(&all, &product));
        if (n == 4)
            break;
        pair(c, &e, p[n], q[n]);
        assert_int_equal(c->gt_equal(&e, &one), n == 1 || n == 2);
        c->gt_mul(&product, &product, &e);
    }
    for (int i = 0; i < 4; i++)
        free((void *)(uintptr_t)prepared[i]);
}

/* k (p^12 - 1) / r with k = 3 or 2u(6u^2 + 3u + 1). */
static BIGNUM *final_exponent(const cuzk_curve *c)
{
    BIGNUM *e = BN_new(), *p = big_from_limbs(c->p, c->fp_words), *r = big_from_limbs(c->r.l, 4);
    BIGNUM *k = big_from_word(3), *u = big_from_word(4965661367192848881), *rest = BN_new();
    BN_one(e);
    for (int i = 0; i < 12; i++)
        BN_mul(e, e, p, big_ctx());
    BN_sub_word(e, 1);
    BN_div(e, rest, e, r, big_ctx());
    assert_true(BN_is_zero(rest));
    if (c->id == CUZK_BN254) {
        BN_copy(k, u);
        BN_mul_word(k, 6);
        BN_add_word(k, 3);
        BN_mul(k, k, u, big_ctx());
        BN_add_word(k, 1);
        BN_mul(k, k, u, big_ctx());
        BN_mul_word(k, 2);
    }
    BN_mul(e, e, k, big_ctx());
    BN_free(p);
    BN_free(r);
    BN_free(k);
    BN_free(u);
    BN_free(rest);
    return e;
}

static void check_final_exp(const cuzk_curve *c, test_rng *rng)
{
    cuzk_gt f, fast, slow;
    memset(&f, 0, sizeof f);
    BIGNUM *p = big_from_limbs(c->p, c->fp_words), *e = final_exponent(c);
    for (unsigned i = 0; i < 12; i++)
        big_operand(f.l + i * c->fp_words, p, c->fp_words, 1000, rng);
    c->gt_one(&slow);
    for (int i = BN_num_bits(e) - 1; i >= 0; i--) {
        c->gt_mul(&slow, &slow, &slow);
        if (BN_is_bit_set(e, i))
            c->gt_mul(&slow, &slow, &f);
    }
    c->final_exp(&fast, &f);
    assert_true(c->gt_equal(&fast, &slow));
    BN_free(p);
    BN_free(e);
}

/* Powers by gt_pow and by repeated multiplication; associativity; the conjugate as inverse. */
static void check_gt(const cuzk_curve *c, test_rng *rng)
{
    cuzk_gt e, power, product, other;
    uint64_t p[CUZK_G1_MAX_WORDS];
    cuzk_scalar k = test_uniform_scalar(c, rng);
    c->g1_mul(p, c->g1_generator, &k);
    pair(c, &e, p, c->g2_generator);
    c->gt_one(&product);
    for (uint64_t i = 0; i < 20; i++) {
        cuzk_scalar small = {{i, 0, 0, 0}};
        c->gt_pow(&power, &e, &small);
        assert_true(c->gt_equal(&power, &product));
        c->gt_mul(&product, &product, &e);
        assert_false(c->gt_equal(&power, &product));
    }
    c->gt_conjugate(&other, &e);
    c->gt_mul(&other, &other, &e);
    c->gt_one(&product);
    assert_true(c->gt_equal(&other, &product));
}

/* Reads a decimal string, or a list of them, into Fp elements one after the other. */
static uint64_t *read_elements(const cuzk_curve *c, uint64_t *out, const json_t *json)
{
    if (json_is_array(json)) {
        for (size_t i = 0; i < json_array_size(json); i++)
            out = read_elements(c, out, json_array_get(json, i));
        return out;
    }
    uint8_t bytes[8 * CUZK_FP_MAX_WORDS];
    BIGNUM *b = NULL;
    assert_true(json_is_string(json));
    assert_int_not_equal(BN_dec2bn(&b, json_string_value(json)), 0);
    assert_int_not_equal(BN_bn2lebinpad(b, bytes, (int)(8 * c->fp_words)), -1);
    assert_true(c->fp_from_le(out, bytes));
    BN_free(b);
    return out + c->fp_words;
}

static const char *const circuits[] = {"multiplier", "nopublic",   "chain5",    "chain6",  "chain7",
                                       "chain30",    "rangecheck", "poseidon2", "merkle20"};

/* vk_alphabeta_12 of snarkjs' verification keys. */
static void check_alphabeta(const cuzk_curve *c, test_rng *rng)
{
    (void)rng;
    for (size_t i = 0; i < sizeof circuits / sizeof circuits[0]; i++) {
        char name[128];
        uint64_t alpha[3 * CUZK_FP_MAX_WORDS], beta[6 * CUZK_FP_MAX_WORDS];
        cuzk_gt expected, found;
        snprintf(name, sizeof name, "circom/%s-%s/verification_key.json", circuits[i], c->name);
        uint8_t *text = test_read_data(name, NULL);
        json_t *vk = json_loads((const char *)text, 0, NULL);
        assert_non_null(vk);
        read_elements(c, alpha, json_object_get(vk, "vk_alpha_1"));
        read_elements(c, beta, json_object_get(vk, "vk_beta_2"));
        memset(&expected, 0, sizeof expected);
        uint64_t *end = read_elements(c, expected.l, json_object_get(vk, "vk_alphabeta_12"));
        assert_ptr_equal(end, expected.l + 12 * c->fp_words);
        pair(c, &found, alpha, beta);
        assert_memory_equal(&found, &expected, sizeof found);
        json_decref(vk);
        free(text);
    }
}

static void bilinear(void **state)
{
    (void)state;
    test_each_curve(check_bilinear, 1);
}

static void products(void **state)
{
    (void)state;
    test_each_curve(check_products, 2);
}

static void final_exponentiation(void **state)
{
    (void)state;
    test_each_curve(check_final_exp, 3);
}

static void target_group(void **state)
{
    (void)state;
    test_each_curve(check_gt, 4);
}

static void snarkjs_alphabeta(void **state)
{
    (void)state;
    test_each_curve(check_alphabeta, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bilinear),
        cmocka_unit_test(products),
        cmocka_unit_test(final_exponentiation),
        cmocka_unit_test(target_group),
        cmocka_unit_test(snarkjs_alphabeta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
