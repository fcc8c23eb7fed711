/* BLS12-381: fields, G1, G2, and their endomorphisms. */
#ifndef CUZK_CURVE_BLS12_381_H
#define CUZK_CURVE_BLS12_381_H

#include <string.h>

#include "field/bls12_381_fp.h"
#include "field/bls12_381_fr.h"
#include "curve/bls12_381_constants.h"
#include "curve/recode.h"

#define FP2      bls12_381_fp2
#define FP2_BASE bls12_381_fp
#define FP2_XI   1
#include "curve/fp2_tmpl.h"

#define POINT       bls12_381_g1
#define POINT_COORD bls12_381_fp
#define POINT_B     BLS12_381_G1_B
#include "curve/point_tmpl.h"

#define POINT       bls12_381_g2
#define POINT_COORD bls12_381_fp2
#define POINT_B     BLS12_381_G2_B
#include "curve/point_tmpl.h"

#define BLS12_381_X_ABS 0xd201000000010000 /* the curve's parameter x is minus this */

CUZK_HD void bls12_381_g1_affine_phi(bls12_381_g1_affine *r, const bls12_381_g1_affine *a)
{
    const bls12_381_fp beta = BLS12_381_BETA;
    bls12_381_fp_mul(&r->x, &a->x, &beta);
    r->y = a->y;
}

/* a is on the curve. phi(a) = -[x^2]a holds on the subgroup only: with phi^2 + phi + 1 = 0 it gives
 * [x^4 - x^2 + 1]a = 0, and that is [r]a. */
CUZK_HD bool bls12_381_g1_in_subgroup_var(const bls12_381_g1_affine *a)
{
    bls12_381_g1 t, image;
    bls12_381_g1_affine phi;
    bls12_381_g1_from_affine(&t, a);
    bls12_381_g1_mul_u64_var(&t, &t, BLS12_381_X_ABS);
    bls12_381_g1_mul_u64_var(&t, &t, BLS12_381_X_ABS);
    bls12_381_g1_neg(&t, &t);
    bls12_381_g1_affine_phi(&phi, a);
    bls12_381_g1_from_affine(&image, &phi);
    return bls12_381_g1_equal(&t, &image);
}

/* r = k a, a in the subgroup, where phi acts as -x^2: k = low + high x^2. */
CUZK_HD void bls12_381_g1_mul_var(bls12_381_g1 *r, const bls12_381_g1_affine *a, const uint64_t *k)
{
    const uint64_t x_squared[2] = BLS12_381_X_SQUARED;
    bls12_381_g1_term terms[2];
    uint64_t low[2], high[2];
    cuzk_divide_by_2(high, low, k, x_squared);
    bls12_381_g1_term_set_scalar(&terms[0], low, 2, false);
    bls12_381_g1_term_set_scalar(&terms[1], high, 2, true);
    bls12_381_g1_odd_multiples_var(terms[0].table, a);
    for (int i = 0; i < CUZK_WNAF_TABLE; i++)
        bls12_381_g1_affine_phi(&terms[1].table[i], &terms[0].table[i]);
    bls12_381_g1_mul_terms_var(r, terms, 2);
}

/* psi(x, y) = (PSI_X conj(x), PSI_Y conj(y)): untwist, raise to p, twist. */
CUZK_HD void bls12_381_g2_affine_psi(bls12_381_g2_affine *r, const bls12_381_g2_affine *a)
{
    const bls12_381_fp2 psi_x = BLS12_381_PSI_X, psi_y = BLS12_381_PSI_Y;
    bls12_381_fp2 t;
    bls12_381_fp2_conj(&t, &a->x);
    bls12_381_fp2_mul(&r->x, &t, &psi_x);
    bls12_381_fp2_conj(&t, &a->y);
    bls12_381_fp2_mul(&r->y, &t, &psi_y);
}

/* a is on the curve. psi(a) = [x]a holds on the subgroup only (Scott, eprint 2021/1130). */
CUZK_HD bool bls12_381_g2_in_subgroup_var(const bls12_381_g2_affine *a)
{
    bls12_381_g2 t, image;
    bls12_381_g2_affine psi;
    bls12_381_g2_from_affine(&t, a);
    bls12_381_g2_mul_u64_var(&t, &t, BLS12_381_X_ABS);
    bls12_381_g2_neg(&t, &t);
    bls12_381_g2_affine_psi(&psi, a);
    bls12_381_g2_from_affine(&image, &psi);
    return bls12_381_g2_equal(&t, &image);
}

/* r = k a, a in the subgroup, where psi acts as x = -|x|: k in base |x| has four digits. */
CUZK_HD void bls12_381_g2_mul_var(bls12_381_g2 *r, const bls12_381_g2_affine *a, const uint64_t *k)
{
    const uint64_t x_squared[2] = BLS12_381_X_SQUARED;
    bls12_381_g2_term terms[4];
    uint64_t halves[4];
    cuzk_divide_by_2(halves + 2, halves, k, x_squared);
    for (int i = 0; i < 2; i++) {
        cuzk_u128 half = (cuzk_u128)halves[2 * i + 1] << 64 | halves[2 * i];
        uint64_t low = (uint64_t)(half % BLS12_381_X_ABS),
                 high = (uint64_t)(half / BLS12_381_X_ABS);
        bls12_381_g2_term_set_scalar(&terms[2 * i], &low, 1, false);
        bls12_381_g2_term_set_scalar(&terms[2 * i + 1], &high, 1, true);
    }
    bls12_381_g2_odd_multiples_var(terms[0].table, a);
    for (int j = 1; j < 4; j++) {
        for (int i = 0; i < CUZK_WNAF_TABLE; i++)
            bls12_381_g2_affine_psi(&terms[j].table[i], &terms[j - 1].table[i]);
    }
    bls12_381_g2_mul_terms_var(r, terms, 4);
}

#endif
