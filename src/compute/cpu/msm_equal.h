/* Finds segments of equal length, to be summed in lanes (cuzk_msm_kernel.sum_equal): most buckets
 * of scalars without structure. What is left, in particular long segments, is for msm_segsum. */
#ifndef CUZK_COMPUTE_MSM_EQUAL_H
#define CUZK_COMPUTE_MSM_EQUAL_H

#include "compute/cpu/msm_arena.h"
#include "compute/cpu/msm_segsum.h"

#define CUZK_EQUAL_LENGTH_MAX 768u

/* Segments of one length, whole groups of them, cut into tiles. */
typedef struct cuzk_equal_class {
    uint32_t length, first, groups; /* first: in order */
    uint32_t per_tile;              /* groups */
    size_t first_tile;
} cuzk_equal_class;

typedef struct cuzk_equal {
    const cuzk_msm_kernel *kernel;
    const uint64_t *points;
    const cuzk_ref *entry;
    const uint32_t *start; /* segment s is entries start[s] .. start[s + 1] - 1 */
    uint64_t *out;         /* its sum goes to out + s * words */
    uint32_t *order;       /* the segments, class after class */
    cuzk_equal_class *class;
    size_t classes, tiles;

    /* The other segments, as cuzk_segsum takes them. */
    uint32_t *rest_from, *rest_start;
    uint64_t **rest_sum;
} cuzk_equal;

/* Takes memory for up to `segments` segments. */
void cuzk_equal_init(cuzk_equal *e, const cuzk_msm_kernel *kernel, size_t segments,
                     cuzk_arena *arena);

/* Takes over the segments of s (which has its inputs and out, and is not cut yet) that are worth
 * it, and leaves it the others. */
void cuzk_equal_plan(cuzk_equal *e, cuzk_segsum *s, unsigned threads);

/* Computes tiles first .. end - 1, fetching the points of each during the one before. */
void cuzk_equal_run_tiles(const cuzk_equal *e, size_t first, size_t end, cuzk_segsum_work *work);

#endif
