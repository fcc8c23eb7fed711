/* Requests for proofs as they come from outside: ProveRequest, and what it holds. Whatever our
 * reader lets in, protobuf-c must read too, and see the same. */
#include "server/submit_request.h"

#include <cuzk/v1/proving.pb-c.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
    cuzk__v1__submit_proof_request__free_unpacked(other, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cuzk_error err;
    cuzk_submit_request request;
    if (cuzk_submit_request_read(&request, data, size, &err) == CUZK_OK)
        compare(&request, data, size);
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
