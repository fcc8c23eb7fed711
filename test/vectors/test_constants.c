/* Every constant of the curves, recomputed from its formula or checked by what makes it the one
 * wanted. */
#include "curve/bls12_381.h"
#include "curve/bn254.h"
#include "support/big.h"
#include "support/levels.h"

/* The four fields' own constants. */
#define CHECK_FIELD(field, limbs)                                                                  \
    do {                                                                                           \
        field one, zero;                                                                           \
        field##_canon unit;                                                                        \
        field##_set_one(&one);                                                                     \
        field##_set_zero(&zero);                                                                   \
        field##_to_canon(&unit, &one);                                                             \
        assert_true(unit.l[0] == 1 && unit.l[limbs - 1] == 0);                                     \
        field##_sub(&zero, &zero, &one);                                                           \
        field##_to_canon(&unit, &zero);                                                            \
        BIGNUM *modulus = big_from_limbs(unit.l, limbs), *power = big_from_word(1);                \
        BN_add_word(modulus, 1);                                                                   \
        assert_int_equal(BN_check_prime(modulus, big_ctx(), NULL), 1);                             \
        BN_lshift(power, power, 64 * limbs);                                                       \
        BN_nnmod(power, power, modulus, big_ctx());                                                \
        BIGNUM *found = big_from_limbs(one.l, limbs);                                              \
        assert_int_equal(BN_cmp(found, power), 0);                                                 \
        BN_free(modulus);                                                                          \
        BN_free(power);                                                                            \
        BN_free(found);                                                                            \
    } while (0)

static void fields(void **state)
{
    (void)state;
    CHECK_FIELD(bn254_fp, 4);
    CHECK_FIELD(bn254_fr, 4);
    CHECK_FIELD(bls12_381_fp, 6);
    CHECK_FIELD(bls12_381_fr, 4);
}

/* sum of coefficients[i] x^i, by Horner's rule. */
static BIGNUM *polynomial(const BIGNUM *x, const int *coefficients, int degree)
{
    BIGNUM *sum = BN_new();
    BN_zero(sum);
    for (int i = degree; i >= 0; i--) {
        BN_mul(sum, sum, x, big_ctx());
        if (coefficients[i] >= 0)
            BN_add_word(sum, (BN_ULONG)coefficients[i]);
        else
            BN_sub_word(sum, (BN_ULONG)-coefficients[i]);
    }
    return sum;
}

static void expect_number(const BIGNUM *number, const uint64_t *limbs, size_t n)
{
    BIGNUM *found = big_from_limbs(limbs, n);
    assert_int_equal(BN_cmp(number, found), 0);
    BN_free(found);
}

static void expect_polynomial(const BIGNUM *x, const int *coefficients, int degree,
                              const uint64_t *limbs, size_t n)
{
    BIGNUM *value = polynomial(x, coefficients, degree);
    expect_number(value, limbs, n);
    BN_free(value);
}

static BIGNUM *bls_x(void)
{
    BIGNUM *x = big_from_word(BLS12_381_X_ABS);
    BN_set_negative(x, 1);
    return x;
}

/* r = x^4 - x^2 + 1 and p = (x - 1)^2 r / 3 + x; the cofactor (x - 1)^2 / 3 of G1. */
static void bls12_381_identities(void **state)
{
    (void)state;
    const cuzk_curve *c = cuzk_curve_get(CUZK_BLS12_381);
    BIGNUM *x = bls_x(), *rest = BN_new(), *three = big_from_word(3);
    expect_polynomial(x, (const int[]){1, 0, -1, 0, 1}, 4, c->r.l, 4);
    BIGNUM *cofactor = polynomial(x, (const int[]){1, -2, 1}, 2), *p = BN_new();
    BIGNUM *r = big_from_limbs(c->r.l, 4),
           *known = big_from_hex("396c8c005555e1568c00aaab0000aaab");
    BN_div(cofactor, rest, cofactor, three, big_ctx());
    assert_true(BN_is_zero(rest));
    assert_int_equal(BN_cmp(cofactor, known), 0);
    BN_mul(p, cofactor, r, big_ctx());
    BN_add(p, p, x);
    expect_number(p, c->p, 6);
    assert_int_equal(c->p[0] % 4, 3);
    assert_int_equal(BN_num_bits(r), c->scalar_bits);
    const uint64_t square[2] = BLS12_381_X_SQUARED;
    expect_polynomial(x, (const int[]){0, 0, 1}, 2, square, 2);
    BN_free(x);
    BN_free(rest);
    BN_free(three);
    BN_free(cofactor);
    BN_free(p);
    BN_free(r);
    BN_free(known);
}

