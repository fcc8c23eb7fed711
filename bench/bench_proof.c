#include "bench_proof.h"

#include "bench_cost.h"

#include "base/memory.h"
#include "compute/msm.h"
#include "compute/sparse.h"
#include "groth16/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct proving {
    const cuzk_bench_job *job;
    cuzk_pool *pool;
    cuzk_proof proof;
    cuzk_status status;
    cuzk_error *err;
};

static void run_prove(void *context)
{
    struct proving *p = context;
    cuzk_assignment assignment = {.z = p->job->z, .n = p->job->pk->vars, .name = p->job->name};
    if (p->status == CUZK_OK)
        p->status = cuzk_prove(p->job->pk, &assignment, &p->proof, p->pool, p->err);
}

static void run_verify(void *context)
{
    struct proving *p = context;
    const cuzk_pk *pk = p->job->pk;
    if (p->status == CUZK_OK)
        p->status = cuzk_verify_proof(pk->verifier, p->job->z + 1, pk->vk.n_public, &p->proof,
                                      p->pool, p->err);
}

static void report(cuzk_bench *bench, const cuzk_bench_job *job, const char *what,
                   cuzk_timing timing, double per, double bound)
{
    char name[96];
    snprintf(name, sizeof name, "%s%s", job->name, what);
    cuzk_bench_row row = {.group = job->group,
                          .name = name,
                          .curve = job->pk->vk.curve->name,
                          .level = bench->level,
                          .threads = cuzk_pool_threads(bench->pool),
                          .timing = timing,
                          .per = per,
                          .bound = bound};
    cuzk_bench_report(bench, &row);
}

cuzk_status cuzk_bench_prove(cuzk_bench *bench, const cuzk_bench_job *job, cuzk_error *err)
{
    struct proving p = {.job = job, .pool = bench->pool, .status = CUZK_OK, .err = err};
    double bound = cuzk_bench_proof_cost(bench, job->pk, job->z) / cuzk_pool_threads(bench->pool);
    cuzk_timing timing = cuzk_bench_run(run_prove, &p, bench->options.quick ? 0.2 : 1);
    CUZK_TRY(p.status);
    report(bench, job, " prove, per row", timing, (double)job->rows, bound);
    timing = cuzk_bench_run(run_verify, &p, 0.05);
    CUZK_TRY(p.status);
    report(bench, job, " verify", timing, 1, 0);
    return CUZK_OK;
}

/* Buffers of the parts. */
struct phases {
    const cuzk_bench_job *job;
    cuzk_pool *pool;
    size_t m;
    cuzk_fr *z, *a, *b, *c;
    cuzk_scalar *h;
    void *quotient_scratch, *msm_scratch;
    cuzk_msm_job msm;
    cuzk_g2 result;
};

static void run_rows(void *context)
{
    struct phases *p = context;
    const cuzk_pk *pk = p->job->pk;
    const cuzk_curve *curve = pk->vk.curve;
    cuzk_fr_import(curve, p->z, p->job->z, pk->vars, p->pool);
    cuzk_matrix_mul(curve, &pk->mat_a, &pk->coefs, p->a, p->z, p->pool);
    cuzk_matrix_mul(curve, &pk->mat_b, &pk->coefs, p->b, p->z, p->pool);
    if (pk->mat_c.rows > 0)
        cuzk_matrix_mul(curve, &pk->mat_c, &pk->coefs, p->c, p->z, p->pool);
}

static void run_quotient(void *context)
{
    struct phases *p = context;
    const cuzk_pk *pk = p->job->pk;
    cuzk_quotient(pk->plan, pk->h_kind, &pk->coset, p->h, p->a, p->b,
                  pk->mat_c.rows > 0 ? p->c : NULL, p->quotient_scratch, p->pool);
}

static void run_msm(void *context)
{
    struct phases *p = context;
    cuzk_msm(p->job->pk->vk.curve, &p->msm, 1, p->msm_scratch, p->pool);
}

