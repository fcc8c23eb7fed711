/* How many processors this process may keep busy. */
#ifndef CUZK_BASE_CPU_COUNT_H
#define CUZK_BASE_CPU_COUNT_H

#include "base/status.h"

/* CUZK_THREADS if it is a number from 1 to 4096; else the processors of the affinity mask, no more
 * than the CPU quotas of the cgroups (v2 or v1) around this process grant, at least 1. */
unsigned cuzk_cpu_count(void);

/* Fails when CUZK_THREADS is set to something else: callers who can report it ask first. */
cuzk_status cuzk_cpu_count_check(cuzk_error *err);

#endif
