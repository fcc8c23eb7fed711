/* Order of writes. Adding: payload files, their folder, then the rows in one commit; so a row that
 * is there has its payload. Ending: the rows, then the files go. What a crash leaves between the
 * two steps is swept at the next opening. */
#define _GNU_SOURCE
#include "engine/store.h"

#include "engine/store_payload.h"
#include "engine/store_rows.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_BYTES 1024

struct cuzk_store {
    cuzk_database database;
    cuzk_payloads payloads;
    int lock;     /* the lock file, locked */
    bool refused; /* files of refused jobs are there */
};

static cuzk_status fail_lock(const char *path, int fd, cuzk_error *err)
{
    int code = errno;
    char pid[32] = "";
    ssize_t n = fd < 0 ? 0 : pread(fd, pid, sizeof pid - 1, 0);
    pid[n > 0 ? n : 0] = '\0';
    pid[strcspn(pid, "\n")] = '\0';
    if (code == EWOULDBLOCK)
        return cuzk_fail(err, CUZK_ERR_IO,
                         "%s: the store is in use by process %s; stop that one, or give this one "
                         "another folder",
                         path, pid[0] == '\0' ? "(unknown)" : pid);
    return cuzk_fail(err, CUZK_ERR_IO,
                     "%s: %s; check that the disk is mounted for writing, has space, and that this "
                     "user may write the folder",
                     path, strerror(code));
}

/* The lock is the kernel's and ends with the process; the number in the file is for people. */
static cuzk_status lock_folder(cuzk_store *store, const char *folder, cuzk_error *err)
{
    char path[PATH_BYTES], pid[32];
    if ((size_t)snprintf(path, sizeof path, "%s/lock", folder) >= sizeof path)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: the path is too long", folder);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return fail_lock(path, -1, err);
    int length = snprintf(pid, sizeof pid, "%ld\n", (long)getpid());
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && ftruncate(fd, 0) == 0 &&
        pwrite(fd, pid, (size_t)length, 0) == length) {
        store->lock = fd;
        return CUZK_OK;
    }
    cuzk_status status = fail_lock(path, fd, err);
    close(fd);
    return status;
}

/* So that the folder itself, and the names in it, survive a power cut. */
static cuzk_status sync_folder(const char *path, cuzk_error *err)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = fd >= 0 && fsync(fd) == 0;
    int code = errno;
    if (fd >= 0)
        close(fd);
    if (good)
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_IO, "%s: the folder cannot be synced: %s", path, strerror(code));
}

static cuzk_status sync_parent(const char *folder, cuzk_error *err)
{
    char path[PATH_BYTES];
    if ((size_t)snprintf(path, sizeof path, "%s/..", folder) >= sizeof path)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: the path is too long", folder);
    return sync_folder(path, err);
}

static cuzk_status make_folder(const char *folder, bool sync, cuzk_error *err)
{
    if (mkdir(folder, 0700) == 0)
        return sync ? sync_parent(folder, err) : CUZK_OK;
    if (errno == EEXIST)
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_IO,
                     "%s: the store's folder cannot be made: %s; make it, or choose another (its "
                     "parent must exist and be writable)",
                     folder, strerror(errno));
}

/* A file of a job whose row is not there or has ended is an orphan. */
static cuzk_status sweep_file(void *context, cuzk_job_no job, bool refused, cuzk_error *err)
{
    cuzk_store *store = context;
    if (refused) {
        CUZK_TRY(cuzk_row_forget(&store->database, CUZK_SQL_FORGET_REFUSED, job, err));
        cuzk_payload_settle(&store->payloads, job);
        return CUZK_OK;
    }
    cuzk_row_payload row;
    CUZK_TRY(cuzk_row_payload_get(&store->database, job, &row, err));
    if (!row.found || row.ended)
        cuzk_payload_remove(&store->payloads, job);
    return CUZK_OK;
}

static cuzk_status open_parts(cuzk_store *store, const char *folder, bool sync, cuzk_error *err)
{
    char path[PATH_BYTES];
    if ((size_t)snprintf(path, sizeof path, "%s/cuzk.db", folder) >= sizeof path)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: the path is too long", folder);
    CUZK_TRY(make_folder(folder, sync, err));
    CUZK_TRY(lock_folder(store, folder, err));
    CUZK_TRY(cuzk_payloads_open(&store->payloads, folder, sync, err));
    CUZK_TRY(cuzk_database_open(&store->database, path, sync, err));
    if (sync)
        CUZK_TRY(sync_folder(folder, err));
    return cuzk_payloads_each(&store->payloads, sweep_file, store, err);
}

cuzk_status cuzk_store_open(cuzk_store **store, const char *folder, cuzk_durability durability,
                            cuzk_error *err)
{
    cuzk_store *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory to open the store", folder);
    opened->lock = -1;
    opened->payloads.fd = -1;
    cuzk_status status = open_parts(opened, folder, durability == CUZK_DURABLE_FULL, err);
    if (status != CUZK_OK)
        cuzk_store_close(opened);
    else
        *store = opened;
    return status;
}

void cuzk_store_close(cuzk_store *store)
{
    if (store == NULL)
        return;
    cuzk_database_close(&store->database);
    cuzk_payloads_close(&store->payloads);
    if (store->lock >= 0)
        close(store->lock);
    free(store);
}

static cuzk_status settle_file(void *context, cuzk_job_no job, bool refused, cuzk_error *err)
{
    cuzk_store *store = context;
    (void)err;
    if (refused)
        cuzk_payload_settle(&store->payloads, job);
    return CUZK_OK;
}

