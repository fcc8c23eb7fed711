/* The part of a sum that does not know points: from scalars to lists of additions. */
#ifndef CUZK_COMPUTE_CUDA_MSM_LISTS_H
#define CUZK_COMPUTE_CUDA_MSM_LISTS_H

#include "compute/cuda/msm_group.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUZK_MSM_LEVELS 32

/* The windows of one pass over a slice of the bases. An element is (window, product); its key is
 * its bucket, buckets of a window being numbered from first_bucket on. */
typedef struct cuzk_msm_pass {
    uint32_t n;       /* products in the slice */
    uint32_t first;   /* the slice's first product */
    unsigned windows; /* of this pass */
    uint32_t buckets; /* of all windows of this pass: also the key of digits that are 0 */
    cuzk_scalar r;    /* the scalars' modulus */
    cuzk_scalar bias; /* sum over all windows of 2^(bit + width - 1) */
    uint8_t bit[CUZK_MSM_MAX_WINDOWS];
    uint8_t width[CUZK_MSM_MAX_WINDOWS];
    uint32_t first_bucket[CUZK_MSM_MAX_WINDOWS];
} cuzk_msm_pass;

/* Arrays of a pass in scratch. Elements: n * windows, below 2^31. */
typedef struct cuzk_msm_lists {
    uint32_t *keys[2], *values[2]; /* elements; sorting leaves the result in either */
    uint32_t *starts;              /* of each bucket */
    uint32_t *counts;              /* CUZK_MSM_LEVELS: additions of each level */
    uint32_t *lists;               /* of all levels, one after another */
    void *sort;
    size_t sort_bytes;
} cuzk_msm_lists;

/* Takes the arrays for so many elements and buckets from the arena. */
cuzk_status cuzk_msm_lists_take(cuzk_msm_lists *lists, cuzk_cuda_arena *arena, size_t elements,
                                size_t buckets, cuzk_error *err);

/* Where the list of a level begins. */
size_t cuzk_msm_list_offset(size_t elements, unsigned level);

cuzk_status cuzk_msm_digits(const cuzk_msm_lists *lists, const cuzk_msm_pass *pass,
                            const cuzk_cuda_msm_job *job, cuzk_stream stream, cuzk_error *err);
/* Sorts by keys; afterwards keys[0] and values[0] are sorted, [1] rubbish. */
cuzk_status cuzk_msm_sort(cuzk_msm_lists *lists, size_t elements, uint32_t buckets,
                          cuzk_stream stream, cuzk_error *err);
/* Starts and lists. */
cuzk_status cuzk_msm_list(const cuzk_msm_lists *lists, size_t elements, uint32_t buckets,
                          cuzk_stream stream, cuzk_error *err);

/* Indices of the set bits of n <= 2^31 bits, in order, in values; how many in *count. counts:
 * n / 64 words rounded up; scan: cuzk_msm_scan_scratch(n) bytes. */
cuzk_status cuzk_msm_scan_scratch(size_t *bytes, size_t n, cuzk_error *err);
cuzk_status cuzk_msm_bits(uint32_t *values, uint32_t *count, uint32_t *counts, void *scan,
                          size_t scan_bytes, const uint64_t *bits, size_t n, cuzk_stream stream,
                          cuzk_error *err);

/* out := the points at places 0 and 2^t, t < log_block, of each block of 2^log_block points. */
cuzk_status cuzk_msm_extract(void *out, const void *in, uint32_t blocks, unsigned log_block,
                             size_t point, cuzk_stream stream, cuzk_error *err);

#ifdef __cplusplus
}
#endif

#endif
