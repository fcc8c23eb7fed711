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

/* Makes a proving key. All checks of section 3.7; points are checked unless flags (groth16/key.h) skip it;
 * a cached verdict for the file's digest counts as checked, and a good verdict is stored. The map may be
 * closed afterwards. */
cuzk_status cuzk_zkey_open(cuzk_pk **pk, const cuzk_map *map, uint32_t flags, cuzk_pool *pool,
                           cuzk_error *err);

/* Writes a setup (kind CUZK_SETUP_SNARKJS) of cs as a .zkey in snarkjs' section order, with its circuit
 * hash, and with one contribution record that accounts for delta when toxic->delta is not 1, so that
 * `snarkjs zkey export verificationkey` and proving accept it. */
cuzk_status cuzk_zkey_write(const char *path, const cuzk_setup *setup, const cuzk_r1cs *cs,
                            cuzk_error *err);

#endif
