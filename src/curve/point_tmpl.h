/* Points of y^2 = x^3 + b over a field or its extension: text that is compiled once per group.
 *
 * Before including, define
 *     POINT        the type's name, say bn254_g1
 *     POINT_COORD  the field of its coordinates, say bn254_fp
 *     POINT_B      initializer of b in Montgomery form
 *
 * POINT is Jacobian: x/z^2, y/z^3; infinity is z = 0. POINT_affine is x, y; infinity is all zero,
 * which is no point of the curve as b is not 0. All functions take all points, equal, opposite and
 * infinite ones too. Outputs may equal inputs. The formulas are those of the Explicit-Formulas
 * Database for a = 0: dbl-2009-l, add-2007-bl, madd-2007-bl. */

#define P(name) CUZK_NAME(POINT, name)
#define C(name) CUZK_NAME(POINT_COORD, name)

typedef struct P(affine) {
    POINT_COORD x, y;
} P(affine);

typedef struct POINT {
    POINT_COORD x, y, z;
} POINT;

CUZK_HD void P(set_infinity)(POINT *r)
{
    C(set_one)(&r->x);
    C(set_one)(&r->y);
    C(set_zero)(&r->z);
}

CUZK_HD bool P(is_infinity)(const POINT *a)
{
    return C(is_zero)(&a->z);
}

CUZK_HD bool P(affine_is_infinity)(const P(affine) * a)
{
    return C(is_zero)(&a->x) && C(is_zero)(&a->y);
}

CUZK_HD void P(affine_set_infinity)(P(affine) * r)
{
    C(set_zero)(&r->x);
    C(set_zero)(&r->y);
}

CUZK_HD void P(from_affine)(POINT *r, const P(affine) * a)
{
    if (P(affine_is_infinity)(a)) {
        P(set_infinity)(r);
        return;
    }
    r->x = a->x;
    r->y = a->y;
    C(set_one)(&r->z);
}

CUZK_HD void P(affine_neg)(P(affine) * r, const P(affine) * a)
{
    r->x = a->x;
    C(neg)(&r->y, &a->y);
}

CUZK_HD void P(neg)(POINT *r, const POINT *a)
{
    r->x = a->x;
    C(neg)(&r->y, &a->y);
    r->z = a->z;
}

CUZK_HD void P(cmov)(POINT *r, const POINT *a, bool flag)
{
    C(cmov)(&r->x, &a->x, flag);
    C(cmov)(&r->y, &a->y, flag);
    C(cmov)(&r->z, &a->z, flag);
}

CUZK_HD void P(affine_cmov)(P(affine) * r, const P(affine) * a, bool flag)
{
    C(cmov)(&r->x, &a->x, flag);
    C(cmov)(&r->y, &a->y, flag);
}

/* Infinity counts as on the curve. */
CUZK_HD bool P(on_curve)(const P(affine) * a)
{
    const POINT_COORD b = POINT_B;
    POINT_COORD left, right;
    C(sqr)(&right, &a->x);
    C(mul)(&right, &right, &a->x);
    C(add)(&right, &right, &b);
    C(sqr)(&left, &a->y);
    return C(equal)(&left, &right) || P(affine_is_infinity)(a);
}

CUZK_HD bool P(equal)(const POINT *a, const POINT *b)
{
    bool infinite_a = P(is_infinity)(a), infinite_b = P(is_infinity)(b);
    if (infinite_a || infinite_b)
        return infinite_a && infinite_b;
    POINT_COORD za, zb, left, right;
    C(sqr)(&za, &a->z);
    C(sqr)(&zb, &b->z);
    C(mul)(&left, &a->x, &zb);
    C(mul)(&right, &b->x, &za);
    if (!C(equal)(&left, &right))
        return false;
    C(mul)(&za, &za, &a->z);
    C(mul)(&zb, &zb, &b->z);
    C(mul)(&left, &a->y, &zb);
    C(mul)(&right, &b->y, &za);
    return C(equal)(&left, &right);
}

CUZK_HD void P(dbl)(POINT *r, const POINT *a)
{
    POINT_COORD a2, b2, c, d, e, t;
    C(sqr)(&a2, &a->x);
    C(sqr)(&b2, &a->y);
    C(sqr)(&c, &b2);
    C(add)(&d, &a->x, &b2); /* d = 4 x y^2 */
    C(sqr)(&d, &d);
    C(sub)(&d, &d, &a2);
    C(sub)(&d, &d, &c);
    C(dbl)(&d, &d);
    C(dbl)(&e, &a2);
    C(add)(&e, &e, &a2);
    C(mul)(&t, &a->y, &a->z);
    C(dbl)(&r->z, &t);
    C(sqr)(&t, &e);
    C(sub)(&t, &t, &d);
    C(sub)(&r->x, &t, &d);
    C(sub)(&d, &d, &r->x);
    C(mul)(&d, &e, &d);
    C(dbl)(&c, &c);
    C(dbl)(&c, &c);
    C(dbl)(&c, &c);
    C(sub)(&r->y, &d, &c);
}

/* The common end of both additions: u1 and s1 are a's x and y over the common denominator, h the
 * difference of the x, s the difference of the y; the caller has set r->z. */
