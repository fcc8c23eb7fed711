/* How much memory this process may take: the least of what cgroups (v2 and v1, all the way up) and
 * the machine's available memory allow, less a margin; and no more than configured. */
#ifndef CUZK_ENGINE_LIMITS_H
#define CUZK_ENGINE_LIMITS_H

#include "base/status.h"

#include <stdbool.h>

typedef struct cuzk_memory_limit {
    uint64_t bytes;   /* after the margin */
    char source[256]; /* what decided, for status: "cgroup /system.slice/x.service memory.max 8.0
                         GiB, less 512 MiB" */
    bool of_machine;  /* what is available on the machine decided; that changes, limits do not */
} cuzk_memory_limit;

#define CUZK_MARGIN_AUTO UINT64_MAX /* an eighth, at most 5 GiB */

/* root: "" in production; tests put a tree of their own before /proc and /sys. configured 0: auto.
 * Fails with CUZK_ERR_MEMORY, figures named, if the margin leaves nothing. */
cuzk_status cuzk_memory_limit_find(cuzk_memory_limit *limit, const char *root, uint64_t configured,
                                   uint64_t margin, cuzk_error *err);

/* The same for a start: while it is what is available on the machine that decides, and that rises,
 * as it does after a large process was killed, it pauses and looks again. pause waits a moment;
 * false: for long enough. */
typedef bool cuzk_memory_pause_fn(void *context, const cuzk_memory_limit *found);
cuzk_status cuzk_memory_limit_settle(cuzk_memory_limit *limit, const char *root,
                                     uint64_t configured, uint64_t margin,
                                     cuzk_memory_pause_fn *pause, void *context, cuzk_error *err);

/* For how much of the last ten seconds, in percent, some thread of this process's cgroup (v2)
 * waited for memory, or of the machine if that does not say; negative: the kernel does not tell. */
double cuzk_memory_pressure(const char *root);

/* Resident bytes of this process now; 0 if unknown. */
uint64_t cuzk_memory_resident(void);

#endif
