/* The points whose scalar is 1 or -1, as a bit for each: their sum is one segment of msm_segsum,
 * whose entries are listed a tile at a time. */
#ifndef CUZK_COMPUTE_MSM_ONES_H
#define CUZK_COMPUTE_MSM_ONES_H

#include "compute/cpu/msm_kernel.h"

/* Scalars are classified in regions of this many, each with its own counts. */
#define CUZK_MSM_REGION       1024
#define CUZK_MSM_REGION_WORDS (CUZK_MSM_REGION / 64)

/* Bit i % 64 of word i / 64 stands for point i: one says that it is added, minus that it is
 * negated first (and never without one). */
typedef struct cuzk_ones {
    uint64_t *one, *minus; /* regions * CUZK_MSM_REGION_WORDS */
    uint32_t *before;      /* how many before each region, and in all: regions + 1 */
    size_t regions;
} cuzk_ones;

/* Fills in before from the numbers per region in before[1 .. regions]. */
void cuzk_ones_rank(cuzk_ones *ones);

/* The references number from .. from + n - 1 of the ones. */
void cuzk_ones_list(const cuzk_ones *ones, size_t from, size_t n, cuzk_ref *ref);

#endif
