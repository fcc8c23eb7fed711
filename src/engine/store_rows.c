#include "engine/store_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Binds the values of one statement in order; the first failure is kept. */
struct binder {
    sqlite3_stmt *statement;
    int next, code;
};

static struct binder bind_to(cuzk_database *database, cuzk_sql which)
{
    return (struct binder){database->statement[which], 1, SQLITE_OK};
}

static void bind_number(struct binder *binder, int64_t value)
{
    int code = sqlite3_bind_int64(binder->statement, binder->next++, value);
    if (binder->code == SQLITE_OK)
        binder->code = code;
}

/* Bytes stay the caller's until the statement is reset. */
static void bind_bytes(struct binder *binder, const void *data, size_t size)
{
    /* SQLite takes a null pointer for NULL, which is not the empty blob. */
    int code = sqlite3_bind_blob64(binder->statement, binder->next++, data == NULL ? "" : data,
                                   size, SQLITE_STATIC);
    if (binder->code == SQLITE_OK)
        binder->code = code;
}

static void bind_text(struct binder *binder, const char *text)
{
    bind_bytes(binder, text, text == NULL ? 0 : strlen(text));
}

static cuzk_status step(cuzk_database *database, const struct binder *binder, cuzk_sql which,
                        bool *row, cuzk_error *err)
{
    if (binder->code == SQLITE_OK)
        return cuzk_database_step(database, which, row, err);
    cuzk_status status = cuzk_database_fail(database, err);
    cuzk_database_reset(database, which);
    return status;
}

static cuzk_status fail_absent(const cuzk_database *database, cuzk_job_no job, cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: there is no job %" PRIu64, database->path, job);
}

static cuzk_status note_last(cuzk_database *database, cuzk_job_no job, cuzk_error *err)
{
    struct binder binder = bind_to(database, CUZK_SQL_NOTE_LAST);
    bind_number(&binder, (int64_t)job);
    return step(database, &binder, CUZK_SQL_NOTE_LAST, NULL, err);
}

cuzk_status cuzk_row_add(cuzk_database *database, const cuzk_store_job *job,
                         const uint8_t sha256[CUZK_SHA256_BYTES], cuzk_error *err)
{
    struct binder binder = bind_to(database, CUZK_SQL_ADD);
    bind_number(&binder, (int64_t)job->job);
    bind_text(&binder, job->request_id);
    bind_bytes(&binder, job->digest, sizeof job->digest);
    bind_number(&binder, job->kind);
    bind_number(&binder, job->class_);
    bind_number(&binder, job->deadline_unix_ms);
    bind_number(&binder, job->submitted_unix_ms);
    bind_number(&binder, job->state);
    bind_number(&binder, (int64_t)job->payload_size);
    bind_bytes(&binder, sha256, CUZK_SHA256_BYTES);
    CUZK_TRY(step(database, &binder, CUZK_SQL_ADD, NULL, err));
    return note_last(database, job->job, err);
}

cuzk_status cuzk_row_end(cuzk_database *database, const cuzk_store_job *job, cuzk_error *err)
{
    struct binder binder = bind_to(database, CUZK_SQL_END);
    bind_number(&binder, (int64_t)job->job);
    bind_number(&binder, job->state);
    bind_number(&binder, job->ended_unix_ms);
    bind_bytes(&binder, job->proof, job->proof_size);
    bind_text(&binder, job->error);
    bind_number(&binder, job->error_code);
    CUZK_TRY(step(database, &binder, CUZK_SQL_END, NULL, err));
    return sqlite3_changes(database->handle) == 1 ? CUZK_OK : fail_absent(database, job->job, err);
}

cuzk_status cuzk_row_forget(cuzk_database *database, cuzk_sql which, cuzk_job_no job,
                            cuzk_error *err)
{
    struct binder binder = bind_to(database, which);
    bind_number(&binder, (int64_t)job);
    return step(database, &binder, which, NULL, err);
}

/* Both are valid until the next step; NULL: no memory. Blobs read as text end with NUL. */
static const char *text_of(sqlite3_stmt *statement, int column)
{
    return (const char *)sqlite3_column_text(statement, column);
}

