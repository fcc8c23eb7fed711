/* Who proves which sector (Filecoin circuits, sections 10.2 and 11.1). */
#ifndef CUZK_CIRCUIT_FILECOIN_IDENTITY_H
#define CUZK_CIRCUIT_FILECOIN_IDENTITY_H

#include "base/status.h"
#include "field/scalar.h"

#include <stdint.h>

/* The miner's number in LEB128, then zeros. */
void cuzk_prover_id(uint8_t out[32], uint64_t miner);

/* What a replica's id is made of. */
typedef struct cuzk_replica_source {
    uint8_t prover_id[32], ticket[32], porep_id[32];
    uint64_t sector;
    cuzk_scalar comm_d;
} cuzk_replica_source;
cuzk_status cuzk_replica_id(cuzk_scalar *out, const cuzk_replica_source *source, cuzk_error *err);

/* comm_r = the Poseidon hash of comm_c and comm_r_last, all canonical. */
void cuzk_comm_r(cuzk_scalar *out, const cuzk_scalar *comm_c, const cuzk_scalar *comm_r_last);

#endif
