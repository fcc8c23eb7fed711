/* Part of field_mul_tmpl.h: products before their reduction, so that a sum of products is reduced
 * once. FIELD_wide holds a number below R^2; where products of elements below p are summed, below
 * p R, which is what a reduction takes. As p < R/2, that is room for two products. */

typedef struct F(wide) {
    uint64_t l[2 * FIELD_LIMBS];
} F(wide);

/* r = a + b, not reduced: below R, but no element. Only for mul, mul_wide: as a factor, of mul the
 * second.
 */
CUZK_HD void F(add_loose)(FIELD *r, const FIELD *a, const FIELD *b)
{
#ifdef FIELD_PTX
    uint64_t t[FIELD_LIMBS];
    cuzk_ptx_add(FIELD_LIMBS, t, a->l, b->l);
    for (int i = 0; i < FIELD_LIMBS; i++)
        r->l[i] = t[i];
#else
    uint64_t carry = 0;
    for (int i = 0; i < FIELD_LIMBS; i++)
        carry = F(add_limb)(&r->l[i], a->l[i], b->l[i], carry);
#endif
}

/* r = a b. The limbs of both may be any number below R. */
CUZK_HD void F(mul_wide)(F(wide) * r, const FIELD *a, const FIELD *b)
{
#ifdef FIELD_PTX
    cuzk_ptx_mul_wide(2 * FIELD_LIMBS, r->l, a->l, b->l);
#else
    uint64_t t[2 * FIELD_LIMBS] = {0};
    for (int i = 0; i < FIELD_LIMBS; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < FIELD_LIMBS; j++) {
            cuzk_u128 sum = (cuzk_u128)a->l[j] * b->l[i] + t[i + j] + carry;
            t[i + j] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        t[i + FIELD_LIMBS] = carry;
    }
    for (int i = 0; i < 2 * FIELD_LIMBS; i++)
        r->l[i] = t[i];
#endif
}

/* r = a + b; the sum is below R^2. */
CUZK_HD void F(wide_add)(F(wide) * r, const F(wide) * a, const F(wide) * b)
{
#ifdef FIELD_PTX
    uint64_t low[FIELD_LIMBS], high[FIELD_LIMBS];
    uint32_t carry = cuzk_ptx_add_out(FIELD_LIMBS, low, a->l, b->l);
    cuzk_ptx_add_in(FIELD_LIMBS, high, a->l + FIELD_LIMBS, b->l + FIELD_LIMBS, carry);
    for (int i = 0; i < FIELD_LIMBS; i++) {
        r->l[i] = low[i];
        r->l[i + FIELD_LIMBS] = high[i];
    }
#else
    uint64_t carry = 0;
    for (int i = 0; i < 2 * FIELD_LIMBS; i++)
        carry = F(add_limb)(&r->l[i], a->l[i], b->l[i], carry);
#endif
}

/* r = a - b modulo R^2; returns all ones if a < b, else 0. */
CUZK_HD uint64_t F(wide_sub)(F(wide) * r, const F(wide) * a, const F(wide) * b)
{
#ifdef FIELD_PTX
    uint64_t low[FIELD_LIMBS], high[FIELD_LIMBS];
    uint32_t borrow = cuzk_ptx_sub(FIELD_LIMBS, low, a->l, b->l);
    borrow = cuzk_ptx_sub_in(FIELD_LIMBS, high, a->l + FIELD_LIMBS, b->l + FIELD_LIMBS, borrow);
    for (int i = 0; i < FIELD_LIMBS; i++) {
        r->l[i] = low[i];
        r->l[i + FIELD_LIMBS] = high[i];
    }
    return (uint64_t)borrow << 32 | borrow;
#else
    uint64_t borrow = 0;
    for (int i = 0; i < 2 * FIELD_LIMBS; i++)
        borrow = F(sub_limb)(&r->l[i], a->l[i], b->l[i], borrow);
    return 0 - borrow;
#endif
}

/* r = a - b, or a - b + p R where that is negative; both are below p R. */
CUZK_HD void F(wide_sub_mod)(F(wide) * r, const F(wide) * a, const F(wide) * b)
{
    const uint64_t p[FIELD_LIMBS] = FIELD_MODULUS;
    FIELD high, masked;
    uint64_t mask = F(wide_sub)(r, a, b);
    for (int i = 0; i < FIELD_LIMBS; i++) {
        masked.l[i] = p[i] & mask;
        high.l[i] = r->l[i + FIELD_LIMBS];
    }
    F(add_loose)(&high, &high, &masked);
    for (int i = 0; i < FIELD_LIMBS; i++)
        r->l[i + FIELD_LIMBS] = high.l[i];
}

/* r = a / R mod p; a < p R. */
CUZK_HD void F(wide_reduce)(FIELD *r, const F(wide) * a)
{
    const uint64_t p[FIELD_LIMBS] = FIELD_MODULUS;
    uint64_t t[FIELD_LIMBS];
#ifdef FIELD_PTX
    cuzk_ptx_reduce_wide(2 * FIELD_LIMBS, t, a->l, p, FIELD_N0);
#else
    uint64_t carry = 0;
    for (int i = 0; i < FIELD_LIMBS; i++)
        t[i] = a->l[i];
    for (int i = 0; i < FIELD_LIMBS; i++) {
        uint64_t m = t[0] * FIELD_N0;
        cuzk_u128 sum = (cuzk_u128)m * p[0] + t[0];
        for (int j = 1; j < FIELD_LIMBS; j++) {
            sum = (cuzk_u128)m * p[j] + t[j] + (uint64_t)(sum >> 64);
            t[j - 1] = (uint64_t)sum;
        }
        t[FIELD_LIMBS - 1] = (uint64_t)(sum >> 64);
    }
    for (int i = 0; i < FIELD_LIMBS; i++)
        carry = F(add_limb)(&t[i], t[i], a->l[i + FIELD_LIMBS], carry);
#endif
    F(reduce_once)(r, t);
}