static void bn254_identities(void **state)
{
    (void)state;
    const cuzk_curve *c = cuzk_curve_get(CUZK_BN254);
    BIGNUM *u = big_from_word(BN254_U), *r = big_from_limbs(c->r.l, 4);
    const uint64_t a[2] = BN254_GLV_A, b[2] = BN254_GLV_B, c_[2] = BN254_GLV_C;
    const uint64_t eigenvalue[2] = BN254_PSI_EIGENVALUE;
    expect_polynomial(u, (const int[]){1, 6, 24, 36, 36}, 4, c->p, 4);
    expect_polynomial(u, (const int[]){1, 6, 18, 36, 36}, 4, c->r.l, 4);
    expect_polynomial(u, (const int[]){1, 4, 6}, 2, a, 2);
    expect_polynomial(u, (const int[]){1, 2}, 1, b, 2);
    expect_polynomial(u, (const int[]){0, 2, 6}, 2, c_, 2);
    expect_polynomial(u, (const int[]){0, 0, 6}, 2, eigenvalue, 2);
    assert_int_equal(c->p[0] % 4, 3);
    assert_int_equal(BN_num_bits(r), c->scalar_bits);
    /* the lattice: (A, B) and (B, -C) map to 0 mod r with lambda */
    BIGNUM *lambda = polynomial(u, (const int[]){1, 6, 18, 36}, 3);
    BIGNUM *t = big_from_limbs(b, 2), *s = big_from_limbs(a, 2);
    BN_mul(t, t, lambda, big_ctx());
    BN_add(t, t, s);
    BN_nnmod(t, t, r, big_ctx());
    assert_true(BN_is_zero(t));
    BN_lebin2bn((const uint8_t *)c_, 16, t);
    BN_mul(t, t, lambda, big_ctx());
    BN_lebin2bn((const uint8_t *)b, 16, s);
    BN_sub(t, s, t);
    BN_nnmod(t, t, r, big_ctx());
    assert_true(BN_is_zero(t));
    BN_free(u);
    BN_free(r);
    BN_free(lambda);
    BN_free(t);
    BN_free(s);
}

/* The Montgomery constants and generators as the specification prints them. */
static void expect_canonical(const cuzk_curve *c, const uint64_t *fp, const char *hex)
{
    uint64_t value[CUZK_FP_MAX_WORDS];
    uint8_t bytes[8 * CUZK_FP_MAX_WORDS];
    c->fp_to_le(bytes, fp);
    memcpy(value, bytes, 8 * c->fp_words);
    BIGNUM *expected = big_from_hex(hex);
    expect_number(expected, value, c->fp_words);
    BN_free(expected);
}

static void generators(void **state)
{
    (void)state;
    static const char *const bls[] = {
        "17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb"
        "22c6"
        "bb",
        "08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946"
        "c5e7"
        "e1",
        "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c1"
        "21bd"
        "b8",
        "13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d"
        "042b"
        "7e",
        "0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608"
        "b828"
        "01",
        "0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff0"
        "5f79"
        "be",
    };
    static const char *const bn[] = {
        "1",
        "2",
        "1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed",
        "198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2",
        "12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa",
        "090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b",
    };
    for (int id = 0; id < CUZK_CURVES; id++) {
        const cuzk_curve *c = cuzk_curve_get((cuzk_curve_id)id);
        const char *const *known = id == CUZK_BN254 ? bn : bls;
        for (unsigned i = 0; i < 2; i++)
            expect_canonical(c, c->g1_generator + i * c->fp_words, known[i]);
        for (unsigned i = 0; i < 4; i++)
            expect_canonical(c, c->g2_generator + i * c->fp_words, known[2 + i]);
        uint64_t product[CUZK_G2_MAX_WORDS];
        assert_int_equal(c->g1_check(c->g1_generator, true), CUZK_POINT_OK);
        assert_int_equal(c->g2_check(c->g2_generator, true), CUZK_POINT_OK);
        c->g1_mul_any(product, c->g1_generator, &c->r);
        assert_true(cuzk_point_is_infinity(product, c->g1_words));
        c->g2_mul_any(product, c->g2_generator, &c->r);
        assert_true(cuzk_point_is_infinity(product, c->g2_words));
    }
}

