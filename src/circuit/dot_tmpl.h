/* The kernels of circuit/dot.h. Before including: DOT_OPS, the name of the table.
 *
 * Products are summed before they are reduced: with T = sum of products, T / 2^256 costs one
 * Montgomery reduction for all of them. T is kept below 2 r 2^256 < 2^512: r^2 is 0.206 * 2^512 and
 * r 2^256 is 0.453 * 2^512, so after each second product one subtraction of r 2^256 will do. */
#include "circuit/dot.h"

#include "field/bls12_381_fr.h"

/* t += a * b; no carry leaves the 8 limbs. */
static inline void add_product(uint64_t t[8], const uint64_t *a, const uint64_t *b)
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
static inline void lower(uint64_t t[8])
{
    cuzk_fr high;
    bls12_381_fr_reduce_once(&high, t + 4);
    for (int i = 0; i < 4; i++)
        t[4 + i] = high.l[i];
}

/* *r = t / 2^256 mod r, t < r 2^256. */
static inline void reduce_sum(cuzk_fr *r, uint64_t t[8])
{
    static const uint64_t p[4] = {0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805,
                                  0x73eda753299d7d48};
    const uint64_t n0 = 0xfffffffeffffffff;
    uint64_t top = 0;
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        const uint64_t m = t[i] * n0;
        uint64_t carry = 0;
#pragma GCC unroll 4
        for (int j = 0; j < 4; j++) {
            const cuzk_u128 sum = (cuzk_u128)m * p[j] + t[i + j] + carry;
            t[i + j] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        const cuzk_u128 sum = (cuzk_u128)t[i + 4] + carry + top;
        t[i + 4] = (uint64_t)sum;
        top = (uint64_t)(sum >> 64);
    }
    bls12_381_fr_reduce_once(r, t + 4); /* below 2 r: top is 0 in the end */
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
            add_product(t, coef[term[i].coef].l, value->l);
            if (++products % 2 == 0)
                lower(t);
        }
    }
    if (products != 0) {
        lower(t);
        reduce_sum(&reduced, t);
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
