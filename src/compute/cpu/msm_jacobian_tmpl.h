/* Jacobian points in lanes: x/z^2, y/z^3, infinity is z = 0. Part of msm_group_tmpl.h. The formulas are
 * dbl-2009-l and the mixed addition of the Explicit-Formulas Database, for a = 0. */

typedef struct G(jacobian) {
    KE x, y, z;
} G(jacobian);

typedef struct G(affine) {
    KE x, y;
} G(affine);

static inline void G(jac_select)(G(jacobian) *r, unsigned mask, const G(jacobian) *a,
                                 const G(jacobian) *b)
{
    K(select)(&r->x, mask, &a->x, &b->x);
    K(select)(&r->y, mask, &a->y, &b->y);
    K(select)(&r->z, mask, &a->z, &b->z);
}

static void G(jac_double)(G(jacobian) *r, const G(jacobian) *p)
{
    KE a, b, c, d, e, f;
    K(sqr)(&a, &p->x);
    K(sqr)(&b, &p->y);
    K(sqr)(&c, &b);
    K(add)(&d, &p->x, &b);
    K(sqr)(&d, &d);
    K(sub)(&d, &d, &a);
    K(sub)(&d, &d, &c);
    K(dbl)(&d, &d);
    K(dbl)(&e, &a);
    K(add)(&e, &e, &a);
    K(mul)(&r->z, &p->y, &p->z);
    K(dbl)(&r->z, &r->z);
    K(sqr)(&f, &e);
    K(sub)(&f, &f, &d);
    K(sub)(&r->x, &f, &d);
    K(sub)(&d, &d, &r->x);
    K(mul)(&d, &d, &e);
    K(dbl)(&c, &c);
    K(dbl)(&c, &c);
    K(dbl)(&c, &c);
    K(sub)(&r->y, &d, &c);
}

/* r = p + q where neither is infinity and x differ. Where x are equal, z becomes 0 and the answer has
 * the lane's bit, and *same the bit if y are equal too; where p is infinity, z stays 0. */
static unsigned G(jac_add_raw)(G(jacobian) *r, unsigned *same, const G(jacobian) *p,
                               const G(affine) *q)
{
    KE zz, h, hh, hhh, s, v;
    K(sqr)(&zz, &p->z);
    K(mul)(&h, &q->x, &zz);
    K(sub)(&h, &h, &p->x);
    K(mul)(&s, &q->y, &p->z);
    K(mul)(&s, &s, &zz);
    K(sub)(&s, &s, &p->y);
    const unsigned equal_x = K(is_zero)(&h);
    *same = equal_x & K(is_zero)(&s);
    K(sqr)(&hh, &h);
    K(mul)(&hhh, &hh, &h);
    K(mul)(&v, &p->x, &hh);
    K(mul)(&r->z, &p->z, &h);
    K(sqr)(&zz, &s);
    K(sub)(&zz, &zz, &hhh);
    K(sub)(&zz, &zz, &v);
    K(sub)(&r->x, &zz, &v);
    K(sub)(&v, &v, &r->x);
    K(mul)(&v, &v, &s);
    K(mul)(&hhh, &hhh, &p->y);
    K(sub)(&r->y, &v, &hhh);
    return equal_x;
}

/* r = p + q for all points; q: infinity is (0, 0). */
static void G(jac_add)(G(jacobian) *r, const G(jacobian) *p, const G(affine) *q)
{
    const unsigned p_infinite = K(is_zero)(&p->z), q_infinite = K(is_zero)(&q->y);
    G(jacobian) sum, lifted;
    unsigned same;
    G(jac_add_raw)(&sum, &same, p, q);
    same &= ~(p_infinite | q_infinite);
    if (same != 0) {
        G(jacobian) twice;
        G(jac_double)(&twice, p);
        G(jac_select)(&sum, same, &twice, &sum);
    }
    lifted.x = q->x;
    lifted.y = q->y;
    K(one)(&lifted.z);
    G(jac_select)(&sum, p_infinite, &lifted, &sum);
    G(jac_select)(r, q_infinite, p, &sum);
}

static void G(jac_to_affine)(G(affine) *r, const G(jacobian) *p)
{
    KE inverse, sqr; /* of infinity, 1/0 = 0 makes (0, 0) */
    K(inv)(&inverse, &p->z);
    K(sqr)(&sqr, &inverse);
    K(mul)(&r->x, &p->x, &sqr);
    K(mul)(&sqr, &sqr, &inverse);
    K(mul)(&r->y, &p->y, &sqr);
}

static inline void G(load_points)(G(affine) *r, const uint64_t *const src[VFP_W])
{
    const uint64_t *y[VFP_W];
    for (unsigned i = 0; i < VFP_W; i++)
        y[i] = src[i] + K_WORDS;
    K(load)(&r->x, src);
    K(load)(&r->y, y);
}

static inline void G(store_points)(uint64_t *const dst[VFP_W], const G(affine) *a)
{
    uint64_t *y[VFP_W];
    for (unsigned i = 0; i < VFP_W; i++)
        y[i] = dst[i] + K_WORDS;
    K(store)(dst, &a->x);
    K(store)(y, &a->y);
}

/* Lane l sums its own stretch of positions, l * stretch .. (l+1) * stretch - 1, by Horner's rule. */
static void G(horner_lanes)(G(affine) *r, const uint64_t *position, size_t n, size_t stretch)
{
    static const uint64_t infinity[2 * K_WORDS];
    G(jacobian) sum;
    K(one)(&sum.x);
    K(one)(&sum.y);
    K(zero)(&sum.z);
    for (size_t i = stretch; i-- > 0;) {
        const uint64_t *src[VFP_W];
        G(affine) next;
        for (unsigned l = 0; l < VFP_W; l++) {
            const size_t at = l * stretch + i;
            src[l] = at < n ? position + at * 2 * K_WORDS : infinity;
        }
        G(load_points)(&next, src);
        G(jac_double)(&sum, &sum);
        G(jac_add)(&sum, &sum, &next);
    }
    G(jac_to_affine)(r, &sum);
}

/* The stretches are then joined by Horner's rule again; all lanes do the same. */
static void G(horner)(uint64_t *result, const uint64_t *position, size_t n, const uint64_t *extra)
{
    const unsigned saved = vfp_begin();
    const size_t stretch = (n + VFP_W - 1) / VFP_W;
    uint64_t sums[VFP_W][2 * K_WORDS], *dst[VFP_W];
    const uint64_t *src[VFP_W];
    G(affine) next;
    G(jacobian) sum;
    for (unsigned l = 0; l < VFP_W; l++)
        dst[l] = sums[l];
    G(horner_lanes)(&next, position, n, stretch);
    G(store_points)(dst, &next);
    K(one)(&sum.x);
    K(one)(&sum.y);
    K(zero)(&sum.z);
    for (unsigned s = VFP_W; s-- > 0;) {
        for (size_t i = 0; i < stretch && s + 1 < VFP_W; i++)
            G(jac_double)(&sum, &sum);
        for (unsigned l = 0; l < VFP_W; l++)
            src[l] = sums[s];
        G(load_points)(&next, src);
        G(jac_add)(&sum, &sum, &next);
    }
    for (unsigned l = 0; l < VFP_W; l++)
        src[l] = extra;
    G(load_points)(&next, src);
    G(jac_add)(&sum, &sum, &next);
    G(jac_to_affine)(&next, &sum);
    K(to_mem)(&next.x, &next.x);
    K(to_mem)(&next.y, &next.y);
    G(store_points)(dst, &next);
    vfp_end(saved);
    memcpy(result, sums[0], sizeof sums[0]);
}
