/* PoSt and SnapDeals vanilla proofs in bincode (Filecoin circuits, sections 12.4 and 12.5).
 *
 * Read strictly: lengths and variants are those of the registered proof, field elements are below
 * r, indices below the arity, nothing follows. Errors are CUZK_ERR_FORMAT and name the blob, the
 * member and the byte. What is read lies in the arena, also after a failure. */
#ifndef CUZK_CIRCUIT_FILECOIN_BINCODE_H
#define CUZK_CIRCUIT_FILECOIN_BINCODE_H

#include "circuit/filecoin/proofs.h"
#include "circuit/filecoin/vanilla.h"

/* A sector's proof. proof: of kind Window (each sector has exactly its challenges) or Winning (1 to
 * 66 inclusion proofs). name stands for the blob in messages. */
cuzk_status cuzk_post_read(cuzk_post_sector *sector, cuzk_arena *arena, const cuzk_fil_proof *proof,
                           const void *blob, size_t size, const char *name, cuzk_error *err);

/* A partition's proof. */
cuzk_status cuzk_snap_read(cuzk_snap_partition *partition, cuzk_arena *arena,
                           const cuzk_fil_proof *proof, const void *blob, size_t size,
                           const char *name, cuzk_error *err);

#endif
