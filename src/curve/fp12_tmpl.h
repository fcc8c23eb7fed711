/* Fp12 = Fp6[w] / (w^2 - v), so w^6 = xi: text that is compiled once per curve.
 *
 * Before including, define
 *     FP12               the type's name, say bn254_fp12
 *     FP12_BASE          the field below it, say bn254_fp6
 *     FP12_FP2, FP12_FP  the fields further below
 *     FP12_FROBENIUS     initializers of xi^(i(p-1)/6), i = 1 … 5, in Fp2
 *     FP12_FROBENIUS2    initializers of xi^(i(p^2-1)/6), i = 1 … 5, in Fp */

#define F(name) CUZK_NAME(FP12, name)
#define B(name) CUZK_NAME(FP12_BASE, name)
#define E(name) CUZK_NAME(FP12_FP2, name)

typedef struct FP12 {
    FP12_BASE c0, c1;
} FP12;

CUZK_HD void F(set_one)(FP12 *r)
{
    B(set_one)(&r->c0);
    B(set_zero)(&r->c1);
}

CUZK_HD bool F(equal)(const FP12 *a, const FP12 *b)
{
    return B(equal)(&a->c0, &b->c0) && B(equal)(&a->c1, &b->c1);
}

/* a^(p^6): w to -w. The inverse of an element whose norm to Fp6 is 1. */
CUZK_HD void F(conj)(FP12 *r, const FP12 *a)
{
    r->c0 = a->c0;
    B(neg)(&r->c1, &a->c1);
}

CUZK_HD void F(mul)(FP12 *r, const FP12 *a, const FP12 *b)
{
    FP12_BASE v0, v1, sum_a, sum_b;
    B(add)(&sum_a, &a->c0, &a->c1);
    B(add)(&sum_b, &b->c0, &b->c1);
    B(mul)(&v0, &a->c0, &b->c0);
    B(mul)(&v1, &a->c1, &b->c1);
    B(mul)(&sum_a, &sum_a, &sum_b);
    B(sub)(&sum_a, &sum_a, &v0);
    B(sub)(&r->c1, &sum_a, &v1);
    B(mul_v)(&v1, &v1);
    B(add)(&r->c0, &v0, &v1);
}

/* c0 = (a0 + a1)(a0 + v a1) - a0 a1 - v a0 a1, c1 = 2 a0 a1. */
CUZK_HD void F(sqr)(FP12 *r, const FP12 *a)
{
    FP12_BASE product, sum, other;
    B(mul)(&product, &a->c0, &a->c1);
    B(add)(&sum, &a->c0, &a->c1);
    B(mul_v)(&other, &a->c1);
    B(add)(&other, &other, &a->c0);
    B(mul)(&sum, &sum, &other);
    B(sub)(&sum, &sum, &product);
    B(add)(&r->c1, &product, &product);
    B(mul_v)(&product, &product);
    B(sub)(&r->c0, &sum, &product);
}

/* r = f (l0 + l1 v + l4 v w): the line of an M-type twist. */
CUZK_HD void F(mul_014)(FP12 *r, const FP12 *f, const FP12_FP2 *l0, const FP12_FP2 *l1,
                        const FP12_FP2 *l4)
{
    FP12_BASE v0, v1, sum;
    FP12_FP2 l14;
    B(mul_01)(&v0, &f->c0, l0, l1);
    B(mul_1)(&v1, &f->c1, l4);
    B(add)(&sum, &f->c0, &f->c1);
    E(add)(&l14, l1, l4);
    B(mul_01)(&sum, &sum, l0, &l14);
    B(sub)(&sum, &sum, &v0);
    B(sub)(&r->c1, &sum, &v1);
    B(mul_v)(&v1, &v1);
    B(add)(&r->c0, &v0, &v1);
}

/* r = f (l0 + l3 w + l4 v w): the line of a D-type twist. */
CUZK_HD void F(mul_034)(FP12 *r, const FP12 *f, const FP12_FP2 *l0, const FP12_FP2 *l3,
                        const FP12_FP2 *l4)
{
    FP12_BASE v0, v1, sum;
    FP12_FP2 l03;
    B(mul_base)(&v0, &f->c0, l0);
    B(mul_01)(&v1, &f->c1, l3, l4);
    B(add)(&sum, &f->c0, &f->c1);
    E(add)(&l03, l0, l3);
    B(mul_01)(&sum, &sum, &l03, l4);
    B(sub)(&sum, &sum, &v0);
    B(sub)(&r->c1, &sum, &v1);
    B(mul_v)(&v1, &v1);
    B(add)(&r->c0, &v0, &v1);
}

/* 1/0 = 0. */
CUZK_HD void F(inv_var)(FP12 *r, const FP12 *a)
{
    FP12_BASE norm, t;
    B(mul)(&norm, &a->c0, &a->c0);
    B(mul)(&t, &a->c1, &a->c1);
    B(mul_v)(&t, &t);
    B(sub)(&norm, &norm, &t);
    B(inv_var)(&norm, &norm);
    B(mul)(&r->c0, &a->c0, &norm);
    B(mul)(&t, &a->c1, &norm);
    B(neg)(&r->c1, &t);
}

