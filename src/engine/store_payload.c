#define _GNU_SOURCE
#include "engine/store_payload.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_BYTES 40

static const char *name_of(char name[NAME_BYTES], cuzk_job_no job, const char *suffix)
{
    snprintf(name, NAME_BYTES, "%" PRIu64 ".%s", job, suffix);
    return name;
}

static const char *advice(int code)
{
    switch (code) {
    case ENOSPC:
    case EDQUOT:
        return "free some space and try again";
    case EROFS:
    case EACCES:
    case EPERM:
        return "check that the disk is mounted for writing and that this user may write the folder";
    default:
        return "look at the kernel's log for errors of the disk";
    }
}

static cuzk_status fail(const cuzk_payloads *payloads, const char *name, const char *doing,
                        cuzk_error *err)
{
    int code = errno;
    return cuzk_fail(err, CUZK_ERR_IO, "%s/%s: %s: %s; %s", payloads->path, name, doing,
                     strerror(code), advice(code));
}

cuzk_status cuzk_payloads_open(cuzk_payloads *payloads, const char *folder, bool sync,
                               cuzk_error *err)
{
    payloads->sync = sync;
    payloads->fd = -1;
    if ((size_t)snprintf(payloads->path, sizeof payloads->path, "%s/payloads", folder) >=
        sizeof payloads->path)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: the path is too long", folder);
    if (mkdir(payloads->path, 0700) != 0 && errno != EEXIST)
        return fail(payloads, "", "the folder cannot be made", err);
    payloads->fd = open(payloads->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (payloads->fd < 0)
        return fail(payloads, "", "the folder cannot be opened", err);
    return CUZK_OK;
}

void cuzk_payloads_close(cuzk_payloads *payloads)
{
    if (payloads->fd >= 0)
        close(payloads->fd);
    payloads->fd = -1;
}

static cuzk_status hash(const void *data, size_t size, uint8_t sha256[CUZK_SHA256_BYTES],
                        cuzk_error *err)
{
    cuzk_digest *digest = NULL;
    CUZK_TRY(cuzk_digest_new(&digest, CUZK_SHA256, err));
    cuzk_status status = cuzk_digest_update(digest, data, size, err);
    if (status == CUZK_OK)
        status = cuzk_digest_finish(digest, sha256, err);
    cuzk_digest_free(digest);
    return status;
}

static bool write_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, data, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        data += n;
        size -= (size_t)n;
    }
    return true;
}

