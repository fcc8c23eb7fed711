#define _GNU_SOURCE
#include "base/cpu_count.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_THREADS 4096
#define MAX_PATH    4096

static unsigned count_affinity(void)
{
    /* The kernel refuses a mask smaller than its own, so grow until it fits. */
    for (int cpus = CPU_SETSIZE; cpus <= 1 << 20; cpus *= 2) {
        cpu_set_t *set = CPU_ALLOC((size_t)cpus);
        if (set == NULL)
            return 1;
        size_t size = CPU_ALLOC_SIZE((size_t)cpus);
        int failed = sched_getaffinity(0, size, set);
        int cause = errno;
        int count = failed ? 0 : CPU_COUNT_S(size, set);
        CPU_FREE(set);
        if (!failed)
            return count > 0 ? (unsigned)count : 1;
        if (cause != EINVAL)
            return 1;
    }
    return 1;
}

/* Reads "<quota> <period>" (v2) or the two v1 files; returns the processors granted, rounded up, or
 * 0 for no limit. */
static unsigned read_quota_v2(const char *folder)
{
    char path[MAX_PATH + 64];
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return 0;
    unsigned long quota, period;
    int fields = fscanf(file, "%lu %lu", &quota, &period);
    fclose(file);
    if (fields != 2 || period == 0 || quota > MAX_THREADS * period)
        return 0;
    return (unsigned)((quota + period - 1) / period);
}

static bool read_number(const char *folder, const char *name, long *value)
{
    char path[MAX_PATH + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    int fields = fscanf(file, "%ld", value);
    fclose(file);
    return fields == 1;
}

static unsigned read_quota_v1(const char *folder)
{
    long quota, period;
    if (!read_number(folder, "cpu.cfs_quota_us", &quota) ||
        !read_number(folder, "cpu.cfs_period_us", &period))
        return 0;
    if (quota <= 0 || period <= 0 || quota > MAX_THREADS * period)
        return 0;
    return (unsigned)((quota + period - 1) / period);
}

/* The lowest limit of the group and all groups around it. */
static unsigned walk_groups(const char *mount, const char *group, unsigned (*read)(const char *))
{
    char folder[MAX_PATH];
    int length = snprintf(folder, sizeof folder, "%s%s", mount, group);
    if (length < 0 || (size_t)length >= sizeof folder)
        return 0;
    unsigned lowest = 0;
    for (;;) {
        unsigned limit = read(folder);
        if (limit > 0 && (lowest == 0 || limit < lowest))
            lowest = limit;
        char *slash = strrchr(folder, '/');
        if (slash == NULL || slash < folder + strlen(mount))
            return lowest;
        *slash = '\0';
    }
}

static bool is_cpu_controller(const char *names)
{
    for (const char *at = names; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        size_t length = strcspn(at, ",");
        if (length == 3 && memcmp(at, "cpu", 3) == 0)
            return true;
    }
    return false;
}

/* Lines of /proc/self/cgroup are "id:controllers:path"; v2 is "0::path". */
static unsigned count_quota(void)
{
    FILE *file = fopen("/proc/self/cgroup", "re");
    if (file == NULL)
        return 0;
    unsigned lowest = 0;
    char line[MAX_PATH];
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *names = strchr(line, ':');
        char *group = names == NULL ? NULL : strchr(names + 1, ':');
        if (group == NULL)
            continue;
        *group++ = '\0';
        names++;
        unsigned limit = 0;
        if (*names == '\0')
            limit = walk_groups("/sys/fs/cgroup", group, read_quota_v2);
        else if (is_cpu_controller(names))
            limit = walk_groups("/sys/fs/cgroup/cpu", group, read_quota_v1);
        if (limit > 0 && (lowest == 0 || limit < lowest))
            lowest = limit;
    }
    fclose(file);
    return lowest;
}

/* The number that CUZK_THREADS holds; 0: none. */
static unsigned read_environment(void)
{
    const char *text = getenv("CUZK_THREADS");
    if (text == NULL || *text < '1' || *text > '9')
        return 0;
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    return *end == '\0' && value <= MAX_THREADS ? (unsigned)value : 0;
}

cuzk_status cuzk_cpu_count_check(cuzk_error *err)
{
    const char *text = getenv("CUZK_THREADS");
    if (text == NULL || *text == '\0' || read_environment() != 0)
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                     "CUZK_THREADS=%s: expected a number from 1 to %d, or unset it", text,
                     MAX_THREADS);
}

unsigned cuzk_cpu_count(void)
{
    unsigned wanted = read_environment();
    if (wanted != 0)
        return wanted;
    unsigned count = count_affinity();
    unsigned quota = count_quota();
    if (quota > 0 && quota < count)
        count = quota;
    return count > MAX_THREADS ? MAX_THREADS : count;
}
