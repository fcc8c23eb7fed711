#define _GNU_SOURCE
#include "base/cache_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Appends to path, unless it would not fit. */
static bool append(char path[CUZK_CACHE_PATH_SIZE], const char *tail)
{
    size_t used = strlen(path);
    int n = snprintf(path + used, CUZK_CACHE_PATH_SIZE - used, "%s", tail);
    return n >= 0 && (size_t)n < CUZK_CACHE_PATH_SIZE - used;
}

bool cuzk_cache_folder(char path[CUZK_CACHE_PATH_SIZE], const char *name, bool make)
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
    const char *parts[] = {base, first, "/cuzk", "/", name};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!append(path, parts[i]))
            return false;
        if (make && mkdir(path, 0700) != 0 && errno != EEXIST)
            return false;
    }
    return true;
}

int cuzk_cache_folder_open(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -1;
    struct stat st;
    if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & 022) == 0)
        return fd;
    close(fd);
    return -1;
}
