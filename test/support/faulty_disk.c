#define _GNU_SOURCE
#include "support/faulty_disk.h"

#include "support/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

faulty_disk *faulty_disk_make(const char *control, uint64_t seed)
{
    const int fd = open(control, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, sizeof(faulty_disk)), 0);
    faulty_disk *disk = mmap(NULL, sizeof(faulty_disk), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_true(disk != MAP_FAILED);
    close(fd);
    disk->seed = seed;
    faulty_disk_is_fine(disk);
    return disk;
}

void faulty_disk_is_fine(faulty_disk *disk)
{
    disk->room = FAULTY_DISK_ROOMY;
    disk->syncs_fail = 0;
    disk->changes_fail = 0;
}

static void append(const char *variable, const char *separator, const char *value)
{
    char text[1024];
    const char *before = getenv(variable);
    if (before == NULL)
        snprintf(text, sizeof text, "%s", value);
    else
        snprintf(text, sizeof text, "%s%s%s", before, separator, value);
    setenv(variable, text, 1);
}

void faulty_disk_prepare(const char *control, const char *folder)
{
    setenv(FAULTY_DISK_CONTROL, control, 1);
    setenv(FAULTY_DISK_FOLDER, folder, 1);
    append("LD_PRELOAD", ":", CUZK_FAULTY_DISK);
    /* With gcc the sanitizer is a library too. Its functions are then called by ours. */
    append("ASAN_OPTIONS", ":", "verify_asan_link_order=0");
}
