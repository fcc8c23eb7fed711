/* Part of field_tmpl.h: inversion, by Bernstein and Yang's division steps (eprint 2019/266).
 *
 * f and g start as p and the operand; a division step replaces them by (f, (g + f or 0)/2) or
 * (g, (g - f)/2) and keeps their gcd, until g = 0 and f = 1 or -1. The choice depends on the low
 * bits only, so 62 steps are run on one limb and collected in a 2x2 matrix t, which is then applied
 * to (f, g) exactly, and to (d, e) modulo p; operand * d = f and operand * e = g hold throughout
 * (up to the factor 2^62 per round that applying t divides away). All four are signed, in limbs of
 * 62 bits: there is room for carries, and the top limb has the sign. */

#define FIELD_SLIMBS ((64 * FIELD_LIMBS + 61) / 62)

typedef struct F(signed62) {
    int64_t v[FIELD_SLIMBS];
} F(signed62);

typedef struct F(steps) {
    int64_t u, v, q, r;
} F(steps);

CUZK_HD void F(to_signed62)(F(signed62) * r, const uint64_t *a)
{
    const uint64_t mask = UINT64_MAX >> 2;
    for (int i = 0; i < FIELD_SLIMBS; i++) {
        int bit = 62 * i, limb = bit / 64, shift = bit % 64;
        uint64_t x = limb < FIELD_LIMBS ? a[limb] >> shift : 0;
        if (shift > 2 && limb + 1 < FIELD_LIMBS)
            x |= a[limb + 1] << (64 - shift);
        r->v[i] = (int64_t)(x & mask);
    }
}

CUZK_HD void F(from_signed62)(uint64_t *r, const F(signed62) * a)
{
    for (int i = 0; i < FIELD_LIMBS; i++) {
        int bit = 64 * i, limb = bit / 62, shift = bit % 62;
        uint64_t x = (uint64_t)a->v[limb] >> shift;
        if (limb + 1 < FIELD_SLIMBS)
            x |= (uint64_t)a->v[limb + 1] << (62 - shift);
        if (shift > 60 && limb + 2 < FIELD_SLIMBS)
            x |= (uint64_t)a->v[limb + 2] << (124 - shift);
        r[i] = x;
    }
}

/* Runs 62 division steps on the low limbs; returns the new delta, negated. The entries of t are at
 * most 2^62 in absolute value, in sums of rows too. Even g is halved many times at once; an odd g
 * gets the multiple of f added that clears as many low bits as delta allows before f and g swap
 * again. */
CUZK_HD int F(divsteps)(F(steps) * t, int minus_delta, uint64_t f, uint64_t g)
{
    uint64_t u = 1, v = 0, q = 0, r = 1;
    int left = 62;
    for (;;) {
        int zeros = cuzk_low_zeros(g | (UINT64_MAX << left));
        g >>= zeros;
        u <<= zeros;
        v <<= zeros;
        minus_delta -= zeros;
        left -= zeros;
        if (left == 0)
            break;
        if (minus_delta < 0) {
            uint64_t x = f, y = u, z = v;
            minus_delta = -minus_delta;
            f = g;
            g = 0 - x;
            u = q;
            q = 0 - y;
            v = r;
            r = 0 - z;
        }
        int bits = minus_delta + 1 < left ? minus_delta + 1 : left;
        uint64_t mask = (UINT64_MAX >> (64 - bits)) & 63;
        uint64_t w = (f * g * (f * f - 2)) & mask; /* -g / f modulo 2^6 */
        g += f * w;
        q += u * w;
        r += v * w;
    }
    t->u = (int64_t)u;
    t->v = (int64_t)v;
    t->q = (int64_t)q;
    t->r = (int64_t)r;
    return minus_delta;
}

/* (f, g) = t (f, g) / 2^62, which is exact, on the lowest n limbs. */
CUZK_HD void F(apply_fg)(F(signed62) * f, F(signed62) * g, const F(steps) * t, int n)
{
    const int64_t mask = INT64_MAX >> 1;
    cuzk_i128 cf = (cuzk_i128)t->u * f->v[0] + (cuzk_i128)t->v * g->v[0];
    cuzk_i128 cg = (cuzk_i128)t->q * f->v[0] + (cuzk_i128)t->r * g->v[0];
    cf >>= 62;
    cg >>= 62;
    for (int i = 1; i < n; i++) {
        int64_t fi = f->v[i], gi = g->v[i];
        cf += (cuzk_i128)t->u * fi + (cuzk_i128)t->v * gi;
        cg += (cuzk_i128)t->q * fi + (cuzk_i128)t->r * gi;
        f->v[i - 1] = (int64_t)cf & mask;
        g->v[i - 1] = (int64_t)cg & mask;
        cf >>= 62;
        cg >>= 62;
    }
    f->v[n - 1] = (int64_t)cf;
    g->v[n - 1] = (int64_t)cg;
}

/* (d, e) = t (d, e) / 2^62 mod p. Both stay in (-2p, p): the multiple of p that makes the division
 * exact is chosen below 2^62 after p has been added to negative inputs. */
