/* Multi-scalar multiplication and sums of subsets on a GPU.
 *
 * Both leave a few affine points on the device, which the host fetches once it has waited for the
 * stream, and joins by a _finish function. Points are in the memory form of curve.h and aligned to
 * 16 bytes; scalars are canonical. Exact for every input, like cuzk_msm: equal, opposite and
 * infinite points, any skew of scalars, any n including 0. The affine result does not depend on the
 * plan. */
#ifndef CUZK_COMPUTE_CUDA_MSM_H
#define CUZK_COMPUTE_CUDA_MSM_H

#include "compute/cuda/cuda.h"
#include "curve/curve.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUZK_MSM_MAX_WINDOWS 63
#define CUZK_MSM_MAX_POINTS  ((size_t)1 << 28)

/* How a sum of n products is cut. Windows of the scalars' bits, the widest first; the windows of
 * one pass are sorted and added up together; slices of the bases are passed one after another. */
typedef struct cuzk_cuda_msm_plan {
    cuzk_curve_id curve;
    cuzk_group group;
    size_t n;            /* products */
    unsigned processors; /* of the device */
    unsigned windows;
    unsigned narrow, wide; /* widths in bits: narrow + 1 of the first `wide` windows, else narrow */
    unsigned together;     /* windows in a pass */
    size_t slice;          /* products in a slice; the last one may have fewer */
    size_t slices;
    size_t points;  /* that the sum leaves on the device */
    size_t bytes;   /* of these points */
    size_t scratch; /* bytes */
} cuzk_cuda_msm_plan;

/* The fastest plan whose scratch is at most limit bytes (0: any). device: that the sum will run on.
 * Fails with CUZK_ERR_MEMORY if there is none, CUZK_ERR_ARGUMENT if n is above CUZK_MSM_MAX_POINTS.
 */
cuzk_status cuzk_cuda_msm_plan_make(cuzk_cuda_msm_plan *plan, cuzk_curve_id curve, cuzk_group group,
                                    size_t n, size_t limit, const cuzk_cuda_info *device,
                                    cuzk_error *err);

/* The sum over i < n of scalars[index ? index[i] : i] * bases[pick ? pick[i] : i]; all pointers on
 * the device. Bases are in the subgroup of order r, or infinity. */
typedef struct cuzk_cuda_msm_job {
    const void *bases;
    const cuzk_scalar *scalars;
    const uint32_t *index, *pick;
    void *points; /* the result: plan->bytes */
} cuzk_cuda_msm_job;

/* Enqueues the sum. scratch: plan->scratch bytes on the device, aligned to 256; it holds digits of
 * the scalars afterwards. marks: NULL, or CUZK_MSM_MARKS timed events, which are recorded after the
 * phases of the last pass, for benchmarks. */
enum {
    CUZK_MSM_BEGIN,
    CUZK_MSM_DIGITS,
    CUZK_MSM_SORT,
    CUZK_MSM_LISTS,
    CUZK_MSM_TREE,
    CUZK_MSM_COLLECT,
    CUZK_MSM_REDUCE,
    CUZK_MSM_MARKS
};
cuzk_status cuzk_cuda_msm(const cuzk_cuda_msm_plan *plan, const cuzk_cuda_msm_job *job,
                          void *scratch, const cuzk_event *marks, cuzk_stream stream,
                          cuzk_error *err);

/* *result := the sum, of the points as fetched from the device. On the host; 255 doublings. */
void cuzk_cuda_msm_finish(const cuzk_cuda_msm_plan *plan, const void *points, uint64_t *result);

/* How a sum over a subset of n points is cut: slices, each of which leaves one point. */
typedef struct cuzk_cuda_bits_plan {
    cuzk_curve_id curve;
    cuzk_group group;
    size_t n;
    unsigned processors;
    size_t slice, slices; /* points in a slice, a multiple of 64 */
    size_t bytes;         /* of the result */
    size_t scratch;
} cuzk_cuda_bits_plan;

/* As cuzk_cuda_msm_plan_make. */
cuzk_status cuzk_cuda_bits_plan_make(cuzk_cuda_bits_plan *plan, cuzk_curve_id curve,
                                     cuzk_group group, size_t n, size_t limit,
                                     const cuzk_cuda_info *device, cuzk_error *err);

/* Enqueues the sum of bases[i] over the i < n whose bit is set: bit i % 64 of bits[i / 64]; bits
 * from n on are ignored. points: plan->bytes; all on the device. */
cuzk_status cuzk_cuda_sum_bits(const cuzk_cuda_bits_plan *plan, const void *bases,
                               const uint64_t *bits, void *points, void *scratch,
                               cuzk_stream stream, cuzk_error *err);
void cuzk_cuda_bits_finish(const cuzk_cuda_bits_plan *plan, const void *points, uint64_t *result);

/* out[i] := first + i * step, i < n, for tests and benchmarks: points of known logarithms. out:
 * device; first, step: memory form on the host. scratch: cuzk_cuda_progression_scratch bytes. */
size_t cuzk_cuda_progression_scratch(cuzk_curve_id curve, cuzk_group group,
                                     const cuzk_cuda_info *device);
cuzk_status cuzk_cuda_progression(const cuzk_curve *curve, cuzk_group group, void *out,
                                  const uint64_t *first, const uint64_t *step, size_t n,
                                  void *scratch, const cuzk_cuda_info *device, cuzk_stream stream,
                                  cuzk_error *err);

#ifdef __cplusplus
}
#endif

#endif
