/* Between c1.c and c1_wrapper.c. */
#ifndef CUZK_CIRCUIT_FILECOIN_C1_READ_H
#define CUZK_CIRCUIT_FILECOIN_C1_READ_H

#include "circuit/filecoin/c1.h"
#include "circuit/filecoin/json_reader.h"

/* Reads the C1 output that the reader brings, to its end; false: the reader has failed. */
bool cuzk_c1_read_from(cuzk_json_reader *json, cuzk_porep_vanilla *out, cuzk_arena *arena,
                       const cuzk_fil_proof *proof);

/* Reads up to the name of the registered proof. */
bool cuzk_c1_registered_from(cuzk_json_reader *json, unsigned *id);

#endif