static bool read_job(sqlite3_stmt *statement, cuzk_store_job *job)
{
    *job = (cuzk_store_job){
        .job = (cuzk_job_no)sqlite3_column_int64(statement, 0),
        .request_id = text_of(statement, 1),
        .kind = (cuzk_kind)sqlite3_column_int(statement, 3),
        .class_ = (cuzk_class)sqlite3_column_int(statement, 4),
        .deadline_unix_ms = sqlite3_column_int64(statement, 5),
        .submitted_unix_ms = sqlite3_column_int64(statement, 6),
        .ended_unix_ms = sqlite3_column_int64(statement, 7),
        .state = (cuzk_job_state)sqlite3_column_int(statement, 8),
        .payload_size = (size_t)sqlite3_column_int64(statement, 9),
        .proof_size = (size_t)sqlite3_column_int64(statement, 10),
        .error = text_of(statement, 11),
        .error_code = sqlite3_column_int(statement, 12),
    };
    const void *digest = sqlite3_column_blob(statement, 2);
    if (digest == NULL || sqlite3_column_bytes(statement, 2) != (int)sizeof job->digest)
        return false;
    memcpy(job->digest, digest, sizeof job->digest);
    return job->kind > 0 && job->kind < CUZK_KINDS && (unsigned)job->class_ < CUZK_CLASSES &&
           (unsigned)job->state < CUZK_JOB_STATES && job->request_id != NULL && job->error != NULL;
}

cuzk_status cuzk_row_each(cuzk_database *database, cuzk_store_each_fn *fn, void *context,
                          cuzk_error *err)
{
    for (;;) {
        bool row = false;
        CUZK_TRY(cuzk_database_step(database, CUZK_SQL_EACH, &row, err));
        if (!row)
            return CUZK_OK;
        sqlite3_stmt *statement = database->statement[CUZK_SQL_EACH];
        cuzk_store_job job;
        cuzk_status status = CUZK_OK;
        bool more = false;
        if (read_job(statement, &job))
            more = fn(context, &job);
        else
            status =
                cuzk_fail(err, CUZK_ERR_FORMAT,
                          "%s: the row of job %lld is not one that cuzk wrote; put back a copy "
                          "of the folder",
                          database->path, (long long)sqlite3_column_int64(statement, 0));
        if (!more) {
            cuzk_database_reset(database, CUZK_SQL_EACH);
            return status;
        }
    }
}

cuzk_status cuzk_row_last(cuzk_database *database, cuzk_job_no *job, cuzk_error *err)
{
    bool row = false;
    CUZK_TRY(cuzk_database_step(database, CUZK_SQL_LAST, &row, err));
    if (!row)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: the number of the last job is gone; put back a copy of the folder",
                         database->path);
    *job = (cuzk_job_no)sqlite3_column_int64(database->statement[CUZK_SQL_LAST], 0);
    cuzk_database_reset(database, CUZK_SQL_LAST);
    return CUZK_OK;
}

cuzk_status cuzk_row_payload_get(cuzk_database *database, cuzk_job_no job,
                                 cuzk_row_payload *payload, cuzk_error *err)
{
    *payload = (cuzk_row_payload){0};
    struct binder binder = bind_to(database, CUZK_SQL_PAYLOAD);
    bind_number(&binder, (int64_t)job);
    CUZK_TRY(step(database, &binder, CUZK_SQL_PAYLOAD, &payload->found, err));
    if (!payload->found)
        return CUZK_OK;
    sqlite3_stmt *statement = binder.statement;
    payload->ended = sqlite3_column_int64(statement, 0) != 0;
    payload->size = (size_t)sqlite3_column_int64(statement, 1);
    const void *sha256 = sqlite3_column_blob(statement, 2);
    /* A digest of another length leaves zeros, which no file has. */
    if (sha256 != NULL && sqlite3_column_bytes(statement, 2) == CUZK_SHA256_BYTES)
        memcpy(payload->sha256, sha256, CUZK_SHA256_BYTES);
    cuzk_database_reset(database, CUZK_SQL_PAYLOAD);
    return CUZK_OK;
}

cuzk_status cuzk_row_proof(cuzk_database *database, cuzk_job_no job, void **proof, size_t *size,
                           cuzk_error *err)
{
    bool row = false;
    struct binder binder = bind_to(database, CUZK_SQL_PROOF);
    bind_number(&binder, (int64_t)job);
    CUZK_TRY(step(database, &binder, CUZK_SQL_PROOF, &row, err));
    if (!row)
        return fail_absent(database, job, err);
    const void *data = sqlite3_column_blob(binder.statement, 0);
    size_t bytes = (size_t)sqlite3_column_bytes(binder.statement, 0);
    cuzk_status status = CUZK_OK;
    /* Reading the blob may need its pages from the disk. */
    if (data == NULL && sqlite3_errcode(database->handle) != SQLITE_ROW)
        status = cuzk_database_fail(database, err);
    else if (bytes == 0)
        status = cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: job %" PRIu64 " has no proof",
                           database->path, job);
    void *copy = status == CUZK_OK ? malloc(bytes) : NULL;
    if (status == CUZK_OK && copy == NULL)
        status = cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory for a proof of %zu bytes",
                           database->path, bytes);
    if (copy != NULL) {
        memcpy(copy, data, bytes);
        *proof = copy;
        *size = bytes;
    }
    cuzk_database_reset(database, CUZK_SQL_PROOF);
    return status;
}
