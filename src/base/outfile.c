#define _GNU_SOURCE
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct cuzk_outfile {
    FILE *stream;
    int failed; /* errno of the first failure, 0: none */
    char *path;
    char *target;    /* path without links */
    char *temporary; /* renamed to target in the end; NULL: the stream is path itself */
};

static void release(cuzk_outfile *file)
{
    free(file->path);
    free(file->target);
    free(file->temporary);
    free(file);
}

/* Tells the files of one process apart. */
static _Atomic unsigned serial;

/* O_EXCL with a name of our own and not mkstemp, whose files only the owner may read. */
static int create_temporary(cuzk_outfile *file)
{
    size_t size = strlen(file->target) + 64; /* for two numbers */
    file->temporary = malloc(size);
    if (file->temporary == NULL)
        return ENOMEM;
    int fd;
    do {
        unsigned number = atomic_fetch_add(&serial, 1);
        snprintf(file->temporary, size, "%s.%ld.%u.tmp", file->target, (long)getpid(), number);
        fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (fd < 0 && errno == EEXIST);
    if (fd < 0)
        return errno;
    file->stream = fdopen(fd, "wb");
    if (file->stream == NULL) {
        int error = errno;
        close(fd);
        unlink(file->temporary);
        return error;
    }
    return 0;
}

/* A device or pipe must not be replaced by a file of its name. */
static int open_stream(cuzk_outfile *file, const char *path)
{
    if (*path == '\0')
        return ENOENT;
    file->path = strdup(path);
    file->target = file->path == NULL ? NULL : realpath(file->path, NULL);
    if (file->path != NULL && file->target == NULL)
        file->target = strdup(file->path);
    if (file->target == NULL)
        return ENOMEM;
    struct stat info;
    if (stat(file->target, &info) != 0 || S_ISREG(info.st_mode))
        return create_temporary(file);
    file->stream = fopen(file->target, "wbe");
    return file->stream == NULL ? errno : 0;
}

cuzk_status cuzk_outfile_open(cuzk_outfile **file, const char *path, cuzk_error *err)
{
    cuzk_outfile *made = calloc(1, sizeof *made);
    int error = made == NULL ? ENOMEM : open_stream(made, path);
    if (error != 0) {
        if (made != NULL)
            release(made);
        return cuzk_fail(err, error == ENOMEM ? CUZK_ERR_MEMORY : CUZK_ERR_IO,
                         "%s: cannot create it: %s", path, strerror(error));
    }
    *file = made;
    return CUZK_OK;
}

static void note_failure(cuzk_outfile *file)
{
    if (file->failed == 0)
        file->failed = errno != 0 ? errno : EIO;
}

void cuzk_outfile_write(cuzk_outfile *file, const void *data, size_t n)
{
    if (file->failed == 0 && n > 0 && fwrite(data, 1, n, file->stream) != n)
        note_failure(file);
}

/* Makes the rename survive a power failure; a file system that cannot is no reason to fail. */
static void sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL   ? strdup(".")
                   : slash == path ? strdup("/")
                                   : strndup(path, (size_t)(slash - path));
    if (folder == NULL)
        return;
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (fd < 0)
        return;
    (void)fsync(fd);
    close(fd);
}

cuzk_status cuzk_outfile_commit(cuzk_outfile *file, cuzk_error *err)
{
    bool renames = file->temporary != NULL;
    if (file->failed == 0 && fflush(file->stream) != 0)
        note_failure(file);
    if (file->failed == 0 && renames && fsync(fileno(file->stream)) != 0)
        note_failure(file);
    if (fclose(file->stream) != 0)
        note_failure(file);
    if (file->failed == 0 && renames && rename(file->temporary, file->target) != 0)
        note_failure(file);
    cuzk_status status = CUZK_OK;
    if (file->failed != 0) {
        if (renames)
            unlink(file->temporary);
        status = cuzk_fail(err, CUZK_ERR_IO, "%s: cannot write it: %s", file->path,
                           strerror(file->failed));
    } else if (renames) {
        sync_folder(file->target);
    }
    release(file);
    return status;
}

void cuzk_outfile_abandon(cuzk_outfile *file)
{
    if (file == NULL)
        return;
    fclose(file->stream);
    if (file->temporary != NULL)
        unlink(file->temporary);
    release(file);
}
