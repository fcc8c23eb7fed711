/* Checks of one field against big numbers: text that is compiled once per field. Before including,
 * define FIELD and FIELD_LIMBS as the field's header did. */

#define F(name) CUZK_NAME(FIELD, name)

static BIGNUM *F(modulus)(void)
{
    FIELD one, minus_one;
    F(canon) c;
    F(set_one)(&one);
    F(neg)(&minus_one, &one);
    F(to_canon)(&c, &minus_one);
    BIGNUM *p = big_from_limbs(c.l, FIELD_LIMBS);
    BN_add_word(p, 1);
    return p;
}

/* The value of a, and with it that a is below the modulus. */
static BIGNUM *F(value)(const FIELD *a)
{
    F(canon) c;
    assert_true(F(limbs_valid)(a->l));
    F(to_canon)(&c, a);
    assert_true(F(limbs_valid)(c.l));
    return big_from_limbs(c.l, FIELD_LIMBS);
}

static void F(expect)(const FIELD *a, BIGNUM *expected)
{
    BIGNUM *found = F(value)(a);
    assert_int_equal(BN_cmp(found, expected), 0);
    BN_free(found);
}

static void F(check_pair)(const F(canon) * ca, const F(canon) * cb, const BIGNUM *p)
{
    FIELD a, b, r;
    BIGNUM *x = big_from_limbs(ca->l, FIELD_LIMBS), *y = big_from_limbs(cb->l, FIELD_LIMBS);
    BIGNUM *z = BN_new();
    F(from_canon)(&a, ca);
    F(from_canon)(&b, cb);
    F(expect)(&a, x);
    F(add)(&r, &a, &b);
    BN_mod_add(z, x, y, p, big_ctx());
    F(expect)(&r, z);
    F(sub)(&r, &a, &b);
    BN_mod_sub(z, x, y, p, big_ctx());
    F(expect)(&r, z);
    F(mul)(&r, &a, &b);
    BN_mod_mul(z, x, y, p, big_ctx());
    F(expect)(&r, z);
    assert_int_equal(F(equal)(&a, &b), BN_cmp(x, y) == 0);

    r = a; /* outputs may be inputs */
    F(mul)(&r, &r, &b);
    F(expect)(&r, z);
    r = b;
    F(mul)(&r, &a, &r);
    F(expect)(&r, z);
    r = a;
    F(cmov)(&r, &b, false);
    assert_true(F(equal)(&r, &a));
    F(cmov)(&r, &b, true);
    assert_true(F(equal)(&r, &b));
    BN_free(x);
    BN_free(y);
    BN_free(z);
}

static void F(check_one)(const F(canon) * ca, const BIGNUM *p)
{
    FIELD a, r;
    uint8_t bytes[8 * FIELD_LIMBS], expected[8 * FIELD_LIMBS];
    BIGNUM *x = big_from_limbs(ca->l, FIELD_LIMBS), *z = BN_new(), *half = BN_new();
    F(from_canon)(&a, ca);
    assert_int_equal(F(is_zero)(&a), BN_is_zero(x));
    F(sqr)(&r, &a);
    BN_mod_sqr(z, x, p, big_ctx());
    F(expect)(&r, z);
    F(dbl)(&r, &a);
    BN_mod_lshift1(z, x, p, big_ctx());
    F(expect)(&r, z);
    F(neg)(&r, &a);
    BN_zero(z);
    BN_mod_sub(z, z, x, p, big_ctx());
    F(expect)(&r, z);
    F(cneg)(&r, &a, true);
    F(expect)(&r, z);
    F(cneg)(&r, &a, false);
    F(expect)(&r, x);
    if (BN_is_zero(x))
        BN_zero(z);
    else
        assert_non_null(BN_mod_inverse(z, x, p, big_ctx()));
    F(inv_var)(&r, &a);
    F(expect)(&r, z);
    BN_rshift1(half, p);
    assert_int_equal(F(is_larger)(&a), BN_cmp(x, half) > 0);

    F(to_be)(bytes, &a);
    BN_bn2binpad(x, expected, sizeof expected);
    assert_memory_equal(bytes, expected, sizeof bytes);
    assert_true(F(from_be)(&r, bytes));
    assert_true(F(equal)(&r, &a));
    F(to_le)(bytes, &a);
    BN_bn2lebinpad(x, expected, sizeof expected);
    assert_memory_equal(bytes, expected, sizeof bytes);
    assert_true(F(from_le)(&r, bytes));
    assert_true(F(equal)(&r, &a));
    BN_free(x);
    BN_free(z);
    BN_free(half);
}

/* Powers, and square roots where p = 3 mod 4. */
static void F(check_powers)(const F(canon) * ca, const F(canon) * ce, const BIGNUM *p)
{
    FIELD a, r, square;
    BIGNUM *x = big_from_limbs(ca->l, FIELD_LIMBS), *e = big_from_limbs(ce->l, FIELD_LIMBS);
    BIGNUM *z = BN_new();
    F(from_canon)(&a, ca);
    F(pow_var)(&r, &a, ce->l, FIELD_LIMBS);
    BN_mod_exp(z, x, e, p, big_ctx());
    F(expect)(&r, z);
    if (BN_is_bit_set(p, 1)) {
        r = a;
        int symbol = BN_kronecker(x, p, big_ctx());
        assert_int_equal(F(sqrt_var)(&r, &a), symbol >= 0);
        F(sqr)(&square, &r);
        assert_true(symbol >= 0 ? F(equal)(&square, &a) : F(equal)(&r, &a));
    }
    BN_free(x);
    BN_free(e);
    BN_free(z);
}

/* Values at and above the modulus are not accepted, and leave zero. */
static void F(check_bounds)(const BIGNUM *p)
{
    uint8_t bytes[8 * FIELD_LIMBS];
    BIGNUM *z = BN_dup(p);
    FIELD r;
    for (int i = 0; i < 3; i++) {
        if (i == 2) /* all ones */
            BN_lshift(z, BN_value_one(), 64 * FIELD_LIMBS), BN_sub_word(z, 1);
        F(set_one)(&r);
        BN_bn2binpad(z, bytes, sizeof bytes);
        assert_false(F(from_be)(&r, bytes));
        assert_true(F(is_zero)(&r));
        F(set_one)(&r);
        BN_bn2lebinpad(z, bytes, sizeof bytes);
        assert_false(F(from_le)(&r, bytes));
        assert_true(F(is_zero)(&r));
        BN_add_word(z, 1);
    }
    BN_free(z);
}

static void F(test)(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(FIELD_LIMBS);
    BIGNUM *p = F(modulus)();
    F(canon) a, b;
    F(check_bounds)(p);
    for (unsigned i = 0; i < BIG_EDGES(FIELD_LIMBS); i++) {
        big_operand(a.l, p, FIELD_LIMBS, i, &rng);
        F(check_one)(&a, p);
        for (unsigned j = 0; j < BIG_EDGES(FIELD_LIMBS); j++) {
            big_operand(b.l, p, FIELD_LIMBS, j, &rng);
            F(check_pair)(&a, &b, p);
        }
    }
    for (int i = 0; i < 1000; i++) {
        big_operand(a.l, p, FIELD_LIMBS, 1000, &rng);
        big_operand(b.l, p, FIELD_LIMBS, 1000, &rng);
        F(check_pair)(&a, &b, p);
        F(check_one)(&a, p);
        if (i < 50)
            F(check_powers)(&a, &b, p);
    }
    BN_free(p);
}

#undef F
#undef FIELD
#undef FIELD_LIMBS
