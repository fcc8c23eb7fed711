/* Montgomery product of 52-bit limbs by double-precision FMA, for processors without AVX-512 IFMA.
 *
 * For integers a, b below 2^52 held as doubles and rounding toward zero,
 *     hi = fma(a, b, 2^104)                  has floor(a*b / 2^52) as its mantissa bits,
 *     lo = fma(a, b, 2^104 + 2^52 - hi)      has a*b mod 2^52 as its mantissa bits,
 * both exact (N. Emmart's use of the FMA unit for long integers; the subtraction is exact). The bit
 * patterns are added up as integers; the exponent fields that come along are constants and are
 * taken off in advance. The caller sets round-toward-zero with lane_begin and restores with
 * lane_end. */
#ifndef CUZK_COMPUTE_LANE_MUL_AVX2_H
#define CUZK_COMPUTE_LANE_MUL_AVX2_H

#include "compute/cpu/lane_vec.h"

#define LANE_BITS_HI 0x4670000000000000ULL /* 2^104 */
#define LANE_BITS_LO 0x4330000000000000ULL /* 2^52 */

static inline __m256d lane_const_pd(double x)
{
    return _mm256_set1_pd(x);
}

/* An integer below 2^52 as a double. */
static inline __m256d lane_to_pd(lv a)
{
    const lv bits = a | lv_set1(LANE_BITS_LO);
    return _mm256_sub_pd((__m256d)bits, lane_const_pd(0x1p52));
}

/* Adds the low halves of a*b to *lo and the high halves to *hi, exponent fields included. */
static inline __attribute__((always_inline)) void lane_muladd(lv *lo, lv *hi, __m256d a, __m256d b)
{
    const __m256d h = _mm256_fmadd_pd(a, b, lane_const_pd(0x1p104));
    const __m256d back = _mm256_sub_pd(lane_const_pd(0x1p104 + 0x1p52), h);
    const __m256d l = _mm256_fmadd_pd(a, b, back);
    *hi += (lv)h;
    *lo += (lv)l;
}

/* m := t0 * n0 mod 2^52, as a double. */
static inline __attribute__((always_inline)) __m256d lane_montgomery_factor(lv t0, double n0)
{
    const __m256d a = lane_to_pd(t0 & lv_set1(LANE_MASK52)), b = lane_const_pd(n0);
    const __m256d h = _mm256_fmadd_pd(a, b, lane_const_pd(0x1p104));
    const __m256d l = _mm256_fmadd_pd(a, b, _mm256_sub_pd(lane_const_pd(0x1p104 + 0x1p52), h));
    return _mm256_sub_pd(l, lane_const_pd(0x1p52));
}

/* r := a * b / 2^(52 n) mod p, limbs unnormalised (below 2^58), value below a*b/R + p.
 * A round adds two low halves to limbs 1 .. n-1 (limb 0 takes only one: the other would just clear
 * its low bits, a carry unless they are zero) and two high halves to limbs 1 .. n, then moves all
 * limbs down by one. Each limb starts with minus the exponent fields that it will meet on its way
 * down to limb 0, so that a limb which leaves there is a plain sum; the limbs left at the end get
 * back what they did not meet. */
static inline __attribute__((always_inline)) void
lane_montmul(lv *r, const lv *a, const lv *b, const double *p, double n0, unsigned n)
{
    const uint64_t lo2 = 2 * LANE_BITS_LO, hi2 = 2 * LANE_BITS_HI;
    __m256d bd[LANE_H][8], ai[LANE_H], m[LANE_H];
    lv t[LANE_H][9];
    for (unsigned h = 0; h < LANE_H; h++)
        for (unsigned j = 0; j < n; j++) {
            bd[h][j] = lane_to_pd(b[h * n + j]);
            t[h][j] = lv_set1(0 - j * (lo2 + hi2) - LANE_BITS_LO);
        }
#pragma GCC unroll 8
    for (unsigned i = 0; i < n; i++) {
        for (unsigned h = 0; h < LANE_H; h++) {
            ai[h] = lane_to_pd(a[h * n + i]);
            t[h][n] = lv_set1(0 - n * (lo2 + hi2) + LANE_BITS_LO);
        }
#pragma GCC unroll 8
        for (unsigned j = 0; j < n; j++)
            for (unsigned h = 0; h < LANE_H; h++)
                lane_muladd(&t[h][j], &t[h][j + 1], ai[h], bd[h][j]);
        for (unsigned h = 0; h < LANE_H; h++)
            m[h] = lane_montgomery_factor(t[h][0], n0);
        for (unsigned h = 0; h < LANE_H; h++) {
            const __m256d m_p0 = _mm256_fmadd_pd(m[h], lane_const_pd(p[0]), lane_const_pd(0x1p104));
            t[h][1] += (lv)m_p0 + ((t[h][0] + lv_set1(LANE_MASK52)) >> 52);
        }
#pragma GCC unroll 8
        for (unsigned j = 1; j < n; j++)
            for (unsigned h = 0; h < LANE_H; h++)
                lane_muladd(&t[h][j], &t[h][j + 1], m[h], lane_const_pd(p[j]));
        for (unsigned h = 0; h < LANE_H; h++) {
#pragma GCC unroll 8
            for (unsigned j = 0; j < n; j++)
                t[h][j] = t[h][j + 1];
        }
    }
    for (unsigned h = 0; h < LANE_H; h++)
        for (unsigned j = 0; j < n; j++)
            r[h * n + j] = t[h][j] + lv_set1(j * hi2 + j * lo2 + LANE_BITS_LO);
}

static inline unsigned lane_begin(void)
{
    const unsigned saved = _mm_getcsr();
    _mm_setcsr(saved | _MM_ROUND_TOWARD_ZERO);
    return saved;
}

static inline void lane_end(unsigned saved)
{
    _mm_setcsr(saved);
}

#endif
