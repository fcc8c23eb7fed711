/* Fp6 = Fp2[v] / (v^3 - xi): text that is compiled once per curve.
 *
 * Before including, define
 *     FP6       the type's name, say bn254_fp6
 *     FP6_BASE  the field below it, say bn254_fp2, which has mul_xi */

#define F(name) CUZK_NAME(FP6, name)
#define B(name) CUZK_NAME(FP6_BASE, name)

typedef struct FP6 {
    FP6_BASE c0, c1, c2;
} FP6;

CUZK_HD void F(set_zero)(FP6 *r)
{
    B(set_zero)(&r->c0);
    B(set_zero)(&r->c1);
    B(set_zero)(&r->c2);
}

CUZK_HD void F(set_one)(FP6 *r)
{
    B(set_one)(&r->c0);
    B(set_zero)(&r->c1);
    B(set_zero)(&r->c2);
}

CUZK_HD bool F(equal)(const FP6 *a, const FP6 *b)
{
    return B(equal)(&a->c0, &b->c0) && B(equal)(&a->c1, &b->c1) && B(equal)(&a->c2, &b->c2);
}

CUZK_HD void F(add)(FP6 *r, const FP6 *a, const FP6 *b)
{
    B(add)(&r->c0, &a->c0, &b->c0);
    B(add)(&r->c1, &a->c1, &b->c1);
    B(add)(&r->c2, &a->c2, &b->c2);
}

CUZK_HD void F(sub)(FP6 *r, const FP6 *a, const FP6 *b)
{
    B(sub)(&r->c0, &a->c0, &b->c0);
    B(sub)(&r->c1, &a->c1, &b->c1);
    B(sub)(&r->c2, &a->c2, &b->c2);
}

CUZK_HD void F(neg)(FP6 *r, const FP6 *a)
{
    B(neg)(&r->c0, &a->c0);
    B(neg)(&r->c1, &a->c1);
    B(neg)(&r->c2, &a->c2);
}

CUZK_HD void F(mul_v)(FP6 *r, const FP6 *a)
{
    FP6_BASE t;
    B(mul_xi)(&t, &a->c2);
    r->c2 = a->c1;
    r->c1 = a->c0;
    r->c0 = t;
}

/* r = (a + b)(c + d) - e - f, the middle term of a Karatsuba product. */
CUZK_HD void F(cross)(FP6_BASE *r, const FP6_BASE *a, const FP6_BASE *b, const FP6_BASE *c,
                      const FP6_BASE *d, const FP6_BASE *e, const FP6_BASE *f)
{
    FP6_BASE left, right;
    B(add)(&left, a, b);
    B(add)(&right, c, d);
    B(mul)(&left, &left, &right);
    B(sub)(&left, &left, e);
    B(sub)(r, &left, f);
}

/* Six products. */
CUZK_HD void F(mul)(FP6 *r, const FP6 *a, const FP6 *b)
{
    FP6_BASE v0, v1, v2, c0, c1, c2, t;
    B(mul)(&v0, &a->c0, &b->c0);
    B(mul)(&v1, &a->c1, &b->c1);
    B(mul)(&v2, &a->c2, &b->c2);
    F(cross)(&c0, &a->c1, &a->c2, &b->c1, &b->c2, &v1, &v2);
    F(cross)(&c1, &a->c0, &a->c1, &b->c0, &b->c1, &v0, &v1);
    F(cross)(&c2, &a->c0, &a->c2, &b->c0, &b->c2, &v0, &v2);
    B(mul_xi)(&t, &c0);
    B(add)(&r->c0, &t, &v0);
    B(mul_xi)(&t, &v2);
    B(add)(&r->c1, &c1, &t);
    B(add)(&r->c2, &c2, &v1);
}

CUZK_HD void F(mul_base)(FP6 *r, const FP6 *a, const FP6_BASE *b)
{
    B(mul)(&r->c0, &a->c0, b);
    B(mul)(&r->c1, &a->c1, b);
    B(mul)(&r->c2, &a->c2, b);
}

/* r = a (b0 + b1 v): five products. */
CUZK_HD void F(mul_01)(FP6 *r, const FP6 *a, const FP6_BASE *b0, const FP6_BASE *b1)
{
    FP6_BASE v0, v1, c1, t;
    B(mul)(&v0, &a->c0, b0);
    B(mul)(&v1, &a->c1, b1);
    F(cross)(&c1, &a->c0, &a->c1, b0, b1, &v0, &v1);
    B(mul)(&t, &a->c2, b1);
    B(mul)(&r->c2, &a->c2, b0);
    B(add)(&r->c2, &r->c2, &v1);
    r->c1 = c1;
    B(mul_xi)(&t, &t);
    B(add)(&r->c0, &v0, &t);
}

/* r = a b1 v: three products. */
CUZK_HD void F(mul_1)(FP6 *r, const FP6 *a, const FP6_BASE *b1)
{
    FP6 t;
    F(mul_base)(&t, a, b1);
    F(mul_v)(r, &t);
}

/* 1/0 = 0. The inverse is the cofactors t over the norm a0 t0 + xi (a2 t1 + a1 t2). */
CUZK_HD void F(inv_var)(FP6 *r, const FP6 *a)
{
    FP6 t;
    FP6_BASE norm, product;
    B(sqr)(&t.c0, &a->c0);
    B(mul)(&product, &a->c1, &a->c2);
    B(mul_xi)(&product, &product);
    B(sub)(&t.c0, &t.c0, &product);
    B(sqr)(&t.c1, &a->c2);
    B(mul_xi)(&t.c1, &t.c1);
    B(mul)(&product, &a->c0, &a->c1);
    B(sub)(&t.c1, &t.c1, &product);
    B(sqr)(&t.c2, &a->c1);
    B(mul)(&product, &a->c0, &a->c2);
    B(sub)(&t.c2, &t.c2, &product);

    B(mul)(&norm, &a->c2, &t.c1);
    B(mul)(&product, &a->c1, &t.c2);
    B(add)(&norm, &norm, &product);
    B(mul_xi)(&norm, &norm);
    B(mul)(&product, &a->c0, &t.c0);
    B(add)(&norm, &norm, &product);
    B(inv_var)(&norm, &norm);
    F(mul_base)(r, &t, &norm);
}

#undef F
#undef B
#undef FP6
#undef FP6_BASE
