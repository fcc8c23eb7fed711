/* BN254: the pairing, optimal ate with loop scalar 6u + 2. */
#ifndef CUZK_CURVE_BN254_PAIRING_H
#define CUZK_CURVE_BN254_PAIRING_H

#include "base/status.h"
#include "curve/bn254.h"

#define FP6      bn254_fp6
#define FP6_BASE bn254_fp2
#include "curve/fp6_tmpl.h"

#define FP12            bn254_fp12
#define FP12_BASE       bn254_fp6
#define FP12_FP2        bn254_fp2
#define FP12_FP         bn254_fp
#define FP12_FROBENIUS  BN254_FROBENIUS
#define FP12_FROBENIUS2 BN254_FROBENIUS2
#include "curve/fp12_tmpl.h"

#define PAIRING        bn254
#define PAIRING_LOOP   BN254_LOOP
#define PAIRING_DIGITS BN254_LOOP_DIGITS
#define PAIRING_LINES  BN254_LOOP_LINES
#define PAIRING_BN     1
#include "curve/pairing_tmpl.h"

/* r = f^(k (p^12 - 1) / r), k = 2u(6u^2 + 3u + 1). With h = (p^4 - p^2 + 1) / r, k h is
 * (1 + 6u + 12u^2 + 12u^3) + (4u + 6u^2 + 12u^3) p + (6u + 6u^2 + 12u^3) p^2 + (-1 + 4u + 6u^2 +
 * 12u^3) p^3 (Fuentes-Castaneda, Knapp and Rodriguez-Henriquez, SAC 2011). */
static void bn254_final_exp(bn254_fp12 *r, const bn254_fp12 *f)
{
    bn254_fp12 t, u4, u6, uu6, common, l0, l1, l2, l3;
    bn254_final_exp_easy(&t, f);
    bn254_fp12_cyclotomic_pow_var(&u6, &t, BN254_U);
    bn254_fp12_cyclotomic_sqr(&u6, &u6); /* 2u */
    bn254_fp12_cyclotomic_sqr(&u4, &u6); /* 4u */
    bn254_fp12_mul(&u6, &u6, &u4);       /* 6u */
    bn254_fp12_cyclotomic_pow_var(&uu6, &u6, BN254_U);
    bn254_fp12_cyclotomic_sqr(&common, &uu6);
    bn254_fp12_cyclotomic_pow_var(&common, &common, BN254_U);
    bn254_fp12_mul(&common, &common, &uu6); /* 6u^2 + 12u^3 */
    bn254_fp12_mul(&l1, &common, &u4);
    bn254_fp12_mul(&l2, &common, &u6);
    bn254_fp12_mul(&l0, &l2, &uu6);
    bn254_fp12_mul(&l0, &l0, &t);
    bn254_fp12_conj(&t, &t);
    bn254_fp12_mul(&l3, &l1, &t);
    bn254_fp12_frobenius(&l1, &l1);
    bn254_fp12_frobenius2(&l2, &l2);
    bn254_fp12_frobenius2(&l3, &l3);
    bn254_fp12_frobenius(&l3, &l3);
    bn254_fp12_mul(&l0, &l0, &l1);
    bn254_fp12_mul(&l2, &l2, &l3);
    bn254_fp12_mul(r, &l0, &l2);
}

#endif
