/* The circuits of all registered proofs, by name: "porep-32g", "window-2k", "update-64g". */
#ifndef CUZK_CIRCUIT_FILECOIN_REGISTRY_H
#define CUZK_CIRCUIT_FILECOIN_REGISTRY_H

#include "circuit/compile.h"
#include "circuit/filecoin/proofs.h"

/* PoRep, Window, Winning, Update; each of every sector size. */
enum { CUZK_FIL_CIRCUITS = 4 * CUZK_FIL_SIZES };

/* Sets *proof to a registered proof whose circuit is the i-th, i < CUZK_FIL_CIRCUITS. */
void cuzk_fil_circuit_at(cuzk_fil_proof *proof, size_t i);

/* The same by name; CUZK_ERR_ARGUMENT for one that is not there. */
cuzk_status cuzk_fil_circuit_find(cuzk_fil_proof *proof, const char *name, cuzk_error *err);

/* Binds a saved circuit to the proof's parameters and to this program's text of it. */
cuzk_status cuzk_fil_circuit_id(uint8_t id[CUZK_CIRCUIT_ID_BYTES], const cuzk_fil_proof *proof,
                                cuzk_error *err);

/* Compiles a proof's circuit; as cuzk_compile. */
cuzk_status cuzk_fil_circuit_compile(cuzk_compiled **compiled, const cuzk_fil_proof *proof,
                                     cuzk_error *err);

/* Opens a proof's circuit where cuzk_compiled_save put it under its id. */
cuzk_status cuzk_fil_circuit_open(cuzk_compiled **compiled, const char *path,
                                  const cuzk_fil_proof *proof, cuzk_error *err);

#endif
