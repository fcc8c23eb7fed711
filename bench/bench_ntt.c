/* Time of the transforms and the quotient on every CPU level.
 *
 *     bench_ntt [max log2 of the size, 20] [threads, 1]
 *
 * ns/butterfly: time over m/2 * log2 m, the radix-2 count, so levels and sizes compare. */
#include "base/clock.h"
#include "base/cpu.h"
#include "base/memory.h"
#include "compute/ntt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIN_LOG    10u
#define MIN_ROUNDS 3
#define MIN_TIME   0.3 /* seconds of measurement for each line, at least */

typedef struct ntt_bench {
    const cuzk_curve *curve;
    cuzk_ntt_plan *plan;
    cuzk_fr *data[3];
    cuzk_scalar *h;
    void *scratch;
    cuzk_pool *pool;
} ntt_bench;

static double seconds(void)
{
    return (double)cuzk_clock_ns() * 1e-9;
}

static void run_forward(const ntt_bench *b)
{
    cuzk_ntt_forward(b->plan, b->data[0], NULL, b->scratch, b->pool);
}

static void run_inverse(const ntt_bench *b)
{
    cuzk_ntt_inverse(b->plan, b->data[0], NULL, b->scratch, b->pool);
}

static void run_coset(const ntt_bench *b)
{
    cuzk_ntt_forward(b->plan, b->data[0], &b->curve->coset_zcash, b->scratch, b->pool);
}

static void run_quotient(const ntt_bench *b)
{
    cuzk_quotient(b->plan, CUZK_H_ODD_LAGRANGE, &b->curve->coset_zcash, b->h, b->data[0],
                  b->data[1], b->data[2], b->scratch, b->pool);
}

/* The shortest of several rounds. */
static double measure(const ntt_bench *b, void (*run)(const ntt_bench *))
{
    double best = 1e30, total = 0;
    for (int round = 0; round < MIN_ROUNDS || total < MIN_TIME; round++) {
        const double start = seconds();
        run(b);
        const double taken = seconds() - start;
        total += taken;
        if (taken < best)
            best = taken;
    }
    return best;
}

static void fill(const cuzk_curve *curve, cuzk_fr *data, size_t n)
{
    cuzk_fr x = curve->coset_zcash;
    for (size_t i = 0; i < n; i++) {
        data[i] = x;
        curve->fr_mul(&x, &x, &curve->coset_zcash);
    }
}

static void bench_size(const cuzk_curve *curve, unsigned log_m, cuzk_pool *pool)
{
    const size_t m = (size_t)1 << log_m;
    ntt_bench b = {.curve = curve, .pool = pool};
    cuzk_fr omega;
    cuzk_root_of_unity(&omega, curve, &curve->root_zcash, log_m);
    void *memory = cuzk_memory_new(cuzk_ntt_plan_bytes(curve, log_m), 1);
    const double start = seconds();
    b.plan = cuzk_ntt_plan_init(memory, curve, log_m, &omega, pool);
    const double plan_time = seconds() - start;
    b.scratch = cuzk_memory_new(cuzk_quotient_scratch(b.plan, cuzk_pool_threads(pool)), 1);
    b.h = cuzk_memory_new(m, sizeof *b.h);
    for (int i = 0; i < 3; i++) {
        b.data[i] = cuzk_memory_new(m, sizeof(cuzk_fr));
        fill(curve, b.data[i], m);
    }
    const double butterflies = (double)m / 2 * log_m;
    const double forward = measure(&b, run_forward), inverse = measure(&b, run_inverse);
    const double coset = measure(&b, run_coset), quotient = measure(&b, run_quotient);
    printf("%-9s %-8s 2^%-3u %9.3f ms %7.2f ns %9.3f ms %9.3f ms %9.3f ms %9.3f ms\n",
           curve->full_name, cuzk_cpu_name(cuzk_cpu_selected()), log_m, forward * 1e3,
           forward * 1e9 / butterflies, inverse * 1e3, coset * 1e3, quotient * 1e3,
           plan_time * 1e3);
    fflush(stdout);
    free(memory);
    free(b.scratch);
    free(b.h);
    for (int i = 0; i < 3; i++)
        free(b.data[i]);
}

int main(int argc, char **argv)
{
    const unsigned max_log = argc > 1 ? (unsigned)atoi(argv[1]) : 20;
    const unsigned threads = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    cuzk_pool *pool = cuzk_pool_new(threads);
    const int best = (int)cuzk_cpu_best();
    printf("%-9s %-8s %-5s %12s %10s %12s %12s %12s %12s\n", "curve", "level", "m", "forward",
           "butterfly", "inverse", "coset", "quotient", "plan");
    for (int id = 0; id < CUZK_CURVES; id++)
        for (int level = best; level >= 0; level--)
            for (unsigned log_m = MIN_LOG; log_m <= max_log; log_m += 2) {
                cuzk_cpu_force((cuzk_cpu_level)level);
                bench_size(cuzk_curve_get((cuzk_curve_id)id), log_m, pool);
            }
    cuzk_pool_free(pool);
    return 0;
}
