/* The state of one job of cuzk_msm, its memory, and the choice of windows. */
#ifndef CUZK_COMPUTE_MSM_PLAN_H
#define CUZK_COMPUTE_MSM_PLAN_H

#include "compute/cpu/msm_arena.h"
#include "compute/cpu/msm_digits.h"
#include "compute/cpu/msm_equal.h"
#include "compute/cpu/msm_reduce.h"
#include "compute/cpu/msm_segsum.h"

/* Prepared bases: n packed points, then a bit per point that says infinity. */
static inline size_t cuzk_bases_points_bytes(const cuzk_msm_kernel *kernel, size_t n)
{
    return (n * kernel->words * sizeof(uint64_t) + 63) & ~(size_t)63;
}

/* Wide are here those in an array, and of packed ones the wide: what must be looked at one by one.
 */
typedef struct cuzk_msm_region {
    uint32_t place;   /* of its wide scalars, among those of all regions */
    uint32_t wide;    /* how many; when classified, those without 0, 1 and -1 */
    cuzk_scalar bits; /* those that they have */
} cuzk_msm_region;

typedef struct cuzk_msm_state {
    const cuzk_msm_job *job;
    const cuzk_msm_kernel *kernel;
    const cuzk_curve *curve;
    unsigned threads;
    cuzk_scalar half_order;
    const uint64_t *points;   /* the prepared bases */
    const uint64_t *infinity; /* their bits */

    /* Wide scalars (absolute values) and the references of their points are at the front of the
     * place of their region. */
    size_t regions, wide_capacity;
    cuzk_msm_region *region;
    cuzk_scalar *wide;
    cuzk_ref *ref;
    size_t n_wide;

    /* The ones, and their sum: computed in the first round. */
    cuzk_ones ones;
    cuzk_segsum ones_segsum;
    uint32_t ones_start[2];
    uint64_t *ones_sum;

    /* Windows of c bits; the round in progress does windows first .. first + count - 1. */
    unsigned c_most, c, windows, per_round, first, count;
    bool started, finished, segsum_pending, ones_pending, reduce_pending;
    size_t chunks, splits; /* sorting tiles: chunks of regions by splits of windows */

    /* Sorted entries of the round. */
    size_t entry_capacity, bucket_capacity, histogram_capacity, tile_capacity;
    cuzk_ref *entry;
    uint32_t *histogram;    /* [chunk][window][bucket]: counts, then where to write next */
    uint32_t *start;        /* [window][bucket], and the end */
    uint32_t *window_count; /* entries of each window of the round */
    uint64_t *bucket;
    cuzk_equal equal;
    cuzk_segsum segsum;
    cuzk_reduce reduce;
    uint64_t *position; /* c points per window: the result by binary positions */
} cuzk_msm_state;

/* Takes the job's arrays from the arena. */
void cuzk_msm_state_init(cuzk_msm_state *s, const cuzk_curve *curve, const cuzk_msm_job *job,
                         unsigned threads, cuzk_arena *arena);

/* When wide scalars are counted: where those of each region go. */
void cuzk_msm_state_place(cuzk_msm_state *s);

/* After classification: totals, window size, rounds. */
void cuzk_msm_state_choose(cuzk_msm_state *s);

/* Starts the next round; false, and finished, if there is none. */
bool cuzk_msm_state_next_round(cuzk_msm_state *s);

static inline size_t cuzk_msm_buckets(const cuzk_msm_state *s)
{
    return (size_t)1 << (s->c - 1);
}

#endif
