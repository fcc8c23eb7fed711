/* Payload files of the store: <job>.payload in one folder. A file under that name is complete.
 * <job>.refused, empty, says that adding the job was refused although a power cut may bring its row
 * back; such a row is dropped at the next opening. */
#ifndef CUZK_ENGINE_STORE_PAYLOAD_H
#define CUZK_ENGINE_STORE_PAYLOAD_H

#include "base/digest.h"
#include "engine/types.h"

typedef struct cuzk_payloads {
    int fd; /* of the folder; -1: not open */
    bool sync;
    char path[1024];
} cuzk_payloads;

cuzk_status cuzk_payloads_open(cuzk_payloads *payloads, const char *folder, bool sync,
                               cuzk_error *err);
void cuzk_payloads_close(cuzk_payloads *payloads);

/* Writes the file, and the digest of its content to sha256. Names last once cuzk_payloads_sync has
 * returned. On failure nothing is left. */
cuzk_status cuzk_payload_write(cuzk_payloads *payloads, cuzk_job_no job, const void *data,
                               size_t size, uint8_t sha256[CUZK_SHA256_BYTES], cuzk_error *err);
cuzk_status cuzk_payloads_sync(cuzk_payloads *payloads, cuzk_error *err);

/* Reads the file and compares its size and digest. *data is the caller's (free). */
cuzk_status cuzk_payload_read(const cuzk_payloads *payloads, cuzk_job_no job, size_t size,
                              const uint8_t sha256[CUZK_SHA256_BYTES], void **data,
                              cuzk_error *err);

/* What cannot be removed is removed at the next opening. */
void cuzk_payload_remove(cuzk_payloads *payloads, cuzk_job_no job);
/* Makes a refused one of it, and gives its space back. */
void cuzk_payload_refuse(cuzk_payloads *payloads, cuzk_job_no job);
void cuzk_payload_settle(cuzk_payloads *payloads,
                         cuzk_job_no job); /* the refused row cannot return */

/* Calls fn for every file of a job; removes those that were being written. */
typedef cuzk_status cuzk_payload_each_fn(void *context, cuzk_job_no job, bool refused,
                                         cuzk_error *err);
cuzk_status cuzk_payloads_each(cuzk_payloads *payloads, cuzk_payload_each_fn *fn, void *context,
                               cuzk_error *err);

#endif
