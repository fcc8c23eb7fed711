/* A Groth16 proof and its byte form. */
#ifndef CUZK_GROTH16_PROOF_H
#define CUZK_GROTH16_PROOF_H

#include "base/status.h"
#include "curve/curve.h"

/* Points in memory form. */
typedef struct cuzk_proof {
    cuzk_g1 a;
    cuzk_g2 b;
    cuzk_g1 c;
} cuzk_proof;

/* bellperson's bytes (BLS12-381): A 48, B 96, C 48, ZCash compressed. */
#define CUZK_PROOF_BYTES 192

/* proof must be over BLS12-381. */
void cuzk_proof_encode(uint8_t out[CUZK_PROOF_BYTES], const cuzk_proof *proof);

/* Decodes n_proofs concatenated proofs; size must be n_proofs * 192 exactly. Strict: flags,
 * canonical, on the curve, in the subgroup, not infinity. The message names the proof and the
 * point. */
cuzk_status cuzk_proof_decode(cuzk_proof *proofs, size_t n_proofs, const uint8_t *bytes,
                              size_t size, cuzk_error *err);

#endif
