/* The vector field over lanes; interface and bounds: compute/cpu/README.md. Template parameters:
 *   VF        name of the type, vfp or vfr
 *   VF_CONST  LANE_<PRIME>, prefix of the constants in lane_constants.h
 *   VF_FIELD  the scalar field (field/), for inversion: F(inv), F(mul) on `words` limbs
 * An element is VF_LIMBS limbs of 52 bits, each a vector over the lanes, normalised (below 2^52)
 * always. */
#include "compute/cpu/lane_constants.h"
#include "compute/cpu/lane_vec.h"
#if LANE_W == 8
#include "compute/cpu/lane_mul_ifma.h"
#else
#include "compute/cpu/lane_mul_avx2.h"
#endif

#define VF_CAT_(a, b) a##b
#define VF_CAT(a, b)  VF_CAT_(a, b)
#define V(name)       VF_CAT(VF, _##name)
#define F(name)       VF_CAT(VF_FIELD, _##name)
#define VF_C(name)    VF_CAT(VF_CONST, _##name)
#define VF_LIMBS      VF_C(LIMBS)
#define VF_NWORDS     VF_C(WORDS)
#define VF_LANES      (LANE_H * LANE_W)

typedef struct VF {
    lv l[LANE_H][VF_LIMBS];
} VF;

/* Runs the body for each half h of a vector: two on machines whose product wants two chains at
 * once. */
#define VF_HALVES for (unsigned h = 0; h < LANE_H; h++)

/* A constant of the field that is read from memory where it is used: as a value known to the
 * compiler it would be built in a register, which takes the place of arithmetic. */
#define VF_READ(name, constant)                                                                    \
    static const uint64_t name##_limbs[] = VF_C(constant);                                         \
    const uint64_t *name = name##_limbs;                                                           \
    __asm__("" : "+r"(name))

/* Moves carries up; the value must be below 2^(52 limbs). */
static inline void V(normalise)(VF *r)
{
    VF_HALVES
    for (unsigned j = 0; j + 1 < VF_LIMBS; j++) {
        r->l[h][j + 1] += r->l[h][j] >> 52;
        r->l[h][j] &= lv_set1(LANE_MASK52);
    }
}

#if LANE_W == 8
/* normalise for signed limbs; if the value is negative, the highest limb stays so. */
static inline void V(normalise_signed)(VF *r)
{
    for (unsigned j = 0; j + 1 < VF_LIMBS; j++) {
        r->l[0][j + 1] += lv_shift_right_signed(r->l[0][j], 52);
        r->l[0][j] &= lv_set1(LANE_MASK52);
    }
}

#endif

/* a >= k p ? a - k p : a, with minus_kp = 2^(52 limbs) - k p: the carry out of the sum says which.
 */
static inline void V(subtract_once)(VF *r, const VF *a, const uint64_t *minus_kp)
{
    VF d;
    VF_HALVES
    for (unsigned j = 0; j < VF_LIMBS; j++)
        d.l[h][j] = a->l[h][j] + lv_set1(minus_kp[j]);
    V(normalise)(&d);
    VF_HALVES
    {
        const lv keep = (lv)(d.l[h][VF_LIMBS - 1] >> 52 == 0);
        d.l[h][VF_LIMBS - 1] &= lv_set1(LANE_MASK52);
        for (unsigned j = 0; j < VF_LIMBS; j++)
            r->l[h][j] = lv_select(keep, a->l[h][j], d.l[h][j]);
    }
}

static inline void V(reduce)(VF *r, const VF *a)
{
    VF_READ(minus_4p, MINUS_4P);
    VF_READ(minus_2p, MINUS_2P);
    V(subtract_once)(r, a, minus_4p);
    V(subtract_once)(r, r, minus_2p);
}

static inline void V(add_lazy)(VF *r, const VF *a, const VF *b)
{
    VF_HALVES
    for (unsigned j = 0; j < VF_LIMBS; j++)
        r->l[h][j] = a->l[h][j] + b->l[h][j];
    V(normalise)(r);
}

static inline void V(sub_lazy)(VF *r, const VF *a, const VF *b)
{
    VF_READ(bias, 2P_BIASED);
    VF_HALVES
    for (unsigned j = 0; j < VF_LIMBS; j++)
        r->l[h][j] = a->l[h][j] + lv_set1(bias[j]) - b->l[h][j];
    V(normalise)(r);
}