/* base^((r-1)/2^s) = root, its order is 2^s exactly. */
static void expect_root(const cuzk_curve *c, const cuzk_fr *root, uint64_t base)
{
    cuzk_scalar s = {{base, 0, 0, 0}}, value;
    cuzk_fr half, minus_one;
    BIGNUM *r = big_from_limbs(c->r.l, 4), *e = BN_dup(r), *b = big_from_limbs(s.l, 4);
    BN_sub_word(e, 1);
    for (unsigned i = 0; i < c->two_adicity; i++) {
        assert_false(BN_is_odd(e));
        BN_rshift1(e, e);
    }
    assert_true(BN_is_odd(e));
    BN_mod_exp(b, b, e, r, big_ctx());
    c->fr_to_scalar(&value, root);
    expect_number(b, value.l, 4);
    c->fr_pow(&half, root, (uint64_t)1 << (c->two_adicity - 1));
    c->fr_neg(&minus_one, &c->fr_one);
    assert_memory_equal(&half, &minus_one, sizeof half);
    BN_free(r);
    BN_free(e);
    BN_free(b);
}

static void expect_small(const cuzk_curve *c, const cuzk_fr *a, uint64_t value)
{
    cuzk_scalar s;
    c->fr_to_scalar(&s, a);
    assert_true(s.l[0] == value && (s.l[1] | s.l[2] | s.l[3]) == 0);
}

static void roots_of_unity(void **state)
{
    (void)state;
    for (int id = 0; id < CUZK_CURVES; id++) {
        const cuzk_curve *c = cuzk_curve_get((cuzk_curve_id)id);
        expect_root(c, &c->root_iden3, 5);
        expect_root(c, &c->root_zcash, 7);
        expect_small(c, &c->fr_one, 1);
        expect_small(c, &c->coset_zcash, 7);
        expect_small(c, &c->coset_iden3_max, 25);
        /* 5 is the smallest non-residue, which is how snarkjs finds it */
        BIGNUM *r = big_from_limbs(c->r.l, 4), *n = BN_new();
        for (BN_ULONG i = 2; i <= 5; i++) {
            BN_set_word(n, i);
            assert_int_equal(BN_kronecker(n, r, big_ctx()), i < 5 ? 1 : -1);
        }
        BN_free(r);
        BN_free(n);
    }
    const cuzk_curve *bls = cuzk_curve_get(CUZK_BLS12_381);
    cuzk_fr power;
    bls->fr_pow(&power, &bls->root_iden3, 192310269);
    assert_memory_equal(&power, &bls->root_zcash, sizeof power);
    cuzk_scalar value;
    static const char *const known[] = {
        "16a2a19edfe81f20d09b681922c813b4b63683508c2280b93829971f439f0d2b",
        "0212d79e5b416b6f0fd56dc8d168d6c0c4024ff270b3e0941b788f500b912f1f"};
    for (int i = 0; i < 2; i++) {
        BIGNUM *expected = big_from_hex(known[i]);
        bls->fr_to_scalar(&value, i == 0 ? &bls->root_zcash : &bls->root_iden3);
        expect_number(expected, value.l, 4);
        BN_free(expected);
    }
}

/* 7 generates Fr* of BLS12-381, and 5 that of BN254: no power (r-1)/q is 1. */
static void multiplicative_generators(void **state)
{
    (void)state;
    static const char *const factors[2][13] = {
        {"2", "3", "13", "29", "983", "11003", "237073", "405928799", "1670836401704629",
         "13818364434197438864469338081"},
        {"2", "3", "11", "19", "10177", "125527", "859267", "906349", "2508409", "2529403",
         "52437899", "254760293"}};
    for (int id = 0; id < CUZK_CURVES; id++) {
        const cuzk_curve *c = cuzk_curve_get((cuzk_curve_id)id);
        BIGNUM *r = big_from_limbs(c->r.l, 4), *order = BN_dup(r), *left = NULL, *e = BN_new();
        BIGNUM *base = big_from_word(id == CUZK_BN254 ? 5 : 7), *rest = BN_new(), *q = NULL;
        BN_sub_word(order, 1);
        left = BN_dup(order);
        for (int i = 0; factors[id][i] != NULL; i++) {
            assert_int_not_equal(BN_dec2bn(&q, factors[id][i]), 0);
            assert_int_equal(BN_check_prime(q, big_ctx(), NULL), 1);
            BN_div(e, rest, order, q, big_ctx());
            assert_true(BN_is_zero(rest));
            BN_mod_exp(e, base, e, r, big_ctx());
            assert_false(BN_is_one(e));
            while (BN_div(e, rest, left, q, big_ctx()) && BN_is_zero(rest))
                BN_copy(left, e);
        }
        assert_true(BN_is_one(left)); /* these are all the prime factors */
        BN_free(r);
        BN_free(order);
        BN_free(left);
        BN_free(e);
        BN_free(base);
        BN_free(rest);
        BN_free(q);
    }
}

