#define _GNU_SOURCE
#include "support/fault_disk.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* Operations may come from threads of an engine. */
static atomic_size_t count, nth;
static atomic_bool stays;
static _Atomic test_disk_fault kind;

void test_disk_arm(size_t n, bool on, test_disk_fault fault)
{
    nth = 0;
    count = 0;
    stays = on;
    kind = fault;
    nth = n;
}

size_t test_disk_count(void)
{
    return count;
}

static bool fails(void)
{
    const size_t now = atomic_fetch_add(&count, 1) + 1, n = nth;
    return n != 0 && (now == n || (stays && now > n));
}

/* --- ours --- */

ssize_t __real_write(int fd, const void *data, size_t n);
ssize_t __wrap_write(int fd, const void *data, size_t n);
int __wrap_fsync(int fd);
int __real_ftruncate(int fd, off_t size);
int __wrap_ftruncate(int fd, off_t size);
int __real_renameat(int from_fd, const char *from, int to_fd, const char *to);
int __wrap_renameat(int from_fd, const char *from, int to_fd, const char *to);
int __real_openat(int fd, const char *path, int flags, ...);
int __wrap_openat(int fd, const char *path, int flags, ...);

static int refuse(void)
{
    errno = kind == TEST_DISK_FULL ? ENOSPC : EIO;
    return -1;
}

ssize_t __wrap_write(int fd, const void *data, size_t n)
{
    /* Messages are no files. */
    if (fd <= 2 || !fails())
        return __real_write(fd, data, n);
    /* A disk fails with half of the bytes written. */
    if (n > 1 && __real_write(fd, data, n / 2) < 0)
        return -1;
    return refuse();
}

int __wrap_fsync(int fd)
{
    (void)fd;
    return fails() ? refuse() : 0;
}

int __wrap_ftruncate(int fd, off_t size)
{
    return fails() ? refuse() : __real_ftruncate(fd, size);
}

int __wrap_renameat(int from_fd, const char *from, int to_fd, const char *to)
{
    return fails() ? refuse() : __real_renameat(from_fd, from, to_fd, to);
}

int __wrap_openat(int fd, const char *path, int flags, ...)
{
    mode_t mode = 0;
    if (flags & O_CREAT) {
        va_list args;
        va_start(args, flags);
        mode = va_arg(args, mode_t);
        va_end(args);
    }
    if ((flags & O_ACCMODE) != O_RDONLY && fails())
        return refuse();
    return __real_openat(fd, path, flags, mode);
}

/* --- SQLite's --- */

struct file {
    sqlite3_file base;
    sqlite3_file *real; /* behind this struct */
};

static sqlite3_vfs vfs, *real_vfs;

static sqlite3_file *real(sqlite3_file *file)
{
    return ((struct file *)(void *)file)->real;
}

static int code(int io_code)
{
    return kind == TEST_DISK_FULL ? SQLITE_FULL : io_code;
}

static int file_close(sqlite3_file *file)
{
    return real(file)->pMethods->xClose(real(file));
}

static int file_read(sqlite3_file *file, void *out, int n, sqlite3_int64 at)
{
    return real(file)->pMethods->xRead(real(file), out, n, at);
}

static int file_write(sqlite3_file *file, const void *data, int n, sqlite3_int64 at)
{
    bool failing = fails();
    int part = failing && kind != TEST_DISK_TORN ? n / 2 : n;
    int result = real(file)->pMethods->xWrite(real(file), data, part, at);
    return failing ? code(SQLITE_IOERR_WRITE) : result;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    return fails() ? code(SQLITE_IOERR_TRUNCATE)
                   : real(file)->pMethods->xTruncate(real(file), size);
}

static int file_sync(sqlite3_file *file, int flags)
{
    (void)file;
    (void)flags;
    return fails() ? code(SQLITE_IOERR_FSYNC) : SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return real(file)->pMethods->xFileSize(real(file), size);
}

static int file_lock(sqlite3_file *file, int level)
{
    return real(file)->pMethods->xLock(real(file), level);
}

static int file_unlock(sqlite3_file *file, int level)
{
    return real(file)->pMethods->xUnlock(real(file), level);
}

static int file_reserved(sqlite3_file *file, int *out)
{
    return real(file)->pMethods->xCheckReservedLock(real(file), out);
}

static int file_control(sqlite3_file *file, int op, void *arg)
{
    return real(file)->pMethods->xFileControl(real(file), op, arg);
}

static int file_sector(sqlite3_file *file)
{
    return real(file)->pMethods->xSectorSize(real(file));
}

static int file_device(sqlite3_file *file)
{
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int file_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **out)
{
    return real(file)->pMethods->xShmMap(real(file), page, size, extend, out);
}

static int file_shm_lock(sqlite3_file *file, int offset, int n, int flags)
{
    return real(file)->pMethods->xShmLock(real(file), offset, n, flags);
}

static void file_shm_barrier(sqlite3_file *file)
{
    real(file)->pMethods->xShmBarrier(real(file));
}

static int file_shm_unmap(sqlite3_file *file, int remove)
{
    return real(file)->pMethods->xShmUnmap(real(file), remove);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_device,
    .xShmMap = file_shm_map,
    .xShmLock = file_shm_lock,
    .xShmBarrier = file_shm_barrier,
    .xShmUnmap = file_shm_unmap,
};

static int vfs_open(sqlite3_vfs *self, const char *name, sqlite3_file *out, int flags, int *got)
{
    (void)self;
    struct file *file = (struct file *)(void *)out;
    file->real = (sqlite3_file *)(void *)(file + 1);
    file->base.pMethods = NULL;
    file->real->pMethods = NULL;
    if (fails())
        return kind == TEST_DISK_FULL ? SQLITE_FULL : SQLITE_CANTOPEN;
    int result = real_vfs->xOpen(real_vfs, name, file->real, flags, got);
    if (file->real->pMethods != NULL)
        file->base.pMethods = &methods;
    return result;
}

void test_disk_install(void)
{
    real_vfs = sqlite3_vfs_find(NULL);
    CUZK_ASSERT(real_vfs != NULL);
    vfs = *real_vfs;
    vfs.zName = "test_disk";
    vfs.pNext = NULL;
    vfs.szOsFile = (int)sizeof(struct file) + real_vfs->szOsFile;
    vfs.xOpen = vfs_open;
    CUZK_ASSERT(sqlite3_vfs_register(&vfs, 1) == SQLITE_OK);
}
