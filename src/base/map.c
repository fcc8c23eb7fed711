/* Small files are read, large ones mapped. A mapping shows what the file holds at the moment of
 * each read, so its users check, after reading, that the file is still the one that was opened. */
#define _GNU_SOURCE
#include "base/map.h"

#include "base/map_fault.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define COPY_LIMIT ((size_t)64 << 20)
#define READ_TILE  ((size_t)1 << 20)

typedef enum map_kind { BORROWED, COPIED, MAPPED } map_kind;

struct cuzk_map {
    map_kind kind;
    const uint8_t *data;
    size_t size;
    char *name;
    cuzk_file_id id;
    int fd;                  /* MAPPED only */
    cuzk_fault_range *range; /* MAPPED only */
};

static uint64_t nanoseconds(struct timespec time)
{
    return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

static cuzk_file_id identify(const struct stat *info)
{
    return (cuzk_file_id){
        .device = (uint64_t)info->st_dev,
        .inode = (uint64_t)info->st_ino,
        .size = (uint64_t)info->st_size,
        .mtime_ns = nanoseconds(info->st_mtim),
        .ctime_ns = nanoseconds(info->st_ctim),
    };
}

static cuzk_status fail_changed(const char *name, cuzk_error *err)
{
    return cuzk_fail(
        err, CUZK_ERR_IO,
        "%s: the file was changed or truncated while it was being read; run again when "
        "nothing writes to it",
        name);
}

static cuzk_status fail_system(const char *name, const char *what, cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_IO, "%s: %s: %s", name, what, strerror(errno));
}

/* The read of one file, in tiles. */
typedef struct copying {
    uint8_t *data;
    size_t size;
    int fd;
    _Atomic int failed; /* errno of a failure, FILE_ENDED, or 0 */
} copying;
#define FILE_ENDED (-1)

