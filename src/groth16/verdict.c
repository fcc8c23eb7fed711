/* The cache of "all points of this file are good": checking the subgroup of every point of a large
 * key takes core-hours, once. An empty file named by the digest is the whole record. Beside it, a
 * file named by a key file's identity holds its digest, so that an untouched key is not digested
 * again. */
#define _GNU_SOURCE
#include "base/cache_folder.h"
#include "groth16/key.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SETTLED_S 2 /* longer than the steps in which file systems count time */

static bool is_zero(const uint8_t digest[32])
{
    static const uint8_t zero[32];
    return memcmp(digest, zero, sizeof zero) == 0;
}

static int open_folder(bool make)
{
    char path[CUZK_CACHE_PATH_SIZE];
    return cuzk_cache_folder(path, "checked", make) ? cuzk_cache_folder_open(path) : -1;
}

static void name_digest(char name[65], const uint8_t digest[32])
{
    for (size_t i = 0; i < 32; i++)
        snprintf(name + 2 * i, 3, "%02x", digest[i]);
}

static bool is_ours(const struct stat *st)
{
    return S_ISREG(st->st_mode) && st->st_uid == geteuid();
}

static bool is_known(int folder, const uint8_t digest[32])
{
    char name[65];
    name_digest(name, digest);
    struct stat st;
    return fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && is_ours(&st);
}

bool cuzk_verdict_known(const uint8_t digest[32])
{
    int folder = is_zero(digest) ? -1 : open_folder(false);
    if (folder < 0)
        return false;
    bool known = is_known(folder, digest);
    close(folder);
    return known;
}

static int create(int folder, const char *name)
{
    return openat(folder, name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

/* A cache: that a verdict could not be stored only costs the check again. */
void cuzk_verdict_store(const uint8_t digest[32])
{
    int folder = is_zero(digest) ? -1 : open_folder(true);
    if (folder < 0)
        return;
    char name[65];
    name_digest(name, digest);
    int fd = create(folder, name);
    if (fd >= 0)
        close(fd);
    close(folder);
}

/* False for a file whose identity proves nothing. */
static bool name_file(char name[128], const cuzk_map *map)
{
    cuzk_file_id id = cuzk_map_identity(map);
    if (id.inode == 0 || id.ctime_ns == 0)
        return false;
    snprintf(name, 128, "file-%" PRIx64 "-%" PRIx64 "-%" PRIx64 "-%" PRIx64 "-%" PRIx64, id.device,
             id.inode, id.size, id.mtime_ns, id.ctime_ns);
    return true;
}

static bool read_digest(uint8_t digest[32], int folder, const char *name)
{
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return false;
    struct stat st;
    bool whole = fstat(fd, &st) == 0 && is_ours(&st) && read(fd, digest, 32) == 32;
    close(fd);
    return whole;
}

bool cuzk_verdict_recall(uint8_t digest[32], const cuzk_map *map)
{
    char name[128];
    int folder = name_file(name, map) ? open_folder(false) : -1;
    if (folder < 0)
        return false;
    uint8_t found[32];
    bool known = read_digest(found, folder, name) && !is_zero(found) && is_known(folder, found);
    close(folder);
    if (known)
        memcpy(digest, found, sizeof found);
    return known;
}

static bool has_settled(const cuzk_map *map)
{
    uint64_t changed = cuzk_map_identity(map).ctime_ns / UINT64_C(1000000000);
    time_t now = time(NULL);
    return now > 0 && changed + SETTLED_S < (uint64_t)now;
}

void cuzk_verdict_store_file(const uint8_t digest[32], const cuzk_map *map)
{
    cuzk_verdict_store(digest);
    char name[128];
    bool worth = !is_zero(digest) && name_file(name, map) && has_settled(map);
    int folder = worth ? open_folder(true) : -1;
    if (folder < 0)
        return;
    int fd = create(folder, name);
    if (fd >= 0) {
        if (write(fd, digest, 32) != 32)
            unlinkat(folder, name, 0);
        close(fd);
    }
    close(folder);
}
