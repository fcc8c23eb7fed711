/* Multi-scalar multiplication and its kin, on the selected CPU level. */
#ifndef CUZK_COMPUTE_MSM_H
#define CUZK_COMPUTE_MSM_H

#include "base/pool.h"
#include "base/status.h"
#include "compute/packed.h"
#include "curve/curve.h"

/* Bases are kept in a prepared form that suits the CPU level (see cuzk_bases_prepare); it has the
 * size of the memory form or somewhat more, and is bound to the level that made it. */
size_t cuzk_bases_bytes(const cuzk_curve *curve, cuzk_group group, size_t n);

/* Fills dst (cuzk_bases_bytes, 64-byte aligned) from points in memory form, which may be unaligned
 * (a mapped file): base i < n is points[pick[i]], or points[i] if pick is NULL. Points must be in
 * the subgroup of order r, as scalars above r/2 are taken for their negatives; infinity is allowed
 * and stays neutral. n <= 2^30. */
void cuzk_bases_prepare(const cuzk_curve *curve, cuzk_group group, void *dst, const void *points,
                        const uint32_t *pick, size_t n, cuzk_pool *pool);

/* One sum: *result = sum over i < n of scalar[index ? index[i] : first + i] * bases[i], in memory
 * form. bases: as cuzk_bases_prepare made them for just these n points. Scalars are canonical, and
 * either in an array or packed; the result is the same. Scalars 0 and +-1 are classified and cost
 * nothing and one addition. */
typedef struct cuzk_msm_job {
    cuzk_group group;
    const void *bases;
    const cuzk_scalar *scalars;
    const cuzk_packed_scalars *packed; /* not NULL: instead of scalars; then index rises, and */
    size_t n_wide;                     /* so many of the job's scalars are wide, or fewer */
    const uint32_t *index;
    size_t first;
    size_t n;
    uint64_t *result;
} cuzk_msm_job;

/* Bytes of scratch for these jobs on a pool with that many threads: about 40 a scalar in an array
 * or wide, half a one for each other, and some megabytes a job. Looks at no scalar and no map. */
size_t cuzk_msm_scratch(const cuzk_curve *curve, const cuzk_msm_job *jobs, size_t n_jobs,
                        unsigned threads);

/* cuzk_msm computes all jobs, sharing the pool's threads among their (job, window, range) tiles.
 * scratch: cuzk_msm_scratch bytes, 64-byte aligned; no other allocation. It holds digits of the
 * scalars afterwards: the caller wipes it. Exact for every input: equal, opposite and infinite
 * points, any skew of scalars, any n including 0. */
void cuzk_msm(const cuzk_curve *curve, const cuzk_msm_job *jobs, size_t n_jobs, void *scratch,
              cuzk_pool *pool);

/* Fixed base: out[i] = scalars[i] * base, i < n, in memory form (for setup). base: in the subgroup,
 * or infinity. scratch: cuzk_fixed_base_scratch bytes, 64-byte aligned. */
size_t cuzk_fixed_base_scratch(const cuzk_curve *curve, cuzk_group group, size_t n,
                               unsigned threads);
void cuzk_fixed_base(const cuzk_curve *curve, cuzk_group group, uint64_t *out, const uint64_t *base,
                     const cuzk_scalar *scalars, size_t n, void *scratch, cuzk_pool *pool);

/* Checks n points in memory form (unaligned allowed): canonical, on the curve, in the subgroup if
 * asked. Returns the status of the first bad point and its index in *bad, or CUZK_POINT_OK. */
cuzk_point_status cuzk_points_check(const cuzk_curve *curve, cuzk_group group, const void *points,
                                    size_t n, bool subgroup, size_t *bad, cuzk_pool *pool);

#endif
