/* Part of point_tmpl.h: multiplication by scalars.
 *
 * Variable time: interleaved width-5 NAF over one or more points, whose scalars the caller has
 * split with an endomorphism. For secrets: 65 odd digits of four bits, so that every digit costs
 * the same four doublings and one addition, and each table entry is picked by reading all of them.
 */

/* table[i] = (2i + 1) a. Time depends on a. */
CUZK_HD void P(odd_multiples_var)(P(affine) * table, const P(affine) * a)
{
    POINT multiples[CUZK_WNAF_TABLE], twice;
    P(from_affine)(&multiples[0], a);
    P(dbl)(&twice, &multiples[0]);
    for (int i = 1; i < CUZK_WNAF_TABLE; i++)
        P(add)(&multiples[i], &multiples[i - 1], &twice);
    P(to_affine_many_var)(table, multiples, CUZK_WNAF_TABLE);
}

/* One point with a scalar in NAF. negative: the scalar counts as negative. */
typedef struct P(term) {
    P(affine) table[CUZK_WNAF_TABLE];
    int8_t digits[CUZK_WNAF_MAX];
    int n_digits;
    bool negative;
} P(term);

CUZK_HD void P(term_set_scalar)(P(term) * term, const uint64_t *k, int limbs, bool negative)
{
    term->n_digits = cuzk_recode_wnaf(term->digits, k, limbs);
    term->negative = negative;
}

/* r = sum of the terms. */
CUZK_HD void P(mul_terms_var)(POINT *r, const P(term) * terms, int n)
{
    int top = 0;
    for (int j = 0; j < n; j++)
        top = terms[j].n_digits > top ? terms[j].n_digits : top;
    P(set_infinity)(r);
    for (int i = top - 1; i >= 0; i--) {
        P(dbl)(r, r);
        for (int j = 0; j < n; j++) {
            int digit = i < terms[j].n_digits ? terms[j].digits[i] : 0;
            if (digit == 0)
                continue;
            P(affine) b = terms[j].table[(digit < 0 ? -digit : digit) / 2];
            if ((digit < 0) != terms[j].negative)
                P(affine_neg)(&b, &b);
            P(add_mixed)(r, r, &b);
        }
    }
}

/* r = k a, k of four limbs, a any point of the curve. */
CUZK_HD void P(mul_any_var)(POINT *r, const P(affine) * a, const uint64_t *k)
{
    P(term) term;
    P(odd_multiples_var)(term.table, a);
    P(term_set_scalar)(&term, k, 4, false);
    P(mul_terms_var)(r, &term, 1);
}

/* r = k a, k not 0: for short scalars with few bits set. */
CUZK_HD void P(mul_u64_var)(POINT *r, const POINT *a, uint64_t k)
{
    POINT base = *a, t = *a;
    for (int i = 62 - cuzk_high_zeros(k); i >= 0; i--) {
        P(dbl)(&t, &t);
        if (k >> i & 1)
            P(add)(&t, &t, &base);
    }
    *r = t;
}

/* r = digit a for an odd digit, reading the whole table. */
CUZK_HD void P(pick)(P(affine) * r, const P(affine) * table, int digit)
{
    unsigned sign = (unsigned)digit >> 31;
    unsigned index = (((unsigned)digit ^ (0 - sign)) + sign) / 2;
    *r = table[0];
    for (unsigned i = 1; i < CUZK_WNAF_TABLE; i++)
        P(affine_cmov)(r, &table[i], i == index);
    C(cneg)(&r->y, &r->y, sign != 0);
}

/* r = k a, k of four limbs, a any point of the curve, with operations that do not depend on k (but
 * for the exceptional cases of addition, which random k do not meet). An even k is taken as k + 1,
 * and a subtracted at the end. */
CUZK_HD void P(mul_secret)(POINT *r, const P(affine) * a, const uint64_t *k)
{
    P(affine) table[CUZK_WNAF_TABLE], b;
    int8_t digits[CUZK_REGULAR_MAX];
    POINT t, less;
    uint64_t odd[4] = {k[0] | 1, k[1], k[2], k[3]};
    P(odd_multiples_var)(table, a);
    cuzk_recode_regular(digits, odd);
    P(from_affine)(&t, a); /* the last digit is 1 */
    for (int i = CUZK_REGULAR_MAX - 2; i >= 0; i--) {
        for (int j = 0; j < 4; j++)
            P(dbl)(&t, &t);
        P(pick)(&b, table, digits[i]);
        P(add_mixed)(&t, &t, &b);
    }
    P(affine_neg)(&b, a);
    P(add_mixed)(&less, &t, &b);
    P(cmov)(&t, &less, (k[0] & 1) == 0);
    *r = t;
}
