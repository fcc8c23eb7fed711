/* The functions of cuzk_curve for Fr, G1 and G2, on every level. */
#include "support/big.h"
#include "support/levels.h"

/* k a by doubling and adding, one bit at a time. */
static void multiply_slowly(const test_group *g, uint64_t *r, const uint64_t *a,
                            const cuzk_scalar *k)
{
    uint64_t sum[CUZK_G2_MAX_WORDS] = {0};
    for (int i = 255; i >= 0; i--) {
        g->add(sum, sum, sum);
        if (k->l[i / 64] >> (i % 64) & 1)
            g->add(sum, sum, a);
    }
    memcpy(r, sum, 8 * g->words);
}

static void expect_same(const test_group *g, const uint64_t *a, const uint64_t *b)
{
    assert_memory_equal(a, b, 8 * g->words);
}

static void check_scalar(const test_group *g, const uint64_t *point, const cuzk_scalar *k)
{
    uint64_t expected[CUZK_G2_MAX_WORDS], found[CUZK_G2_MAX_WORDS];
    multiply_slowly(g, expected, point, k);
    g->mul(found, point, k);
    expect_same(g, found, expected);
    g->mul_any(found, point, k);
    expect_same(g, found, expected);
    g->mul_secret(found, point, k);
    expect_same(g, found, expected);
    assert_int_equal(g->check(found, true), CUZK_POINT_OK);
    memcpy(found, point, 8 * g->words); /* the output may be the input */
    g->mul(found, found, k);
    expect_same(g, found, expected);
}

static void check_scalars(const test_group *g, test_rng *rng)
{
    uint64_t point[CUZK_G2_MAX_WORDS], zero[CUZK_G2_MAX_WORDS] = {0};
    cuzk_scalar k = test_uniform_scalar(g->curve, rng);
    BIGNUM *r = big_from_limbs(g->curve->r.l, 4);
    g->mul_any(point, g->generator, &k);
    for (unsigned i = 0; i < BIG_EDGES(4) + 12; i++) {
        big_operand(k.l, r, 4, i, rng);
        check_scalar(g, point, &k);
    }
    /* The endomorphisms' own numbers, where the split scalars are smallest or largest. */
    static const char *const splits[] = {
        "d201000000010000",
        "ac45a4010001a4020000000100000000",
        "ac45a4010001a401ffffffff00000000",
        "44e992b44a6909f1",
        "6f4d8248eeb859fbf83e9682e87cfd46",
        "b3c4d79d41a917585bfc41088d8daaa78b17ea66b99c90dd",
    };
    for (size_t i = 0; i < sizeof splits / sizeof splits[0]; i++) {
        BIGNUM *split = big_from_hex(splits[i]);
        for (int j = 0; j < 3; j++) {
            BN_sub_word(split, j == 0 ? 1 : 0);
            big_to_limbs(k.l, split, 4);
            check_scalar(g, point, &k);
            BN_add_word(split, 1);
        }
        BN_mod_sub(split, r, split, r, big_ctx());
        big_to_limbs(k.l, split, 4);
        check_scalar(g, point, &k);
        BN_free(split);
    }
    k = test_uniform_scalar(g->curve, rng);
    check_scalar(g, zero, &k);
    g->mul_any(point, point, &g->curve->r);
    assert_true(cuzk_point_is_infinity(point, g->words));
    BN_free(r);
}

