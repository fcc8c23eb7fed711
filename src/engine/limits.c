#define _GNU_SOURCE
#include "engine/limits.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_BYTES 4096
#define MIB        ((uint64_t)1 << 20)
#define GIB        ((uint64_t)1 << 30)
/* cgroup v1 says "no limit" with the largest multiple of a page; nobody means more than this. */
#define NO_LIMIT ((uint64_t)1 << 60)

static void keep_least(cuzk_memory_limit *limit, uint64_t bytes, const char *what,
                       const char *where, const char *file)
{
    if (bytes >= NO_LIMIT || bytes >= limit->bytes)
        return;
    limit->bytes = bytes;
    limit->of_machine = false;
    snprintf(limit->source, sizeof limit->source, "%s %.150s %s %.2f GiB", what, where, file,
             (double)bytes / (double)GIB);
}

/* The number in a file that holds one; "max" and what cannot be read are no limit. */
static uint64_t read_number(const char *path)
{
    char text[64];
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return UINT64_MAX;
    size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    char *end = NULL;
    errno = 0;
    uint64_t value = strtoull(text, &end, 10);
    bool number = text[0] >= '0' && text[0] <= '9' && errno == 0;
    return number && (*end == '\n' || *end == '\0') ? value : UINT64_MAX;
}

/* The number after a word at the start of a line, such as "MemAvailable:". */
static uint64_t read_field(const char *path, const char *word)
{
    char line[256];
    uint64_t value = UINT64_MAX;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return UINT64_MAX;
    while (value == UINT64_MAX && fgets(line, sizeof line, file) != NULL) {
        size_t length = strlen(word);
        if (strncmp(line, word, length) == 0 && (line[length] == ' ' || line[length] == '\t'))
            value = strtoull(line + length, NULL, 10);
    }
    fclose(file);
    return value;
}

static void keep_file(cuzk_memory_limit *limit, const char *folder, const char *group,
                      const char *file)
{
    char path[2 * PATH_BYTES + 32];
    snprintf(path, sizeof path, "%s%s/%s", folder, group, file);
    keep_least(limit, read_number(path), "cgroup", group[0] == '\0' ? "/" : group, file);
}

/* Looks at the group and all above it. In a container the path may be the host's, of which only the
 * mount's own folder can be seen; or lead out of it with "..", where there is nothing to see. */
static void walk_up(cuzk_memory_limit *limit, const char *folder, const char *group,
                    const char *const *files)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s", strstr(group, "/..") != NULL ? "" : group);
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] == '/')
        path[--length] = '\0';
    for (;;) {
        for (unsigned i = 0; files[i] != NULL; i++)
            keep_file(limit, folder, path, files[i]);
        char *slash = strrchr(path, '/');
        if (slash == NULL)
            return;
        *slash = '\0';
    }
}

static bool has_controller(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

static void look_v2(cuzk_memory_limit *limit, const char *root, const char *group)
{
    static const char *const files[] = {"memory.max", "memory.high", NULL};
    char folder[PATH_BYTES];
    snprintf(folder, sizeof folder, "%s/sys/fs/cgroup", root);
    walk_up(limit, folder, group, files);
    snprintf(folder, sizeof folder, "%s/sys/fs/cgroup/unified", root);
    walk_up(limit, folder, group, files);
}

static void look_v1(cuzk_memory_limit *limit, const char *root, const char *group)
{
    static const char *const files[] = {"memory.limit_in_bytes", NULL};
    char folder[PATH_BYTES], path[2 * PATH_BYTES];
    snprintf(folder, sizeof folder, "%s/sys/fs/cgroup/memory", root);
    walk_up(limit, folder, group, files);
    /* This also tells of groups above the mount. */
    snprintf(path, sizeof path, "%s%s/memory.stat", folder, group);
    if (access(path, R_OK) != 0)
        snprintf(path, sizeof path, "%s/memory.stat", folder);
    keep_least(limit, read_field(path, "hierarchical_memory_limit"), "cgroup", group,
               "hierarchical_memory_limit");
}

/* Lines "number:controllers:path"; controllers are empty for v2. */
static void look_at_groups(cuzk_memory_limit *limit, const char *root)
{
    char path[PATH_BYTES], line[PATH_BYTES];
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return;
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *group = controllers == NULL ? NULL : strchr(controllers + 1, ':');
        if (group == NULL || group[1] != '/')
            continue;
        *group++ = '\0';
        controllers++;
        if (controllers[0] == '\0')
            look_v2(limit, root, group);
        else if (has_controller(controllers, "memory"))
            look_v1(limit, root, group);
    }
    fclose(file);
}

