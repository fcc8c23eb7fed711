/* A disk that fails under a process that knows nothing of it: a library that is loaded before libc
 * (test/preload/faulty_disk.c) lets what that process does to the files below one folder fail, as
 * this memory says, which it shares with the test. Syncs, writes, truncations, allocations, new
 * files, new folders and renames; what is read is true.
 *
 * How the process finds it is in two variables of its environment, FAULTY_DISK_FOLDER (absolute)
 * and FAULTY_DISK_CONTROL (the file with this struct). */
#ifndef CUZK_TEST_FAULTY_DISK_H
#define CUZK_TEST_FAULTY_DISK_H

#include <stdatomic.h>
#include <stdint.h>

#define FAULTY_DISK_FOLDER  "CUZK_FAULTY_DISK_FOLDER"
#define FAULTY_DISK_CONTROL "CUZK_FAULTY_DISK_CONTROL"
#define FAULTY_DISK_ROOMY   INT64_MAX

/* All zero is a full disk without errors. */
typedef struct faulty_disk {
    /* By so many bytes files may still grow; then ENOSPC, after what fits was written. What is
     * removed makes no room. FAULTY_DISK_ROOMY: without end. */
    _Atomic int64_t room;
    /* Of 1000 syncs, and of 1000 other changes, so many fail with EIO. A write that fails has
     * written nothing, half or all, or says that it has written half. */
    atomic_uint syncs_fail, changes_fail;
    _Atomic uint64_t seed;
    /* What has come and what was made fail, since the beginning. */
    _Atomic uint64_t operations, full, failed_syncs, failed_changes;
} faulty_disk;

/* --- the test's side --- */

/* Makes the control file, with a disk that is fine, and returns it mapped; fails the test if it
 * cannot. It stays mapped until the process ends. */
faulty_disk *faulty_disk_make(const char *control, uint64_t seed);
void faulty_disk_is_fine(faulty_disk *disk);

/* In a child process, before it becomes the program: the files below folder are on that disk. */
void faulty_disk_prepare(const char *control, const char *folder);

#endif
