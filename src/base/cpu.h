/* Which arithmetic this process uses. */
#ifndef CUZK_BASE_CPU_H
#define CUZK_BASE_CPU_H

#include "base/status.h"

/* Every level computes the same results; a higher one needs more of the processor.
 * ADX, AVX2 and IFMA use mulx/adx for single field elements; AVX2 and IFMA add vectors of 4 and 8
 * elements (double-precision FMA; AVX-512 IFMA) for MSM and NTT. */
typedef enum cuzk_cpu_level {
    CUZK_CPU_PORTABLE = 0,
    CUZK_CPU_ADX = 1,
    CUZK_CPU_AVX2 = 2,
    CUZK_CPU_IFMA = 3,
    CUZK_CPU_LEVELS = 4
} cuzk_cpu_level;

/* The best level that this processor and this build have. */
cuzk_cpu_level cuzk_cpu_best(void);

/* The level in use: the best one, or the one that CUZK_CPU=portable|adx|avx2|ifma names.
 * Decided at the first call. A name that is unknown or beyond the processor is reported by
 * cuzk_cpu_check, which main calls first; here it falls to the assertion. */
cuzk_cpu_level cuzk_cpu_selected(void);
cuzk_status cuzk_cpu_check(cuzk_error *err);

/* For tests and benchmarks: forces a level (at most cuzk_cpu_best). Not while other threads
 * compute. */
void cuzk_cpu_force(cuzk_cpu_level level);

const char *cuzk_cpu_name(cuzk_cpu_level level);

#endif