static void look_at_machine(cuzk_memory_limit *limit, const char *root)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    uint64_t kib = read_field(path, "MemAvailable:");
    if (kib >= NO_LIMIT / 1024 || kib * 1024 >= limit->bytes)
        return;
    keep_least(limit, kib * 1024, "machine", "/proc/meminfo", "MemAvailable");
    limit->of_machine = true;
}

static cuzk_status take_margin(cuzk_memory_limit *limit, uint64_t margin, cuzk_error *err)
{
    if (margin == CUZK_MARGIN_AUTO)
        margin = limit->bytes / 8 < 5 * GIB ? limit->bytes / 8 : 5 * GIB;
    if (margin >= limit->bytes)
        return cuzk_fail(err, CUZK_ERR_MEMORY,
                         "%s, less a margin of %" PRIu64
                         " MiB, leaves nothing: raise that limit or lower memory.safety_margin",
                         limit->source, margin / MIB);
    limit->bytes -= margin;
    size_t used = strlen(limit->source);
    snprintf(limit->source + used, sizeof limit->source - used, ", less %" PRIu64 " MiB",
             margin / MIB);
    return CUZK_OK;
}

cuzk_status cuzk_memory_limit_find(cuzk_memory_limit *limit, const char *root, uint64_t configured,
                                   uint64_t margin, cuzk_error *err)
{
    cuzk_memory_limit found = {.bytes = UINT64_MAX};
    look_at_groups(&found, root);
    look_at_machine(&found, root);
    if (found.bytes == UINT64_MAX && configured == 0)
        return cuzk_fail(err, CUZK_ERR_MEMORY,
                         "%s/proc/meminfo: no MemAvailable, and no limit of a cgroup: set "
                         "memory.total_budget",
                         root);
    if (found.bytes != UINT64_MAX)
        CUZK_TRY(take_margin(&found, margin, err));
    if (configured != 0)
        keep_least(&found, configured, "configured", "memory.total_budget", "=");
    *limit = found;
    return CUZK_OK;
}

/* "some avg10=1.23 ..." */
static double read_pressure(const char *path)
{
    double percent = -1;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return -1;
    if (fscanf(file, "some avg10=%lf", &percent) != 1)
        percent = -1;
    fclose(file);
    return percent;
}

double cuzk_memory_pressure(const char *root)
{
    char path[2 * PATH_BYTES], line[PATH_BYTES];
    double percent = -1;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    while (file != NULL && percent < 0 && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "0::/", 4) != 0 || strstr(line, "/..") != NULL)
            continue;
        snprintf(path, sizeof path, "%s/sys/fs/cgroup%s/memory.pressure", root, line + 3);
        percent = read_pressure(path);
    }
    if (file != NULL)
        fclose(file);
    if (percent >= 0)
        return percent;
    snprintf(path, sizeof path, "%s/proc/pressure/memory", root);
    return read_pressure(path);
}

#define RISES (64 * MIB) /* from one look to the next: more than what comes and goes */

cuzk_status cuzk_memory_limit_settle(cuzk_memory_limit *limit, const char *root,
                                     uint64_t configured, uint64_t margin,
                                     cuzk_memory_pause_fn *pause, void *context, cuzk_error *err)
{
    cuzk_memory_limit found = {.of_machine = true}; /* nothing is left: that may change too */
    cuzk_status status = cuzk_memory_limit_find(&found, root, configured, margin, err);
    for (bool rises = found.of_machine; rises && pause(context, &found);) {
        cuzk_memory_limit again = {.of_machine = true};
        status = cuzk_memory_limit_find(&again, root, configured, margin, err);
        rises = again.of_machine && again.bytes >= found.bytes + RISES;
        found = again;
    }
    if (status == CUZK_OK)
        *limit = found;
    return status;
}

uint64_t cuzk_memory_resident(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL)
        return 0;
    int fields = fscanf(file, "%*u %llu", &pages);
    fclose(file);
    return fields == 1 ? pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}