/* After a commit, whose frames lie where those of refused jobs lay. */
static void settle(cuzk_store *store)
{
    if (store->refused && cuzk_payloads_each(&store->payloads, settle_file, store, NULL) == CUZK_OK)
        store->refused = false;
}

static cuzk_status commit(cuzk_store *store, cuzk_error *err)
{
    CUZK_TRY(cuzk_database_commit(&store->database, err));
    settle(store);
    return CUZK_OK;
}

static cuzk_status check_new(const cuzk_store_job *job, cuzk_error *err)
{
    if (job->job == 0 || job->job > INT64_MAX)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "job %" PRIu64 ": not a number of a job",
                         job->job);
    if (job->state != CUZK_JOB_ACCEPTED)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "job %" PRIu64 ": a new job is stored as accepted",
                         job->job);
    return CUZK_OK;
}

/* One row and its file. A file that would replace another job's is refused before it is written. */
static cuzk_status add_one(cuzk_store *store, const cuzk_store_job *job, cuzk_error *err)
{
    uint8_t sha256[CUZK_SHA256_BYTES];
    cuzk_row_payload row;
    CUZK_TRY(check_new(job, err));
    CUZK_TRY(cuzk_row_payload_get(&store->database, job->job, &row, err));
    if (row.found)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "job %" PRIu64 ": it is in the store already",
                         job->job);
    CUZK_TRY(cuzk_payload_write(&store->payloads, job->job, job->payload, job->payload_size, sha256,
                                err));
    cuzk_status status = cuzk_row_add(&store->database, job, sha256, err);
    if (status != CUZK_OK)
        cuzk_payload_remove(&store->payloads, job->job);
    return status;
}

cuzk_status cuzk_store_add(cuzk_store *store, const cuzk_store_job *const *jobs, size_t n,
                           cuzk_error *err)
{
    size_t written = 0;
    CUZK_TRY(cuzk_database_begin(&store->database, err));
    cuzk_status status = CUZK_OK;
    while (status == CUZK_OK && written < n) {
        status = add_one(store, jobs[written], err);
        written += status == CUZK_OK;
    }
    if (status == CUZK_OK)
        status = cuzk_payloads_sync(&store->payloads, err);
    bool doubtful = status == CUZK_OK;
    if (status == CUZK_OK)
        status = commit(store, err);
    else
        cuzk_database_rollback(&store->database);
    if (status == CUZK_OK)
        return CUZK_OK;
    for (size_t i = 0; i < written; i++)
        if (doubtful)
            cuzk_payload_refuse(&store->payloads, jobs[i]->job);
        else
            cuzk_payload_remove(&store->payloads, jobs[i]->job);
    store->refused = store->refused || doubtful;
    return status;
}

static cuzk_status end_one(cuzk_store *store, const cuzk_store_job *job, cuzk_error *err)
{
    if (!cuzk_job_state_is_terminal(job->state) || job->ended_unix_ms == 0)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "job %" PRIu64 ": ended at %" PRId64 " ms as %s, which is no end",
                         job->job, job->ended_unix_ms, cuzk_job_state_name(job->state));
    return cuzk_row_end(&store->database, job, err);
}

cuzk_status cuzk_store_end(cuzk_store *store, const cuzk_store_job *const *jobs, size_t n,
                           cuzk_error *err)
{
    CUZK_TRY(cuzk_database_begin(&store->database, err));
    cuzk_status status = CUZK_OK;
    for (size_t i = 0; i < n && status == CUZK_OK; i++)
        status = end_one(store, jobs[i], err);
    if (status == CUZK_OK)
        status = commit(store, err);
    else
        cuzk_database_rollback(&store->database);
    for (size_t i = 0; i < n && status == CUZK_OK; i++)
        cuzk_payload_remove(&store->payloads, jobs[i]->job);
    return status;
}

cuzk_status cuzk_store_forget(cuzk_store *store, cuzk_job_no job, cuzk_error *err)
{
    CUZK_TRY(cuzk_database_begin(&store->database, err));
    cuzk_status status = cuzk_row_forget(&store->database, CUZK_SQL_FORGET, job, err);
    if (status == CUZK_OK)
        status = commit(store, err);
    else
        cuzk_database_rollback(&store->database);
    if (status == CUZK_OK)
        cuzk_payload_remove(&store->payloads, job);
    return status;
}

cuzk_status cuzk_store_each(cuzk_store *store, cuzk_store_each_fn *fn, void *context,
                            cuzk_error *err)
{
    return cuzk_row_each(&store->database, fn, context, err);
}

cuzk_status cuzk_store_last_job(cuzk_store *store, cuzk_job_no *job, cuzk_error *err)
{
    return cuzk_row_last(&store->database, job, err);
}

cuzk_status cuzk_store_payload(cuzk_store *store, cuzk_job_no job, void **payload, size_t *size,
                               cuzk_error *err)
{
    cuzk_row_payload row;
    CUZK_TRY(cuzk_row_payload_get(&store->database, job, &row, err));
    if (!row.found || row.ended)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: job %" PRIu64 " %s", store->database.path,
                         job, row.found ? "has ended, its request is gone" : "is not there");
    CUZK_TRY(cuzk_payload_read(&store->payloads, job, row.size, row.sha256, payload, err));
    *size = row.size;
    return CUZK_OK;
}

cuzk_status cuzk_store_proof(cuzk_store *store, cuzk_job_no job, void **proof, size_t *size,
                             cuzk_error *err)
{
    return cuzk_row_proof(&store->database, job, proof, size, err);
}
