/* See support/faulty_disk.h. Loaded by LD_PRELOAD: these functions are found before libc's, which
 * they call. No state of its own: what a file descriptor is, /proc/self/fd says. */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include "support/faulty_disk.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))

static faulty_disk *disk; /* NULL: nothing fails */
static const char *folder;

static void complain(const char *what)
{
    fprintf(stderr, "faulty_disk: %s: %s\n", what, strerror(errno));
    abort();
}

__attribute__((constructor)) static void begin(void)
{
    const char *control = getenv(FAULTY_DISK_CONTROL);
    folder = getenv(FAULTY_DISK_FOLDER);
    if (control == NULL || folder == NULL)
        return;
    const int fd = open(control, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        complain(control);
    void *memory = mmap(NULL, sizeof(faulty_disk), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        complain("mmap");
    close(fd);
    disk = memory;
}

typedef void function(void);

static function *find(const char *name)
{
    void *symbol = dlsym(RTLD_NEXT, name);
    function *found;
    if (symbol == NULL)
        complain(name);
    memcpy(&found, &symbol, sizeof found);
    return found;
}

#define NEXT(name) ((__typeof__(&name))find(#name))

/* --- which files --- */

static bool is_below(const char *path)
{
    const size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

static bool path_of(char path[PATH_MAX], int fd)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t n = readlink(link, path, PATH_MAX - 1);
    path[n > 0 ? n : 0] = '\0';
    return n > 0;
}

static bool concerns_fd(int fd)
{
    char path[PATH_MAX];
    const int before = errno;
    const bool concerned = disk != NULL && path_of(path, fd) && is_below(path);
    errno = before;
    return concerned;
}

static bool concerns_name(int fd, const char *name)
{
    if (disk == NULL)
        return false;
    return name[0] == '/' ? is_below(name) : fd != AT_FDCWD && concerns_fd(fd);
}

/* --- what fails --- */

static uint64_t draw(void)
{
    uint64_t x = disk->seed + 0x9e3779b97f4a7c15u * (atomic_fetch_add(&disk->operations, 1) + 1);
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static int refuse(_Atomic uint64_t *counter, int error)
{
    atomic_fetch_add(counter, 1);
    errno = error;
    return -1;
}

static bool change_fails(void)
{
    return draw() % 1000 < disk->changes_fail;
}

/* Takes up to `want` bytes of the room, and says how many. */
static size_t take_room(size_t want)
{
    int64_t room = disk->room;
    size_t got;
    do {
        if (room == FAULTY_DISK_ROOMY)
            return want;
        got = (uint64_t)room < want ? (size_t)room : want;
    } while (!atomic_compare_exchange_weak(&disk->room, &room, room - (int64_t)got));
    return got;
}

/* How many of n bytes at `at` can be written: those inside the file have their place. */
static size_t fitting(int fd, size_t n, off_t at)
{
    struct stat info;
    if (n == 0 || fstat(fd, &info) != 0 || at + (off_t)n <= info.st_size)
        return n;
    const size_t inside = at < info.st_size ? (size_t)(info.st_size - at) : 0;
    return inside + take_room(n - inside);
}

/* --- writes --- */

typedef ssize_t write_at(int fd, const void *data, size_t n, off_t at);

static ssize_t write_here(int fd, const void *data, size_t n, off_t at)
{
    (void)at;
    return NEXT(write)(fd, data, n);
}

static ssize_t write_there(int fd, const void *data, size_t n, off_t at)
{
    return NEXT(pwrite)(fd, data, n, at);
}

static ssize_t write_faultily(int fd, const void *data, size_t n, off_t at, write_at *put)
{
    if (change_fails()) {
        const uint64_t how = draw() % 4;
        const size_t part = how == 0 ? 0 : how == 1 ? n : n / 2;
        const ssize_t put_there = part == 0 ? 0 : put(fd, data, part, at);
        const int result = refuse(&disk->failed_changes, EIO);
        return how == 3 && put_there > 0 ? put_there : result;
    }
    const size_t fits = fitting(fd, n, at);
    if (fits == 0 && n > 0)
        return refuse(&disk->full, ENOSPC);
    if (fits < n)
        (void)refuse(&disk->full, ENOSPC);
    return put(fd, data, fits, at);
}

PUBLIC ssize_t write(int fd, const void *data, size_t n)
{
    if (!concerns_fd(fd))
        return write_here(fd, data, n, 0);
    return write_faultily(fd, data, n, lseek(fd, 0, SEEK_CUR), write_here);
}

PUBLIC ssize_t pwrite(int fd, const void *data, size_t n, off_t at)
{
    return concerns_fd(fd) ? write_faultily(fd, data, n, at, write_there)
                           : write_there(fd, data, n, at);
}

PUBLIC ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at)
{
    return pwrite(fd, data, n, at);
}

/* --- syncs --- */

static bool sync_fails(int fd)
{
    if (!concerns_fd(fd) || draw() % 1000 >= disk->syncs_fail)
        return false;
    (void)refuse(&disk->failed_syncs, EIO);
    return true;
}

PUBLIC int fsync(int fd)
{
    return sync_fails(fd) ? -1 : NEXT(fsync)(fd);
}

PUBLIC int fdatasync(int fd)
{
    return sync_fails(fd) ? -1 : NEXT(fdatasync)(fd);
}

/* --- sizes --- */

static bool fails_to_change(bool concerned)
{
    if (!concerned || !change_fails())
        return false;
    (void)refuse(&disk->failed_changes, EIO);
    return true;
}

PUBLIC int ftruncate(int fd, off_t size)
{
    return fails_to_change(concerns_fd(fd)) ? -1 : NEXT(ftruncate)(fd, size);
}

PUBLIC int ftruncate64(int fd, off64_t size)
{
    return ftruncate(fd, size);
}

/* 0, or the error. */
static int check_allocation(int fd, off_t at, off_t size)
{
    if (!concerns_fd(fd))
        return 0;
    if (fails_to_change(true))
        return EIO;
    if (fitting(fd, (size_t)size, at) == (size_t)size)
        return 0;
    (void)refuse(&disk->full, ENOSPC);
    return ENOSPC;
}

PUBLIC int fallocate(int fd, int mode, off_t at, off_t size)
{
    return check_allocation(fd, at, size) != 0 ? -1 : NEXT(fallocate)(fd, mode, at, size);
}

PUBLIC int fallocate64(int fd, int mode, off64_t at, off64_t size)
{
    return fallocate(fd, mode, at, size);
}

PUBLIC int posix_fallocate(int fd, off_t at, off_t size)
{
    const int error = check_allocation(fd, at, size);
    return error != 0 ? error : NEXT(posix_fallocate)(fd, at, size);
}

PUBLIC int posix_fallocate64(int fd, off64_t at, off64_t size)
{
    return posix_fallocate(fd, at, size);
}

/* --- names --- */

/* A new name needs room in its folder. */
static bool fails_to_name(int fd, const char *name)
{
    if (!concerns_name(fd, name))
        return false;
    if (fails_to_change(true))
        return true;
    if (disk->room > 0)
        return false;
    (void)refuse(&disk->full, ENOSPC);
    return true;
}

static bool is_new(int fd, const char *name, int flags)
{
    const int before = errno;
    const bool absent = (flags & O_CREAT) != 0 && faccessat(fd, name, F_OK, 0) != 0;
    errno = before;
    return absent;
}

static int open_faultily(int fd, const char *name, int flags, mode_t mode)
{
    if (is_new(fd, name, flags) && fails_to_name(fd, name))
        return -1;
    return NEXT(openat)(fd, name, flags, mode);
}

static mode_t mode_of(int flags, va_list args)
{
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(args, mode_t) : 0;
}

PUBLIC int open(const char *name, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const mode_t mode = mode_of(flags, args);
    va_end(args);
    return open_faultily(AT_FDCWD, name, flags, mode);
}

PUBLIC int open64(const char *name, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const mode_t mode = mode_of(flags, args);
    va_end(args);
    return open_faultily(AT_FDCWD, name, flags, mode);
}

PUBLIC int openat(int fd, const char *name, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const mode_t mode = mode_of(flags, args);
    va_end(args);
    return open_faultily(fd, name, flags, mode);
}

PUBLIC int openat64(int fd, const char *name, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const mode_t mode = mode_of(flags, args);
    va_end(args);
    return open_faultily(fd, name, flags, mode);
}

PUBLIC int mkdir(const char *name, mode_t mode)
{
    return access(name, F_OK) != 0 && fails_to_name(AT_FDCWD, name) ? -1 : NEXT(mkdir)(name, mode);
}

PUBLIC int renameat(int from_fd, const char *from, int to_fd, const char *to)
{
    return fails_to_change(concerns_name(to_fd, to)) ? -1
                                                     : NEXT(renameat)(from_fd, from, to_fd, to);
}

PUBLIC int rename(const char *from, const char *to)
{
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}
