/* Verifying Groth16 proofs. */
#ifndef CUZK_GROTH16_VERIFY_H
#define CUZK_GROTH16_VERIFY_H

#include "groth16/key.h"
#include "groth16/proof.h"

/* A verification key made ready: e(alpha, beta), prepared gamma and delta. Read-only; any thread.
 */
typedef struct cuzk_verifier cuzk_verifier;

/* vk is copied. It must have passed cuzk_vk_check. pool may be NULL. */
cuzk_status cuzk_verifier_new(cuzk_verifier **verifier, const cuzk_vk *vk, cuzk_pool *pool,
                              cuzk_error *err);
void cuzk_verifier_free(cuzk_verifier *verifier);

/* cuzk_verify_proof: CUZK_OK if valid; CUZK_ERR_REJECTED if false. Before that, as CUZK_ERR_FORMAT
 * or CUZK_ERR_MISMATCH: wrong number of inputs, an input >= r, A, B or C at infinity, off the curve
 * or outside the subgroup. pool may be NULL. */
cuzk_status cuzk_verify_proof(const cuzk_verifier *verifier, const cuzk_scalar *inputs,
                              size_t n_inputs, const cuzk_proof *proof, cuzk_pool *pool,
                              cuzk_error *err);

/* cuzk_verify_batch: n proofs under one key at the price of n + 2 Miller loops. inputs: n arrays of
 * n_inputs scalars, one after the other. Weights are 128 random bits, never 0. On a false proof the
 * batch is bisected and *bad (may be NULL) is the first bad index; a malformed one (statuses as
 * above) is reported the same way. n = 0 is CUZK_ERR_ARGUMENT. */
cuzk_status cuzk_verify_batch(const cuzk_verifier *verifier, const cuzk_scalar *inputs,
                              size_t n_inputs, const cuzk_proof *proofs, size_t n, size_t *bad,
                              cuzk_pool *pool, cuzk_error *err);

#endif
