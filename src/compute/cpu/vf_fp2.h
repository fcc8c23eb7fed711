/* vfp2 = vfp[u]/(u^2 + 1), lane-wise: the same interface as vfp (compute/cpu/README.md), packed as
 * c0, c1. Include after a vf_<curve>_fp.h. Factors of vfp2_mul may be lazy: components below 4p
 * both, or below 7p one and 2p the other. */
#ifndef CUZK_COMPUTE_VF_FP2_H
#define CUZK_COMPUTE_VF_FP2_H

#define VFP2_WORDS (2 * VFP_WORDS)

typedef struct vfp2 {
    vfp c0, c1;
} vfp2;

/* (a0 b0 - a1 b1) + ((a0 + a1)(b0 + b1) - a0 b0 - a1 b1) u */
#if VFP_W > 1 && LANE_W == 8
/* Three products, but two reductions. */
static __attribute__((noinline, unused)) void vfp2_mul(vfp2 *r, const vfp2 *a, const vfp2 *b)
{
    vfp s, t;
    vfp_columns v0, v1, v2;
    vfp_add_lazy(&s, &a->c0, &a->c1);
    vfp_add_lazy(&t, &b->c0, &b->c1);
    vfp_mul_columns(&v0, &a->c0, &b->c0);
    vfp_mul_columns(&v1, &a->c1, &b->c1);
    vfp_mul_columns(&v2, &s, &t);
    vfp_columns_sub(&v2, &v0);
    vfp_columns_sub(&v2, &v1);
    vfp_columns_sub_positive(&v0, &v1);
    vfp_reduce_columns(&r->c1, &v2);
    vfp_reduce_columns(&r->c0, &v0);
}
#else
static inline void vfp2_mul(vfp2 *r, const vfp2 *a, const vfp2 *b)
{
    vfp v0, v1, s, t;
    vfp_add_lazy(&s, &a->c0, &a->c1);
    vfp_add_lazy(&t, &b->c0, &b->c1);
    vfp_mul(&v0, &a->c0, &b->c0);
    vfp_mul(&v1, &a->c1, &b->c1);
    vfp_mul(&t, &s, &t);
    vfp_sub_sub(&r->c1, &t, &v0, &v1);
    vfp_sub(&r->c0, &v0, &v1);
}
#endif

/* (a0 + a1)(a0 - a1) + 2 a0 a1 u; a is reduced */
static inline void vfp2_sqr(vfp2 *r, const vfp2 *a)
{
    vfp s, d, t;
    vfp_add_lazy(&s, &a->c0, &a->c1);
    vfp_sub_lazy(&d, &a->c0, &a->c1);
    vfp_add_lazy(&t, &a->c0, &a->c0);
    vfp_mul(&r->c1, &t, &a->c1);
    vfp_mul(&r->c0, &s, &d);
}

static inline void vfp2_add(vfp2 *r, const vfp2 *a, const vfp2 *b)
{
    vfp_add(&r->c0, &a->c0, &b->c0);
    vfp_add(&r->c1, &a->c1, &b->c1);
}

static inline void vfp2_sub(vfp2 *r, const vfp2 *a, const vfp2 *b)
{
    vfp_sub(&r->c0, &a->c0, &b->c0);
    vfp_sub(&r->c1, &a->c1, &b->c1);
}

static inline void vfp2_sub_lazy(vfp2 *r, const vfp2 *a, const vfp2 *b)
{
    vfp_sub_lazy(&r->c0, &a->c0, &b->c0);
    vfp_sub_lazy(&r->c1, &a->c1, &b->c1);
}

static inline void vfp2_sub_sub(vfp2 *r, const vfp2 *a, const vfp2 *b, const vfp2 *c)
{
    vfp_sub_sub(&r->c0, &a->c0, &b->c0, &c->c0);
    vfp_sub_sub(&r->c1, &a->c1, &b->c1, &c->c1);
}

static inline void vfp2_sub_signed_lazy(vfp2 *r, const vfp2 *a, unsigned negate_a, const vfp2 *b,
                                        unsigned negate_b)
{
    vfp_sub_signed_lazy(&r->c0, &a->c0, negate_a, &b->c0, negate_b);
    vfp_sub_signed_lazy(&r->c1, &a->c1, negate_a, &b->c1, negate_b);
}

static inline void vfp2_loose_diff(vfp2 *r, const vfp2 *a, const vfp2 *b)
{
    vfp_loose_diff(&r->c0, &a->c0, &b->c0);
    vfp_loose_diff(&r->c1, &a->c1, &b->c1);
}