static inline void V(add)(VF *r, const VF *a, const VF *b)
{
    VF_READ(minus_2p, MINUS_2P);
    V(add_lazy)(r, a, b);
    V(subtract_once)(r, r, minus_2p);
}

static inline void V(sub)(VF *r, const VF *a, const VF *b)
{
    VF_READ(minus_2p, MINUS_2P);
    V(sub_lazy)(r, a, b);
    V(subtract_once)(r, r, minus_2p);
}

static inline void V(sub_sub)(VF *r, const VF *a, const VF *b, const VF *c)
{
    VF_READ(bias, 4P_BIASED);
    VF_HALVES
    for (unsigned j = 0; j < VF_LIMBS; j++)
        r->l[h][j] = a->l[h][j] + lv_set1(bias[j]) - b->l[h][j] - c->l[h][j];
    V(normalise)(r);
    V(reduce)(r, r);
}

/* In a negated lane, an operand's complement stands for its negative less one. The bias is 2p for
 * each operand that is subtracted. */
static inline void V(sub_signed_lazy)(VF *r, const VF *a, unsigned negate_a, const VF *b,
                                      unsigned negate_b)
{
    VF_READ(bias, 2P_BIASED);
    VF_HALVES
    {
        const lv minus_a = lv_from_bits(negate_a >> (h * LANE_W));
        const lv minus_b = lv_from_bits(negate_b >> (h * LANE_W)), ones = minus_b - minus_a;
        for (unsigned j = 0; j < VF_LIMBS; j++) {
            const lv both = (lv_set1(bias[j]) & minus_a) + (lv_set1(bias[j]) & ~minus_b);
            r->l[h][j] = (both + ones) + (a->l[h][j] ^ minus_a) - (b->l[h][j] ^ minus_b);
        }
    }
    V(normalise)(r);
}

#include "compute/cpu/vf_lanes_loose_tmpl.h"

static inline void V(dbl)(VF *r, const VF *a)
{
    V(add)(r, a, a);
}

static inline void V(constant)(VF *r, const uint64_t *limbs)
{
    VF_HALVES
    for (unsigned j = 0; j < VF_LIMBS; j++)
        r->l[h][j] = lv_set1(limbs[j]);
}

static inline void V(zero)(VF *r)
{
    static const uint64_t zero[VF_LIMBS] = {0};
    V(constant)(r, zero);
}

static inline void V(one)(VF *r)
{
    static const uint64_t one[] = VF_C(ONE);
    V(constant)(r, one);
}

static inline void V(neg)(VF *r, const VF *a)
{
    VF zero;
    V(zero)(&zero);
    V(sub)(r, &zero, a);
}

/* Not inlined: a product is several hundred instructions, and kernels have dozens of them. */
static __attribute__((noinline, unused)) void V(mul)(VF *r, const VF *a, const VF *b)
{
#if LANE_W == 8
    static const uint64_t p[] = VF_C(P);
    lane_montmul(r->l[0], a->l[0], b->l[0], p, VF_C(N0), VF_LIMBS);
#else
    static const double p[] = VF_C(P_PD); /* exact: limbs have 52 bits */
    lane_montmul(r->l[0], a->l[0], b->l[0], p, VF_C(N0_PD), VF_LIMBS);
#endif
    V(normalise)(r);
}

#if LANE_W == 8

/* A product by columns, not reduced: columns may be added and subtracted. */
typedef struct V(columns) {
    lv t[2 * VF_LIMBS];
} V(columns);

static __attribute__((noinline, unused)) void V(mul_columns)(V(columns) * r, const VF *a,
                                                             const VF *b)
{
    lv t[2 * VF_LIMBS];
    lane_columns(t, a->l[0], b->l[0], VF_LIMBS);
    for (unsigned j = 0; j < 2 * VF_LIMBS; j++)
        r->t[j] = t[j];
}

/* r = a / R, reduced, for 0 <= a <= 64 p^2 */
static __attribute__((noinline, unused)) void V(reduce_columns)(VF *r, const V(columns) * a)
{
    static const uint64_t p[] = VF_C(P);
    lv t[2 * VF_LIMBS];
    for (unsigned j = 0; j < 2 * VF_LIMBS; j++)
        t[j] = a->t[j];
    lane_reduce_columns(r->l[0], t, p, VF_C(N0), VF_LIMBS);
    V(normalise_signed)(r);
}

