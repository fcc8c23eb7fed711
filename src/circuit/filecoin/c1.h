/* C1 outputs: PoRep vanilla proofs in JSON, plain and in the wrapper that requests carry (Filecoin
 * circuits, sections 12.2 and 12.3). */
#ifndef CUZK_CIRCUIT_FILECOIN_C1_H
#define CUZK_CIRCUIT_FILECOIN_C1_H

#include "circuit/filecoin/proofs.h"
#include "circuit/filecoin/vanilla.h"

/* Reads a C1 output of that registered proof: another one in the text is CUZK_ERR_MISMATCH. All
 * members exist once, in any order, numbers of elements are the registered proof's, tree values are
 * below r; errors name the text, the member and the byte. Nothing of the text is needed afterwards.
 * What is read lies in the arena, also after a failure; beside it the reading takes 100 KiB. */
cuzk_status cuzk_c1_read(cuzk_porep_vanilla *out, cuzk_arena *arena, const cuzk_fil_proof *proof,
                         const char *text, size_t size, const char *name, cuzk_error *err);

/* The same from {"SectorNum", "Phase1Out": base64 of the C1 output, "SectorSize"}. Bytes in
 * messages about what is inside are counted there. */
cuzk_status cuzk_c1_read_wrapper(cuzk_porep_vanilla *out, cuzk_arena *arena,
                                 const cuzk_fil_proof *proof, const char *text, size_t size,
                                 const char *name, cuzk_error *err);

/* Sets *id to the registered proof that is named in the C1 output inside the wrapper. Usually that
 * is its first member, and little is read. */
cuzk_status cuzk_c1_registered_wrapper(unsigned *id, const char *text, size_t size,
                                       const char *name, cuzk_error *err);

#endif
