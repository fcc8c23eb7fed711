/* Products and sums of field elements, as the kernels of each level do them: 64 independent vectors
 * that stay in the nearest cache. */
#include "bench.h"

#include <stdio.h>
#include <string.h>

#define ROUNDS    32
#define MAX_LANES 8
#define MAX_WORDS 6

struct rounds {
    const cuzk_field_ops *ops;
    void (*run)(uint64_t *x, const uint64_t *y, size_t rounds);
    uint64_t x[CUZK_FIELD_ROUND_VECTORS * MAX_LANES * MAX_WORDS];
    uint64_t y[CUZK_FIELD_ROUND_VECTORS * MAX_LANES * MAX_WORDS];
};

static void run_rounds(void *context)
{
    struct rounds *r = context;
    r->run(r->x, r->y, ROUNDS);
}

static cuzk_timing time_rounds(const cuzk_field_ops *ops, bool products, double seconds)
{
    struct rounds r = {.ops = ops, .run = products ? ops->mul_rounds : ops->add_rounds};
    size_t n = CUZK_FIELD_ROUND_VECTORS * ops->lanes;
    uint64_t state = 1;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < ops->words; k++) {
            r.x[i * ops->words + k] = cuzk_bench_random(&state);
            r.y[i * ops->words + k] = cuzk_bench_random(&state);
        }
        /* Below both primes. */
        r.x[i * ops->words + ops->words - 1] >>= 8;
        r.y[i * ops->words + ops->words - 1] >>= 8;
    }
    return cuzk_bench_run(run_rounds, &r, seconds);
}

static double count_elements(const cuzk_field_ops *ops)
{
    return (double)ROUNDS * CUZK_FIELD_ROUND_VECTORS * ops->lanes;
}

static double measure(cuzk_bench *bench, const cuzk_curve *curve, cuzk_field_id field,
                      bool products, double *memory)
{
    if (*memory == 0) {
        const cuzk_field_ops *ops = cuzk_field_ops_get(curve->id, field, bench->level);
        *memory = time_rounds(ops, products, 0.05).min / count_elements(ops);
    }
    return *memory;
}

double cuzk_bench_mul(cuzk_bench *bench, const cuzk_curve *curve, cuzk_field_id field)
{
    return measure(bench, curve, field, true, &bench->mul[curve->id][field][bench->level]);
}

double cuzk_bench_add(cuzk_bench *bench, const cuzk_curve *curve, cuzk_field_id field)
{
    return measure(bench, curve, field, false, &bench->add[curve->id][field][bench->level]);
}

static void report_field(cuzk_bench *bench, const cuzk_curve *curve, cuzk_field_id field)
{
    const cuzk_field_ops *ops = cuzk_field_ops_get(curve->id, field, bench->level);
    for (int products = 1; products >= 0; products--) {
        char name[64];
        cuzk_timing timing = time_rounds(ops, products, bench->options.quick ? 0.05 : 0.3);
        double each = timing.min / count_elements(ops);
        snprintf(name, sizeof name, "%s %s, %u lane%s", field == CUZK_FIELD_FP ? "Fp" : "Fr",
                 products ? "mul" : "add", ops->lanes, ops->lanes == 1 ? "" : "s");
        if (products)
            bench->mul[curve->id][field][bench->level] = each;
        else
            bench->add[curve->id][field][bench->level] = each;
        cuzk_bench_row row = {.group = "field",
                              .name = name,
                              .curve = curve->name,
                              .level = bench->level,
                              .threads = 1,
                              .timing = timing,
                              .per = count_elements(ops)};
        cuzk_bench_report(bench, &row);
    }
}

cuzk_status cuzk_bench_field(cuzk_bench *bench, cuzk_error *err)
{
    (void)err;
    for (int id = 0; id < CUZK_CURVES; id++) {
        const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)id);
        if (!cuzk_bench_wants(bench, curve))
            continue;
        report_field(bench, curve, CUZK_FIELD_FP);
        report_field(bench, curve, CUZK_FIELD_FR);
    }
    return CUZK_OK;
}
