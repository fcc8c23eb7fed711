/* Timing, rows, random data. */
#include "bench.h"

#include "base/clock.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RUNS 999

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

cuzk_timing cuzk_bench_run(cuzk_bench_fn *fn, void *context, double seconds)
{
    double times[MAX_RUNS], total = 0;
    unsigned n = 0;
    fn(context);
    while (n < 3 || (total < seconds && n < MAX_RUNS)) {
        uint64_t start = cuzk_clock_ns();
        fn(context);
        times[n] = (double)(cuzk_clock_ns() - start) * 1e-9;
        total += times[n++];
        if (n >= 2 && total > 2 * seconds)
            break;
    }
    qsort(times, n, sizeof times[0], compare_doubles);
    return (cuzk_timing){times[0], times[n / 2], times[n - 1], n};
}

/* Three digits and a unit. */
static const char *format_time(char out[16], double seconds)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    double value = seconds * 1e9;
    unsigned unit = 0;
    while (value >= 999.5 && unit < 3) {
        value /= 1000;
        unit++;
    }
    snprintf(out, 16, "%.*f %s", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, units[unit]);
    return out;
}

static void print_heading(cuzk_bench *bench, const char *group)
{
    if (bench->heading != NULL && strcmp(bench->heading, group) == 0)
        return;
    bench->heading = group;
    printf("\n%-30s %-9s %-9s %3s %10s %10s %10s %10s %6s\n", group, "curve", "level", "thr",
           "each", "run", "median", "bound", "of it");
}

static void print_row(cuzk_bench *bench, const cuzk_bench_row *row)
{
    char each[16], run[16], median[16], bound[16] = "", share[16] = "";
    print_heading(bench, row->group);
    if (row->bound > 0) {
        format_time(bound, row->bound);
        snprintf(share, sizeof share, "%.0f %%", 100 * row->bound / row->timing.min);
    }
    printf("%-30s %-9s %-9s %3u %10s %10s %10s %10s %6s\n", row->name,
           row->curve == NULL ? "" : row->curve, cuzk_cpu_name(row->level), row->threads,
           format_time(each, row->timing.min / row->per), format_time(run, row->timing.min),
           format_time(median, row->timing.median), bound, share);
    fflush(stdout);
}

void cuzk_bench_report(cuzk_bench *bench, const cuzk_bench_row *row)
{
    if (!bench->options.json) {
        print_row(bench, row);
        return;
    }
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:i, s:f, s:f, s:f, s:i, s:f, s:f}", "group", row->group, "name",
                  row->name, "level", cuzk_cpu_name(row->level), "threads", (int)row->threads,
                  "seconds_min", row->timing.min, "seconds_median", row->timing.median,
                  "seconds_max", row->timing.max, "runs", (int)row->timing.runs, "count", row->per,
                  "seconds_each", row->timing.min / row->per);
    if (row->curve != NULL)
        json_object_set_new(object, "curve", json_string(row->curve));
    if (row->bound > 0) {
        json_object_set_new(object, "seconds_bound", json_real(row->bound));
        json_object_set_new(object, "fraction_of_bound", json_real(row->bound / row->timing.min));
    }
    json_array_append_new(bench->rows, object);
}

void cuzk_bench_note(cuzk_bench *bench, const char *group, const char *name, double value,
                     const char *unit)
{
    if (!bench->options.json) {
        print_heading(bench, group);
        printf("%-30s %.4g %s\n", name, value, unit);
        fflush(stdout);
        return;
    }
    json_array_append_new(bench->rows, json_pack("{s:s, s:s, s:s, s:f, s:s}", "group", group,
                                                 "name", name, "level", cuzk_cpu_name(bench->level),
                                                 "value", value, "unit", unit));
}

bool cuzk_bench_wants(const cuzk_bench *bench, const cuzk_curve *curve)
{
    return bench->options.curve == NULL || cuzk_curve_by_name(bench->options.curve) == curve;
}

uint64_t cuzk_bench_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

cuzk_scalar *cuzk_bench_scalars(const cuzk_curve *curve, size_t n, uint64_t seed)
{
    cuzk_scalar *scalars = cuzk_memory_new(n, sizeof *scalars);
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (size_t i = 0; scalars != NULL && i < n; i++) {
        uint64_t wide[8];
        for (int k = 0; k < 8; k++)
            wide[k] = cuzk_bench_random(&state);
        curve->scalar_from_wide(&scalars[i], (const uint8_t *)wide);
    }
    return scalars;
}
