/* Subgroup membership in lanes: an endomorphism acts on the subgroup as a known multiplication, and
 * only there (see the scalar checks in curve/). Part of msm_group_tmpl.h; there
 *   GROUP_MULTIPLIER   k in two words, and GROUP_MULTIPLIER_BITS its length
 *   GROUP_BETA         the endomorphism e: (x, y) -> (beta x, y), or
 *   GROUP_PSI_X, GROUP_PSI_Y   e: (x, y) -> (PSI_X x^p, PSI_Y y^p)
 *   GROUP_CHAIN        0: members are those with e(a) = -k a
 *                      1: those with (k+1) a + e(k a) + e^2(k a) = 2 e^3(k a)
 * or none of them where each point of the curve is in the subgroup. */

#ifdef GROUP_MULTIPLIER

/* x/z^2, y/z^3; the formulas are dbl-2009-l and the usual mixed addition, for a = 0. */
typedef struct G(jacobian) {
    KE x, y, z;
} G(jacobian);

static void G(jac_double)(G(jacobian) * r, const G(jacobian) * p)
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

/* r = p + q where neither is infinity and x differ. In other lanes z becomes 0 and r is void. */
static void G(jac_add)(G(jacobian) * r, const G(jacobian) * p, const G(affine) * q)
{
    KE zz, h, hh, hhh, s, v;
    K(sqr)(&zz, &p->z);
    K(mul)(&h, &q->x, &zz);
    K(sub)(&h, &h, &p->x);
    K(mul)(&s, &q->y, &p->z);
    K(mul)(&s, &s, &zz);
    K(sub)(&s, &s, &p->y);
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
}

static void G(from_affine)(G(jacobian) * r, const G(affine) * a)
{
    r->x = a->x;
    r->y = a->y;
    K(one)(&r->z);
}

/* r = k a, where a is finite; z = 0 in lanes that met an exceptional addition, and then r is
 * void. */
static void G(mul_by_k)(G(jacobian) * r, const G(affine) * a)
{
    static const uint64_t k[2] = GROUP_MULTIPLIER;
    G(from_affine)(r, a);
    for (int bit = GROUP_MULTIPLIER_BITS - 2; bit >= 0; bit--) {
        G(jac_double)(r, r);
        if (k[bit / 64] >> (bit % 64) & 1)
            G(jac_add)(r, r, a);
    }
}

static void G(endomorphism)(G(affine) * r, const G(affine) * a)
{
    KE k;
#ifdef GROUP_BETA
    static const GROUP_CONSTANT beta = GROUP_BETA;
    K(constant_from)(&k, (const uint64_t *)&beta);
    K(mul)(&r->x, &a->x, &k);
    r->y = a->y;
#else
    static const GROUP_CONSTANT psi_x = GROUP_PSI_X, psi_y = GROUP_PSI_Y;
    K(constant_from)(&k, (const uint64_t *)&psi_x);
    K(conj)(&r->x, &a->x);
    K(mul)(&r->x, &r->x, &k);
    K(constant_from)(&k, (const uint64_t *)&psi_y);
    K(conj)(&r->y, &a->y);
    K(mul)(&r->y, &r->y, &k);
#endif
}

/* The lanes where a and b differ or one of them is infinity. */
static unsigned G(differ)(const G(jacobian) * a, const G(jacobian) * b)
{
    KE za, zb, s, t;
    K(sqr)(&za, &a->z);
    K(sqr)(&zb, &b->z);
    K(mul)(&s, &a->x, &zb);
    K(mul)(&t, &b->x, &za);
    K(sub)(&s, &s, &t);
    const unsigned equal_x = K(is_zero)(&s);
    K(mul)(&za, &za, &a->z);
    K(mul)(&zb, &zb, &b->z);
    K(mul)(&s, &a->y, &zb);
    K(mul)(&t, &b->y, &za);
    K(sub)(&s, &s, &t);
    return ~(equal_x & K(is_zero)(&s)) | K(is_zero)(&a->z) | K(is_zero)(&b->z);
}

#if GROUP_CHAIN

static void G(to_affine)(G(affine) * r, const G(jacobian) * a)
{
    KE inverse, square;
    K(inv)(&inverse, &a->z);
    K(sqr)(&square, &inverse);
    K(mul)(&r->x, &a->x, &square);
    K(mul)(&square, &square, &inverse);
    K(mul)(&r->y, &a->y, &square);
}

static unsigned G(outside)(const G(affine) * a)
{
    G(jacobian) left, right;
    G(affine) multiple;
    G(mul_by_k)(&left, a);
    const unsigned none = K(is_zero)(&left.z);
    G(to_affine)(&multiple, &left);
    G(jac_add)(&left, &left, a);
    for (unsigned i = 0; i < 2; i++) {
        G(endomorphism)(&multiple, &multiple);
        G(jac_add)(&left, &left, &multiple);
    }
    G(endomorphism)(&multiple, &multiple);
    G(from_affine)(&right, &multiple);
    G(jac_double)(&right, &right);
    return none | G(differ)(&left, &right);
}

#else

static unsigned G(outside)(const G(affine) * a)
{
    G(jacobian) product, image;
    G(affine) e;
    G(mul_by_k)(&product, a);
    G(endomorphism)(&e, a);
    K(neg)(&e.y, &e.y);
    G(from_affine)(&image, &e);
    return G(differ)(&product, &image);
}

#endif

#else

static unsigned G(outside)(const G(affine) * a)
{
    (void)a;
    return 0;
}

#endif
