/* Compiled circuits of Filecoin in files, so that a key's circuit is mapped when it is loaded again
 * rather than compiled. */
#ifndef CUZK_API_CIRCUIT_CACHE_H
#define CUZK_API_CIRCUIT_CACHE_H

#include "circuit/filecoin/registry.h"

/* Opens the proof's circuit from FOLDER/NAME.circuit. One that is not there, is damaged, or is of
 * other parameters or another version of the program is compiled and put there in one piece. The
 * log says so, and also if it could not be put there, which is no error. A folder that others may
 * write to is not used. folder: made if its parent is there; NULL: the circuit is compiled. The
 * caller frees *compiled. Any thread; several processes may share the folder. */
cuzk_status cuzk_circuit_cache_take(cuzk_compiled **compiled, const cuzk_fil_proof *proof,
                                    const char *folder, cuzk_error *err);

#endif