/* a -= b; a += 32 p^2 - b */
static inline __attribute__((unused)) void V(columns_sub)(V(columns) * a, const V(columns) * b)
{
    for (unsigned j = 0; j < 2 * VF_LIMBS; j++)
        a->t[j] -= b->t[j];
}

static inline __attribute__((unused)) void V(columns_sub_positive)(V(columns) * a,
                                                                   const V(columns) * b)
{
    VF_READ(bias, 32P2);
    for (unsigned j = 0; j < 2 * VF_LIMBS; j++)
        a->t[j] += lv_set1(bias[j]) - b->t[j];
}

static __attribute__((noinline, unused)) void V(sqr)(VF *r, const VF *a)
{
    static const uint64_t p[] = VF_C(P);
    lv t[2 * VF_LIMBS];
    lane_square_columns(t, a->l[0], VF_LIMBS);
    lane_reduce_columns(r->l[0], t, p, VF_C(N0), VF_LIMBS);
    V(normalise)(r);
}
#else
static inline void V(sqr)(VF *r, const VF *a)
{
    V(mul)(r, a, a);
}
#endif

static inline unsigned V(is_zero)(const VF *a)
{
    static const uint64_t p[] = VF_C(P);
    unsigned bits = 0;
    VF_HALVES
    {
        lv zero = a->l[h][0], equal = a->l[h][0] ^ lv_set1(p[0]);
        for (unsigned j = 1; j < VF_LIMBS; j++) {
            zero |= a->l[h][j];
            equal |= a->l[h][j] ^ lv_set1(p[j]);
        }
        bits |= (lv_zero_bits(zero) | lv_zero_bits(equal)) << (h * LANE_W);
    }
    return bits;
}

static inline void V(select)(VF *r, unsigned mask, const VF *a, const VF *b)
{
    VF_HALVES
    {
        const lv lanes = lv_from_bits(mask >> (h * LANE_W));
        for (unsigned j = 0; j < VF_LIMBS; j++)
            r->l[h][j] = lv_select(lanes, a->l[h][j], b->l[h][j]);
    }
}

/* Packed words to limbs and back: limb j is bits 52 j .. 52 j + 51 of the integer. */
static inline void V(unpack)(lv *limbs, const lv *words)
{
#pragma GCC unroll 8
    for (unsigned j = 0; j < VF_LIMBS; j++) {
        const unsigned w = 52 * j / 64, shift = 52 * j % 64;
        lv limb = words[w] >> shift;
        if (shift > 12 && w + 1 < VF_NWORDS)
            limb |= words[w + 1] << (64 - shift);
        limbs[j] = limb & lv_set1(LANE_MASK52);
    }
}

static inline void V(pack)(lv *words, const lv *limbs)
{
#pragma GCC unroll 8
    for (unsigned w = 0; w < VF_NWORDS; w++) {
        const unsigned first = 64 * w / 52, shift = 64 * w % 52;
        lv word = limbs[first] >> shift;
        if (first + 1 < VF_LIMBS)
            word |= limbs[first + 1] << (52 - shift);
        if (first + 2 < VF_LIMBS && 104 - shift < 64)
            word |= limbs[first + 2] << (104 - shift);
        words[w] = word;
    }
}

static inline void V(load)(VF *r, const uint64_t *const src[VF_LANES])
{
    VF_HALVES
    {
        lv words[VF_NWORDS];
        lv_gather4(words, src + h * LANE_W);
#if VF_C(WORDS) == 6
        const uint64_t *rest[LANE_W];
        for (unsigned i = 0; i < LANE_W; i++)
            rest[i] = src[h * LANE_W + i] + 4;
        lv_gather2(words + 4, rest);
#endif
        V(unpack)(r->l[h], words);
    }
}

static inline void V(store_reduced)(uint64_t *const dst[VF_LANES], const VF *a)
{
    VF_HALVES
    {
        lv words[VF_NWORDS];
        V(pack)(words, a->l[h]);
        lv_scatter4(dst + h * LANE_W, words);
#if VF_C(WORDS) == 6
        uint64_t *rest[LANE_W];
        for (unsigned i = 0; i < LANE_W; i++)
            rest[i] = dst[h * LANE_W + i] + 4;
        lv_scatter2(rest, words + 4);
#endif
    }
}

static inline void V(store)(uint64_t *const dst[VF_LANES], const VF *a)
{
    VF_READ(minus_p, MINUS_1P);
    VF full;
    V(subtract_once)(&full, a, minus_p);
    V(store_reduced)(dst, &full);
}

