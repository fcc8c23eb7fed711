/* Additions of points: one at a time, and as MSM does them, many that share an inversion. */
#include "bench_cost.h"
#include "bench_points.h"

#include "base/memory.h"
#include "compute/cpu/msm_kernel.h"

#include <stdio.h>
#include <stdlib.h>

#define BATCH 4096 /* additions; as many pairs of points */

struct batch {
    const cuzk_msm_kernel *kernel;
    const uint64_t *points;
    uint64_t *slots;
    cuzk_ref *refs;
    void *products;
};

static void add_batch(void *context)
{
    const struct batch *b = context;
    b->kernel->add(b->slots, 0, b->points, b->refs, BATCH, NULL, 0, b->products);
}

/* Segments of 16 points, as most buckets of a large sum are about this long. */
#define SEGMENT  16u
#define SEGMENTS (2 * BATCH / SEGMENT)

struct segments {
    const cuzk_msm_kernel *kernel;
    const uint64_t *points;
    const cuzk_ref *refs;
    uint64_t *out, *sum[SEGMENTS];
    void *slots, *products;
};

static void sum_segments(void *context)
{
    const struct segments *s = context;
    s->kernel->sum_equal(s->sum, s->points, s->refs, SEGMENTS / s->kernel->lanes, SEGMENT, NULL, 0,
                         s->slots, s->products);
}

struct singles {
    const cuzk_curve *curve;
    cuzk_group group;
    const uint64_t *points;
    uint64_t *sums;
};

static void add_singles(void *context)
{
    const struct singles *s = context;
    size_t words = cuzk_point_words(s->curve, s->group);
    for (size_t i = 0; i < 64; i++) {
        const uint64_t *a = s->points + 2 * i * words;
        if (s->group == CUZK_G1)
            s->curve->g1_add(s->sums + i * words, a, a + words);
        else
            s->curve->g2_add(s->sums + i * words, a, a + words);
    }
}

static void report(cuzk_bench *bench, const cuzk_curve *curve, cuzk_group group, const char *what,
                   cuzk_timing timing, double per, double bound)
{
    char name[64];
    snprintf(name, sizeof name, "%s %s", group == CUZK_G1 ? "G1" : "G2", what);
    cuzk_bench_row row = {.group = "group",
                          .name = name,
                          .curve = curve->name,
                          .level = bench->level,
                          .threads = 1,
                          .timing = timing,
                          .per = per,
                          .bound = bound};
    cuzk_bench_report(bench, &row);
}

static cuzk_status run_segments(cuzk_bench *bench, const cuzk_curve *curve, cuzk_group group,
                                const struct batch *b, cuzk_error *err)
{
    const cuzk_msm_kernel *kernel = b->kernel;
    struct segments s = {.kernel = kernel, .points = b->points, .refs = b->refs, .out = b->slots};
    for (size_t i = 0; i < SEGMENTS; i++)
        s.sum[i] = s.out + i * kernel->words;
    s.products = b->products;
    s.slots = cuzk_memory_new(cuzk_msm_equal_bytes(kernel, SEGMENTS / kernel->lanes, SEGMENT), 1);
    if (s.slots == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for segments of points");
    const double additions = SEGMENTS * (SEGMENT - 1);
    const double products = group == CUZK_G1 ? CUZK_BENCH_ADD_G1 : CUZK_BENCH_ADD_G2;
    report(bench, curve, group, "512 segments of 16 points", cuzk_bench_run(sum_segments, &s, 0.3),
           additions, additions * products * cuzk_bench_mul(bench, curve, CUZK_FIELD_FP));
    free(s.slots);
    return CUZK_OK;
}

static cuzk_status run_batch(cuzk_bench *bench, const cuzk_curve *curve, cuzk_group group,
                             const void *bases, cuzk_error *err)
{
    const cuzk_msm_kernel *kernel = cuzk_msm_kernel_get(curve, group);
    struct batch b = {.kernel = kernel, .points = bases};
    b.slots = cuzk_memory_new(BATCH, kernel->words * sizeof(uint64_t));
    b.refs = cuzk_memory_new(2 * BATCH, sizeof *b.refs);
    b.products = cuzk_memory_new(cuzk_msm_products_bytes(kernel, BATCH), 1);
    cuzk_status status = CUZK_OK;
    if (b.slots == NULL || b.refs == NULL || b.products == NULL) {
        status = cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a batch of additions");
    } else {
        for (cuzk_ref i = 0; i < 2 * BATCH; i++)
            b.refs[i] = i << 1;
        double products = group == CUZK_G1 ? CUZK_BENCH_ADD_G1 : CUZK_BENCH_ADD_G2;
        report(bench, curve, group, "batch of 4096 additions", cuzk_bench_run(add_batch, &b, 0.3),
               BATCH, BATCH * products * cuzk_bench_mul(bench, curve, CUZK_FIELD_FP));
        status = run_segments(bench, curve, group, &b, err);
    }
    free(b.products);
    free(b.refs);
    free(b.slots);
    return status;
}

static cuzk_status run_group(cuzk_bench *bench, const cuzk_curve *curve, cuzk_group group,
                             cuzk_error *err)
{
    uint64_t *points, sums[64 * CUZK_G2_MAX_WORDS];
    void *bases = NULL;
    CUZK_TRY(cuzk_bench_points(&points, curve, group, 2 * BATCH, bench->pool, err));
    struct singles s = {curve, group, points, sums};
    report(bench, curve, group, "single affine addition", cuzk_bench_run(add_singles, &s, 0.2), 64,
           0);
    cuzk_status status =
        cuzk_bench_bases(&bases, curve, group, points, 2 * BATCH, bench->pool, err);
    if (status == CUZK_OK)
        status = run_batch(bench, curve, group, bases, err);
    free(bases);
    free(points);
    return status;
}

cuzk_status cuzk_bench_group(cuzk_bench *bench, cuzk_error *err)
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
