/* Montgomery products of 52-bit limbs with vpmadd52, W = 8 at a time: first the columns of a
 * product, 2 N^2 multiply-adds (a square: N^2 + N), then their reduction, 2 N^2. Inputs: limbs
 * below 2^52. Sums stay below 4 N * 2^52 < 2^58.
 *
 * Apart, the two passes need fewer registers and wait less for each other's sums than interleaved
 * by rows (measured: 3 to 5 % less time); and products may be added before one reduction for all.
 */
#ifndef CUZK_COMPUTE_LANE_MUL_IFMA_H
#define CUZK_COMPUTE_LANE_MUL_IFMA_H

#include "compute/cpu/lane_vec.h"

#ifdef CUZK_EMULATE_IFMA

__extension__ typedef unsigned __int128 lane_product;

static inline lv lane_madlo(lv acc, lv a, lv b)
{
    for (unsigned i = 0; i < LANE_W; i++)
        acc[i] += (a[i] & LANE_MASK52) * (b[i] & LANE_MASK52) & LANE_MASK52;
    return acc;
}

static inline lv lane_madhi(lv acc, lv a, lv b)
{
    for (unsigned i = 0; i < LANE_W; i++)
        acc[i] += (uint64_t)((lane_product)(a[i] & LANE_MASK52) * (b[i] & LANE_MASK52) >> 52);
    return acc;
}

#else

static inline lv lane_madlo(lv acc, lv a, lv b)
{
    return (lv)_mm512_madd52lo_epu64((__m512i)acc, (__m512i)a, (__m512i)b);
}

static inline lv lane_madhi(lv acc, lv a, lv b)
{
    return (lv)_mm512_madd52hi_epu64((__m512i)acc, (__m512i)a, (__m512i)b);
}

#endif

/* t[0 .. 2n-1] := a * b: sums of half products by columns, below 2n 2^52. */
static inline __attribute__((always_inline)) void lane_columns(lv *t, const lv *a, const lv *b,
                                                               unsigned n)
{
    for (unsigned k = 0; k < 2 * n; k++)
        t[k] = (lv){0};
#pragma GCC unroll 8
    for (unsigned i = 0; i < n; i++)
#pragma GCC unroll 8
        for (unsigned j = 0; j < n; j++) {
            t[i + j] = lane_madlo(t[i + j], a[i], b[j]);
            t[i + j + 1] = lane_madhi(t[i + j + 1], a[i], b[j]);
        }
}

/* The same for a * a: products of different limbs once, doubled. */
static inline __attribute__((always_inline)) void lane_square_columns(lv *t, const lv *a,
                                                                      unsigned n)
{
    for (unsigned k = 0; k < 2 * n; k++)
        t[k] = (lv){0};
#pragma GCC unroll 8
    for (unsigned i = 0; i < n; i++)
#pragma GCC unroll 8
        for (unsigned j = i + 1; j < n; j++) {
            t[i + j] = lane_madlo(t[i + j], a[i], a[j]);
            t[i + j + 1] = lane_madhi(t[i + j + 1], a[i], a[j]);
        }
#pragma GCC unroll 8
    for (unsigned i = 0; i < n; i++) {
        t[2 * i] = lane_madlo(t[2 * i] + t[2 * i], a[i], a[i]);
        t[2 * i + 1] = lane_madhi(t[2 * i + 1] + t[2 * i + 1], a[i], a[i]);
    }
}

/* r := t / 2^(52 n) mod p for signed columns t[0 .. 2n-1], which it overwrites; limbs unnormalised,
 * value below t/R + p. The low half of m * p[0] is not computed: it makes the low 52 bits of the
 * column vanish, that is, it carries one unless they are zero already. */
static inline __attribute__((always_inline)) void
lane_reduce_columns(lv *r, lv *t, const uint64_t *p, uint64_t n0, unsigned n)
{
    /* As an address that the compiler knows nothing of, p is read from memory where it is used; as
     * constants its limbs would be built in registers that the sums need. */
    __asm__("" : "+r"(p));
    const lv zero = {0};
#pragma GCC unroll 8
    for (unsigned i = 0; i < n; i++) {
        const lv m = lane_madlo(zero, t[i], lv_set1(n0));
        t[i + 1] += lv_shift_right_signed(t[i] + lv_set1(LANE_MASK52), 52);
#pragma GCC unroll 8
        for (unsigned j = 1; j < n; j++)
            t[i + j] = lane_madlo(t[i + j], m, lv_set1(p[j]));
#pragma GCC unroll 8
        for (unsigned j = 0; j < n; j++)
            t[i + j + 1] = lane_madhi(t[i + j + 1], m, lv_set1(p[j]));
    }
    for (unsigned j = 0; j < n; j++)
        r[j] = t[n + j];
}

/* r := a * b / 2^(52 n) mod p, limbs unnormalised, value below a*b/R + p. */
static inline __attribute__((always_inline)) void
lane_montmul(lv *r, const lv *a, const lv *b, const uint64_t *p, uint64_t n0, unsigned n)
{
    lv t[16];
    lane_columns(t, a, b, n);
    lane_reduce_columns(r, t, p, n0, n);
}

static inline unsigned lane_begin(void)
{
    return 0;
}

static inline void lane_end(unsigned saved)
{
    (void)saved;
}

#endif
