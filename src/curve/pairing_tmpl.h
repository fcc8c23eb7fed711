/* The Miller loop: text that is compiled once per curve.
 *
 * Before including, define
 *     PAIRING         the prefix of the curve's types, say bn254
 *     PAIRING_LOOP    initializer of the loop's digits -1, 0, 1 below the leading 1, from the top
 *     PAIRING_DIGITS  how many there are
 *     PAIRING_LINES   lines of one loop: PAIRING_DIGITS, and one per digit that is not 0, and two
 * for the final steps of BN254 PAIRING_BN      1 for BN254 (D-type twist, final steps), 0 for
 * BLS12-381 (M-type twist, negative loop scalar)
 *
 * Lines depend on the point Q of G2 only, up to two factors from P: they are made once (prepared)
 * and used with any number of P. A line through T with slope s on the twist is y * y_P + x * x_P +
 * constant = (y_P - s x_P + (s x_T - y_T)) times a factor, the untwisting having been written into
 * the places of the coefficients; factors lie in proper subfields, and the final exponentiation
 * makes them 1. T is Jacobian, so that nothing is inverted. */

#define M(name)  CUZK_NAME(PAIRING, name)
#define E(name)  CUZK_NAME(M(fp2), name)
#define G2(name) CUZK_NAME(M(g2), name)

typedef struct M(line) {
    M(fp2) y, x, constant;
} M(line);

typedef struct M(prepared) {
    uint64_t infinity; /* 1: the point is infinity and there are no lines */
    M(line) lines[PAIRING_LINES];
} M(prepared);

/* T = 2T and its tangent, times 2 Y Z^3: slope 3 X^2 / (2 Y Z). */
static void M(line_double)(M(line) * line, M(g2) * t)
{
    M(fp2) z2, slope, y2;
    E(sqr)(&z2, &t->z);
    E(sqr)(&slope, &t->x);
    E(dbl)(&y2, &slope);
    E(add)(&slope, &slope, &y2); /* 3 X^2 */
    E(sqr)(&y2, &t->y);
    E(dbl)(&y2, &y2);
    E(mul)(&line->constant, &slope, &t->x);
    E(sub)(&line->constant, &line->constant, &y2); /* 3 X^3 - 2 Y^2 */
    E(mul)(&slope, &slope, &z2);
    E(neg)(&line->x, &slope);
    G2(dbl)(t, t);
    E(mul)(&line->y, &t->z, &z2); /* the new Z is 2 Y Z */
}

/* T = T + Q and the line through both, times Z H: slope S / (Z H), with H = x_Q Z^2 - X and
 * S = y_Q Z^3 - Y. T is never Q or -Q: it is another multiple of Q, below the order. */
static void M(line_add)(M(line) * line, M(g2) * t, const M(g2_affine) * q)
{
    M(fp2) z2, h, s, zh, product;
    E(sqr)(&z2, &t->z);
    E(mul)(&h, &q->x, &z2);
    E(sub)(&h, &h, &t->x);
    E(mul)(&s, &z2, &t->z);
    E(mul)(&s, &s, &q->y);
    E(sub)(&s, &s, &t->y);
    E(mul)(&zh, &t->z, &h);
    line->y = zh;
    E(neg)(&line->x, &s);
    E(mul)(&line->constant, &s, &q->x);
    E(mul)(&product, &zh, &q->y);
    E(sub)(&line->constant, &line->constant, &product);
    M(g2) sum;
    E(dbl)(&sum.z, &zh);
    G2(add_finish)(&sum, &t->x, &t->y, &h, &s);
    *t = sum;
}

static void M(prepare)(M(prepared) * prepared, const M(g2_affine) * q)
{
    static const int8_t loop[PAIRING_DIGITS] = PAIRING_LOOP;
    M(line) *line = prepared->lines;
    M(g2) t;
    M(g2_affine) minus;
    memset(prepared, 0, sizeof *prepared);
    prepared->infinity = G2(affine_is_infinity)(q);
    if (prepared->infinity)
        return;
    G2(from_affine)(&t, q);
    G2(affine_neg)(&minus, q);
    for (int i = 0; i < PAIRING_DIGITS; i++) {
        M(line_double)(line++, &t);
        if (loop[i] != 0)
            M(line_add)(line++, &t, loop[i] > 0 ? q : &minus);
    }
#if PAIRING_BN
    M(g2_affine) image;
    M(g2_affine_psi)(&image, q);
    M(line_add)(line++, &t, &image);
    M(g2_affine_psi)(&image, &image);
    G2(affine_neg)(&image, &image);
    M(line_add)(line++, &t, &image);
#endif
    CUZK_ASSERT(line == prepared->lines + PAIRING_LINES);
}

/* f *= the line at p. */
static void M(mul_line)(M(fp12) * f, const M(line) * line, const M(g1_affine) * p)
{
    M(fp2) y, x;
    E(mul_base)(&y, &line->y, &p->y);
    E(mul_base)(&x, &line->x, &p->x);
#if PAIRING_BN
    CUZK_NAME(M(fp12), mul_034)(f, f, &y, &x, &line->constant);
#else
    CUZK_NAME(M(fp12), mul_014)(f, f, &line->constant, &x, &y);
#endif
}

/* Multiplies f by line k of every pair. */
static void M(mul_lines)(M(fp12) * f, const uint64_t *const *points, const void *const *prepared,
                         size_t n, int k)
{
    for (size_t i = 0; i < n; i++) {
        const M(prepared) *q = prepared[i];
        M(g1_affine) p;
        CUZK_NAME(M(g1), load)(&p, points[i]);
        if (q->infinity == 0 && !CUZK_NAME(M(g1), affine_is_infinity)(&p))
            M(mul_line)(f, &q->lines[k], &p);
    }
}

/* All pairs share the squarings of f. */
static void M(miller)(M(fp12) * f, const uint64_t *const *points, const void *const *prepared,
                      size_t n)
{
    static const int8_t loop[PAIRING_DIGITS] = PAIRING_LOOP;
    int k = 0;
    CUZK_NAME(M(fp12), set_one)(f);
    for (int i = 0; i < PAIRING_DIGITS; i++) {
        if (i > 0)
            CUZK_NAME(M(fp12), sqr)(f, f);
        M(mul_lines)(f, points, prepared, n, k++);
        if (loop[i] != 0)
            M(mul_lines)(f, points, prepared, n, k++);
    }
#if PAIRING_BN
    M(mul_lines)(f, points, prepared, n, k++);
    M(mul_lines)(f, points, prepared, n, k++);
#else
    CUZK_NAME(M(fp12), conj)(f, f); /* the loop scalar is negative */
#endif
    CUZK_ASSERT(k == PAIRING_LINES);
}

/* r = f^((p^6 - 1)(p^2 + 1)), which lies in the cyclotomic subgroup. */
static void M(final_exp_easy)(M(fp12) * r, const M(fp12) * f)
{
    M(fp12) t, inverse;
    CUZK_NAME(M(fp12), inv_var)(&inverse, f);
    CUZK_NAME(M(fp12), conj)(&t, f);
    CUZK_NAME(M(fp12), mul)(&t, &t, &inverse);
    CUZK_NAME(M(fp12), frobenius2)(r, &t);
    CUZK_NAME(M(fp12), mul)(r, r, &t);
}

#undef M
#undef E
#undef G2
#undef PAIRING
#undef PAIRING_LOOP
#undef PAIRING_DIGITS
#undef PAIRING_LINES
#undef PAIRING_BN
