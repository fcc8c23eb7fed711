/* Writing C1 outputs as JSON (Filecoin circuits, sections 12.2 and 12.3), without white space,
 * members in the order of the original. */
#ifndef CUZK_CIRCUIT_FILECOIN_C1_WRITE_H
#define CUZK_CIRCUIT_FILECOIN_C1_WRITE_H

#include "circuit/filecoin/vanilla.h"

#include "base/status.h"

/* *text: *size bytes and a NUL, the caller's (free). What labeling and encoding proofs repeat is
 * taken from the parents' columns. */
cuzk_status cuzk_c1_write(uint8_t **text, size_t *size, const cuzk_porep_vanilla *vanilla,
                          cuzk_error *err);

/* Puts a C1 output into Curio's wrapper. n < 2^30. */
cuzk_status cuzk_c1_wrap(uint8_t **text, size_t *size, const uint8_t *c1, size_t n, uint64_t sector,
                         uint64_t sector_bytes, cuzk_error *err);

#endif
