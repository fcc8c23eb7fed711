/* Failing disks: writes, syncs, truncations, renames and new files of SQLite (through a VFS of its
 * own) and of ours (programs that use this are linked with --wrap for write, fsync, ftruncate,
 * renameat and openat). Syncs that do not fail do nothing: no power is cut here. */
#ifndef CUZK_TEST_FAULT_DISK_H
#define CUZK_TEST_FAULT_DISK_H

#include <stdbool.h>
#include <stddef.h>

typedef enum test_disk_fault {
    TEST_DISK_EIO,  /* an I/O error; SQLite sees IOERR */
    TEST_DISK_FULL, /* no space; SQLite sees FULL */
    TEST_DISK_TORN, /* as EIO, but what was written or synced has reached the disk all the same */
} test_disk_fault;

/* Makes the failing VFS SQLite's default. Once, before any database is opened. */
void test_disk_install(void);

/* From now on the n-th operation fails, and if `on` is set all after it; n 0: none. */
void test_disk_arm(size_t n, bool on, test_disk_fault fault);

/* Operations since test_disk_arm. */
size_t test_disk_count(void);

#endif
