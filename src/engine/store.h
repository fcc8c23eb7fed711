/* Where accepted jobs and their results survive the process: small rows in a database, payloads in
 * files beside it. One interface so that other databases can stand behind it; this one is SQLite.
 *
 * Calls block (they write and sync): the engine makes them from its I/O thread, one at a time. A
 * call that returns CUZK_OK has reached the disk as durability says. */
#ifndef CUZK_ENGINE_STORE_H
#define CUZK_ENGINE_STORE_H

#include "engine/types.h"

typedef struct cuzk_store cuzk_store;

typedef enum cuzk_durability {
    CUZK_DURABLE_FULL,    /* a power cut loses nothing that was accepted */
    CUZK_DURABLE_PROCESS, /* the death of the process loses nothing; a power cut may lose seconds */
} cuzk_durability;

/* A job as it is stored. Strings and bytes are borrowed for the call, or of a callback for it. */
typedef struct cuzk_store_job {
    cuzk_job_no job;
    const char *request_id;
    uint8_t digest[32];
    cuzk_kind kind;
    cuzk_class class_;
    int64_t deadline_unix_ms;                 /* 0: none */
    int64_t submitted_unix_ms, ended_unix_ms; /* ended 0: not yet */
    cuzk_job_state state;                     /* ACCEPTED, or terminal */
    const void *payload; /* the request's bytes; written to a file with its SHA-256 */
    size_t payload_size;
    const void *proof; /* COMPLETED */
    size_t proof_size;
    const char *error; /* FAILED, CANCELLED, EXPIRED: the message; else "" */
    int error_code;    /* a cuzk_status */
} cuzk_store_job;

/* Opens or makes the store in folder (made if absent, mode 0700; its parent must exist). Refuses a
 * folder that another process has open (CUZK_ERR_IO; it names the process), a database of a newer
 * version (CUZK_ERR_UNSUPPORTED), of another program (CUZK_ERR_MISMATCH), one that is damaged
 * (CUZK_ERR_FORMAT). */
cuzk_status cuzk_store_open(cuzk_store **store, const char *folder, cuzk_durability durability,
                            cuzk_error *err);
void cuzk_store_close(cuzk_store *store); /* NULL is allowed */

/* New jobs (state ACCEPTED), all of them or none, with one sync of the database: group commit.
 * After a failure, which leaves the store usable, the same jobs may be added again. */
cuzk_status cuzk_store_add(cuzk_store *store, const cuzk_store_job *const *jobs, size_t n,
                           cuzk_error *err);
/* Ends of jobs, all of them or none: state, ended, proof, error, error_code are taken from each;
 * their payload files go. A job that is not there is CUZK_ERR_ARGUMENT. */
cuzk_status cuzk_store_end(cuzk_store *store, const cuzk_store_job *const *jobs, size_t n,
                           cuzk_error *err);
cuzk_status cuzk_store_forget(cuzk_store *store, cuzk_job_no job, cuzk_error *err);

/* Calls fn for every job, oldest first, without payload and proof, but with their sizes. fn
 * returning false ends it; of this store it may call cuzk_store_payload and cuzk_store_proof. */
typedef bool cuzk_store_each_fn(void *context, const cuzk_store_job *job);
cuzk_status cuzk_store_each(cuzk_store *store, cuzk_store_each_fn *fn, void *context,
                            cuzk_error *err);
/* The largest number ever given, also of jobs forgotten; 0: none. */
cuzk_status cuzk_store_last_job(cuzk_store *store, cuzk_job_no *job, cuzk_error *err);
/* Owned by the caller (free). A payload whose checksum is wrong is CUZK_ERR_FORMAT; a job that is
 * not there CUZK_ERR_ARGUMENT. */
cuzk_status cuzk_store_payload(cuzk_store *store, cuzk_job_no job, void **payload, size_t *size,
                               cuzk_error *err);
cuzk_status cuzk_store_proof(cuzk_store *store, cuzk_job_no job, void **proof, size_t *size,
                             cuzk_error *err);

#endif
