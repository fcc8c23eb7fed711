/* Signed digits of scalars. A scalar above r/2 is replaced by -(r - k), so absolute values are at
 * most r/2. Adding 2^(c-1) in every window but the highest (the bias) then makes the digits of each
 * window its bits less 2^(c-1), independent of the others: -2^(c-1) .. 2^(c-1) - 1, and 0 ..
 * 2^(c-1) in the highest window. So 2^(c-1) buckets are enough. */
#ifndef CUZK_COMPUTE_MSM_DIGITS_H
#define CUZK_COMPUTE_MSM_DIGITS_H

#include "curve/curve.h"

#define CUZK_WINDOW_MIN 2u
#define CUZK_WINDOW_MAX 20u

/* floor(r/2) */
void cuzk_scalar_half_order(cuzk_scalar *half, const cuzk_scalar *r);

/* The windows that absolute values need which have no bits but these. */
unsigned cuzk_digits_windows(const cuzk_scalar *bits, unsigned c);

void cuzk_digits_bias(cuzk_scalar *bias, unsigned c, unsigned windows);

/* k := min(k, r - k); returns whether that is r - k. half: of r. */
static inline bool cuzk_scalar_take_abs(cuzk_scalar *k, const cuzk_scalar *r,
                                        const cuzk_scalar *half)
{
    unsigned i = 3;
    while (i > 0 && k->l[i] == half->l[i])
        i--;
    if (k->l[i] <= half->l[i])
        return false;
    uint64_t borrow = 0;
    for (i = 0; i < 4; i++) {
        const uint64_t d = r->l[i] - k->l[i];
        const uint64_t out = (uint64_t)(r->l[i] < k->l[i]) | (uint64_t)(d < borrow);
        k->l[i] = d - borrow;
        borrow = out;
    }
    return true;
}

static inline void cuzk_scalar_add_bias(cuzk_scalar *k, const cuzk_scalar *bias)
{
    uint64_t carry = 0;
    for (unsigned i = 0; i < 4; i++) {
        const uint64_t t = k->l[i] + carry;
        carry = t < carry;
        k->l[i] = t + bias->l[i];
        carry += k->l[i] < t;
    }
}

/* Where the digits of a window are in biased scalars. */
typedef struct cuzk_digit {
    unsigned limb, shift;
    uint64_t mask;
    int64_t offset;
} cuzk_digit;

static inline cuzk_digit cuzk_digit_of(unsigned window, unsigned c, unsigned windows)
{
    const unsigned bit = c * window;
    cuzk_digit d = {.limb = bit / 64, .shift = bit % 64, .mask = UINT64_MAX, .offset = 0};
    if (window + 1 < windows) {
        d.mask = ((uint64_t)1 << c) - 1;
        d.offset = (int64_t)1 << (c - 1);
    }
    return d;
}

static inline int64_t cuzk_digit_extract(const cuzk_digit *d, const cuzk_scalar *k)
{
    uint64_t v = k->l[d->limb] >> d->shift;
    if (d->limb < 3)
        v |= k->l[d->limb + 1] << 1 << (63 - d->shift);
    return (int64_t)(v & d->mask) - d->offset;
}

/* The bucket of a digit that is not 0. */
static inline size_t cuzk_digit_bucket(int64_t digit)
{
    return (size_t)(digit < 0 ? -digit : digit) - 1;
}

#endif
