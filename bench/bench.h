/* What the groups of `cuzk bench` share: options, timing, rows, and the price of a multiplication.
 */
#ifndef CUZK_BENCH_H
#define CUZK_BENCH_H

#include "base/cpu.h"
#include "base/pool.h"
#include "compute/field_ops.h"
#include "curve/curve.h"

#include <jansson.h>
#include <stdbool.h>

#define CUZK_BENCH_MAX_FOLDERS 8

typedef struct cuzk_bench_options {
    bool json, quick;
    unsigned max_log;                            /* of points and transforms */
    const char *folders[CUZK_BENCH_MAX_FOLDERS]; /* with fixtures */
    size_t n_folders;
    unsigned log_rows, bits; /* of the synthetic circuit; bits in percent */
    const char *curve;       /* NULL: both */
} cuzk_bench_options;

typedef struct cuzk_bench {
    cuzk_bench_options options;
    cuzk_pool *pool;
    cuzk_cpu_level level; /* in use */
    json_t *rows;
    const char *heading; /* of the group printed last */
    /* Seconds per product and per sum of one element; 0: not measured yet. */
    double mul[CUZK_CURVES][2][CUZK_CPU_LEVELS], add[CUZK_CURVES][2][CUZK_CPU_LEVELS];
} cuzk_bench;

/* Seconds of single runs. */
typedef struct cuzk_timing {
    double min, median, max;
    unsigned runs;
} cuzk_timing;

/* Runs fn once to warm up, then until `seconds` have gone by, between 3 and 999 times. Work that
 * takes longer than all of `seconds` is run twice more. */
typedef void cuzk_bench_fn(void *context);
cuzk_timing cuzk_bench_run(cuzk_bench_fn *fn, void *context, double seconds);

/* One line of the table. */
typedef struct cuzk_bench_row {
    const char *group, *name, *curve; /* curve may be NULL */
    cuzk_cpu_level level;
    unsigned threads;
    cuzk_timing timing;
    double per;   /* things done in one run: shown is time per thing */
    double bound; /* seconds of a run that arithmetic alone takes (formats, 6.3); 0: none */
} cuzk_bench_row;
void cuzk_bench_report(cuzk_bench *bench, const cuzk_bench_row *row);

/* A figure that is no time. */
void cuzk_bench_note(cuzk_bench *bench, const char *group, const char *name, double value,
                     const char *unit);

/* Seconds per field operation at the level in use, measured at first need. */
double cuzk_bench_mul(cuzk_bench *bench, const cuzk_curve *curve, cuzk_field_id field);
double cuzk_bench_add(cuzk_bench *bench, const cuzk_curve *curve, cuzk_field_id field);

/* Whether options name this curve. */
bool cuzk_bench_wants(const cuzk_bench *bench, const cuzk_curve *curve);

/* Repeatable random numbers: xorshift64*. */
uint64_t cuzk_bench_random(uint64_t *state);

/* n uniform scalars; NULL if there is no memory. */
cuzk_scalar *cuzk_bench_scalars(const cuzk_curve *curve, size_t n, uint64_t seed);

/* The groups. */
cuzk_status cuzk_bench_field(cuzk_bench *bench, cuzk_error *err);
cuzk_status cuzk_bench_group(cuzk_bench *bench, cuzk_error *err);
cuzk_status cuzk_bench_msm(cuzk_bench *bench, cuzk_error *err);
cuzk_status cuzk_bench_ntt(cuzk_bench *bench, cuzk_error *err);
cuzk_status cuzk_bench_fixtures(cuzk_bench *bench, cuzk_error *err);
cuzk_status cuzk_bench_synthetic(cuzk_bench *bench, cuzk_error *err);
cuzk_status cuzk_bench_filecoin(cuzk_bench *bench, cuzk_error *err);

#endif
