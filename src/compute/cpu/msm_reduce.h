/* Bucket reduction: from the buckets B_1 .. B_m of each window, m = 2^k, to k + 1 points that
 * Horner's rule turns into sum j B_j.
 *
 * A unit of log size k stands for 2^k consecutive buckets with weights 0 .. 2^k - 1 and is k + 1
 * points: O_b, the sum of those whose weight has bit b, b < k, and E, the sum of all. So a bucket
 * is a unit of log size 0. Joining 2^j units adds up their O_b; of their E, pairwise sums level
 * after level make E, and the sums of the odd ones of level l make O_(k+l). That is two additions
 * per bucket, as running sums need, but all of a level are independent. As weights in a window
 * start from 1, its sum is E + sum 2^b O_b. */
#ifndef CUZK_COMPUTE_MSM_REDUCE_H
#define CUZK_COMPUTE_MSM_REDUCE_H

#include "compute/cpu/msm_segsum.h"

typedef struct cuzk_reduce {
    const cuzk_msm_kernel *kernel;
    uint64_t *points;   /* the buckets, window after window; reduced in place: unit u at u << log */
    uint64_t *position; /* result: log_window + 1 points per window, for the bits 0 .. log_window */
    unsigned log_window; /* of the buckets of a window, > 0 */
    size_t units;        /* before this pass, of log size log, */
    unsigned log, join;  /* 2^join of which make one */
    size_t per_tile, tiles;
} cuzk_reduce;

/* Sets the first pass. The caller has set kernel, points, position, log_window. */
void cuzk_reduce_start(cuzk_reduce *r, size_t windows, unsigned threads);

void cuzk_reduce_run_tile(const cuzk_reduce *r, size_t tile, cuzk_segsum_work *work);

/* After all tiles: sets the next pass and returns true, or false when the positions are complete.
 */
bool cuzk_reduce_next(cuzk_reduce *r, unsigned threads);

#endif