cuzk_status cuzk_payload_write(cuzk_payloads *payloads, cuzk_job_no job, const void *data,
                               size_t size, uint8_t sha256[CUZK_SHA256_BYTES], cuzk_error *err)
{
    char temp[NAME_BYTES], name[NAME_BYTES];
    name_of(temp, job, "temp");
    name_of(name, job, "payload");
    CUZK_TRY(hash(data, size, sha256, err));
    int fd = openat(payloads->fd, temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return fail(payloads, temp, "cannot be made", err);
    bool good = write_all(fd, data, size) && (!payloads->sync || fsync(fd) == 0);
    int code = errno;
    good = close(fd) == 0 && good;
    if (good && renameat(payloads->fd, temp, payloads->fd, name) == 0)
        return CUZK_OK;
    errno = good ? errno : code;
    cuzk_status status = fail(payloads, temp, "cannot be written", err);
    unlinkat(payloads->fd, temp, 0);
    return status;
}

cuzk_status cuzk_payloads_sync(cuzk_payloads *payloads, cuzk_error *err)
{
    if (payloads->sync && fsync(payloads->fd) != 0)
        return fail(payloads, "", "the folder cannot be synced", err);
    return CUZK_OK;
}

static bool read_all(int fd, char *data, size_t size)
{
    while (size > 0) {
        ssize_t n = read(fd, data, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        size -= (size_t)n;
    }
    return true;
}

static cuzk_status fail_damaged(const cuzk_payloads *payloads, const char *name, const char *how,
                                cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_FORMAT,
                     "%s/%s: the request's bytes are %s; submit the job again, and check the disk",
                     payloads->path, name, how);
}

static cuzk_status read_checked(const cuzk_payloads *payloads, const char *name, int fd, char *data,
                                size_t size, const uint8_t sha256[CUZK_SHA256_BYTES],
                                cuzk_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return fail(payloads, name, "cannot be read", err);
    if ((uint64_t)info.st_size != size)
        return fail_damaged(payloads, name, "of another length than stored", err);
    if (!read_all(fd, data, size))
        return fail(payloads, name, "cannot be read", err);
    uint8_t found[CUZK_SHA256_BYTES];
    CUZK_TRY(hash(data, size, found, err));
    if (memcmp(found, sha256, sizeof found) != 0)
        return fail_damaged(payloads, name, "not those stored (SHA-256 differs)", err);
    return CUZK_OK;
}

cuzk_status cuzk_payload_read(const cuzk_payloads *payloads, cuzk_job_no job, size_t size,
                              const uint8_t sha256[CUZK_SHA256_BYTES], void **data, cuzk_error *err)
{
    char name[NAME_BYTES];
    name_of(name, job, "payload");
    int fd = openat(payloads->fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0 && errno == ENOENT)
        return fail_damaged(payloads, name, "gone", err);
    if (fd < 0)
        return fail(payloads, name, "cannot be opened", err);
    char *bytes = malloc(size == 0 ? 1 : size);
    cuzk_status status = bytes == NULL
                             ? cuzk_fail(err, CUZK_ERR_MEMORY, "%s/%s: no memory for %zu bytes",
                                         payloads->path, name, size)
                             : read_checked(payloads, name, fd, bytes, size, sha256, err);
    close(fd);
    if (status != CUZK_OK)
        free(bytes);
    else
        *data = bytes;
    return status;
}

static void drop(cuzk_payloads *payloads, cuzk_job_no job, const char *suffix)
{
    char name[NAME_BYTES];
    unlinkat(payloads->fd, name_of(name, job, suffix), 0);
}

void cuzk_payload_remove(cuzk_payloads *payloads, cuzk_job_no job)
{
    drop(payloads, job, "payload");
}

void cuzk_payload_settle(cuzk_payloads *payloads, cuzk_job_no job)
{
    drop(payloads, job, "refused");
}

void cuzk_payload_refuse(cuzk_payloads *payloads, cuzk_job_no job)
{
    char from[NAME_BYTES], to[NAME_BYTES];
    name_of(from, job, "payload");
    name_of(to, job, "refused");
    if (renameat(payloads->fd, from, payloads->fd, to) != 0)
        return;
    /* Emptied only when the new name lasts: else a power cut could leave a row with an empty file.
     */
    if (payloads->sync && fsync(payloads->fd) != 0)
        return;
    int fd = openat(payloads->fd, to, O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (fd >= 0)
        close(fd);
}

/* A payload beside it: the number was tried again, and the newer try counts. */
static bool is_outdated(const cuzk_payloads *payloads, cuzk_job_no job)
{
    char name[NAME_BYTES];
    return faccessat(payloads->fd, name_of(name, job, "payload"), F_OK, 0) == 0;
}

static cuzk_status visit(cuzk_payloads *payloads, const char *name, cuzk_payload_each_fn *fn,
                         void *context, cuzk_error *err)
{
    char *end = NULL;
    if (name[0] < '1' || name[0] > '9')
        return CUZK_OK;
    cuzk_job_no job = strtoull(name, &end, 10);
    if (strcmp(end, ".temp") == 0)
        drop(payloads, job, "temp");
    else if (strcmp(end, ".payload") == 0)
        return fn(context, job, false, err);
    else if (strcmp(end, ".refused") == 0 && is_outdated(payloads, job))
        drop(payloads, job, "refused");
    else if (strcmp(end, ".refused") == 0)
        return fn(context, job, true, err);
    return CUZK_OK;
}

cuzk_status cuzk_payloads_each(cuzk_payloads *payloads, cuzk_payload_each_fn *fn, void *context,
                               cuzk_error *err)
{
    DIR *folder = opendir(payloads->path);
    if (folder == NULL)
        return fail(payloads, "", "the folder cannot be read", err);
    cuzk_status status = CUZK_OK;
    struct dirent *entry;
    errno = 0;
    while (status == CUZK_OK && (entry = readdir(folder)) != NULL) {
        status = visit(payloads, entry->d_name, fn, context, err);
        errno = 0;
    }
    if (status == CUZK_OK && errno != 0)
        status = fail(payloads, "", "the folder cannot be read", err);
    closedir(folder);
    return status;
}