static void check_group_law(const test_group *g, test_rng *rng)
{
    uint64_t a[CUZK_G2_MAX_WORDS], b[CUZK_G2_MAX_WORDS], c[CUZK_G2_MAX_WORDS];
    uint64_t left[CUZK_G2_MAX_WORDS], right[CUZK_G2_MAX_WORDS], zero[CUZK_G2_MAX_WORDS] = {0};
    cuzk_scalar k = test_uniform_scalar(g->curve, rng), two = {{2, 0, 0, 0}};
    g->mul_any(a, g->generator, &k);
    k = test_uniform_scalar(g->curve, rng);
    g->mul_any(b, g->generator, &k);
    k = test_uniform_scalar(g->curve, rng);
    g->mul_any(c, g->generator, &k);
    g->add(left, a, b);
    g->add(right, b, a);
    expect_same(g, left, right);
    g->add(left, left, c);
    g->add(right, b, c);
    g->add(right, a, right);
    expect_same(g, left, right);
    g->add(left, a, a);
    g->mul_any(right, a, &two);
    expect_same(g, left, right);
    g->add(left, a, zero);
    expect_same(g, left, a);
    g->add(left, zero, a);
    expect_same(g, left, a);
    g->neg(right, a);
    assert_memory_not_equal(right, a, 8 * g->words);
    g->add(left, a, right);
    assert_true(cuzk_point_is_infinity(left, g->words));
    g->neg(left, zero);
    assert_true(cuzk_point_is_infinity(left, g->words));
    g->add(left, zero, zero);
    assert_true(cuzk_point_is_infinity(left, g->words));
}

/* The point with the smallest x from *x on (c1 of x is 0 in G2); *x becomes the next one to try. */
static void curve_point(const test_group *g, uint64_t *r, uint8_t *x)
{
    uint8_t bytes[CUZK_G2_MAX_WORDS * 4] = {0};
    do {
        bytes[4 * g->words - 1] = (*x)++;
        assert_int_not_equal(*x, 0);
    } while (g->decode(r, bytes, CUZK_ENC_IDEN3_C, false) != CUZK_POINT_OK);
}

/* Membership by the endomorphism is membership by the order. */
static void check_subgroup(const test_group *g)
{
    uint8_t x = 0;
    bool cofactor_1 = g->curve->id == CUZK_BN254 && g->group == CUZK_G1;
    for (int i = 0; i < 12; i++) {
        uint64_t point[CUZK_G2_MAX_WORDS], product[CUZK_G2_MAX_WORDS];
        curve_point(g, point, &x);
        g->mul_any(product, point, &g->curve->r);
        bool inside = cuzk_point_is_infinity(product, g->words);
        assert_int_equal(inside, cofactor_1);
        assert_int_equal(g->check(point, false), CUZK_POINT_OK);
        assert_int_equal(g->check(point, true),
                         inside ? CUZK_POINT_OK : CUZK_POINT_NOT_IN_SUBGROUP);
        g->add(point, point, g->generator);
        assert_int_equal(g->check(point, true),
                         inside ? CUZK_POINT_OK : CUZK_POINT_NOT_IN_SUBGROUP);
        /* mul_any and mul_secret take such points */
        cuzk_scalar k = g->curve->r;
        k.l[0] -= (uint64_t)i;
        multiply_slowly(g, product, point, &k);
        uint64_t found[CUZK_G2_MAX_WORDS];
        g->mul_any(found, point, &k);
        expect_same(g, found, product);
        g->mul_secret(found, point, &k);
        expect_same(g, found, product);
    }
}

static void check_checks(const test_group *g)
{
    unsigned coordinates = g->words / g->curve->fp_words;
    uint64_t point[CUZK_G2_MAX_WORDS] = {0};
    assert_int_equal(g->check(point, true), CUZK_POINT_OK);
    for (unsigned i = 0; i < coordinates; i++) {
        uint64_t *c = point + i * g->curve->fp_words;
        memcpy(point, g->generator, 8 * g->words);
        assert_int_equal(g->check(point, true), CUZK_POINT_OK);
        c[0] ^= 1;
        assert_int_equal(g->check(point, true), CUZK_POINT_NOT_ON_CURVE);
        memcpy(c, g->curve->p, 8 * g->curve->fp_words);
        assert_int_equal(g->check(point, false), CUZK_POINT_NOT_CANONICAL);
        memset(point, 0, sizeof point);
        memcpy(c, g->curve->p, 8 * g->curve->fp_words); /* not another infinity */
        assert_int_equal(g->check(point, false), CUZK_POINT_NOT_CANONICAL);
        memset(c, 0xff, 8 * g->curve->fp_words);
        assert_int_equal(g->check(point, false), CUZK_POINT_NOT_CANONICAL);
    }
}

