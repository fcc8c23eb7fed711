/* How many windows, and the bias; see the header. */
#include "compute/cpu/msm_digits.h"

#include <string.h>

void cuzk_scalar_half_order(cuzk_scalar *half, const cuzk_scalar *r)
{
    for (unsigned i = 0; i < 4; i++)
        half->l[i] = r->l[i] >> 1 | (i < 3 ? r->l[i + 1] << 63 : 0);
}

/* bits >> shift, or 2^63 if that is more. */
static uint64_t shifted(const cuzk_scalar *bits, unsigned shift)
{
    if (shift >= 256)
        return 0;
    cuzk_digit all = {.limb = shift / 64, .shift = shift % 64, .mask = UINT64_MAX, .offset = 0};
    uint64_t higher = 0;
    for (unsigned i = all.limb + 1; i < 4; i++)
        higher |= i == all.limb + 1 ? bits->l[i] >> all.shift : bits->l[i];
    const uint64_t value = (uint64_t)cuzk_digit_extract(&all, bits);
    return higher != 0 || value >> 63 != 0 ? (uint64_t)1 << 63 : value;
}

/* The highest window receives a carry from those below, and must not need one itself. */
unsigned cuzk_digits_windows(const cuzk_scalar *bits, unsigned c)
{
    unsigned windows = 1;
    while (shifted(bits, c * (windows - 1)) + (windows > 1) > (uint64_t)1 << (c - 1))
        windows++;
    return windows;
}

void cuzk_digits_bias(cuzk_scalar *bias, unsigned c, unsigned windows)
{
    memset(bias, 0, sizeof *bias);
    for (unsigned w = 0; w + 1 < windows; w++) {
        const unsigned bit = c * w + c - 1;
        bias->l[bit / 64] |= (uint64_t)1 << (bit % 64);
    }
}
