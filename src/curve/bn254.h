/* BN254 (alt_bn128): fields, G1, G2, and their endomorphisms. */
#ifndef CUZK_CURVE_BN254_H
#define CUZK_CURVE_BN254_H

#include <string.h>

#include "field/bn254_fp.h"
#include "field/bn254_fr.h"
#include "curve/bn254_constants.h"
#include "curve/recode.h"

#define FP2      bn254_fp2
#define FP2_BASE bn254_fp
#define FP2_XI   9
#include "curve/fp2_tmpl.h"

#define POINT       bn254_g1
#define POINT_COORD bn254_fp
#define POINT_B     BN254_G1_B
#include "curve/point_tmpl.h"

#define POINT       bn254_g2
#define POINT_COORD bn254_fp2
#define POINT_B     BN254_G2_B
#include "curve/point_tmpl.h"

#define BN254_U 0x44e992b44a6909f1 /* the curve's parameter, positive */

/* The cofactor of G1 is 1. */
CUZK_HD bool bn254_g1_in_subgroup_var(const bn254_g1_affine *a)
{
    (void)a;
    return true;
}

/* k = k1 + k2 lambda mod r with |k1|, |k2| below 2^128, where lambda = 36u^3 + 18u^2 + 6u + 1.
 * The lattice of (i, j) with i + j lambda = 0 mod r has the basis (A, B), (B, -C), with A = 6u^2 +
 * 4u + 1, B = 2u + 1, C = 6u^2 + 2u. (k, 0) is about c1 (A, B) + c2 (B, -C), with c1 = k C / r and
 * c2 = k B / r rounded down; what remains is (k1, k2). */
CUZK_HD void bn254_g1_split(uint64_t *k1, bool *negative1, uint64_t *k2, bool *negative2,
                            const uint64_t *k)
{
    const uint64_t a[2] = BN254_GLV_A, b[2] = BN254_GLV_B, c[2] = BN254_GLV_C;
    const uint64_t c_over_r[3] = BN254_GLV_C_OVER_R, b_over_r[3] = BN254_GLV_B_OVER_R;
    uint64_t t[7];
    cuzk_limbs_mul(t, k, 4, c_over_r, 3);
    const uint64_t c1[2] = {t[4], t[5]};
    cuzk_limbs_mul(t, k, 4, b_over_r, 3);
    const uint64_t c2[2] = {t[4], t[5]};
    /* Both are below 2^128 in absolute value: their value modulo 2^192 is enough. */
    uint64_t c1a[4], c2b[4], c1b[4], c2c[4], x[3], y[3], borrow_x = 0, borrow_y = 0;
    cuzk_limbs_mul(c1a, c1, 2, a, 2);
    cuzk_limbs_mul(c2b, c2, 2, b, 2);
    cuzk_limbs_mul(c1b, c1, 2, b, 2);
    cuzk_limbs_mul(c2c, c2, 2, c, 2);
    cuzk_i128 carry_x = 0, carry_y = 0;
    for (int i = 0; i < 3; i++) {
        carry_x += (cuzk_i128)k[i] - c1a[i] - c2b[i];
        carry_y += (cuzk_i128)c2c[i] - c1b[i];
        x[i] = (uint64_t)carry_x;
        y[i] = (uint64_t)carry_y;
        carry_x >>= 64;
        carry_y >>= 64;
    }
    *negative1 = x[2] >> 63 != 0;
    *negative2 = y[2] >> 63 != 0;
    for (int i = 0; i < 2; i++) {
        cuzk_u128 dx = (cuzk_u128)0 - x[i] - borrow_x, dy = (cuzk_u128)0 - y[i] - borrow_y;
        k1[i] = *negative1 ? (uint64_t)dx : x[i];
        k2[i] = *negative2 ? (uint64_t)dy : y[i];
        borrow_x = (uint64_t)(dx >> 64) & 1;
        borrow_y = (uint64_t)(dy >> 64) & 1;
    }
}

/* r = k a, k canonical. */
CUZK_HD void bn254_g1_mul_var(bn254_g1 *r, const bn254_g1_affine *a, const uint64_t *k)
{
    const bn254_fp beta = BN254_BETA;
    bn254_g1_term terms[2];
    uint64_t k1[2], k2[2];
    bool negative1, negative2;
    bn254_g1_split(k1, &negative1, k2, &negative2, k);
    bn254_g1_term_set_scalar(&terms[0], k1, 2, negative1);
    bn254_g1_term_set_scalar(&terms[1], k2, 2, negative2);
    bn254_g1_odd_multiples_var(terms[0].table, a);
    for (int i = 0; i < CUZK_WNAF_TABLE; i++) {
        bn254_fp_mul(&terms[1].table[i].x, &terms[0].table[i].x, &beta);
        terms[1].table[i].y = terms[0].table[i].y;
    }
    bn254_g1_mul_terms_var(r, terms, 2);
}

/* psi(x, y) = (PSI_X conj(x), PSI_Y conj(y)): untwist, raise to p, twist. */
CUZK_HD void bn254_g2_affine_psi(bn254_g2_affine *r, const bn254_g2_affine *a)
{
    const bn254_fp2 psi_x = BN254_PSI_X, psi_y = BN254_PSI_Y;
    bn254_fp2 t;
    bn254_fp2_conj(&t, &a->x);
    bn254_fp2_mul(&r->x, &t, &psi_x);
    bn254_fp2_conj(&t, &a->y);
    bn254_fp2_mul(&r->y, &t, &psi_y);
}

CUZK_HD void bn254_g2_psi(bn254_g2 *r, const bn254_g2 *a)
{
    bn254_g2_affine t = {a->x, a->y};
    bn254_g2_affine_psi(&t, &t);
    r->x = t.x;
    r->y = t.y;
    bn254_fp2_conj(&r->z, &a->z);
}

/* a is on the curve. [u + 1]a + psi([u]a) + psi^2([u]a) = psi^3([2u]a) holds on the subgroup only.
 */
CUZK_HD bool bn254_g2_in_subgroup_var(const bn254_g2_affine *a)
{
    bn254_g2 base, ua, left, t;
    bn254_g2_from_affine(&base, a);
    bn254_g2_mul_u64_var(&ua, &base, BN254_U);
    bn254_g2_add(&left, &ua, &base);
    bn254_g2_psi(&t, &ua);
    bn254_g2_add(&left, &left, &t);
    bn254_g2_psi(&t, &t);
    bn254_g2_add(&left, &left, &t);
    bn254_g2_psi(&t, &t);
    bn254_g2_dbl(&t, &t);
    return bn254_g2_equal(&left, &t);
}

/* r = k a, a in the subgroup, where psi acts as 6u^2: k = low + high 6u^2. */
CUZK_HD void bn254_g2_mul_var(bn254_g2 *r, const bn254_g2_affine *a, const uint64_t *k)
{
    const uint64_t eigenvalue[2] = BN254_PSI_EIGENVALUE;
    bn254_g2_term terms[2];
    uint64_t low[2], high[2];
    cuzk_divide_by_2(high, low, k, eigenvalue);
    bn254_g2_term_set_scalar(&terms[0], low, 2, false);
    bn254_g2_term_set_scalar(&terms[1], high, 2, false);
    bn254_g2_odd_multiples_var(terms[0].table, a);
    for (int i = 0; i < CUZK_WNAF_TABLE; i++)
        bn254_g2_affine_psi(&terms[1].table[i], &terms[0].table[i]);
    bn254_g2_mul_terms_var(r, terms, 2);
}

#endif
