/* The cache of "all points of this file are good": checking the subgroup of every point of a large
 * key takes core-hours, once. An empty file named by the digest is the whole record. */
#define _GNU_SOURCE
#include "groth16/key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_SIZE 4096

static bool is_zero(const uint8_t digest[32])
{
    static const uint8_t zero[32];
    return memcmp(digest, zero, sizeof zero) == 0;
}

/* Appends to path, unless it would not fit. */
static bool append(char path[PATH_SIZE], const char *tail)
{
    size_t used = strlen(path);
    int n = snprintf(path + used, PATH_SIZE - used, "%s", tail);
    return n >= 0 && (size_t)n < PATH_SIZE - used;
}

/* The folder's path, each part made if make is true. */
static bool find_folder(char path[PATH_SIZE], bool make)
{
    const char *off = getenv("CUZK_NO_CACHE");
    if (off != NULL && strcmp(off, "1") == 0)
        return false;
    const char *base = getenv("XDG_CACHE_HOME");
    const char *first = "";
    if (base == NULL || base[0] != '/') {
        base = getenv("HOME");
        first = "/.cache";
    }
    if (base == NULL || base[0] != '/')
        return false;
    path[0] = '\0';
    const char *parts[] = {base, first, "/cuzk", "/checked"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!append(path, parts[i]))
            return false;
        if (make && mkdir(path, 0700) != 0 && errno != EEXIST)
            return false;
    }
    return true;
}

/* Opens the folder if only this user could have written to it. */
static int open_folder(bool make)
{
    char path[PATH_SIZE];
    if (!find_folder(path, make))
        return -1;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -1;
    struct stat st;
    if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & 022) == 0)
        return fd;
    close(fd);
    return -1;
}

static void name_digest(char name[65], const uint8_t digest[32])
{
    for (size_t i = 0; i < 32; i++)
        snprintf(name + 2 * i, 3, "%02x", digest[i]);
}

bool cuzk_verdict_known(const uint8_t digest[32])
{
    int folder = is_zero(digest) ? -1 : open_folder(false);
    if (folder < 0)
        return false;
    char name[65];
    name_digest(name, digest);
    struct stat st;
    bool known = fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
                 st.st_uid == geteuid();
    close(folder);
    return known;
}

/* A cache: that a verdict could not be stored only costs the check again. */
void cuzk_verdict_store(const uint8_t digest[32])
{
    int folder = is_zero(digest) ? -1 : open_folder(true);
    if (folder < 0)
        return;
    char name[65];
    name_digest(name, digest);
    int fd = openat(folder, name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0)
        close(fd);
    close(folder);
}