CUZK_HD void F(apply_de)(F(signed62) * d, F(signed62) * e, const F(steps) * t,
                         const F(signed62) * p)
{
    const uint64_t mask = UINT64_MAX >> 2;
    const uint64_t p_inverse = 0 - (uint64_t)FIELD_N0;
    int64_t sign_d = d->v[FIELD_SLIMBS - 1] >> 63, sign_e = e->v[FIELD_SLIMBS - 1] >> 63;
    int64_t md = (t->u & sign_d) + (t->v & sign_e);
    int64_t me = (t->q & sign_d) + (t->r & sign_e);
    cuzk_i128 cd = (cuzk_i128)t->u * d->v[0] + (cuzk_i128)t->v * e->v[0];
    cuzk_i128 ce = (cuzk_i128)t->q * d->v[0] + (cuzk_i128)t->r * e->v[0];
    md -= (int64_t)((p_inverse * (uint64_t)cd + (uint64_t)md) & mask);
    me -= (int64_t)((p_inverse * (uint64_t)ce + (uint64_t)me) & mask);
    cd += (cuzk_i128)p->v[0] * md;
    ce += (cuzk_i128)p->v[0] * me;
    cd >>= 62;
    ce >>= 62;
    for (int i = 1; i < FIELD_SLIMBS; i++) {
        int64_t di = d->v[i], ei = e->v[i];
        cd += (cuzk_i128)t->u * di + (cuzk_i128)t->v * ei + (cuzk_i128)p->v[i] * md;
        ce += (cuzk_i128)t->q * di + (cuzk_i128)t->r * ei + (cuzk_i128)p->v[i] * me;
        d->v[i - 1] = (int64_t)((uint64_t)cd & mask);
        e->v[i - 1] = (int64_t)((uint64_t)ce & mask);
        cd >>= 62;
        ce >>= 62;
    }
    d->v[FIELD_SLIMBS - 1] = (int64_t)cd;
    e->v[FIELD_SLIMBS - 1] = (int64_t)ce;
}

/* d = (negate ? -d : d) + multiple * p, carried; multiple is 0 or 1. */
CUZK_HD void F(adjust62)(F(signed62) * d, bool negate, int64_t multiple, const F(signed62) * p)
{
    int64_t carry = 0;
    for (int i = 0; i < FIELD_SLIMBS; i++) {
        int64_t x = (negate ? -d->v[i] : d->v[i]) + multiple * p->v[i] + carry;
        carry = x >> 62;
        d->v[i] = i + 1 < FIELD_SLIMBS ? x & (INT64_MAX >> 1) : x;
    }
}

/* One limb fewer when the top limbs of f and g are only signs, which then move down. */
CUZK_HD int F(shrink)(F(signed62) * f, F(signed62) * g, int n)
{
    int64_t fn = f->v[n - 1], gn = g->v[n - 1];
    if (n < 2 || (fn ^ (fn >> 63)) != 0 || (gn ^ (gn >> 63)) != 0)
        return n;
    f->v[n - 2] |= (int64_t)((uint64_t)fn << 62);
    g->v[n - 2] |= (int64_t)((uint64_t)gn << 62);
    return n - 1;
}

/* r = 1 / a; 1 / 0 = 0. */
CUZK_HD void F(inv_var)(FIELD *r, const FIELD *a)
{
    const uint64_t modulus[FIELD_LIMBS] = FIELD_MODULUS;
    const FIELD r2 = {FIELD_R2};
    F(signed62) p, f, g, d, e;
    F(to_signed62)(&p, modulus);
    F(to_signed62)(&g, a->l);
    f = p;
    for (int i = 0; i < FIELD_SLIMBS; i++)
        d.v[i] = e.v[i] = 0;
    e.v[0] = 1;
    int minus_delta = -1, n = FIELD_SLIMBS;
    for (;;) {
        int64_t rest = 0;
        for (int i = 0; i < n; i++)
            rest |= g.v[i];
        if (rest == 0)
            break;
        F(steps) t;
        uint64_t f_low = (uint64_t)f.v[0], g_low = (uint64_t)g.v[0];
        minus_delta = F(divsteps)(&t, minus_delta, f_low, g_low);
        F(apply_de)(&d, &e, &t, &p);
        F(apply_fg)(&f, &g, &t, n);
        n = F(shrink)(&f, &g, n);
    }
    if (d.v[FIELD_SLIMBS - 1] < 0)
        F(adjust62)(&d, false, 1, &p);
    if (f.v[n - 1] < 0)
        F(adjust62)(&d, true, 0, &p);
    if (d.v[FIELD_SLIMBS - 1] < 0)
        F(adjust62)(&d, false, 1, &p);
    /* d = 1 / (a R); two factors R mod p bring it to R / a. */
    FIELD t;
    F(from_signed62)(t.l, &d);
    F(mul)(&t, &t, &r2);
    F(mul)(r, &t, &r2);
}

#undef FIELD_SLIMBS
