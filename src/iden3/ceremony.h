/* The record of how a key's delta came about: section 10 of a .zkey, kept in cuzk_setup.history. It
 * starts with the circuit hash, which binds the key before any contribution; each contribution
 * proves that it knew its factor. snarkjs' `zkey verify` follows it. Formats, section 3.7. */
#ifndef CUZK_IDEN3_CEREMONY_H
#define CUZK_IDEN3_CEREMONY_H

#include "groth16/setup.h"

/* How many of the points tau^(m+i) - tau^i the circuit hash covers: snarkjs hashes whole
 * chunks of 2^14 once m - 1 is above that. */
size_t cuzk_ceremony_hashed_points(size_t m);

/* Starts the history of a setup with gamma = delta = 1. h_points: n points [tau^(m+i) - tau^i], i <
 * n, with n = cuzk_ceremony_hashed_points(m). */
cuzk_status cuzk_ceremony_start(cuzk_setup *setup, const uint64_t *h_points, size_t n,
                                cuzk_error *err);

/* Appends the contribution that multiplied delta by factor; setup has the new delta already. */
cuzk_status cuzk_ceremony_append(cuzk_setup *setup, const cuzk_scalar *factor, cuzk_error *err);

/* The point of G2 that a transcript stands for in iden3's proofs of knowledge (ChaCha20 stream, try
 * and increment, cofactor cleared). */
void cuzk_ceremony_hash_to_g2(uint64_t *point, const cuzk_curve *curve, const uint8_t hash[64]);

#endif
