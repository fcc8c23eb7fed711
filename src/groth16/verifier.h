/* A verification key made ready, and the steps that single and batch verification share. */
#ifndef CUZK_GROTH16_VERIFIER_H
#define CUZK_GROTH16_VERIFIER_H

#include "groth16/verify.h"

/* Equation: e(A, B) * e(IC(x), -gamma) * e(C, -delta) * e(-alpha, beta) = 1. */
struct cuzk_verifier {
    cuzk_vk vk;
    cuzk_gt alpha_beta;                  /* Miller value of (-alpha, beta) */
    uint64_t *minus_gamma, *minus_delta; /* prepared */
    void *ic_bases;                      /* ic[1..], prepared for MSM */
};

/* "proof" or "proof 7" of a batch, for messages. */
#define CUZK_ONE_PROOF SIZE_MAX

/* The checks that come before any pairing: number of inputs, each below r, points strict. */
cuzk_status cuzk_verifier_check_inputs(const cuzk_verifier *verifier, const cuzk_scalar *inputs,
                                       size_t n_inputs, size_t n, size_t *bad, cuzk_error *err);
cuzk_status cuzk_verifier_check_points(const cuzk_verifier *verifier, const cuzk_proof *proof,
                                       size_t number, cuzk_error *err);

/* From this number of inputs on an MSM beats single multiplications. */
#define CUZK_VERIFIER_MSM_FROM 8u

/* *acc = first * ic[0] + sum of weights[i] * ic[i + 1], i < n_public. Fails for want of memory
 * only. With fewer than CUZK_VERIFIER_MSM_FROM inputs the pool is not used. */
cuzk_status cuzk_verifier_combine(const cuzk_verifier *verifier, cuzk_g1 *acc,
                                  const cuzk_scalar *first, const cuzk_scalar *weights,
                                  cuzk_pool *pool, cuzk_error *err);

#endif
