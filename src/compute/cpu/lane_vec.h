/* Vectors of 4 or 8 64-bit lanes: the layer between the field formulas and the machine.
 *
 * Plain operators of the compilers' vector extension are used for everything that both widths have;
 * intrinsics only for what the extension lacks. LANE_W is 8 where the file is compiled for AVX-512
 * IFMA, else 4; LANE_H is how many such vectors a field element has side by side. Two for AVX2: its
 * product is one long chain of dependent steps, and two chains in step fill the pipes (measured on
 * Zen 3: 16.2 ns an element with one). */
#ifndef CUZK_COMPUTE_LANE_VEC_H
#define CUZK_COMPUTE_LANE_VEC_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#if (defined(__AVX512IFMA__) && defined(__AVX512DQ__) && defined(__AVX512VL__)) ||                 \
    defined(CUZK_EMULATE_IFMA)
#define LANE_W 8
#define LANE_H 1
#else
#define LANE_W 4
#define LANE_H 2
#endif

#define LANE_MASK52 0xfffffffffffffULL

typedef uint64_t lv __attribute__((vector_size(8 * LANE_W)));
typedef int64_t lv_signed __attribute__((vector_size(8 * LANE_W)));
typedef uint64_t lv4 __attribute__((vector_size(32)));
typedef uint64_t lv2 __attribute__((vector_size(16)));

static inline lv lv_set1(uint64_t x)
{
#if defined(CUZK_EMULATE_IFMA)
    return (lv){x, x, x, x, x, x, x, x};
#elif LANE_W == 8
    return (lv)_mm512_set1_epi64((long long)x);
#else
    return (lv)_mm256_set1_epi64x((long long)x);
#endif
}

/* Bit i of the result: lane i of x is zero. */
static inline unsigned lv_zero_bits(lv x)
{
#if defined(CUZK_EMULATE_IFMA)
    unsigned bits = 0;
    for (unsigned i = 0; i < LANE_W; i++)
        bits |= (unsigned)(x[i] == 0) << i;
    return bits;
#elif LANE_W == 8
    return (unsigned)_mm512_testn_epi64_mask((__m512i)x, (__m512i)x);
#else
    return (unsigned)_mm256_movemask_pd((__m256d)(x == 0));
#endif
}

/* Lane i of the result: all ones where bit i is set. */
static inline lv lv_from_bits(unsigned bits)
{
#if defined(CUZK_EMULATE_IFMA)
    const lv bit = {1, 2, 4, 8, 16, 32, 64, 128};
    return (lv)((lv_set1(bits) & bit) == bit);
#elif LANE_W == 8
    return (lv)_mm512_movm_epi64((__mmask8)bits);
#else
    const lv bit = {1, 2, 4, 8};
    return (lv)((lv_set1(bits) & bit) == bit);
#endif
}

/* Bit i of the result: lane i of x is below k, as signed integers. */
static inline unsigned lv_less_bits(lv x, int64_t k)
{
#if LANE_W == 8 && !defined(CUZK_EMULATE_IFMA)
    return (unsigned)_mm512_cmplt_epi64_mask((__m512i)x, _mm512_set1_epi64(k));
#else
    unsigned bits = 0;
    for (unsigned i = 0; i < LANE_W; i++)
        bits |= (unsigned)((int64_t)x[i] < k) << i;
    return bits;
#endif
}

/* a + b in the lanes whose bits are set, a in the others. */
static inline lv lv_add_where(unsigned bits, lv a, lv b)
{
#if LANE_W == 8 && !defined(CUZK_EMULATE_IFMA)
    return (lv)_mm512_mask_add_epi64((__m512i)a, (__mmask8)bits, (__m512i)a, (__m512i)b);
#else
    return a + (b & lv_from_bits(bits));
#endif
}

/* Signed: rounds down. */
static inline lv lv_shift_right_signed(lv x, unsigned n)
{
    return (lv)((lv_signed)x >> n);
}

/* mask lanes are all ones or all zero. */
static inline lv lv_select(lv mask, lv a, lv b)
{
    return (mask & a) | (~mask & b);
}

static inline lv4 lv4_load(const uint64_t *p)
{
    lv4 x;
    memcpy(&x, p, sizeof x);
    return x;
}

static inline lv2 lv2_load(const uint64_t *p)
{
    lv2 x;
    memcpy(&x, p, sizeof x);
    return x;
}

