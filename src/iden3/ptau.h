/* .ptau (powers of tau). Formats, section 3.8. Setup from a ceremony's file: points only, tau
 * unknown. */
#ifndef CUZK_IDEN3_PTAU_H
#define CUZK_IDEN3_PTAU_H

#include "base/map.h"
#include "groth16/setup.h"

typedef struct cuzk_ptau_info {
    const cuzk_curve *curve;
    uint32_t power, ceremony_power, contributions;
    bool prepared; /* sections 12 to 15 are there */
} cuzk_ptau_info;

cuzk_status cuzk_ptau_info_read(cuzk_ptau_info *info, const cuzk_map *map, cuzk_error *err);

/* Phase-2 start for cs from a prepared file, as `snarkjs groth16 setup` does: gamma = delta = 1.
 * The result is insecure until a contribution is made: cuzk_setup_contribute. Checks the points
 * that it uses for curve and subgroup, not the ceremony that made them. The setup carries its
 * history. */
cuzk_status cuzk_ptau_setup(cuzk_setup *setup, const cuzk_map *map, const cuzk_r1cs *cs,
                            cuzk_pool *pool, cuzk_error *err);

/* Multiplies delta by a fresh random factor (l and h by its inverse): a contribution of this
 * process. A history, if there is one, records it. On failure the setup is unchanged. */
cuzk_status cuzk_setup_contribute(cuzk_setup *setup, cuzk_pool *pool, cuzk_error *err);

/* Writes a prepared file from a known tau (tests: clearly unsafe), byte for byte what snarkjs
 * prepares from the same powers. */
cuzk_status cuzk_ptau_write_known(const char *path, const cuzk_curve *curve, unsigned power,
                                  const cuzk_scalar *tau, const cuzk_scalar *alpha,
                                  const cuzk_scalar *beta, cuzk_pool *pool, cuzk_error *err);

#endif