static void check_groups(const cuzk_curve *curve, test_rng *rng)
{
    for (int i = 0; i < 2; i++) {
        test_group g = test_group_of(curve, (cuzk_group)i);
        check_scalars(&g, rng);
        check_group_law(&g, rng);
        check_subgroup(&g);
        check_checks(&g);
    }
}

static void expect_fr(const cuzk_curve *c, const cuzk_fr *a, const BIGNUM *expected)
{
    cuzk_scalar s;
    c->fr_to_scalar(&s, a);
    assert_true(c->scalar_is_canonical(&s));
    BIGNUM *found = big_from_limbs(s.l, 4);
    assert_int_equal(BN_cmp(found, expected), 0);
    BN_free(found);
}

static void check_fr_pair(const cuzk_curve *c, const cuzk_scalar *sa, const cuzk_scalar *sb,
                          const BIGNUM *r)
{
    cuzk_fr a, b, f;
    BIGNUM *x = big_from_limbs(sa->l, 4), *y = big_from_limbs(sb->l, 4), *z = BN_new();
    BIGNUM *e = big_from_word(sb->l[0]);
    assert_true(c->scalar_is_canonical(sa));
    c->fr_from_scalar(&a, sa);
    c->fr_from_scalar(&b, sb);
    c->fr_add(&f, &a, &b);
    BN_mod_add(z, x, y, r, big_ctx());
    expect_fr(c, &f, z);
    c->fr_sub(&f, &a, &b);
    BN_mod_sub(z, x, y, r, big_ctx());
    expect_fr(c, &f, z);
    c->fr_mul(&f, &a, &b);
    BN_mod_mul(z, x, y, r, big_ctx());
    expect_fr(c, &f, z);
    c->fr_neg(&f, &a);
    BN_zero(z);
    BN_mod_sub(z, z, x, r, big_ctx());
    expect_fr(c, &f, z);
    c->fr_pow(&f, &a, sb->l[0]);
    BN_mod_exp(z, x, e, r, big_ctx());
    expect_fr(c, &f, z);
    c->fr_inv(&f, &a);
    BN_zero(z);
    if (!BN_is_zero(x))
        BN_mod_inverse(z, x, r, big_ctx());
    expect_fr(c, &f, z);
    BN_free(x);
    BN_free(y);
    BN_free(z);
    BN_free(e);
}

static void check_fr(const cuzk_curve *c, test_rng *rng)
{
    BIGNUM *r = big_from_limbs(c->r.l, 4), *one = big_from_word(1);
    cuzk_scalar a, b;
    for (unsigned i = 0; i < BIG_EDGES(4) + 20; i++) {
        for (unsigned j = 0; j < BIG_EDGES(4) + 4; j++) {
            big_operand(a.l, r, 4, i, rng);
            big_operand(b.l, r, 4, j, rng);
            check_fr_pair(c, &a, &b, r);
        }
    }
    expect_fr(c, &c->fr_one, one);
    a = c->r;
    assert_false(c->scalar_is_canonical(&a));
    a.l[0] -= 1;
    assert_true(c->scalar_is_canonical(&a));
    memset(&a, 0xff, sizeof a);
    assert_false(c->scalar_is_canonical(&a));
    BN_free(r);
    BN_free(one);
}

static void check_wide(const cuzk_curve *c, test_rng *rng)
{
    BIGNUM *r = big_from_limbs(c->r.l, 4);
    for (int i = 0; i < 200; i++) {
        uint64_t wide[8];
        uint8_t bytes[64];
        cuzk_scalar k;
        test_rng_bytes(rng, wide, sizeof wide);
        if (i < 2)
            memset(wide, i == 0 ? 0 : 0xff, sizeof wide);
        BIGNUM *x = big_from_limbs(wide, 8);
        BN_bn2lebinpad(x, bytes, sizeof bytes);
        c->scalar_from_wide(&k, bytes);
        BN_nnmod(x, x, r, big_ctx());
        BIGNUM *found = big_from_limbs(k.l, 4);
        assert_int_equal(BN_cmp(found, x), 0);
        BN_free(found);
        BN_free(x);
    }
    BN_free(r);
}