static inline void V(load_seq)(VF *r, const uint64_t *src, size_t stride)
{
    const uint64_t *rows[VF_LANES];
    for (unsigned i = 0; i < VF_LANES; i++)
        rows[i] = src + i * stride;
    V(load)(r, rows);
}

static inline void V(store_seq)(uint64_t *dst, size_t stride, const VF *a)
{
    uint64_t *rows[VF_LANES];
    for (unsigned i = 0; i < VF_LANES; i++)
        rows[i] = dst + i * stride;
    V(store)(rows, a);
}

static inline void V(set1)(VF *r, const uint64_t *src)
{
    lv words[VF_NWORDS];
    for (unsigned w = 0; w < VF_NWORDS; w++)
        words[w] = lv_set1(src[w]);
    VF_HALVES
    V(unpack)(r->l[h], words);
}

static inline void V(mul_constant)(VF *r, const VF *a, const uint64_t *limbs)
{
    VF k;
    V(constant)(&k, limbs);
    V(mul)(r, a, &k);
}

static inline void V(from_mem)(VF *r, const VF *a)
{
    static const uint64_t k[] = VF_C(FROM_MEM);
    V(mul_constant)(r, a, k);
}

static inline void V(to_mem)(VF *r, const VF *a)
{
    static const uint64_t k[] = VF_C(TO_MEM);
    V(mul_constant)(r, a, k);
}

static inline void V(from_int)(VF *r, const VF *a)
{
    static const uint64_t k[] = VF_C(FROM_INT);
    V(mul_constant)(r, a, k);
}

static inline void V(to_int)(VF *r, const VF *a)
{
    static const uint64_t k[VF_LIMBS] = {1};
    V(mul_constant)(r, a, k);
}

/* The lanes are inverted together by Montgomery's trick in the scalar field, which takes x*R' for
 * y*R: its inverse is x^-1 R^2/R', and the constant R'^3/R^2 mends that. */
static inline void V(inv)(VF *r, const VF *a)
{
    static const uint64_t fix[] = VF_C(INV_FIX);
    VF_FIELD x[VF_LANES], prefix[VF_LANES], inverse, one;
    const unsigned zeros = V(is_zero)(a);
    V(store_seq)((uint64_t *)x, VF_NWORDS, a);
    F(set_one)(&one);
    for (unsigned i = 0; i < VF_LANES; i++) {
        if (zeros >> i & 1)
            x[i] = one;
        if (i == 0)
            prefix[i] = x[i];
        else
            F(mul)(&prefix[i], &prefix[i - 1], &x[i]);
    }
    F(inv_var)(&inverse, &prefix[VF_LANES - 1]);
    for (unsigned i = VF_LANES - 1; i > 0; i--) {
        F(mul)(&prefix[i], &inverse, &prefix[i - 1]);
        F(mul)(&inverse, &inverse, &x[i]);
    }
    prefix[0] = inverse;
    V(load_seq)(r, (const uint64_t *)prefix, VF_NWORDS);
    V(mul_constant)(r, r, fix);
    VF zero;
    V(zero)(&zero);
    V(select)(r, zeros, &zero, r);
}

/* Element j of x[i] and element i of x[j] change places: each block of LANE_W x LANE_W within, then
 * the blocks off the diagonal. */
static inline void V(transpose)(VF x[VF_LANES])
{
    for (unsigned block = 0; block < VF_LANES; block += LANE_W)
        VF_HALVES
    for (unsigned j = 0; j < VF_LIMBS; j++)
        lv_transpose(&x[block].l[h][j], LANE_H * VF_LIMBS);
#if LANE_H == 2
    for (unsigned i = 0; i < LANE_W; i++)
        for (unsigned j = 0; j < VF_LIMBS; j++) {
            const lv t = x[i].l[1][j];
            x[i].l[1][j] = x[i + LANE_W].l[0][j];
            x[i + LANE_W].l[0][j] = t;
        }
#endif
}

static inline unsigned V(begin)(void)
{
    return lane_begin();
}

static inline void V(end)(unsigned saved)
{
    lane_end(saved);
}

#undef VF_CAT_
#undef VF_CAT
#undef V
#undef F
#undef VF_C
#undef VF_LIMBS
#undef VF_NWORDS
#undef VF_LANES
#undef VF_HALVES
#undef VF_READ
#undef VF
#undef VF_CONST
#undef VF_FIELD