/* #E2 = r times the cofactor: the cofactor brings every point of the twist into the subgroup. */
static void twist_cofactors(void **state)
{
    (void)state;
    static const char *const cofactors[] = {
        "30644e72e131a029b85045b68181585e06ceecda572a2489345f2299c0f9fa8d",
        "5d543a95414e7f1091d50792876a202cd91de4547085abaa68a205b2e5a7ddfa628f1cb4d9e82ef21537e293a6"
        "691a"
        "e1616ec6e786f0c70cf1c38e31c7238e5"};
    for (int id = 0; id < CUZK_CURVES; id++) {
        const cuzk_curve *c = cuzk_curve_get((cuzk_curve_id)id);
        uint64_t point[CUZK_G2_MAX_WORDS], product[CUZK_G2_MAX_WORDS] = {0};
        uint8_t bytes[4 * CUZK_G2_MAX_WORDS] = {0};
        BIGNUM *cofactor = big_from_hex(cofactors[id]);
        while (c->g2_decode(point, bytes, CUZK_ENC_IDEN3_C, false) != CUZK_POINT_OK)
            bytes[4 * c->g2_words - 1]++;
        assert_int_equal(c->g2_check(point, true), CUZK_POINT_NOT_IN_SUBGROUP);
        for (int i = BN_num_bits(cofactor) - 1; i >= 0; i--) {
            c->g2_add(product, product, product);
            if (BN_is_bit_set(cofactor, i))
                c->g2_add(product, product, point);
        }
        assert_false(cuzk_point_is_infinity(product, c->g2_words));
        c->g2_mul_any(product, product, &c->r);
        assert_true(cuzk_point_is_infinity(product, c->g2_words));
        BN_free(cofactor);
    }
}

/* beta and psi: they act on the groups as the numbers that the code multiplies by. */
static void endomorphisms(void **state)
{
    (void)state;
    static const char *const bn_lambda = "b3c4d79d41a917585bfc41088d8daaa78b17ea66b99c90dd";
    const uint64_t eigenvalue[4] = {0xf83e9682e87cfd46, 0x6f4d8248eeb859fb, 0, 0};
    bn254_g1_affine p, image, expected;
    bn254_g2_affine q, psi_q, expected_q;
    bn254_g1 t;
    bn254_g2 t2;
    const uint64_t g1[] = BN254_G1_GENERATOR, g2[] = BN254_G2_GENERATOR;
    const bn254_fp beta = BN254_BETA;
    uint64_t k[4];
    BIGNUM *lambda = big_from_hex(bn_lambda);
    big_to_limbs(k, lambda, 4);
    BN_free(lambda);
    bn254_g1_load(&p, g1);
    bn254_g1_mul_any_var(&t, &p, k);
    bn254_g1_to_affine_var(&expected, &t);
    bn254_fp_mul(&image.x, &p.x, &beta);
    assert_memory_equal(&image.x, &expected.x, sizeof beta);
    assert_memory_equal(&p.y, &expected.y, sizeof beta);
    bn254_g2_load(&q, g2);
    bn254_g2_mul_any_var(&t2, &q, eigenvalue);
    bn254_g2_to_affine_var(&expected_q, &t2);
    bn254_g2_affine_psi(&psi_q, &q);
    assert_memory_equal(&psi_q, &expected_q, sizeof q);

    bls12_381_g1_affine bp, bimage, bexpected;
    bls12_381_g2_affine bq, bpsi, bexpected_q;
    bls12_381_g1 bt;
    bls12_381_g2 bt2;
    const uint64_t b1[] = BLS12_381_G1_GENERATOR, b2[] = BLS12_381_G2_GENERATOR;
    const uint64_t square[4] = {0x0000000100000000, 0xac45a4010001a402, 0, 0};
    const uint64_t x[4] = {BLS12_381_X_ABS, 0, 0, 0};
    bls12_381_g1_load(&bp, b1);
    bls12_381_g1_mul_any_var(&bt, &bp, square);
    bls12_381_g1_neg(&bt, &bt);
    bls12_381_g1_to_affine_var(&bexpected, &bt);
    bls12_381_g1_affine_phi(&bimage, &bp);
    assert_memory_equal(&bimage, &bexpected, sizeof bp);
    bls12_381_g2_load(&bq, b2);
    bls12_381_g2_mul_any_var(&bt2, &bq, x);
    bls12_381_g2_neg(&bt2, &bt2);
    bls12_381_g2_to_affine_var(&bexpected_q, &bt2);
    bls12_381_g2_affine_psi(&bpsi, &bq);
    assert_memory_equal(&bpsi, &bexpected_q, sizeof bq);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields),           cmocka_unit_test(bls12_381_identities),
        cmocka_unit_test(bn254_identities), cmocka_unit_test(generators),
        cmocka_unit_test(roots_of_unity),   cmocka_unit_test(multiplicative_generators),
        cmocka_unit_test(twist_cofactors),  cmocka_unit_test(endomorphisms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
