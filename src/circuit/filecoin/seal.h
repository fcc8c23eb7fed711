/* Sealing a whole sector in memory, for tests and demonstrations (Filecoin sealing, sections 3 to
 * 5): labels of all layers, three trees, a replica. Layers + 5 times the sector's size. */
#ifndef CUZK_CIRCUIT_FILECOIN_SEAL_H
#define CUZK_CIRCUIT_FILECOIN_SEAL_H

#include "base/pool.h"
#include "circuit/filecoin/graph.h"
#include "circuit/filecoin/proofs.h"
#include "circuit/filecoin/trees.h"

/* What is sealed. proof: of kind PoRep; tests may give it shapes that are not registered. */
typedef struct cuzk_seal_source {
    cuzk_fil_proof proof;
    uint64_t miner, sector;
    uint8_t ticket[32];
    const cuzk_scalar *data; /* proof.nodes nodes below 2^254; NULL: all zero */
} cuzk_seal_source;

typedef struct cuzk_sector {
    cuzk_fil_proof proof;
    uint64_t miner, sector;
    uint8_t ticket[32];
    cuzk_graph graph;
    cuzk_scalar replica_id, comm_d, comm_c, comm_r_last, comm_r;
    cuzk_scalar *label; /* label[(layer - 1) * nodes + node] */
    cuzk_tree d, c, r;  /* leaves: the data; the columns' hashes; the replica */
} cuzk_sector;

/* Released by cuzk_sector_release; on error *sector is {0}. Data that is no field element below
 * 2^254 is CUZK_ERR_ARGUMENT. pool may be NULL. */
cuzk_status cuzk_sector_seal(cuzk_sector *sector, const cuzk_seal_source *source, cuzk_pool *pool,
                             cuzk_error *err);
void cuzk_sector_release(cuzk_sector *sector);

/* CUZK_ERR_ARGUMENT, naming the first, if a node is not below 2^254. */
cuzk_status cuzk_sector_data_check(const cuzk_scalar *data, uint64_t n, cuzk_error *err);

/* The data of a sector from raw bytes, n * 127 / 4: each 254 bits become a node (Filecoin sealing,
 * section 1). n is a multiple of 4. */
void cuzk_fr32_pad(cuzk_scalar *nodes, const uint8_t *raw, size_t n);

#endif