static inline void vfp2_loose_chord_x(vfp2 *r, const vfp2 *square, const vfp2 *a, const vfp2 *d)
{
    vfp_loose_chord_x(&r->c0, &square->c0, &a->c0, &d->c0);
    vfp_loose_chord_x(&r->c1, &square->c1, &a->c1, &d->c1);
}

static inline void vfp2_loose_sub(vfp2 *r, const vfp2 *a, const vfp2 *b)
{
    vfp_loose_sub(&r->c0, &a->c0, &b->c0);
    vfp_loose_sub(&r->c1, &a->c1, &b->c1);
}

static inline void vfp2_loose_sub_signed(vfp2 *r, const vfp2 *a, const vfp2 *b, unsigned negate)
{
    vfp_loose_sub_signed(&r->c0, &a->c0, &b->c0, negate);
    vfp_loose_sub_signed(&r->c1, &a->c1, &b->c1, negate);
}

static inline void vfp2_tighten(vfp2 *r, const vfp2 *a)
{
    vfp_tighten(&r->c0, &a->c0);
    vfp_tighten(&r->c1, &a->c1);
}

static inline void vfp2_neg(vfp2 *r, const vfp2 *a)
{
    vfp_neg(&r->c0, &a->c0);
    vfp_neg(&r->c1, &a->c1);
}

static inline void vfp2_conj(vfp2 *r, const vfp2 *a)
{
    r->c0 = a->c0;
    vfp_neg(&r->c1, &a->c1);
}

static inline void vfp2_dbl(vfp2 *r, const vfp2 *a)
{
    vfp_dbl(&r->c0, &a->c0);
    vfp_dbl(&r->c1, &a->c1);
}

static inline void vfp2_zero(vfp2 *r)
{
    vfp_zero(&r->c0);
    vfp_zero(&r->c1);
}

static inline void vfp2_one(vfp2 *r)
{
    vfp_one(&r->c0);
    vfp_zero(&r->c1);
}

static inline unsigned vfp2_is_zero(const vfp2 *a)
{
    return vfp_is_zero(&a->c0) & vfp_is_zero(&a->c1);
}

static inline void vfp2_select(vfp2 *r, unsigned mask, const vfp2 *a, const vfp2 *b)
{
    vfp_select(&r->c0, mask, &a->c0, &b->c0);
    vfp_select(&r->c1, mask, &a->c1, &b->c1);
}

/* (a0 - a1 u) / (a0^2 + a1^2) */
static inline void vfp2_inv(vfp2 *r, const vfp2 *a)
{
    vfp norm, t;
    vfp_sqr(&norm, &a->c0);
    vfp_sqr(&t, &a->c1);
    vfp_add(&norm, &norm, &t);
    vfp_inv(&norm, &norm);
    vfp_mul(&r->c0, &a->c0, &norm);
    vfp_neg(&t, &a->c1);
    vfp_mul(&r->c1, &t, &norm);
}

static inline void vfp2_load(vfp2 *r, const uint64_t *const src[VFP_W])
{
    const uint64_t *second[VFP_W];
    for (unsigned i = 0; i < VFP_W; i++)
        second[i] = src[i] + VFP_WORDS;
    vfp_load(&r->c0, src);
    vfp_load(&r->c1, second);
}

static inline void vfp2_store(uint64_t *const dst[VFP_W], const vfp2 *a)
{
    uint64_t *second[VFP_W];
    for (unsigned i = 0; i < VFP_W; i++)
        second[i] = dst[i] + VFP_WORDS;
    vfp_store(dst, &a->c0);
    vfp_store(second, &a->c1);
}

static inline void vfp2_store_reduced(uint64_t *const dst[VFP_W], const vfp2 *a)
{
    uint64_t *second[VFP_W];
    for (unsigned i = 0; i < VFP_W; i++)
        second[i] = dst[i] + VFP_WORDS;
    vfp_store_reduced(dst, &a->c0);
    vfp_store_reduced(second, &a->c1);
}

static inline void vfp2_from_mem(vfp2 *r, const vfp2 *a)
{
    vfp_from_mem(&r->c0, &a->c0);
    vfp_from_mem(&r->c1, &a->c1);
}

static inline void vfp2_to_mem(vfp2 *r, const vfp2 *a)
{
    vfp_to_mem(&r->c0, &a->c0);
    vfp_to_mem(&r->c1, &a->c1);
}

#endif
