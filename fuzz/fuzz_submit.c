/* Requests for proofs as they come from outside: ProveRequest, and what it holds. Whatever our
 * reader lets in, protobuf-c must read too, and see the same. */
#include "engine/filecoin_job.h"
#include "server/submit_request.h"

#include <cuzk/v1/proving.pb-c.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void compare_filecoin(const cuzk_fil_fields *read, const Cuzk__V1__SubmitProofRequest *other)
{
    const size_t blobs = read->kind == CUZK_FIL_POREP ? 1 : other->n_vanilla_proofs;
    CUZK_ASSERT(read->n_vanilla == blobs);
    CUZK_ASSERT(read->miner_id == other->miner_id);
    CUZK_ASSERT(read->sector_number == other->sector_number);
    CUZK_ASSERT(read->partition_index == other->partition_index);
    CUZK_ASSERT(read->randomness.size == other->randomness.len);
    CUZK_ASSERT(read->comm_r_old.size == other->comm_r_old.len);
    CUZK_ASSERT(read->comm_r_new.size == other->comm_r_new.len);
    CUZK_ASSERT(read->comm_d_new.size == other->comm_d_new.len);
}

static void compare(const cuzk_submit_request *read, const uint8_t *message, size_t size)
{
    Cuzk__V1__SubmitProofRequest *other =
        cuzk__v1__submit_proof_request__unpack(NULL, size, message);
    if (other == NULL)
        return; /* it allows fewer unknown fields */
    CUZK_ASSERT(strcmp(other->request_id, read->request_id) == 0);
    CUZK_ASSERT(strcmp(other->circuit_key, read->circuit_key) == 0);
    CUZK_ASSERT(other->deadline_ms == read->deadline_ms);
    CUZK_ASSERT(other->witness.len == read->witness_size);
    CUZK_ASSERT(read->witness_size == 0 ||
                memcmp(other->witness.data, read->witness, read->witness_size) == 0);
    if (read->kind != CUZK_KIND_CIRCUIT)
        compare_filecoin(&read->filecoin, other);
    cuzk__v1__submit_proof_request__free_unpacked(other, NULL);
}

/* The engine's payload of it is read or refused. */
static void pack(const cuzk_submit_request *read, const uint8_t *data, size_t size)
{
    cuzk_error err;
    cuzk_fil_request *request;
    void *message = malloc(size + 1);
    if (message == NULL)
        return;
    if (size > 0)
        memcpy(message, data, size);
    if (read->kind != CUZK_KIND_CIRCUIT &&
        cuzk_submit_request_pack(read, &message, &size, &err) == CUZK_OK &&
        cuzk_filecoin_job_parse(&request, message, size, NULL, &err) == CUZK_OK)
        cuzk_fil_request_free(request);
    free(message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cuzk_error err;
    cuzk_submit_request request;
    if (cuzk_submit_request_read(&request, data, size, &err) == CUZK_OK) {
        compare(&request, data, size);
        pack(&request, data, size);
    }
    uint8_t *message = malloc(size > 0 ? size : 1);
    if (message == NULL)
        return 0;
    if (size > 0)
        memcpy(message, data, size);
    size_t inner = size;
    if (cuzk_prove_request_unwrap(message, &inner, &err) == CUZK_OK &&
        cuzk_submit_request_read(&request, message, inner, &err) == CUZK_OK)
        compare(&request, message, inner);
    free(message);
    return 0;
}
