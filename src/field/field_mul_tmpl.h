/* Part of field_tmpl.h: add, sub, mul, sqr, and wide products (field_wide_tmpl.h).
 *
 * Three bodies with one contract: for 4 or 6 limbs mulx/adcx/adox where the compiler may use them,
 * and PTX on a GPU; else portable C. Multiplication interleaves the product with Montgomery's
 * reduction row by row (CIOS). As 2p < R, the running sum stays below 2p and needs no word beyond
 * the n limbs between rows. */

#if defined(__ADX__) && defined(__BMI2__) && !defined(__CUDA_ARCH__) &&                            \
    (FIELD_LIMBS == 4 || FIELD_LIMBS == 6)
#define FIELD_ADX
#include "field/mont_adx.h"
#elif defined(__CUDA_ARCH__) && (FIELD_LIMBS == 4 || FIELD_LIMBS == 6)
#define FIELD_PTX
#include "field/mont_ptx.h"
#endif

/* *r = a + b + carry; returns the carry out. carry is 0 or 1. Compilers see additions with carry
 * more often in comparisons than in 128-bit sums. */
CUZK_HD uint64_t F(add_limb)(uint64_t *r, uint64_t a, uint64_t b, uint64_t carry)
{
    uint64_t sum = a + carry, total = sum + b;
    *r = total;
    return (uint64_t)(sum < carry) | (uint64_t)(total < b);
}

/* *r = a - b - borrow; returns the borrow out. */
CUZK_HD uint64_t F(sub_limb)(uint64_t *r, uint64_t a, uint64_t b, uint64_t borrow)
{
    uint64_t difference = a - b;
    *r = difference - borrow;
    return (uint64_t)(a < b) | (uint64_t)(difference < borrow);
}

/* r = t if t < p, else t - p; t < 2p. */
CUZK_HD void F(reduce_once)(FIELD *r, const uint64_t *t)
{
    const uint64_t p[FIELD_LIMBS] = FIELD_MODULUS;
#ifdef FIELD_PTX
    cuzk_ptx_reduce_once(FIELD_LIMBS, r->l, t, p);
#else
    uint64_t d[FIELD_LIMBS], borrow = 0;
    for (int i = 0; i < FIELD_LIMBS; i++)
        borrow = F(sub_limb)(&d[i], t[i], p[i], borrow);
    uint64_t keep = 0 - borrow;
    for (int i = 0; i < FIELD_LIMBS; i++)
        r->l[i] = (t[i] & keep) | (d[i] & ~keep);
#endif
}

CUZK_HD void F(add)(FIELD *r, const FIELD *a, const FIELD *b)
{
#ifdef FIELD_ADX
    static const uint64_t p[FIELD_LIMBS] = FIELD_MODULUS;
    CUZK_NAME(cuzk_adx_add, FIELD_LIMBS)(r->l, a->l, b->l, p);
#elif defined(FIELD_PTX)
    uint64_t t[FIELD_LIMBS];
    cuzk_ptx_add(FIELD_LIMBS, t, a->l, b->l);
    F(reduce_once)(r, t);
#else
    uint64_t t[FIELD_LIMBS], carry = 0;
    for (int i = 0; i < FIELD_LIMBS; i++)
        carry = F(add_limb)(&t[i], a->l[i], b->l[i], carry);
    F(reduce_once)(r, t);
#endif
}

CUZK_HD void F(sub)(FIELD *r, const FIELD *a, const FIELD *b)
{
#ifdef FIELD_ADX
    static const uint64_t p[FIELD_LIMBS] = FIELD_MODULUS;
    CUZK_NAME(cuzk_adx_sub, FIELD_LIMBS)(r->l, a->l, b->l, p);
#elif defined(FIELD_PTX)
    const uint64_t p[FIELD_LIMBS] = FIELD_MODULUS;
    uint64_t t[FIELD_LIMBS], masked[FIELD_LIMBS];
    uint32_t borrow = cuzk_ptx_sub(FIELD_LIMBS, t, a->l, b->l);
    uint64_t mask = (uint64_t)borrow << 32 | borrow;
    for (int i = 0; i < FIELD_LIMBS; i++)
        masked[i] = p[i] & mask;
    cuzk_ptx_add(FIELD_LIMBS, r->l, t, masked);
#else
    const uint64_t p[FIELD_LIMBS] = FIELD_MODULUS;
    uint64_t t[FIELD_LIMBS], borrow = 0, carry = 0;
    for (int i = 0; i < FIELD_LIMBS; i++)
        borrow = F(sub_limb)(&t[i], a->l[i], b->l[i], borrow);
    uint64_t mask = 0 - borrow;
    for (int i = 0; i < FIELD_LIMBS; i++)
        carry = F(add_limb)(&r->l[i], t[i], p[i] & mask, carry);
#endif
}

/* r = a * b / R mod p. The limbs of b may be any number below R: row i takes limb i of b and keeps
 * the running sum below a + p < 2p. */
CUZK_HD void F(mul)(FIELD *r, const FIELD *a, const FIELD *b)
{
#ifdef FIELD_ADX
    static const uint64_t p[FIELD_LIMBS] = FIELD_MODULUS;
    CUZK_NAME(cuzk_adx_mul, FIELD_LIMBS)(r->l, a->l, b->l, p, FIELD_N0);
#elif defined(FIELD_PTX)
    const uint64_t p[FIELD_LIMBS] = FIELD_MODULUS;
    uint64_t t[FIELD_LIMBS];
    cuzk_ptx_mul(2 * FIELD_LIMBS, t, a->l, b->l, p, FIELD_N0);
    F(reduce_once)(r, t);
#else
    const uint64_t p[FIELD_LIMBS] = FIELD_MODULUS;
    uint64_t t[FIELD_LIMBS] = {0};
    CUZK_UNROLL
    for (int i = 0; i < FIELD_LIMBS; i++) {
        cuzk_u128 product = (cuzk_u128)a->l[0] * b->l[i] + t[0];
        uint64_t m = (uint64_t)product * FIELD_N0;
        cuzk_u128 sum = (cuzk_u128)m * p[0] + (uint64_t)product;
        CUZK_UNROLL
        for (int j = 1; j < FIELD_LIMBS; j++) {
            product = (cuzk_u128)a->l[j] * b->l[i] + t[j] + (uint64_t)(product >> 64);
            sum = (cuzk_u128)m * p[j] + (uint64_t)product + (uint64_t)(sum >> 64);
            t[j - 1] = (uint64_t)sum;
        }
        t[FIELD_LIMBS - 1] = (uint64_t)(product >> 64) + (uint64_t)(sum >> 64);
    }
    F(reduce_once)(r, t);
#endif
}

CUZK_HD void F(sqr)(FIELD *r, const FIELD *a)
{
#ifdef FIELD_PTX
    const uint64_t p[FIELD_LIMBS] = FIELD_MODULUS;
    uint64_t t[FIELD_LIMBS];
    cuzk_ptx_sqr(2 * FIELD_LIMBS, t, a->l, p, FIELD_N0);
    F(reduce_once)(r, t);
#else
    F(mul)(r, a, a);
#endif
}

#include "field/field_wide_tmpl.h"

#ifdef FIELD_ADX
#undef FIELD_ADX
#endif
#ifdef FIELD_PTX
#undef FIELD_PTX
#endif