static cuzk_status time_msm(cuzk_bench *bench, struct phases *p, const char *what,
                            const cuzk_query *query, cuzk_group group, const cuzk_scalar *scalars,
                            double cost, cuzk_error *err)
{
    const cuzk_curve *curve = p->job->pk->vk.curve;
    unsigned threads = cuzk_pool_threads(p->pool);
    p->msm = (cuzk_msm_job){.group = group,
                            .bases = query->bases,
                            .scalars = scalars + (query->index == NULL ? query->offset : 0),
                            .index = query->index,
                            .n = query->n,
                            .result = p->result.l};
    p->msm_scratch = cuzk_memory_new(cuzk_msm_scratch(curve, &p->msm, 1, threads), 1);
    if (p->msm_scratch == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a sum of %zu points", query->n);
    report(bench, p->job, what, cuzk_bench_run(run_msm, p, 0.1),
           query->n > 0 ? (double)query->n : 1, cost / threads);
    free(p->msm_scratch);
    return CUZK_OK;
}

static cuzk_status time_msms(cuzk_bench *bench, struct phases *p, cuzk_error *err)
{
    const cuzk_pk *pk = p->job->pk;
    const cuzk_scalar *z = p->job->z;
    const struct {
        const char *what;
        const cuzk_query *query;
        cuzk_group group;
    } sums[] = {{"   sum L", &pk->l, CUZK_G1},
                {"   sum A", &pk->a, CUZK_G1},
                {"   sum B1", &pk->b1, CUZK_G1},
                {"   sum B2", &pk->b2, CUZK_G2}};
    CUZK_TRY(time_msm(bench, p, "   sum H", &pk->h, CUZK_G1, p->h,
                      cuzk_bench_msm_cost(bench, pk->vk.curve, CUZK_G1, 0, pk->h.n), err));
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++)
        CUZK_TRY(time_msm(bench, p, sums[i].what, sums[i].query, sums[i].group, z,
                          cuzk_bench_query_cost(bench, pk, sums[i].query, sums[i].group, z), err));
    return CUZK_OK;
}

static cuzk_status time_phases(cuzk_bench *bench, struct phases *p, cuzk_error *err)
{
    const cuzk_pk *pk = p->job->pk;
    unsigned threads = cuzk_pool_threads(p->pool);
    size_t bytes = p->m * sizeof(cuzk_fr);
    if (p->z == NULL || p->a == NULL || p->b == NULL || p->c == NULL || p->h == NULL ||
        p->quotient_scratch == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the parts of a proof");
    memset(p->a, 0, bytes);
    memset(p->b, 0, bytes);
    memset(p->c, 0, bytes);
    report(bench, p->job, "   rows", cuzk_bench_run(run_rows, p, 0.1), (double)p->job->rows, 0);
    report(bench, p->job, "   quotient", cuzk_bench_run(run_quotient, p, 0.1), (double)p->m,
           cuzk_bench_quotient_cost(bench, pk) / threads);
    /* The last run worked on what the one before left; H gets the scalars of the proof itself. */
    run_rows(p);
    memset(p->a + pk->mat_a.rows, 0, bytes - pk->mat_a.rows * sizeof(cuzk_fr));
    memset(p->b + pk->mat_b.rows, 0, bytes - pk->mat_b.rows * sizeof(cuzk_fr));
    memset(p->c + pk->mat_c.rows, 0, bytes - pk->mat_c.rows * sizeof(cuzk_fr));
    run_quotient(p);
    return time_msms(bench, p, err);
}

cuzk_status cuzk_bench_phases(cuzk_bench *bench, const cuzk_bench_job *job, cuzk_error *err)
{
    const cuzk_pk *pk = job->pk;
    struct phases p = {.job = job, .pool = bench->pool, .m = (size_t)1 << pk->log_m};
    p.z = cuzk_memory_new(pk->vars, sizeof *p.z);
    p.a = cuzk_memory_new(p.m, sizeof *p.a);
    p.b = cuzk_memory_new(p.m, sizeof *p.b);
    p.c = cuzk_memory_new(p.m, sizeof *p.c);
    p.h = cuzk_memory_new(p.m, sizeof *p.h);
    p.quotient_scratch =
        cuzk_memory_new(cuzk_quotient_scratch(pk->plan, cuzk_pool_threads(bench->pool)), 1);
    cuzk_status status = time_phases(bench, &p, err);
    free(p.quotient_scratch);
    free(p.h);
    free(p.c);
    free(p.b);
    free(p.a);
    free(p.z);
    return status;
}
