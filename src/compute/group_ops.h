/* Multiples of one point by many scalars, for setups, on the host or on a device. The results come
 * in pieces, so that a key of tens of gigabytes need not be held. */
#ifndef CUZK_COMPUTE_GROUP_OPS_H
#define CUZK_COMPUTE_GROUP_OPS_H

#include "base/pool.h"
#include "base/status.h"
#include "curve/curve.h"

/* Takes the next n points; a failure ends the job with that status. */
typedef cuzk_status cuzk_points_sink(void *context, const void *points, size_t n, cuzk_error *err);

typedef struct cuzk_multiples_job {
    const cuzk_curve *curve;
    cuzk_group group;
    const uint64_t *base; /* memory form; in the subgroup, or infinity */
    const cuzk_scalar *scalars;
    size_t n;
    bool zcash; /* points are given in CUZK_ENC_ZCASH (BLS12-381 only) instead of memory form */
    cuzk_points_sink *sink;
    void *context;
} cuzk_multiples_job;

typedef struct cuzk_group_ops cuzk_group_ops;
struct cuzk_group_ops {
    /* Calls sink with scalars[i] * base, i < n, in order and in this thread. Same points for every
     * implementation. Errors: the sink's, CUZK_ERR_MEMORY, CUZK_ERR_DEVICE. */
    cuzk_status (*multiples)(const cuzk_group_ops *ops, const cuzk_multiples_job *job,
                             cuzk_error *err);
};

/* On the host, by the threads of a pool (NULL: the calling one). The first member is `ops`. */
typedef struct cuzk_group_host {
    cuzk_group_ops ops;
    cuzk_pool *pool;
} cuzk_group_host;
void cuzk_group_host_init(cuzk_group_host *host, cuzk_pool *pool);

/* Bytes of a point as a job's sink gets it. */
static inline size_t cuzk_multiples_bytes(const cuzk_multiples_job *job)
{
    return cuzk_point_words(job->curve, job->group) * sizeof(uint64_t);
}

#endif
