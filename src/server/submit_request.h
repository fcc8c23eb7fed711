/* SubmitProofRequest: read in place, and checked at the door. */
#ifndef CUZK_SERVER_SUBMIT_REQUEST_H
#define CUZK_SERVER_SUBMIT_REQUEST_H

#include "circuit/filecoin/request.h"
#include "engine/engine.h"

/* A request as a client sent it; strings are copied, bytes point into the message. */
typedef struct cuzk_submit_request {
    char request_id[CUZK_REQUEST_ID_MAX + 1];
    char circuit_key[CUZK_KEY_NAME_MAX];
    cuzk_kind kind;
    cuzk_class class_;
    uint64_t deadline_ms;
    const uint8_t *witness; /* CIRCUIT */
    size_t witness_size;
    cuzk_fil_fields filecoin; /* the other kinds; its vanilla proofs are only counted */
} cuzk_submit_request;

/* Reads and checks a serialised SubmitProofRequest: kind, text, what must be there for the kind,
 * sizes of randomness and commitments. CUZK_ERR_ARGUMENT or CUZK_ERR_FORMAT says which field, what
 * was found and what was expected. */
cuzk_status cuzk_submit_request_read(cuzk_submit_request *request, const void *message, size_t size,
                                     cuzk_error *err);

/* What Filecoin's kinds cannot do without, and the sizes of what is there. CUZK_ERR_ARGUMENT. */
cuzk_status cuzk_fil_fields_check(const cuzk_fil_fields *fields, cuzk_error *err);

/* Makes the engine's payload of the message that the request was read from: *message, malloc'd, is
 * replaced, and *size. After a failure the message is as it was. */
cuzk_status cuzk_submit_request_pack(const cuzk_submit_request *request, void **message,
                                     size_t *size, cuzk_error *err);

/* A ProveRequest's `submit`, moved to the front of the message (which it overwrites); several are
 * merged as protobuf says. *size becomes its size. */
cuzk_status cuzk_prove_request_unwrap(void *message, size_t *size, cuzk_error *err);

/* Copies text for names on the wire: at most room - 1 bytes of UTF-8 without control characters.
 * field is for the error. */
cuzk_status cuzk_name_read(char *out, size_t room, const uint8_t *text, size_t size,
                           const char *field, cuzk_error *err);

#endif