static void read_tile(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    copying *work = context;
    const size_t rest = work->size - tile * READ_TILE;
    const size_t end = tile * READ_TILE + (rest < READ_TILE ? rest : READ_TILE);
    for (size_t at = tile * READ_TILE; at < end && work->failed == 0;) {
        ssize_t got = pread(work->fd, work->data + at, end - at, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            work->failed = got < 0 ? errno : FILE_ENDED;
        else
            at += (size_t)got;
    }
}

static cuzk_status read_all(uint8_t *data, size_t size, int fd, const char *name, cuzk_pool *pool,
                            cuzk_error *err)
{
    copying work = {.data = data, .size = size, .fd = fd};
    cuzk_pool_run(pool, (size + READ_TILE - 1) / READ_TILE, read_tile, &work);
    if (work.failed == 0)
        return CUZK_OK;
    if (work.failed == FILE_ENDED)
        return fail_changed(name, err);
    errno = work.failed;
    return fail_system(name, "cannot be read", err);
}

static cuzk_status check_unchanged(const cuzk_map *map, int fd, cuzk_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return fail_system(map->name, "cannot be examined", err);
    cuzk_file_id now = identify(&info);
    if (now.size != map->id.size || now.mtime_ns != map->id.mtime_ns)
        return fail_changed(map->name, err);
    return CUZK_OK;
}

static cuzk_status copy_file(cuzk_map *map, int fd, cuzk_pool *pool, cuzk_error *err)
{
    uint8_t *data = cuzk_memory_new(map->size, 1);
    if (data == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory for its %zu bytes", map->name,
                         map->size);
    map->data = data;
    CUZK_TRY(read_all(data, map->size, fd, map->name, pool, err));
    return check_unchanged(map, fd, err);
}

static cuzk_status map_file(cuzk_map *map, int fd, cuzk_error *err)
{
    void *data = mmap(NULL, map->size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return fail_system(map->name, "cannot be mapped", err);
    map->data = data;
    map->range = cuzk_fault_watch(data, map->size);
    if (map->range == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory to map it", map->name);
    return CUZK_OK;
}

static cuzk_status new_map(cuzk_map **map, map_kind kind, const char *name, cuzk_error *err)
{
    cuzk_map *m = calloc(1, sizeof *m);
    char *copy = strdup(name);
    if (m == NULL || copy == NULL) {
        free(m);
        free(copy);
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory to open it", name);
    }
    m->kind = kind;
    m->name = copy;
    m->fd = -1;
    *map = m;
    return CUZK_OK;
}

/* Opens a regular file; O_NONBLOCK keeps a FIFO from stopping us before it is refused. */
static cuzk_status open_regular(int *fd, struct stat *info, const char *path, cuzk_error *err)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return fail_system(path, "cannot be opened", err);
    cuzk_status status = CUZK_OK;
    if (fstat(file, info) != 0)
        status = fail_system(path, "cannot be examined", err);
    else if (S_ISDIR(info->st_mode))
        status = cuzk_fail(err, CUZK_ERR_IO, "%s: is a folder; expected a file", path);
    else if (!S_ISREG(info->st_mode))
        status = cuzk_fail(err, CUZK_ERR_IO,
                           "%s: is a pipe or a device; expected a regular file, so save its "
                           "contents to one first",
                           path);
    if (status != CUZK_OK) {
        close(file);
        return status;
    }
    *fd = file;
    return CUZK_OK;
}

cuzk_status cuzk_map_open_with(cuzk_map **map, const char *path, cuzk_pool *pool, cuzk_error *err)
{
    int fd = -1;
    struct stat info;
    CUZK_TRY(open_regular(&fd, &info, path, err));

    map_kind kind = (size_t)info.st_size <= COPY_LIMIT ? COPIED : MAPPED;
    cuzk_map *m = NULL;
    cuzk_status status = new_map(&m, kind, path, err);
    if (status == CUZK_OK) {
        m->id = identify(&info);
        m->size = (size_t)info.st_size;
        status = kind == COPIED ? copy_file(m, fd, pool, err) : map_file(m, fd, err);
    }
    if (status != CUZK_OK) {
        close(fd);
        cuzk_map_close(m);
        return status;
    }
    if (kind == MAPPED)
        m->fd = fd;
    else
        close(fd);
    *map = m;
    return CUZK_OK;
}

cuzk_status cuzk_map_open(cuzk_map **map, const char *path, cuzk_error *err)
{
    return cuzk_map_open_with(map, path, NULL, err);
}

cuzk_status cuzk_map_borrow(cuzk_map **map, const void *data, size_t size, const char *name,
                            cuzk_error *err)
{
    cuzk_map *m = NULL;
    CUZK_TRY(new_map(&m, BORROWED, name, err));
    m->data = data;
    m->size = size;
    *map = m;
    return CUZK_OK;
}

void cuzk_map_close(cuzk_map *map)
{
    if (map == NULL)
        return;
    if (map->range != NULL)
        cuzk_fault_unwatch(map->range);
    if (map->kind == MAPPED && map->data != NULL)
        munmap((void *)(uintptr_t)map->data, map->size);
    if (map->kind == COPIED)
        free((void *)(uintptr_t)map->data);
    if (map->fd >= 0)
        close(map->fd);
    free(map->name);
    free(map);
}

const uint8_t *cuzk_map_data(const cuzk_map *map)
{
    return map->data;
}

size_t cuzk_map_size(const cuzk_map *map)
{
    return map->size;
}

const char *cuzk_map_name(const cuzk_map *map)
{
    return map->name;
}

cuzk_status cuzk_map_check(const cuzk_map *map, cuzk_error *err)
{
    if (map->kind != MAPPED)
        return CUZK_OK;
    if (cuzk_fault_seen(map->range))
        return fail_changed(map->name, err);
    return check_unchanged(map, map->fd, err);
}

cuzk_file_id cuzk_map_identity(const cuzk_map *map)
{
    return map->id;
}
