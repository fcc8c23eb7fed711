/* What msm.c needs of one group: the kernels that know its points. One table per group, of
 * msm_group_tmpl.cuh. */
#ifndef CUZK_COMPUTE_CUDA_MSM_GROUP_H
#define CUZK_COMPUTE_CUDA_MSM_GROUP_H

#include "compute/cuda/cuda_msm.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUZK_MSM_BITS     256         /* of scalars, at most */
#define CUZK_MSM_NEGATIVE 0x80000000u /* of a value: the base's negative is meant */
#define CUZK_MSM_ALONE    0x80000000u /* of a list's entry: see CUZK_ADDS_LISTED */
#define CUZK_MSM_EMPTY    0xffffffffu /* start of a bucket without elements */

/* Batches of additions left + right -> out.
 *
 * A bucket's elements are a run of values, indices of bases with a sign; element number p of a run
 * is added, at level l = trailing zeros of p, to number p - 2^l: a tree, at whose end the run's sum
 * stands at its first element. The sum that stands at element i of all is sums[i / 2], as only
 * every other element of a run has one. A run's last element, if its p is even, is a base still
 * when its turn comes. */
typedef enum cuzk_adds_kind {
    CUZK_ADDS_LISTED, /* list[j]: element i on the right; CUZK_MSM_ALONE: a base; *count of them */
    CUZK_ADDS_RUN,    /* one run of *count elements, no list */
    CUZK_ADDS_FOLD,   /* step `level` of the reduction: see msm.c; limit of them */
    CUZK_ADDS_SHIFT   /* sums[2^level + j] := sums[j] + bases[0]; limit of them */
} cuzk_adds_kind;

typedef struct cuzk_msm_adds {
    cuzk_adds_kind kind;
    unsigned level;
    uint32_t limit;        /* there are no more additions than that */
    const uint32_t *count; /* on the device */
    const uint32_t *list, *values;
    const void *bases;
    void *sums;
    void *products; /* scratch: add_scratch bytes */
} cuzk_msm_adds;

/* buckets[b] := the sum of bucket b, of its start among n elements. */
typedef struct cuzk_msm_collect {
    const uint32_t *starts, *keys, *values;
    uint32_t n, buckets;
    const void *bases, *sums;
    void *out;
} cuzk_msm_collect;

typedef struct cuzk_msm_term {
    uint32_t point, bit;
} cuzk_msm_term;

typedef struct cuzk_msm_group {
    size_t point; /* bytes */
    size_t (*add_scratch)(unsigned processors);
    cuzk_status (*add)(const cuzk_msm_adds *adds, unsigned processors, cuzk_stream stream,
                       cuzk_error *err);
    cuzk_status (*collect)(const cuzk_msm_collect *collect, cuzk_stream stream, cuzk_error *err);
    /* *out := the sum of a run of *count elements whose additions are done. */
    cuzk_status (*pick)(void *out, const uint32_t *count, const uint32_t *values, const void *bases,
                        const void *sums, cuzk_stream stream, cuzk_error *err);
    /* Host: *result := sum of 2^bit points[k * stride + point] over the n terms and k < repeats. */
    void (*join)(uint64_t *result, const void *points, size_t repeats, size_t stride,
                 const cuzk_msm_term *terms, size_t n);
} cuzk_msm_group;

extern const cuzk_msm_group cuzk_msm_bls12_381_g1, cuzk_msm_bls12_381_g2, cuzk_msm_bn254_g1,
    cuzk_msm_bn254_g2;

const cuzk_msm_group *cuzk_msm_group_get(cuzk_curve_id curve, cuzk_group group);

#ifdef __cplusplus
}
#endif

#endif
