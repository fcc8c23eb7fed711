/* Fp2 = Fp[u] / (u^2 + 1): text that is compiled once per curve.
 *
 * Before including, define
 *     FP2       the type's name, say bn254_fp2
 *     FP2_BASE  the field below it, say bn254_fp; p = 3 mod 4
 *     FP2_XI    the small integer a of xi = a + u, over which Fp6 is built
 *
 * As in field_tmpl.h: outputs may equal inputs, names in _var take a time that depends on the data.
 */

#define F(name) CUZK_NAME(FP2, name)
#define B(name) CUZK_NAME(FP2_BASE, name)

typedef struct FP2 {
    FP2_BASE c0, c1;
} FP2;

CUZK_HD void F(set_zero)(FP2 *r)
{
    B(set_zero)(&r->c0);
    B(set_zero)(&r->c1);
}

CUZK_HD void F(set_one)(FP2 *r)
{
    B(set_one)(&r->c0);
    B(set_zero)(&r->c1);
}

CUZK_HD bool F(is_zero)(const FP2 *a)
{
    return B(is_zero)(&a->c0) && B(is_zero)(&a->c1);
}

CUZK_HD bool F(equal)(const FP2 *a, const FP2 *b)
{
    return B(equal)(&a->c0, &b->c0) && B(equal)(&a->c1, &b->c1);
}

CUZK_HD void F(cmov)(FP2 *r, const FP2 *a, bool flag)
{
    B(cmov)(&r->c0, &a->c0, flag);
    B(cmov)(&r->c1, &a->c1, flag);
}

/* True if both coordinates, c0 first, are below p. */
CUZK_HD bool F(limbs_valid)(const uint64_t *l)
{
    return B(limbs_valid)(l) && B(limbs_valid)(l + sizeof(FP2_BASE) / 8);
}

CUZK_HD void F(add)(FP2 *r, const FP2 *a, const FP2 *b)
{
    B(add)(&r->c0, &a->c0, &b->c0);
    B(add)(&r->c1, &a->c1, &b->c1);
}

CUZK_HD void F(sub)(FP2 *r, const FP2 *a, const FP2 *b)
{
    B(sub)(&r->c0, &a->c0, &b->c0);
    B(sub)(&r->c1, &a->c1, &b->c1);
}

CUZK_HD void F(dbl)(FP2 *r, const FP2 *a)
{
    B(dbl)(&r->c0, &a->c0);
    B(dbl)(&r->c1, &a->c1);
}

CUZK_HD void F(neg)(FP2 *r, const FP2 *a)
{
    B(neg)(&r->c0, &a->c0);
    B(neg)(&r->c1, &a->c1);
}

CUZK_HD void F(cneg)(FP2 *r, const FP2 *a, bool negative)
{
    B(cneg)(&r->c0, &a->c0, negative);
    B(cneg)(&r->c1, &a->c1, negative);
}

/* a^p */
CUZK_HD void F(conj)(FP2 *r, const FP2 *a)
{
    r->c0 = a->c0;
    B(neg)(&r->c1, &a->c1);
}

/* As mul, with three products and two reductions instead of three: less work where additions are
 * cheap beside products. a0 b1 + a1 b0 < 2 p^2 < p R. */
CUZK_HD void F(mul_lazy)(FP2 *r, const FP2 *a, const FP2 *b)
{
    FP2_BASE sum_a, sum_b;
    B(wide) low, high, both;
    B(mul_wide)(&low, &a->c0, &b->c0);
    B(mul_wide)(&high, &a->c1, &b->c1);
    B(add_loose)(&sum_a, &a->c0, &a->c1);
    B(add_loose)(&sum_b, &b->c0, &b->c1);
    B(mul_wide)(&both, &sum_a, &sum_b);
    B(wide_sub)(&both, &both, &low);
    B(wide_sub)(&both, &both, &high);
    B(wide_sub_mod)(&low, &low, &high);
    B(wide_reduce)(&r->c0, &low);
    B(wide_reduce)(&r->c1, &both);
}

/* Three products (Karatsuba): c1 = (a0 + a1)(b0 + b1) - a0 b0 - a1 b1. */
CUZK_HD_PRODUCT void F(mul)(FP2 *r, const FP2 *a, const FP2 *b)
{
#if defined(__CUDA_ARCH__)
    F(mul_lazy)(r, a, b);
#else
    FP2_BASE low, high, sum_a, sum_b;
    B(add)(&sum_a, &a->c0, &a->c1);
    B(add)(&sum_b, &b->c0, &b->c1);
    B(mul)(&low, &a->c0, &b->c0);
    B(mul)(&high, &a->c1, &b->c1);
    B(mul)(&sum_a, &sum_a, &sum_b);
    B(sub)(&r->c0, &low, &high);
    B(sub)(&sum_a, &sum_a, &low);
    B(sub)(&r->c1, &sum_a, &high);
#endif
}

