/* Transforms and the quotient. */
#include "bench_cost.h"

#include "base/memory.h"
#include "compute/ntt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIN_LOG 10u

struct transform {
    const cuzk_curve *curve;
    cuzk_ntt_plan *plan;
    void *memory, *scratch;
    cuzk_fr *a, *b, *c;
    cuzk_scalar *h;
    cuzk_pool *pool;
};

static void run_forward(void *context)
{
    struct transform *t = context;
    cuzk_ntt_forward(t->plan, t->a, NULL, t->scratch, t->pool);
}

static void run_inverse(void *context)
{
    struct transform *t = context;
    cuzk_ntt_inverse(t->plan, t->a, NULL, t->scratch, t->pool);
}

static void run_coset(void *context)
{
    struct transform *t = context;
    cuzk_ntt_forward(t->plan, t->a, &t->curve->coset_zcash, t->scratch, t->pool);
}

static void run_odd(void *context)
{
    struct transform *t = context;
    cuzk_quotient(t->plan, CUZK_H_ODD_LAGRANGE, &t->curve->coset_zcash, t->h, t->a, t->b, NULL,
                  t->scratch, t->pool);
}

static void run_monomial(void *context)
{
    struct transform *t = context;
    cuzk_quotient(t->plan, CUZK_H_COSET_MONOMIAL, &t->curve->coset_zcash, t->h, t->a, t->b, t->c,
                  t->scratch, t->pool);
}

static void release(struct transform *t)
{
    free(t->memory);
    free(t->scratch);
    free(t->a);
    free(t->b);
    free(t->c);
    free(t->h);
}

static cuzk_fr *values(const cuzk_curve *curve, size_t n, uint64_t seed)
{
    cuzk_scalar *s = cuzk_bench_scalars(curve, n, seed);
    if (s != NULL)
        cuzk_fr_import(curve, (cuzk_fr *)s, s, n, NULL);
    return (cuzk_fr *)s;
}

/* What is left of *t on failure is released by the caller. */
static cuzk_status prepare(struct transform *t, unsigned log_m, cuzk_error *err)
{
    const size_t m = (size_t)1 << log_m;
    cuzk_fr omega;
    cuzk_root_of_unity(&omega, t->curve, &t->curve->root_zcash, log_m);
    t->memory = cuzk_memory_new(cuzk_ntt_plan_bytes(t->curve, log_m), 1);
    t->a = values(t->curve, m, 3);
    t->b = values(t->curve, m, 4);
    t->c = values(t->curve, m, 5);
    t->h = cuzk_memory_new(m, sizeof *t->h);
    if (t->memory != NULL) {
        t->plan = cuzk_ntt_plan_init(t->memory, t->curve, log_m, &omega, t->pool);
        t->scratch = cuzk_memory_new(cuzk_quotient_scratch(t->plan, cuzk_pool_threads(t->pool)), 1);
    }
    if (t->scratch == NULL || t->a == NULL || t->b == NULL || t->c == NULL || t->h == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for transforms of 2^%u elements", log_m);
    return CUZK_OK;
}

static const struct {
    const char *name;
    cuzk_bench_fn *run;
    double transforms;
} kinds[] = {{"forward", run_forward, 1},
             {"inverse", run_inverse, 1},
             {"forward coset", run_coset, 1},
             {"quotient odd", run_odd, 6},
             {"quotient monomial", run_monomial, 7}};

static void run_kinds(cuzk_bench *bench, struct transform *t, unsigned log_m)
{
    const unsigned threads = cuzk_pool_threads(bench->pool);
    const double cost = cuzk_bench_ntt_cost(bench, t->curve, log_m) / threads;
    const double butterflies = (double)log_m * (double)((size_t)1 << log_m) / 2;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s 2^%u", kinds[i].name, log_m);
        const cuzk_bench_row row = {
            .group = "ntt",
            .name = name,
            .curve = t->curve->name,
            .level = bench->level,
            .threads = threads,
            .timing = cuzk_bench_run(kinds[i].run, t, bench->options.quick ? 0.1 : 1),
            .per = kinds[i].transforms * butterflies,
            .bound = kinds[i].transforms * cost};
        cuzk_bench_report(bench, &row);
    }
}

cuzk_status cuzk_bench_ntt(cuzk_bench *bench, cuzk_error *err)
{
    for (int id = 0; id < CUZK_CURVES; id++)
        for (unsigned log_m = MIN_LOG; log_m <= bench->options.max_log; log_m += 2) {
            struct transform t = {.curve = cuzk_curve_get((cuzk_curve_id)id), .pool = bench->pool};
            if (!cuzk_bench_wants(bench, t.curve))
                continue;
            const cuzk_status status = prepare(&t, log_m, err);
            if (status == CUZK_OK)
                run_kinds(bench, &t, log_m);
            release(&t);
            CUZK_TRY(status);
        }
    return CUZK_OK;
}
