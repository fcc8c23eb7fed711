/* BLS12-381: the pairing, optimal ate with loop scalar x. */
#ifndef CUZK_CURVE_BLS12_381_PAIRING_H
#define CUZK_CURVE_BLS12_381_PAIRING_H

#include "base/status.h"
#include "curve/bls12_381.h"

#define FP6      bls12_381_fp6
#define FP6_BASE bls12_381_fp2
#include "curve/fp6_tmpl.h"

#define FP12            bls12_381_fp12
#define FP12_BASE       bls12_381_fp6
#define FP12_FP2        bls12_381_fp2
#define FP12_FP         bls12_381_fp
#define FP12_FROBENIUS  BLS12_381_FROBENIUS
#define FP12_FROBENIUS2 BLS12_381_FROBENIUS2
#include "curve/fp12_tmpl.h"

#define PAIRING        bls12_381
#define PAIRING_LOOP   BLS12_381_LOOP
#define PAIRING_DIGITS BLS12_381_LOOP_DIGITS
#define PAIRING_LINES  BLS12_381_LOOP_LINES
#define PAIRING_BN     0
#include "curve/pairing_tmpl.h"

/* r = a^x in the cyclotomic subgroup; x is negative. */
static void bls12_381_fp12_pow_x(bls12_381_fp12 *r, const bls12_381_fp12 *a)
{
    bls12_381_fp12_cyclotomic_pow_var(r, a, BLS12_381_X_ABS);
    bls12_381_fp12_conj(r, r);
}

/* r = a^(x - 1) */
static void bls12_381_fp12_pow_x_minus_1(bls12_381_fp12 *r, const bls12_381_fp12 *a)
{
    bls12_381_fp12 minus;
    bls12_381_fp12_conj(&minus, a);
    bls12_381_fp12_pow_x(r, a);
    bls12_381_fp12_mul(r, r, &minus);
}

/* r = f^(3 (p^12 - 1) / r): 3 (p^4 - p^2 + 1) / r = (x - 1)^2 (x + p)(x^2 + p^2 - 1) + 3
 * (Hayashida, Hayasaka and Teruya, eprint 2020/875). */
static void bls12_381_final_exp(bls12_381_fp12 *r, const bls12_381_fp12 *f)
{
    bls12_381_fp12 t, a, b;
    bls12_381_final_exp_easy(&t, f);
    bls12_381_fp12_pow_x_minus_1(&a, &t);
    bls12_381_fp12_pow_x_minus_1(&a, &a);
    bls12_381_fp12_pow_x(&b, &a);
    bls12_381_fp12_frobenius(&a, &a);
    bls12_381_fp12_mul(&a, &a, &b); /* ^(x + p) */
    bls12_381_fp12_pow_x(&b, &a);
    bls12_381_fp12_pow_x(&b, &b);
    bls12_381_fp12 a_p2, a_inverse;
    bls12_381_fp12_frobenius2(&a_p2, &a);
    bls12_381_fp12_conj(&a_inverse, &a);
    bls12_381_fp12_mul(&b, &b, &a_p2);
    bls12_381_fp12_mul(&b, &b, &a_inverse); /* ^(x^2 + p^2 - 1) */
    bls12_381_fp12_cyclotomic_sqr(&a, &t);
    bls12_381_fp12_mul(&a, &a, &t);
    bls12_381_fp12_mul(r, &a, &b);
}

#endif
