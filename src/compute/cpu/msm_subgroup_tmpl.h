/* Subgroup membership in lanes: an endomorphism acts on the subgroup as a known multiplication, and
 * only there (see the scalar checks in curve/). Part of msm_group_tmpl.h; there GROUP_EIGENVALUE
 * |k| in two words, and GROUP_EIGENVALUE_BITS its length GROUP_MINUS        1 if the endomorphism
 * acts as -|k| GROUP_BETA         the endomorphism (x, y) -> (beta x, y), or GROUP_PSI_X,
 * GROUP_PSI_Y   the endomorphism (x, y) -> (PSI_X x^p, PSI_Y y^p) or none of them where each point
 * of the curve is in the subgroup. */

#ifdef GROUP_EIGENVALUE

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

/* r = |k| a, where a is finite; z = 0 in lanes that met an exceptional addition, and then r is
 * void. */
static void G(mul_eigenvalue)(G(jacobian) * r, const G(affine) * a)
{
    static const uint64_t k[2] = GROUP_EIGENVALUE;
    r->x = a->x;
    r->y = a->y;
    K(one)(&r->z);
    for (int bit = GROUP_EIGENVALUE_BITS - 2; bit >= 0; bit--) {
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

static unsigned G(outside)(const G(affine) * a)
{
    G(jacobian) product;
    G(affine) image;
    KE zz, t;
    G(mul_eigenvalue)(&product, a);
    G(endomorphism)(&image, a);
    if (GROUP_MINUS)
        K(neg)(&image.y, &image.y);
    K(sqr)(&zz, &product.z);
    K(mul)(&t, &image.x, &zz);
    K(sub)(&t, &t, &product.x);
    unsigned equal = K(is_zero)(&t);
    K(mul)(&zz, &zz, &product.z);
    K(mul)(&t, &image.y, &zz);
    K(sub)(&t, &t, &product.y);
    equal &= K(is_zero)(&t);
    return ~equal | K(is_zero)(&product.z);
}

#else

static unsigned G(outside)(const G(affine) * a)
{
    (void)a;
    return 0;
}

#endif
