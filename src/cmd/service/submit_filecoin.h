/* The fields of a Filecoin request, from the command line of `cuzk submit --kind`. */
#ifndef CUZK_CMD_SERVICE_SUBMIT_FILECOIN_H
#define CUZK_CMD_SERVICE_SUBMIT_FILECOIN_H

#include "base/status.h"
#include <cuzk/v1/proving.pb-c.h>

#include <argp.h>
#include <stdbool.h>

/* The 32-byte fields that a request may have. */
enum {
    CUZK_SUBMIT_RANDOMNESS,
    CUZK_SUBMIT_R_OLD,
    CUZK_SUBMIT_R_NEW,
    CUZK_SUBMIT_D_NEW,
    CUZK_SUBMIT_HEX
};

typedef struct cuzk_filecoin_request {
    Cuzk__V1__ProofKind kind; /* UNSPECIFIED until --kind is given */
    uint64_t registered_proof, sector_number, miner_id, partition;
    uint8_t hex[CUZK_SUBMIT_HEX][32];
    bool given[CUZK_SUBMIT_HEX];
} cuzk_filecoin_request;

/* Its options; input: a cuzk_filecoin_request. */
extern const struct argp cuzk_filecoin_request_argp;

/* The n files become the request's vanilla proofs, the rest its fields. What they hold is freed by
 * cuzk_filecoin_request_release; the 32-byte fields stay those of `from`. */
cuzk_status cuzk_filecoin_request_fill(Cuzk__V1__SubmitProofRequest *request,
                                       cuzk_filecoin_request *from, const char *const *files,
                                       size_t n, cuzk_error *err);
void cuzk_filecoin_request_release(Cuzk__V1__SubmitProofRequest *request);

/* A whole file, the caller's (free); refused from 128 MiB on, which is what a request may have. */
cuzk_status cuzk_submit_read(ProtobufCBinaryData *out, const char *path, cuzk_error *err);

#endif
