/* .zkey of snarkjs, Groth16. Formats, section 3.7. */
#ifndef CUZK_IDEN3_ZKEY_H
#define CUZK_IDEN3_ZKEY_H

#include "base/map.h"
#include "groth16/key.h"
#include "groth16/setup.h"

typedef struct cuzk_zkey_info {
    const cuzk_curve *curve;
    uint32_t vars, n_public, domain, contributions;
    uint32_t coefficients;
    bool gamma_is_delta; /* phase 2 never run */
} cuzk_zkey_info;

cuzk_status cuzk_zkey_info_read(cuzk_zkey_info *info, const cuzk_map *map, cuzk_error *err);

/* Decodes the head only: enough to verify, or to export the verification key. */
cuzk_status cuzk_zkey_read_vk(cuzk_vk *vk, const cuzk_map *map, cuzk_error *err);

/* Makes a proving key. All checks of section 3.7; points are checked unless flags (groth16/key.h)
 * skip it; a cached verdict for the file counts as checked, and a good verdict is stored.
 * The map may be closed afterwards. */
cuzk_status cuzk_zkey_open(cuzk_pk **pk, const cuzk_map *map, uint32_t flags, cuzk_base_sink *sink,
                           cuzk_pool *pool, cuzk_error *err);

/* cuzk_setup_make for a .zkey, with the history that belongs into it: the circuit hash, and a
 * contribution that accounts for toxic->delta unless that is 1. `snarkjs zkey verify` accepts the
 * written file against powers of the same tau, alpha and beta (iden3/ptau.h). toxic->gamma must
 * be 1. */
cuzk_status cuzk_zkey_setup(cuzk_setup *setup, const cuzk_r1cs *cs, const cuzk_toxic *toxic,
                            cuzk_pool *pool, cuzk_error *err);

/* The same with the points made by ops, maybe on a device. */
cuzk_status cuzk_zkey_setup_by(cuzk_setup *setup, const cuzk_r1cs *cs, const cuzk_toxic *toxic,
                               const cuzk_group_ops *ops, cuzk_pool *pool, cuzk_error *err);

/* Writes a setup (kind CUZK_SETUP_SNARKJS) of cs as a .zkey in snarkjs' section order. Section 10
 * is the setup's history; without one it is a hash of zeros and no contributions, and all of
 * snarkjs but `zkey verify` accepts the file. r1cs: the file that cs was read from, whose order of
 * terms snarkjs keeps and `zkey verify` compares; NULL: the order of cs, which proves as well. */
cuzk_status cuzk_zkey_write(const char *path, const cuzk_setup *setup, const cuzk_r1cs *cs,
                            const cuzk_map *r1cs, cuzk_error *err);

#endif
