/* Writing PoSt and SnapDeals vanilla proofs in bincode (Filecoin circuits, sections 12.4, 12.5). */
#ifndef CUZK_CIRCUIT_FILECOIN_BINCODE_WRITE_H
#define CUZK_CIRCUIT_FILECOIN_BINCODE_WRITE_H

#include "circuit/filecoin/vanilla.h"

#include "base/status.h"

/* *blob: *size bytes, the caller's (free). */
cuzk_status cuzk_post_write(uint8_t **blob, size_t *size, const cuzk_post_sector *sector,
                            cuzk_error *err);
cuzk_status cuzk_snap_write(uint8_t **blob, size_t *size, const cuzk_snap_partition *partition,
                            cuzk_error *err);

#endif