/* Two products: (a0 + a1)(a0 - a1) + 2 a0 a1 u. Sums that are second factors stay unreduced. */
CUZK_HD_PRODUCT void F(sqr)(FP2 *r, const FP2 *a)
{
    FP2_BASE sum, difference, twice;
    B(add_loose)(&sum, &a->c0, &a->c1);
    B(sub)(&difference, &a->c0, &a->c1);
    B(add_loose)(&twice, &a->c0, &a->c0);
    B(mul)(&r->c1, &a->c1, &twice);
    B(mul)(&r->c0, &difference, &sum);
}

CUZK_HD void F(mul_base)(FP2 *r, const FP2 *a, const FP2_BASE *b)
{
    B(mul)(&r->c0, &a->c0, b);
    B(mul)(&r->c1, &a->c1, b);
}

/* r = xi a = (XI a0 - a1) + (XI a1 + a0) u. */
CUZK_HD void F(mul_xi)(FP2 *r, const FP2 *a)
{
    FP2 t = *a;
    if (FP2_XI == 9) {
        F(dbl)(&t, &t);
        F(dbl)(&t, &t);
        F(dbl)(&t, &t);
        F(add)(&t, &t, a);
    }
    FP2_BASE a0 = a->c0;
    B(sub)(&r->c0, &t.c0, &a->c1);
    B(add)(&r->c1, &t.c1, &a0);
}

/* 1/0 = 0. */
CUZK_HD void F(inv_var)(FP2 *r, const FP2 *a)
{
    FP2_BASE norm, t;
    B(sqr)(&norm, &a->c0);
    B(sqr)(&t, &a->c1);
    B(add)(&norm, &norm, &t);
    B(inv_var)(&norm, &norm);
    B(mul)(&r->c0, &a->c0, &norm);
    B(neg)(&norm, &norm);
    B(mul)(&r->c1, &a->c1, &norm);
}

/* True if a is the larger one of a and -a: by c1, and by c0 where c1 = 0. */
CUZK_HD bool F(is_larger)(const FP2 *a)
{
    return B(is_zero)(&a->c1) ? B(is_larger)(&a->c0) : B(is_larger)(&a->c1);
}

/* A root of a with c1 = 0. Exactly one of a0 and -a0 is a square, as -1 is none. */
CUZK_HD bool F(sqrt_base_var)(FP2 *r, const FP2_BASE *a0)
{
    FP2_BASE minus;
    B(set_zero)(&r->c0);
    B(set_zero)(&r->c1);
    if (B(sqrt_var)(&r->c0, a0))
        return true;
    B(neg)(&minus, a0);
    return B(sqrt_var)(&r->c1, &minus);
}

/* Sets *r to a root of a and returns true, or returns false and leaves *r. With n^2 = a0^2 + a1^2,
 * x^2 is (a0 + n)/2 or (a0 - n)/2, whichever is a square, and y = a1 / (2x). */
CUZK_HD bool F(sqrt_var)(FP2 *r, const FP2 *a)
{
    FP2_BASE a0 = a->c0, a1 = a->c1, norm, half, t, x;
    if (B(is_zero)(&a1))
        return F(sqrt_base_var)(r, &a0);
    B(sqr)(&norm, &a0);
    B(sqr)(&t, &a1);
    B(add)(&norm, &norm, &t);
    if (!B(sqrt_var)(&norm, &norm))
        return false;
    B(from_u64)(&half, 2);
    B(inv_var)(&half, &half);
    B(add)(&t, &a0, &norm);
    B(mul)(&t, &t, &half);
    if (!B(sqrt_var)(&x, &t)) {
        B(sub)(&t, &t, &norm);
        if (!B(sqrt_var)(&x, &t))
            return false;
    }
    r->c0 = x;
    B(dbl)(&t, &x);
    B(inv_var)(&t, &t);
    B(mul)(&r->c1, &a1, &t);
    return true;
}

/* Big-endian bytes, c1 before c0, as all formats have it that are big-endian. */
CUZK_HD void F(to_be)(uint8_t *out, const FP2 *a)
{
    B(to_be)(out, &a->c1);
    B(to_be)(out + sizeof(FP2_BASE), &a->c0);
}

CUZK_HD bool F(from_be)(FP2 *r, const uint8_t *in)
{
    bool high = B(from_be)(&r->c1, in);
    return B(from_be)(&r->c0, in + sizeof(FP2_BASE)) && high;
}

#undef F
#undef B
#undef FP2
#undef FP2_BASE
#undef FP2_XI
