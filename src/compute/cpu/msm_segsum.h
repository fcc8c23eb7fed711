/* Sums of segments of points by trees of batched affine additions: the core of MSM, of its bucket
 * reduction and of fixed-base multiplication.
 *
 * In each round adjacent elements of every segment are added in pairs; all pairs of a worker's tile
 * are one batch for cuzk_msm_kernel.add. Elements are references (cuzk_ref), so a point that has no
 * partner in a round is carried for free. */
#ifndef CUZK_COMPUTE_MSM_SEGSUM_H
#define CUZK_COMPUTE_MSM_SEGSUM_H

#include "compute/cpu/msm_ones.h"

/* The most elements of a worker's tile: what keeps its points in a cache of half a megabyte to a
 * megabyte while the inversions, one per round, stay small beside the additions. */
size_t cuzk_segsum_tile(const cuzk_msm_kernel *kernel);

/* A worker's memory. */
typedef struct cuzk_segsum_work {
    const cuzk_msm_kernel *kernel;
    cuzk_ref *element; /* the elements, segment after segment */
    uint32_t *length;  /* of each segment */
    uint64_t **sum;    /* where the sum of each segment goes */
    cuzk_ref *pair;    /* the batch under construction */
    uint64_t *slots;
    void *products;
    size_t capacity; /* elements and segments; slots and pairs to match */
    size_t segments, elements;
    const cuzk_ref *soon; /* points that will be wanted after this work: fetched meanwhile */
    size_t n_soon;
    cuzk_ref *ahead; /* their list, where it must be made */
} cuzk_segsum_work;

size_t cuzk_segsum_work_bytes(const cuzk_msm_kernel *kernel, size_t capacity);
void cuzk_segsum_work_init(cuzk_segsum_work *work, const cuzk_msm_kernel *kernel, size_t capacity,
                           void *memory);

/* Computes the segments that the caller has put into work (all of element, length, sum, segments,
 * elements): *sum[i] becomes the packed sum, infinity for an empty segment. References are to
 * points or CUZK_REF_NONE-free. */
void cuzk_segsum_work_run(cuzk_segsum_work *work, const uint64_t *points);

/* dst = the point that ref means: a packed copy, negated as it says. */
void cuzk_ref_copy(const cuzk_msm_kernel *kernel, uint64_t *dst, const uint64_t *slots,
                   const uint64_t *points, cuzk_ref ref);

/* A long list of segments, cut into tiles anywhere. Segment s has start[s+1] - start[s] entries,
 * the first of which is entry[from[s]], or entry[start[s]] if from is NULL; its sum goes to sum[s],
 * or to out + s * words if sum is NULL. What a cut leaves in two or more tiles goes to parts, two
 * per tile, and is summed in a further pass over the parts. */
typedef struct cuzk_segsum {
    const cuzk_msm_kernel *kernel;
    const uint64_t *points;
    const cuzk_ref *entry;
    const cuzk_ones *ones; /* not NULL: instead of entry, of which these are all; from is NULL */
    const uint32_t *start, *from;
    size_t segments;
    uint64_t **sum;
    uint64_t *out;
    size_t tile, tiles; /* entries per tile; number of tiles */

    /* The parts of this pass and of the one before, 2 * tiles each; the lists that the next pass
     * reads. */
    uint64_t *part[2], **part_sum[2];
    unsigned pass;
    cuzk_ref *next_entry;
    uint32_t *next_start;
    uint64_t **next_sum;
} cuzk_segsum;

/* The most tiles that entries will be cut into on so many threads. */
size_t cuzk_segsum_tiles_max(const cuzk_msm_kernel *kernel, size_t entries, unsigned threads);

/* Sets the tiles for the entries start[segments]; at least one tile, which writes the empty
 * segments. */
void cuzk_segsum_cut(cuzk_segsum *s, unsigned threads);

/* Computes one tile; fetches the points of the following one if the caller means to go on with it.
 */
void cuzk_segsum_run_tile(const cuzk_segsum *s, size_t tile, bool goes_on, cuzk_segsum_work *work);

/* After all tiles: prepares the pass over the parts and returns true, or returns false if there are
 * none, and then all sums are complete. */
bool cuzk_segsum_next(cuzk_segsum *s, unsigned threads);

#endif