#if LANE_W == 8
#define LV_JOIN(lo, hi)    __builtin_shufflevector(lo, hi, 0, 1, 2, 3, 4, 5, 6, 7)
#define LV_UNPACK_LO(a, b) __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14)
#define LV_UNPACK_HI(a, b) __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15)
/* Pairs of lanes, within each half of four. */
#define LV_PAIRS_LO(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define LV_PAIRS_HI(a, b) __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define LV_FOURS_LO(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define LV_FOURS_HI(a, b) __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15)
#else
#define LV_UNPACK_LO(a, b) __builtin_shufflevector(a, b, 0, 4, 2, 6)
#define LV_UNPACK_HI(a, b) __builtin_shufflevector(a, b, 1, 5, 3, 7)
#define LV_PAIRS_LO(a, b)  __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define LV_PAIRS_HI(a, b)  __builtin_shufflevector(a, b, 2, 3, 6, 7)
#endif

/* Row i (rows[i], 4 words) becomes lane i of the four columns. */
static inline void lv_gather4(lv column[4], const uint64_t *const rows[LANE_W])
{
#if LANE_W == 8
    const lv a = LV_JOIN(lv4_load(rows[0]), lv4_load(rows[4]));
    const lv b = LV_JOIN(lv4_load(rows[1]), lv4_load(rows[5]));
    const lv c = LV_JOIN(lv4_load(rows[2]), lv4_load(rows[6]));
    const lv d = LV_JOIN(lv4_load(rows[3]), lv4_load(rows[7]));
#else
    const lv a = lv4_load(rows[0]), b = lv4_load(rows[1]), c = lv4_load(rows[2]),
             d = lv4_load(rows[3]);
#endif
    const lv ab0 = LV_UNPACK_LO(a, b), ab1 = LV_UNPACK_HI(a, b);
    const lv cd0 = LV_UNPACK_LO(c, d), cd1 = LV_UNPACK_HI(c, d);
    column[0] = LV_PAIRS_LO(ab0, cd0);
    column[1] = LV_PAIRS_LO(ab1, cd1);
    column[2] = LV_PAIRS_HI(ab0, cd0);
    column[3] = LV_PAIRS_HI(ab1, cd1);
}

/* The same for two words a row. */
static inline void lv_gather2(lv column[2], const uint64_t *const rows[LANE_W])
{
    lv even, odd;
    for (unsigned i = 0; i < LANE_W; i += 2) {
        const lv2 e = lv2_load(rows[i]), o = lv2_load(rows[i + 1]);
        even[i] = e[0], even[i + 1] = e[1];
        odd[i] = o[0], odd[i + 1] = o[1];
    }
    column[0] = LV_UNPACK_LO(even, odd);
    column[1] = LV_UNPACK_HI(even, odd);
}

static inline void lv_scatter4(uint64_t *const rows[LANE_W], const lv column[4])
{
    const lv ab0 = LV_UNPACK_LO(column[0], column[1]), ab1 = LV_UNPACK_HI(column[0], column[1]);
    const lv cd0 = LV_UNPACK_LO(column[2], column[3]), cd1 = LV_UNPACK_HI(column[2], column[3]);
    const lv row[4] = {LV_PAIRS_LO(ab0, cd0), LV_PAIRS_LO(ab1, cd1), LV_PAIRS_HI(ab0, cd0),
                       LV_PAIRS_HI(ab1, cd1)};
    for (unsigned i = 0; i < LANE_W; i++)
        memcpy(rows[i], (const uint64_t *)&row[i % 4] + (i & ~3u), 32);
}

static inline void lv_scatter2(uint64_t *const rows[LANE_W], const lv column[2])
{
    const lv even = LV_UNPACK_LO(column[0], column[1]), odd = LV_UNPACK_HI(column[0], column[1]);
    for (unsigned i = 0; i < LANE_W; i += 2) {
        memcpy(rows[i], (const uint64_t *)&even + i, 16);
        memcpy(rows[i + 1], (const uint64_t *)&odd + i, 16);
    }
}

/* Transposes the LANE_W x LANE_W matrix of words whose rows are x[0], x[stride], ... */
static inline void lv_transpose(lv *x, unsigned stride)
{
    lv y[LANE_W];
    for (unsigned i = 0; i < LANE_W; i += 2) {
        y[i] = LV_UNPACK_LO(x[i * stride], x[(i + 1) * stride]);
        y[i + 1] = LV_UNPACK_HI(x[i * stride], x[(i + 1) * stride]);
    }
    lv z[LANE_W];
    for (unsigned i = 0; i < LANE_W; i += 4)
        for (unsigned k = 0; k < 2; k++) {
            z[i + k] = LV_PAIRS_LO(y[i + k], y[i + k + 2]);
            z[i + k + 2] = LV_PAIRS_HI(y[i + k], y[i + k + 2]);
        }
#if LANE_W == 8
    for (unsigned k = 0; k < 4; k++) {
        x[k * stride] = LV_FOURS_LO(z[k], z[k + 4]);
        x[(k + 4) * stride] = LV_FOURS_HI(z[k], z[k + 4]);
    }
#else
    for (unsigned k = 0; k < 4; k++)
        x[k * stride] = z[k];
#endif
}

#endif
