/* Number-theoretic transforms over Fr and the quotient of Groth16, on the selected CPU level. */
#ifndef CUZK_COMPUTE_NTT_H
#define CUZK_COMPUTE_NTT_H

#include "base/pool.h"
#include "base/status.h"
#include "curve/curve.h"

/* Tables for one domain: m = 2^log_m, omega a primitive m-th root of unity (the key's own choice).
 */
typedef struct cuzk_ntt_plan cuzk_ntt_plan;

/* A plan lives in memory that the caller gives: cuzk_ntt_plan_bytes, 64-byte aligned. log_m <= 30.
 * It is bound to the CPU level that made it, and may be used from several threads at once. */
size_t cuzk_ntt_plan_bytes(const cuzk_curve *curve, unsigned log_m);
cuzk_ntt_plan *cuzk_ntt_plan_init(void *memory, const cuzk_curve *curve, unsigned log_m,
                                  const cuzk_fr *omega, cuzk_pool *pool);

/* The primitive 2^log_m-th root that the given 2^two_adicity-th root leads to by squaring. */
void cuzk_root_of_unity(cuzk_fr *omega, const cuzk_curve *curve, const cuzk_fr *root,
                        unsigned log_m);

size_t cuzk_ntt_scratch(const cuzk_ntt_plan *plan, unsigned threads);

/* Coefficients to values: data[i] := sum_j data[j] * (g * omega^i)^j, with g = *coset (NULL: 1).
 * data: m elements, natural order in and out. scratch: cuzk_ntt_scratch bytes, 64-byte aligned. */
void cuzk_ntt_forward(const cuzk_ntt_plan *plan, cuzk_fr *data, const cuzk_fr *coset, void *scratch,
                      cuzk_pool *pool);

/* The inverse of cuzk_ntt_forward with the same coset, 1/m included. */
void cuzk_ntt_inverse(const cuzk_ntt_plan *plan, cuzk_fr *data, const cuzk_fr *coset, void *scratch,
                      cuzk_pool *pool);

/* How a key holds the quotient's bases. */
typedef enum cuzk_h_kind {
    CUZK_H_COSET_MONOMIAL, /* bellperson: [tau^i Z(tau)/delta], m-1 points */
    CUZK_H_ODD_LAGRANGE    /* snarkjs: Lagrange values on the odd points of the doubled domain, m
                              points */
} cuzk_h_kind;

/* The quotient's scalars. a, b, c: m values on the domain, Montgomery, zero-padded by the caller;
 * c may be NULL: a*b is used. All three are overwritten. coset: the generator g of the evaluation
 * coset (bellperson 7; snarkjs a 2m-th root whose square is omega, or 25). CUZK_H_ODD_LAGRANGE:
 * h[i] = (a*b - c)(g * omega^i), i < m. CUZK_H_COSET_MONOMIAL: h[i] = coefficient i of (a*b - c)/Z,
 * i < m - 1; the coefficient m - 1, which must be 0, is returned in h[m-1]: it is not 0 if a single
 * row is violated. h: m canonical scalars; may not overlap a, b, c. scratch: cuzk_quotient_scratch
 * bytes, 64-byte aligned. */
size_t cuzk_quotient_scratch(const cuzk_ntt_plan *plan, unsigned threads);
void cuzk_quotient(const cuzk_ntt_plan *plan, cuzk_h_kind kind, const cuzk_fr *coset,
                   cuzk_scalar *h, cuzk_fr *a, cuzk_fr *b, cuzk_fr *c, void *scratch,
                   cuzk_pool *pool);

/* Fr vectors. Any n; r may equal a. */
void cuzk_fr_import(const cuzk_curve *curve, cuzk_fr *r, const cuzk_scalar *a, size_t n,
                    cuzk_pool *pool);
void cuzk_fr_export(const cuzk_curve *curve, cuzk_scalar *r, const cuzk_fr *a, size_t n,
                    cuzk_pool *pool);
void cuzk_fr_mul_vec(const cuzk_curve *curve, cuzk_fr *r, const cuzk_fr *a, const cuzk_fr *b,
                     size_t n, cuzk_pool *pool);
/* Index of the first scalar >= r, or n. a may be unaligned. */
size_t cuzk_scalars_check(const cuzk_curve *curve, const void *a, size_t n);

#endif