/* a^p: the coefficient of w^i is conjugated and multiplied by xi^(i(p-1)/6); v = w^2. */
CUZK_HD void F(frobenius)(FP12 *r, const FP12 *a)
{
    const FP12_FP2 g[5] = FP12_FROBENIUS;
    FP12 t;
    E(conj)(&r->c0.c0, &a->c0.c0);
    E(conj)(&t.c0.c1, &a->c0.c1);
    E(conj)(&t.c0.c2, &a->c0.c2);
    E(conj)(&t.c1.c0, &a->c1.c0);
    E(conj)(&t.c1.c1, &a->c1.c1);
    E(conj)(&t.c1.c2, &a->c1.c2);
    E(mul)(&r->c1.c0, &t.c1.c0, &g[0]);
    E(mul)(&r->c0.c1, &t.c0.c1, &g[1]);
    E(mul)(&r->c1.c1, &t.c1.c1, &g[2]);
    E(mul)(&r->c0.c2, &t.c0.c2, &g[3]);
    E(mul)(&r->c1.c2, &t.c1.c2, &g[4]);
}

/* a^(p^2) */
CUZK_HD void F(frobenius2)(FP12 *r, const FP12 *a)
{
    const FP12_FP g[5] = FP12_FROBENIUS2;
    r->c0.c0 = a->c0.c0;
    E(mul_base)(&r->c1.c0, &a->c1.c0, &g[0]);
    E(mul_base)(&r->c0.c1, &a->c0.c1, &g[1]);
    E(mul_base)(&r->c1.c1, &a->c1.c1, &g[2]);
    E(mul_base)(&r->c0.c2, &a->c0.c2, &g[3]);
    E(mul_base)(&r->c1.c2, &a->c1.c2, &g[4]);
}

/* (x + y s)^2 = r0 + r1 s in Fp4 = Fp2[s] / (s^2 - xi). */
CUZK_HD void F(fp4_sqr)(FP12_FP2 *r0, FP12_FP2 *r1, const FP12_FP2 *x, const FP12_FP2 *y)
{
    FP12_FP2 x2, y2, sum;
    E(sqr)(&x2, x);
    E(sqr)(&y2, y);
    E(add)(&sum, x, y);
    E(sqr)(&sum, &sum);
    E(sub)(&sum, &sum, &x2);
    E(sub)(r1, &sum, &y2);
    E(mul_xi)(&y2, &y2);
    E(add)(r0, &x2, &y2);
}

/* r = 3 t - 2 a and r = 3 t + 2 a */
CUZK_HD void F(three_minus_two)(FP12_FP2 *r, const FP12_FP2 *t, const FP12_FP2 *a)
{
    FP12_FP2 d;
    E(sub)(&d, t, a);
    E(dbl)(&d, &d);
    E(add)(r, &d, t);
}

CUZK_HD void F(three_plus_two)(FP12_FP2 *r, const FP12_FP2 *t, const FP12_FP2 *a)
{
    FP12_FP2 d;
    E(add)(&d, t, a);
    E(dbl)(&d, &d);
    E(add)(r, &d, t);
}

/* r = a^2 for a in the cyclotomic subgroup, a^(p^4 - p^2 + 1) = 1: nine squarings in Fp2 (Granger
 * and Scott, eprint 2009/565). */
CUZK_HD void F(cyclotomic_sqr)(FP12 *r, const FP12 *a)
{
    FP12_FP2 t0, t1, t2, t3, t4, t5;
    F(fp4_sqr)(&t0, &t1, &a->c0.c0, &a->c1.c1);
    F(fp4_sqr)(&t2, &t3, &a->c1.c0, &a->c0.c2);
    F(fp4_sqr)(&t4, &t5, &a->c0.c1, &a->c1.c2);
    E(mul_xi)(&t5, &t5);
    F(three_minus_two)(&r->c0.c0, &t0, &a->c0.c0);
    F(three_minus_two)(&r->c0.c1, &t2, &a->c0.c1);
    F(three_minus_two)(&r->c0.c2, &t4, &a->c0.c2);
    F(three_plus_two)(&r->c1.c0, &t5, &a->c1.c0);
    F(three_plus_two)(&r->c1.c1, &t1, &a->c1.c1);
    F(three_plus_two)(&r->c1.c2, &t3, &a->c1.c2);
}

/* r = a^e for a in the cyclotomic subgroup, e not 0. */
CUZK_HD void F(cyclotomic_pow_var)(FP12 *r, const FP12 *a, uint64_t e)
{
    FP12 base = *a, t = *a;
    for (int i = 62 - cuzk_high_zeros(e); i >= 0; i--) {
        F(cyclotomic_sqr)(&t, &t);
        if (e >> i & 1)
            F(mul)(&t, &t, &base);
    }
    *r = t;
}

/* r = a^e, e of that many limbs, any a. */
CUZK_HD void F(pow_var)(FP12 *r, const FP12 *a, const uint64_t *e, int limbs)
{
    FP12 base = *a, t;
    F(set_one)(&t);
    for (int i = 64 * limbs - 1; i >= 0; i--) {
        F(sqr)(&t, &t);
        if (e[i / 64] >> (i % 64) & 1)
            F(mul)(&t, &t, &base);
    }
    *r = t;
}

#undef F
#undef B
#undef E
#undef FP12
#undef FP12_BASE
#undef FP12_FP2
#undef FP12_FP
#undef FP12_FROBENIUS
#undef FP12_FROBENIUS2
