/* Requests of Filecoin's kinds: the fields of a proof request.
 *
 * As a payload, stored and handed about, integers little-endian: version 1 in one byte; kind in
 * one; registered proof, miner id, sector number and partition index in eight each; the number of
 * vanilla proofs in four; then randomness, comm_r_old, comm_r_new, comm_d_new and the vanilla
 * proofs, each with its length in four bytes before it. */
#ifndef CUZK_ENGINE_FILECOIN_JOB_H
#define CUZK_ENGINE_FILECOIN_JOB_H

#include "api/circuit_witness.h"
#include "circuit/filecoin/request.h"

/* Puts a payload together; *payload is malloc'd and the caller's. Nothing is looked at but that
 * lengths fit. */
cuzk_status cuzk_filecoin_job_make(void **payload, size_t *size, const cuzk_fil_fields *fields,
                                   cuzk_error *err);

/* Reads a payload's request and checks its vanilla proofs, by pool. *request is the caller's
 * (cuzk_fil_request_free). */
cuzk_status cuzk_filecoin_job_parse(cuzk_fil_request **request, const void *payload, size_t size,
                                    cuzk_pool *pool, cuzk_error *err);

/* The most bytes that the witness of a partition takes, once its circuit is compiled. */
size_t cuzk_filecoin_job_witness_bytes(const cuzk_fil_proof *proof, const cuzk_compiled *compiled);

/* Makes the witness of partition k. name: for messages. */
cuzk_status cuzk_filecoin_job_witness(cuzk_circuit_witness **witness,
                                      const cuzk_fil_request *request, size_t k,
                                      const cuzk_compiled *compiled, const char *name,
                                      cuzk_error *err);

#endif
