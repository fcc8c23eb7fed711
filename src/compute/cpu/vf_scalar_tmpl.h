/* The vector field with one lane: a thin cover over the scalar field; interface:
 * compute/cpu/README.md. Everything is always fully reduced, so the lazy forms are the plain ones.
 * Parameters: VF, VF_FIELD, VF_NWORDS (words of an element). */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define VF_CAT_(a, b) a##b
#define VF_CAT(a, b)  VF_CAT_(a, b)
#define V(name)       VF_CAT(VF, _##name)
#define F(name)       VF_CAT(VF_FIELD, _##name)

typedef struct VF {
    VF_FIELD e;
} VF;

static inline void V(mul)(VF *r, const VF *a, const VF *b)
{
    F(mul)(&r->e, &a->e, &b->e);
}

static inline void V(sqr)(VF *r, const VF *a)
{
    F(sqr)(&r->e, &a->e);
}

static inline void V(add)(VF *r, const VF *a, const VF *b)
{
    F(add)(&r->e, &a->e, &b->e);
}

static inline void V(sub)(VF *r, const VF *a, const VF *b)
{
    F(sub)(&r->e, &a->e, &b->e);
}

static inline void V(neg)(VF *r, const VF *a)
{
    F(neg)(&r->e, &a->e);
}

static inline void V(dbl)(VF *r, const VF *a)
{
    F(dbl)(&r->e, &a->e);
}

static inline void V(add_lazy)(VF *r, const VF *a, const VF *b)
{
    F(add)(&r->e, &a->e, &b->e);
}

static inline void V(sub_lazy)(VF *r, const VF *a, const VF *b)
{
    F(sub)(&r->e, &a->e, &b->e);
}

static inline void V(sub_sub)(VF *r, const VF *a, const VF *b, const VF *c)
{
    F(sub)(&r->e, &a->e, &b->e);
    F(sub)(&r->e, &r->e, &c->e);
}

static inline void V(loose_sub_signed)(VF *r, const VF *a, const VF *b, unsigned negate)
{
    VF minus;
    F(neg)(&minus.e, &b->e);
    F(sub)(&r->e, &a->e, negate & 1 ? &minus.e : &b->e);
}

static inline void V(sub_signed_lazy)(VF *r, const VF *a, unsigned negate_a, const VF *b,
                                      unsigned negate_b)
{
    VF t = *a;
    if (negate_a & 1)
        F(neg)(&t.e, &t.e);
    V(loose_sub_signed)(r, &t, b, negate_b);
}

static inline void V(loose_diff)(VF *r, const VF *a, const VF *b)
{
    F(sub)(&r->e, &a->e, &b->e);
}

static inline void V(loose_chord_x)(VF *r, const VF *square, const VF *a, const VF *d)
{
    VF t;
    F(dbl)(&t.e, &a->e);
    F(add)(&t.e, &t.e, &d->e);
    F(sub)(&r->e, &square->e, &t.e);
}

static inline void V(loose_sub)(VF *r, const VF *a, const VF *b)
{
    F(sub)(&r->e, &a->e, &b->e);
}

static inline void V(tighten)(VF *r, const VF *a)
{
    *r = *a;
}

static inline void V(reduce)(VF *r, const VF *a)
{
    *r = *a;
}

static inline void V(zero)(VF *r)
{
    F(set_zero)(&r->e);
}

static inline void V(one)(VF *r)
{
    F(set_one)(&r->e);
}

static inline unsigned V(is_zero)(const VF *a)
{
    return F(is_zero)(&a->e);
}

static inline void V(select)(VF *r, unsigned mask, const VF *a, const VF *b)
{
    VF t = *b;
    F(cmov)(&t.e, &a->e, mask & 1);
    *r = t;
}

static inline void V(inv)(VF *r, const VF *a)
{
    F(inv_var)(&r->e, &a->e);
}

static inline void V(load)(VF *r, const uint64_t *const src[1])
{
    memcpy(r, src[0], sizeof *r);
}

static inline void V(store)(uint64_t *const dst[1], const VF *a)
{
    memcpy(dst[0], a, sizeof *a);
}

static inline void V(store_reduced)(uint64_t *const dst[1], const VF *a)
{
    memcpy(dst[0], a, sizeof *a);
}

static inline void V(load_seq)(VF *r, const uint64_t *src, size_t stride)
{
    (void)stride;
    memcpy(r, src, sizeof *r);
}

static inline void V(store_seq)(uint64_t *dst, size_t stride, const VF *a)
{
    (void)stride;
    memcpy(dst, a, sizeof *a);
}

static inline void V(set1)(VF *r, const uint64_t *src)
{
    memcpy(r, src, sizeof *r);
}

static inline void V(from_mem)(VF *r, const VF *a)
{
    *r = *a;
}

static inline void V(to_mem)(VF *r, const VF *a)
{
    *r = *a;
}

static inline void V(from_int)(VF *r, const VF *a)
{
    F(canon) c;
    memcpy(&c, a, sizeof c);
    F(from_canon)(&r->e, &c);
}

static inline void V(to_int)(VF *r, const VF *a)
{
    F(canon) c;
    F(to_canon)(&c, &a->e);
    memcpy(r, &c, sizeof c);
}

static inline void V(transpose)(VF x[1])
{
    (void)x;
}

static inline unsigned V(begin)(void)
{
    return 0;
}

static inline void V(end)(unsigned saved)
{
    (void)saved;
}

#undef VF_CAT_
#undef VF_CAT
#undef V
#undef F
#undef VF
#undef VF_FIELD
#undef VF_NWORDS
