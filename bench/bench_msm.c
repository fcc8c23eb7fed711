/* Sums of random scalars times points; and of bits, in both forms. */
#include "bench_cost.h"
#include "bench_packed.h"
#include "bench_points.h"

#include "base/memory.h"
#include "compute/msm.h"

#include <stdio.h>
#include <stdlib.h>

#define MIN_LOG 10u

struct sum {
    const cuzk_curve *curve;
    const uint64_t *points; /* as many as the largest sum takes */
    cuzk_msm_job job;
    void *scratch;
    cuzk_pool *pool;
    cuzk_g2 result;
};

static void run_sum(void *context)
{
    struct sum *s = context;
    s->job.result = s->result.l;
    cuzk_msm(s->curve, &s->job, 1, s->scratch, s->pool);
}

static cuzk_status run_size(cuzk_bench *bench, struct sum *s, unsigned log_n, cuzk_error *err)
{
    unsigned threads = cuzk_pool_threads(bench->pool);
    s->job.n = (size_t)1 << log_n;
    void *bases = NULL;
    CUZK_TRY(cuzk_bench_bases(&bases, s->curve, s->job.group, s->points, s->job.n, s->pool, err));
    s->job.bases = bases;
    s->scratch = cuzk_memory_new(cuzk_msm_scratch(s->curve, &s->job, 1, threads), 1);
    if (s->scratch == NULL) {
        free(bases);
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a sum of 2^%u points", log_n);
    }
    char name[64];
    snprintf(name, sizeof name, "%s 2^%u", s->job.group == CUZK_G1 ? "G1" : "G2", log_n);
    double cost = cuzk_bench_msm_cost(bench, s->curve, s->job.group, 0, s->job.n);
    cuzk_bench_row row = {.group = "msm",
                          .name = name,
                          .curve = s->curve->name,
                          .level = bench->level,
                          .threads = threads,
                          .timing = cuzk_bench_run(run_sum, s, bench->options.quick ? 0.1 : 1),
                          .per = (double)s->job.n,
                          .bound = cost / threads};
    cuzk_bench_report(bench, &row);
    free(s->scratch);
    free(bases);
    return CUZK_OK;
}

static cuzk_status run_group(cuzk_bench *bench, const cuzk_curve *curve, cuzk_group group,
                             cuzk_error *err)
{
    size_t most = (size_t)1 << bench->options.max_log;
    uint64_t *points;
    cuzk_status status = CUZK_OK;
    CUZK_TRY(cuzk_bench_points(&points, curve, group, most, bench->pool, err));
    cuzk_scalar *scalars = cuzk_bench_scalars(curve, most, 2);
    if (status == CUZK_OK && scalars == NULL)
        status =
            cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for 2^%u scalars", bench->options.max_log);
    struct sum s = {.curve = curve,
                    .points = points,
                    .job = {.group = group, .scalars = scalars},
                    .pool = bench->pool};
    for (unsigned log_n = MIN_LOG; log_n <= bench->options.max_log && status == CUZK_OK; log_n += 2)
        status = run_size(bench, &s, log_n, err);
    if (status == CUZK_OK)
        status = cuzk_bench_packed(bench, curve, group, points, bench->options.max_log, err);
    free(scalars);
    free(points);
    return status;
}

cuzk_status cuzk_bench_msm(cuzk_bench *bench, cuzk_error *err)
{
    for (int id = 0; id < CUZK_CURVES; id++) {
        const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)id);
        if (!cuzk_bench_wants(bench, curve))
            continue;
        CUZK_TRY(run_group(bench, curve, CUZK_G1, err));
        CUZK_TRY(run_group(bench, curve, CUZK_G2, err));
    }
    return CUZK_OK;
}
