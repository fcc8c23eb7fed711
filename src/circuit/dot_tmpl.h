/* The kernels of circuit/dot.h. Before including: DOT_OPS, the name of the table.
 *
 * Products are summed before they are reduced: with T = sum of products, T / 2^256 costs one
 * Montgomery reduction for all of them. T is kept below 2 r 2^256 < 2^512: r^2 is 0.206 * 2^512 and
 * r 2^256 is 0.453 * 2^512, so after each second product one subtraction of r 2^256 will do. */
#include "circuit/dot.h"

#include "field/bls12_381_fr.h"

#if defined(__ADX__) && defined(__BMI2__)
#include "circuit/dot_product_adx.h"
#else
/* t += a * b; no carry leaves t. */
static inline void cuzk_dot_add_product(uint64_t t[8], const uint64_t *a, const uint64_t *b)
{
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        uint64_t carry = 0;
#pragma GCC unroll 4
        for (int j = 0; j < 4; j++) {
            const cuzk_u128 sum = (cuzk_u128)a[j] * b[i] + t[i + j] + carry;
            t[i + j] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
#pragma GCC unroll 4
        for (int k = i + 4; k < 8; k++) {
            const cuzk_u128 sum = (cuzk_u128)t[k] + carry;
            t[k] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
    }
}

/* The upper half of t, below 2 r, becomes less than r. */
static inline void cuzk_dot_lower(uint64_t t[8])
{
    cuzk_fr high;
    bls12_381_fr_reduce_once(&high, t + 4);
    for (int i = 0; i < 4; i++)
        t[4 + i] = high.l[i];
}
#endif

/* *r = t / 2^256 mod r, t < r 2^256: the lower half divided, and the upper half. */
static inline void divide(cuzk_fr *r, const uint64_t t[8])
{
    const cuzk_fr low = {{t[0], t[1], t[2], t[3]}}, high = {{t[4], t[5], t[6], t[7]}};
    const cuzk_fr plain_one = {{1, 0, 0, 0}};
    bls12_381_fr_mul(r, &plain_one, &low);
    bls12_381_fr_add(r, r, &high);
}

static void dot(cuzk_fr *r, const cuzk_fr *frame, const cuzk_entry *term, size_t n,
                const cuzk_fr *coef)
{
    uint64_t t[8] = {0};
    cuzk_fr sum = *r, reduced;
    size_t products = 0;
    for (size_t i = 0; i < n; i++) {
        const cuzk_fr *value = &frame[term[i].slot];
        if (term[i].coef == CUZK_COEF_ONE) {
            bls12_381_fr_add(&sum, &sum, value);
        } else if (term[i].coef == CUZK_COEF_MINUS_ONE) {
            bls12_381_fr_sub(&sum, &sum, value);
        } else if (term[i].slot == 0) {
            bls12_381_fr_add(&sum, &sum, &coef[term[i].coef]);
        } else {
            cuzk_dot_add_product(t, coef[term[i].coef].l, value->l);
            if (++products % 2 == 0)
                cuzk_dot_lower(t);
        }
    }
    if (products != 0) {
        cuzk_dot_lower(t);
        divide(&reduced, t);
        bls12_381_fr_add(&sum, &sum, &reduced);
    }
    *r = sum;
}

static void mul_add(cuzk_fr *r, const cuzk_fr *a, const cuzk_fr *b, const cuzk_fr *c)
{
    cuzk_fr product;
    bls12_381_fr_mul(&product, a, b);
    bls12_381_fr_add(r, &product, c);
}

static void reduce(cuzk_fr *r, const uint64_t sum[8])
{
    const cuzk_fr r2 = {{0xc999e990f3f29c6d, 0x2b6cedcb87925c23, 0x05d314967254398f,
                         0x0748d9d99f59ff11}}; /* 2^256 in Montgomery form */
    cuzk_fr low = {{0}}, above;
    uint64_t carry = 0;
    for (int j = 0; j < 8; j++) {
        const uint64_t limb = sum[j] + carry;
        low.l[j / 2] |= (limb & 0xffffffff) << (32 * (j % 2));
        carry = limb >> 32;
    }
    bls12_381_fr_mul(r, &r2, &low); /* takes any number below 2^256 there */
    if (carry != 0) {
        bls12_381_fr_from_u64(&above, carry);
        bls12_381_fr_mul(&above, &above, &r2);
        bls12_381_fr_add(r, r, &above);
    }
}

const cuzk_dot_ops DOT_OPS = {dot, mul_add, reduce};
