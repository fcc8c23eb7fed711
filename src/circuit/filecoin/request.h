/* From the fields of a proof request to partitions that can be proved (Filecoin circuits, section
 * 13): which circuit and parameters, how many partitions, and what each brings to its circuit. */
#ifndef CUZK_CIRCUIT_FILECOIN_REQUEST_H
#define CUZK_CIRCUIT_FILECOIN_REQUEST_H

#include "base/pool.h"
#include "circuit/filecoin/inputs.h"

typedef struct cuzk_fil_blob {
    const void *data;
    size_t size;
} cuzk_fil_blob;

/* The fields, as they came. Bytes are borrowed while the request is read. */
typedef struct cuzk_fil_fields {
    cuzk_fil_kind kind;
    unsigned registered_proof;        /* PoRep: not read, the C1 output names its own */
    uint64_t miner_id, sector_number; /* PoRep */
    /* PoRep: one, the C1 output in its wrapper. Window: one for each sector of the partition, in
     * order. Winning: one. Snap: one for each partition. */
    const cuzk_fil_blob *vanilla;
    size_t n_vanilla;
    cuzk_fil_blob randomness; /* Window, Winning */
    uint64_t partition_index; /* Window: which partition this is; selects nothing */
    cuzk_fil_blob comm_r_old, comm_r_new, comm_d_new; /* Snap */
} cuzk_fil_fields;

/* A request that has been read. */
typedef struct cuzk_fil_request cuzk_fil_request;

/* Reads the fields strictly. On success *request is the caller's: cuzk_fil_request_free. Errors:
 * CUZK_ERR_ARGUMENT for a kind and id that are not registered; CUZK_ERR_FORMAT or
 * CUZK_ERR_MISMATCH naming the field, for blobs also member and byte; CUZK_ERR_MEMORY. */
cuzk_status cuzk_fil_request_read(cuzk_fil_request **request, const cuzk_fil_fields *fields,
                                  cuzk_error *err);
void cuzk_fil_request_free(cuzk_fil_request *request);

/* Checks all that can be known before proving (circuit/filecoin/checks.h), the first fault in the
 * order of partitions and sectors. pool may be NULL. */
cuzk_status cuzk_fil_request_check(const cuzk_fil_request *request, cuzk_pool *pool,
                                   cuzk_error *err);

/* What it stands for; good until the request is freed. Requests with the same proof->circuit have
 * the same circuit (cuzk_fil_circuit_init) and parameters (params->name). */
const cuzk_fil_proof *cuzk_fil_request_proof(const cuzk_fil_request *request);
const cuzk_fil_params *cuzk_fil_request_params(const cuzk_fil_request *request);

/* Partitions to prove: their proofs, one after the other, are the answer. */
size_t cuzk_fil_request_partitions(const cuzk_fil_request *request);

/* Bytes that it holds. */
size_t cuzk_fil_request_bytes(const cuzk_fil_request *request);

/* Fills the inputs of partition k: arrays of cuzk_fil_sizes_get's sizes. Any thread, also several
 * at the same time. */
void cuzk_fil_request_inputs(const cuzk_fil_request *request, size_t k, const cuzk_fil_inputs *out);

#endif
