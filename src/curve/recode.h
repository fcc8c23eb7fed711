/* Digits of scalars, and the divisions that split them. */
#ifndef CUZK_CURVE_RECODE_H
#define CUZK_CURVE_RECODE_H

#include "field/hd.h"

#define CUZK_WNAF_WIDTH  5   /* digits are odd, in -15 … 15, or 0 */
#define CUZK_WNAF_TABLE  8   /* odd multiples 1, 3, …, 15 */
#define CUZK_WNAF_MAX    260 /* digits of 256 bits, with room for the carry */
#define CUZK_REGULAR_MAX 65  /* digits of cuzk_recode_regular */

/* Width-5 non-adjacent form: k = sum of digits[i] 2^i, with at least four zeros after each digit
 * that is not 0. k has that many limbs, at most four. Returns how many digits there are; the rest
 * is not written. Time depends on k. */
CUZK_HD int cuzk_recode_wnaf(int8_t *digits, const uint64_t *k, int limbs)
{
    uint64_t t[5] = {0};
    int n = 0, last = 0;
    for (int i = 0; i < limbs; i++)
        t[i] = k[i];
    for (; n < 64 * limbs + 1; n++) {
        unsigned window = 0;
        for (int i = 0; i < CUZK_WNAF_WIDTH; i++) {
            int bit = n + i;
            if (bit < 64 * (limbs + 1))
                window |= (unsigned)(t[bit / 64] >> (bit % 64) & 1) << i;
        }
        digits[n] = 0;
        if ((window & 1) == 0)
            continue;
        int digit = window < 16 ? (int)window : (int)window - 32;
        digits[n] = (int8_t)digit;
        last = n + 1;
        /* Subtract the digit at bit n: clear the window, and carry 1 past it for a negative digit.
         */
        for (int i = 0; i < CUZK_WNAF_WIDTH && n + i < 64 * (limbs + 1); i++)
            t[(n + i) / 64] &= ~((uint64_t)1 << ((n + i) % 64));
        if (digit < 0) {
            int bit = n + CUZK_WNAF_WIDTH, limb = bit / 64;
            uint64_t carry = (uint64_t)1 << (bit % 64);
            for (; limb <= limbs && carry != 0; limb++) {
                t[limb] += carry;
                carry = t[limb] < carry;
            }
        }
    }
    return last;
}

/* k odd, four limbs: k = sum of digits[i] 16^i with 65 odd digits in -15 … 15, none of them 0, the
 * last one 1. Constant time (Joye and Tunstall, "Exponent recoding and regular exponentiation
 * algorithms"): after i digits what remains is 2 floor(k / 2^(4i+1)) + 1. */
CUZK_HD void cuzk_recode_regular(int8_t *digits, const uint64_t *k)
{
    for (int i = 0; i < CUZK_REGULAR_MAX - 1; i++) {
        int bit = 4 * i + 1;
        uint64_t window = k[bit / 64] >> (bit % 64);
        if (bit % 64 > 60 && bit / 64 < 3)
            window |= k[bit / 64 + 1] << (64 - bit % 64);
        digits[i] = (int8_t)((int)(2 * (window & 15) + 1) - 16);
    }
    digits[CUZK_REGULAR_MAX - 1] = 1;
}

/* quotient, remainder of k (four limbs) by d (two limbs, not 0); the quotient must have two limbs.
 */
CUZK_HD void cuzk_divide_by_2(uint64_t *quotient, uint64_t *remainder, const uint64_t *k,
                              const uint64_t *d)
{
    cuzk_u128 divisor = (cuzk_u128)d[1] << 64 | d[0], rest = 0, q = 0;
    for (int i = 255; i >= 0; i--) {
        bool out = (bool)(rest >> 127);
        rest = rest << 1 | (k[i / 64] >> (i % 64) & 1);
        q <<= 1;
        if (out || rest >= divisor) {
            rest -= divisor;
            q |= 1;
        }
    }
    quotient[0] = (uint64_t)q;
    quotient[1] = (uint64_t)(q >> 64);
    remainder[0] = (uint64_t)rest;
    remainder[1] = (uint64_t)(rest >> 64);
}

/* r = a * b, na + nb limbs; r overlaps neither. */
CUZK_HD void cuzk_limbs_mul(uint64_t *r, const uint64_t *a, int na, const uint64_t *b, int nb)
{
    for (int i = 0; i < na + nb; i++)
        r[i] = 0;
    for (int i = 0; i < na; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < nb; j++) {
            cuzk_u128 t = (cuzk_u128)a[i] * b[j] + r[i + j] + carry;
            r[i + j] = (uint64_t)t;
            carry = (uint64_t)(t >> 64);
        }
        r[i + nb] = carry;
    }
}

#endif
