/* Packed scalars: one in WIDE_IN is of full size, the others are bits, half of them 1. */
#include "bench_packed.h"

#include "bench_cost.h"
#include "bench_points.h"

#include "base/memory.h"
#include "compute/msm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUP   "msm"
#define WIDE_IN 77 /* PoRep of 32 GiB: 98.7 % bits */

/* One vector in both forms. */
typedef struct vector {
    size_t n;
    cuzk_packed_map map;
    cuzk_packed_scalars packed;
    uint64_t *is_wide, *bits;
    uint32_t *rank;
    cuzk_scalar *value, *array;
} vector;

static void release(vector *v)
{
    free(v->is_wide);
    free(v->bits);
    free(v->rank);
    free(v->value);
    free(v->array);
}

static bool allocate(vector *v, const cuzk_curve *curve, size_t n)
{
    const size_t words = n / 64 + 1, wide = n / WIDE_IN + 1;
    *v = (vector){.n = n};
    v->is_wide = calloc(words, sizeof *v->is_wide);
    v->bits = calloc(words, sizeof *v->bits);
    v->rank = calloc(words, sizeof *v->rank);
    v->value = cuzk_bench_scalars(curve, wide, 5);
    v->array = cuzk_memory_new(n, sizeof *v->array);
    return v->is_wide != NULL && v->bits != NULL && v->rank != NULL && v->value != NULL &&
           v->array != NULL;
}

static void fill(vector *v)
{
    uint64_t state = 6, random = 0;
    size_t wide = 0;
    for (size_t i = 0; i < v->n; i++) {
        const size_t word = i / 64, bit = i % 64;
        if (bit == 0) {
            v->rank[word] = (uint32_t)wide;
            random = cuzk_bench_random(&state);
        }
        if (i % WIDE_IN == 0) {
            v->is_wide[word] |= (uint64_t)1 << bit;
            v->array[i] = v->value[wide++];
            continue;
        }
        const uint64_t value = random >> bit & 1;
        v->bits[word] |= value << bit;
        v->array[i] = (cuzk_scalar){{value}};
    }
    v->map = (cuzk_packed_map){.n = v->n, .wide = wide, .is_wide = v->is_wide, .rank = v->rank};
    v->packed = (cuzk_packed_scalars){.map = &v->map, .bits = v->bits, .value = v->value};
}

typedef struct sum {
    const cuzk_curve *curve;
    cuzk_msm_job job;
    void *scratch;
    cuzk_pool *pool;
    cuzk_g2 result;
} sum;

static void run_sum(void *context)
{
    sum *s = context;
    s->job.result = s->result.l;
    cuzk_msm(s->curve, &s->job, 1, s->scratch, s->pool);
}

/* One form: *seconds is its best time, *bytes its scratch. */
static cuzk_status run_form(cuzk_bench *bench, sum *s, const char *form, const vector *v,
                            double *seconds, size_t *bytes, cuzk_error *err)
{
    const unsigned threads = cuzk_pool_threads(bench->pool);
    char name[64];
    *bytes = cuzk_msm_scratch(s->curve, &s->job, 1, threads);
    s->scratch = cuzk_memory_new(*bytes, 1);
    if (s->scratch == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a sum of %zu points", v->n);
    snprintf(name, sizeof name, "%s bits, %s", s->job.group == CUZK_G1 ? "G1" : "G2", form);
    const double cost = cuzk_bench_msm_cost(bench, s->curve, s->job.group, v->n / 2, v->map.wide);
    const cuzk_bench_row row = {.group = GROUP,
                                .name = name,
                                .curve = s->curve->name,
                                .level = bench->level,
                                .threads = threads,
                                .timing =
                                    cuzk_bench_run(run_sum, s, bench->options.quick ? 0.1 : 1),
                                .per = (double)v->n,
                                .bound = cost / threads};
    cuzk_bench_report(bench, &row);
    *seconds = row.timing.min;
    free(s->scratch);
    return CUZK_OK;
}

static cuzk_status run_both(cuzk_bench *bench, sum *s, const vector *v, cuzk_error *err)
{
    double array, packed;
    size_t array_bytes, packed_bytes;
    s->job.scalars = v->array;
    CUZK_TRY(run_form(bench, s, "array", v, &array, &array_bytes, err));
    const cuzk_g2 expected = s->result;
    s->job.packed = &v->packed;
    s->job.n_wide = v->map.wide;
    CUZK_TRY(run_form(bench, s, "packed", v, &packed, &packed_bytes, err));
    if (memcmp(&expected, &s->result, sizeof expected) != 0)
        return cuzk_fail(err, CUZK_ERR_DEVICE, "the sum is another with packed scalars");
    cuzk_bench_note(bench, GROUP, "packed / array: time", packed / array, "");
    cuzk_bench_note(bench, GROUP, "packed / array: scratch",
                    (double)packed_bytes / (double)array_bytes, "");
    return CUZK_OK;
}

cuzk_status cuzk_bench_packed(cuzk_bench *bench, const cuzk_curve *curve, cuzk_group group,
                              const uint64_t *points, unsigned log_n, cuzk_error *err)
{
    vector v;
    void *bases = NULL;
    cuzk_status status = CUZK_OK;
    if (allocate(&v, curve, (size_t)1 << log_n)) {
        fill(&v);
        status = cuzk_bench_bases(&bases, curve, group, points, v.n, bench->pool, err);
    } else {
        status = cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for 2^%u scalars", log_n);
    }
    if (status == CUZK_OK) {
        sum s = {
            .curve = curve, .job = {.group = group, .bases = bases, .n = v.n}, .pool = bench->pool};
        status = run_both(bench, &s, &v, err);
    }
    free(bases);
    release(&v);
    return status;
}