CUZK_HD void P(add_finish)(POINT *r, const POINT_COORD *u1, const POINT_COORD *s1,
                           const POINT_COORD *h, const POINT_COORD *s)
{
    POINT_COORD i, j, v, t, slope;
    C(dbl)(&slope, s);
    C(dbl)(&i, h);
    C(sqr)(&i, &i);
    C(mul)(&j, h, &i);
    C(mul)(&v, u1, &i);
    C(mul)(&t, s1, &j);
    C(dbl)(&t, &t);
    C(sqr)(&i, &slope);
    C(sub)(&i, &i, &j);
    C(sub)(&i, &i, &v);
    C(sub)(&r->x, &i, &v);
    C(sub)(&v, &v, &r->x);
    C(mul)(&v, &v, &slope);
    C(sub)(&r->y, &v, &t);
}

CUZK_HD_COLD void P(dbl_cold)(POINT *r, const POINT *a)
{
    P(dbl)(r, a);
}

/* r = 2a or infinity, for the sum of points with equal x. */
CUZK_HD void P(add_same_x)(POINT *r, const POINT *a, bool same_y)
{
    POINT copy = *a, twice;
    if (same_y) {
        P(dbl_cold)(&twice, &copy);
        *r = twice;
    } else {
        P(set_infinity)(r);
    }
}

/* r = a + b. The time depends on whether this is an exceptional case, and on nothing else. */
CUZK_HD void P(add)(POINT *r, const POINT *a, const POINT *b)
{
    if (P(is_infinity)(a)) {
        *r = *b;
        return;
    }
    if (P(is_infinity)(b)) {
        *r = *a;
        return;
    }
    POINT_COORD za, zb, u1, h, s1, s, z;
    C(sqr)(&za, &a->z);
    C(sqr)(&zb, &b->z);
    C(mul)(&u1, &a->x, &zb);
    C(mul)(&h, &b->x, &za);
    C(mul)(&s1, &a->y, &b->z);
    C(mul)(&s1, &s1, &zb);
    C(mul)(&s, &b->y, &a->z);
    C(mul)(&s, &s, &za);
    C(sub)(&h, &h, &u1);
    C(sub)(&s, &s, &s1);
    if (C(is_zero)(&h)) {
        P(add_same_x)(r, a, C(is_zero)(&s));
        return;
    }
    C(mul)(&z, &a->z, &b->z);
    C(mul)(&z, &z, &h);
    C(dbl)(&r->z, &z);
    P(add_finish)(r, &u1, &s1, &h, &s);
}

CUZK_HD void P(add_mixed)(POINT *r, const POINT *a, const P(affine) * b)
{
    if (P(affine_is_infinity)(b)) {
        *r = *a;
        return;
    }
    if (P(is_infinity)(a)) {
        P(from_affine)(r, b);
        return;
    }
    POINT_COORD za, h, s, z, x = a->x, y = a->y;
    C(sqr)(&za, &a->z);
    C(mul)(&h, &b->x, &za);
    C(mul)(&s, &b->y, &a->z);
    C(mul)(&s, &s, &za);
    C(sub)(&h, &h, &x);
    C(sub)(&s, &s, &y);
    if (C(is_zero)(&h)) {
        P(add_same_x)(r, a, C(is_zero)(&s));
        return;
    }
    C(mul)(&z, &a->z, &h);
    C(dbl)(&r->z, &z);
    P(add_finish)(r, &x, &y, &h, &s);
}

/* r = a, given 1/z of a; not for infinity. */
CUZK_HD void P(scale)(P(affine) * r, const POINT *a, const POINT_COORD *z_inverse)
{
    POINT_COORD t;
    C(sqr)(&t, z_inverse);
    C(mul)(&r->x, &a->x, &t);
    C(mul)(&t, &t, z_inverse);
    C(mul)(&r->y, &a->y, &t);
}

CUZK_HD void P(to_affine_var)(P(affine) * r, const POINT *a)
{
    POINT_COORD z_inverse;
    C(inv_var)(&z_inverse, &a->z); /* 1/0 = 0 makes infinity come out as zeros */
    P(scale)(r, a, &z_inverse);
}

/* r[i] = a[i], i < n, with one inversion (Montgomery's trick). */
CUZK_HD void P(to_affine_many_var)(P(affine) * r, const POINT *a, size_t n)
{
    POINT_COORD product, inverse;
    C(set_one)(&product);
    for (size_t i = 0; i < n; i++) {
        r[i].x = product; /* of the z before i */
        if (!P(is_infinity)(&a[i]))
            C(mul)(&product, &product, &a[i].z);
    }
    C(inv_var)(&product, &product);
    for (size_t i = n; i-- > 0;) {
        if (P(is_infinity)(&a[i])) {
            P(affine_set_infinity)(&r[i]);
            continue;
        }
        C(mul)(&inverse, &product, &r[i].x);
        C(mul)(&product, &product, &a[i].z);
        P(scale)(&r[i], &a[i], &inverse);
    }
}

/* Memory form (curve.h): the coordinates' limbs in order. */
CUZK_HD void P(load)(P(affine) * r, const uint64_t *words)
{
    memcpy(r, words, sizeof *r);
}

CUZK_HD void P(store)(uint64_t *words, const P(affine) * a)
{
    memcpy(words, a, sizeof *a);
}

#include "curve/point_mul_tmpl.h"

#undef P
#undef C
#undef POINT
#undef POINT_COORD
#undef POINT_B