static void check_fp_bytes(const cuzk_curve *c, test_rng *rng)
{
    size_t bytes = 8 * c->fp_words;
    BIGNUM *p = big_from_limbs(c->p, c->fp_words);
    for (unsigned i = 0; i < 60; i++) {
        uint64_t value[CUZK_FP_MAX_WORDS], fp[CUZK_FP_MAX_WORDS];
        uint8_t in[8 * CUZK_FP_MAX_WORDS], out[8 * CUZK_FP_MAX_WORDS];
        big_operand(value, p, c->fp_words, i, rng);
        BIGNUM *x = big_from_limbs(value, c->fp_words);
        BN_bn2lebinpad(x, in, (int)bytes);
        assert_true(c->fp_from_le(fp, in));
        c->fp_to_le(out, fp);
        assert_memory_equal(in, out, bytes);
        BN_lshift(x, x, (int)(8 * bytes)); /* Montgomery form */
        BN_nnmod(x, x, p, big_ctx());
        big_to_limbs(value, x, c->fp_words);
        assert_memory_equal(value, fp, bytes);
        BN_free(x);
    }
    uint64_t fp[CUZK_FP_MAX_WORDS];
    uint8_t in[8 * CUZK_FP_MAX_WORDS];
    BN_bn2lebinpad(p, in, (int)bytes);
    assert_false(c->fp_from_le(fp, in));
    memset(in, 0xff, sizeof in);
    assert_false(c->fp_from_le(fp, in));
    BN_free(p);
}

static void check_field(const cuzk_curve *curve, test_rng *rng)
{
    check_fr(curve, rng);
    check_wide(curve, rng);
    check_fp_bytes(curve, rng);
}

static void groups(void **state)
{
    (void)state;
    test_each_curve(check_groups, 1);
}

static void fields(void **state)
{
    (void)state;
    test_each_curve(check_field, 2);
}

static void selection(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int id;
    } names[] = {
        {"bn128", CUZK_BN254},
        {"BN254", CUZK_BN254},
        {"alt-bn128", CUZK_BN254},
        {"bls12381", CUZK_BLS12_381},
        {"BLS12-381", CUZK_BLS12_381},
        {"bls12_381", CUZK_BLS12_381},
        {"bls12-377", -1},
        {"", -1},
        {"bn", -1},
        {"bn2545", -1},
        {"bls12381x", -1},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const cuzk_curve *curve = cuzk_curve_by_name(names[i].name);
        assert_int_equal(curve == NULL ? -1 : (int)curve->id, names[i].id);
    }
    for (int id = 0; id < CUZK_CURVES; id++) {
        const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)id);
        uint8_t bytes[64] = {0};
        assert_int_equal(curve->id, id);
        memcpy(bytes, curve->p, 8 * curve->fp_words);
        assert_ptr_equal(cuzk_curve_by_p(bytes, 8 * curve->fp_words), curve);
        assert_ptr_equal(cuzk_curve_by_p(bytes, 64), curve);
        assert_null(cuzk_curve_by_p(bytes, 8 * curve->fp_words - 1));
        assert_null(cuzk_curve_by_p(bytes, 0));
        assert_null(cuzk_curve_by_r(bytes, 64));
        bytes[63] = 1;
        assert_null(cuzk_curve_by_p(bytes, 64));
        memset(bytes, 0, sizeof bytes);
        memcpy(bytes, curve->r.l, 32);
        assert_ptr_equal(cuzk_curve_by_r(bytes, 32), curve);
        assert_null(cuzk_curve_by_p(bytes, 32));
    }
}

static void status_texts(void **state)
{
    (void)state;
    for (int i = CUZK_POINT_OK; i <= CUZK_POINT_NOT_IN_SUBGROUP; i++) {
        for (int j = CUZK_POINT_OK; j < i; j++)
            assert_string_not_equal(cuzk_point_status_text((cuzk_point_status)i),
                                    cuzk_point_status_text((cuzk_point_status)j));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups),
        cmocka_unit_test(fields),
        cmocka_unit_test(selection),
        cmocka_unit_test(status_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
