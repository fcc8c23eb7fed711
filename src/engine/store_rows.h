/* Rows of jobs: values bound to the store's statements and read back. */
#ifndef CUZK_ENGINE_STORE_ROWS_H
#define CUZK_ENGINE_STORE_ROWS_H

#include "base/digest.h"
#include "engine/store.h"
#include "engine/store_sql.h"

/* Each runs one statement; a job that is not there is CUZK_ERR_ARGUMENT. */
cuzk_status cuzk_row_add(cuzk_database *database, const cuzk_store_job *job,
                         const uint8_t sha256[CUZK_SHA256_BYTES], cuzk_error *err);
cuzk_status cuzk_row_end(cuzk_database *database, const cuzk_store_job *job, cuzk_error *err);
/* which: CUZK_SQL_FORGET or CUZK_SQL_FORGET_REFUSED; no such row is no error. */
cuzk_status cuzk_row_forget(cuzk_database *database, cuzk_sql which, cuzk_job_no job,
                            cuzk_error *err);
cuzk_status cuzk_row_each(cuzk_database *database, cuzk_store_each_fn *fn, void *context,
                          cuzk_error *err);
cuzk_status cuzk_row_last(cuzk_database *database, cuzk_job_no *job, cuzk_error *err);

typedef struct cuzk_row_payload {
    bool found, ended;
    size_t size;
    uint8_t sha256[CUZK_SHA256_BYTES];
} cuzk_row_payload;

cuzk_status cuzk_row_payload_get(cuzk_database *database, cuzk_job_no job,
                                 cuzk_row_payload *payload, cuzk_error *err);
/* *proof is the caller's (free). */
cuzk_status cuzk_row_proof(cuzk_database *database, cuzk_job_no job, void **proof, size_t *size,
                           cuzk_error *err);

#endif
