/* Multiples of one point on a card, as a setup makes them: some compared with the host's, then
 * timed. Usage: fixed_base_bench [log2 of the scalars]; default: 22. */
#include "support/timing.h"

#include "compute/cuda/fixed_base.h"
#include "compute/msm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMPARED 4096
/* Products of 32-bit limbs per millisecond, and what one product and one addition take of them. */
#define MULTIPLIER 16.7e9
#define SLOTS(c)   ((c) == CUZK_BN254 ? 266.0 : 594.0)
#define ADDITION                                                                                   \
    10.1 /* products in the base field, a square being 0.78 of one; in Fp2 three each */

typedef struct run {
    const cuzk_curve *curve;
    cuzk_group group;
    size_t n;
    cuzk_cuda_fixed_base fixed;
    cuzk_scalar *scalars;
    void *table, *scratch;
    uint64_t *out;
    uint8_t *bytes;
} run;

static const uint64_t *base_of(const run *r)
{
    return r->group == CUZK_G1 ? r->curve->g1_generator : r->curve->g2_generator;
}

static void make_table(void *context, cuzk_stream stream)
{
    run *r = context;
    BENCH_OK(cuzk_cuda_fixed_base_make(&r->fixed, r->curve, r->group, base_of(r), (size_t)1 << 30,
                                       r->table, stream, &error));
}

static void multiply(void *context, cuzk_stream stream)
{
    run *r = context;
    BENCH_OK(cuzk_cuda_fixed_base_multiply(&r->fixed, r->out, r->scalars, r->n, r->scratch, stream,
                                           &error));
}

static void encode(void *context, cuzk_stream stream)
{
    run *r = context;
    BENCH_OK(cuzk_cuda_points_encode(r->curve, r->group, r->bytes, r->out, r->n, stream, &error));
}

static cuzk_scalar *make_scalars(size_t n)
{
    uint64_t state = 88172645463325252;
    cuzk_scalar *scalars = bench_host(n * sizeof *scalars);
    for (size_t i = 0; i < 4 * n; i++)
        ((uint64_t *)scalars)[i] = bench_random(&state) >> (i % 4 == 3 ? 3 : 0);
    return scalars;
}

static void compare(const run *r, const cuzk_scalar *scalars, cuzk_stream stream)
{
    const size_t n = r->n < COMPARED ? r->n : COMPARED;
    const size_t bytes = n * cuzk_point_words(r->curve, r->group) * 8;
    const size_t size = cuzk_fixed_base_scratch(r->curve, r->group, n, 1);
    uint64_t *host = bench_host(bytes), *device = bench_host(bytes);
    void *scratch = aligned_alloc(64, (size + 63) / 64 * 64);
    cuzk_fixed_base(r->curve, r->group, host, base_of(r), scalars, n, scratch, NULL);
    BENCH_OK(cuzk_cuda_download(device, r->out, bytes, stream, &error));
    BENCH_OK(cuzk_cuda_stream_wait(stream, &error));
    if (memcmp(host, device, bytes) != 0) {
        fprintf(stderr, "points differ from the host's\n");
        exit(1);
    }
    free(host);
    free(device);
    free(scratch);
}

static void bench_group(const cuzk_curve *curve, cuzk_group group, size_t n,
                        const cuzk_scalar *scalars, cuzk_stream stream)
{
    const size_t words = cuzk_point_words(curve, group);
    run r = {.curve = curve, .group = group, .n = n};
    char what[64];
    r.table = bench_alloc(cuzk_cuda_fixed_base_bytes(curve, group, (size_t)1 << 30));
    r.scratch = bench_alloc(cuzk_cuda_fixed_base_scratch(curve, group, n));
    r.scalars = bench_alloc(n * sizeof *r.scalars);
    r.out = bench_alloc(8 * words * n);
    r.bytes = bench_alloc(8 * words * n);
    bench_upload(r.scalars, scalars, n * sizeof *scalars, stream);
    const double table = bench_time(make_table, &r, stream);
    const double adds = (double)r.fixed.windows * (double)n;
    const double slots = ADDITION * (group == CUZK_G1 ? 1 : 3) * SLOTS(curve->id);
    snprintf(what, sizeof what, "%s G%d table, windows of %u bits", curve->full_name,
             (int)group + 1, r.fixed.c);
    bench_report(what, r.fixed.windows * (double)(1u << (r.fixed.c - 1)), table, 0);
    snprintf(what, sizeof what, "%s G%d multiples", curve->full_name, (int)group + 1);
    bench_report(what, (double)n, bench_time(multiply, &r, stream), adds * slots / MULTIPLIER);
    compare(&r, scalars, stream);
    if (curve->id == CUZK_BLS12_381) {
        snprintf(what, sizeof what, "%s G%d bytes", curve->full_name, (int)group + 1);
        bench_report(what, (double)n, bench_time(encode, &r, stream),
                     16 * (double)words * (double)n / 4.3e9);
    }
    BENCH_OK(cuzk_cuda_health(&error));
    cuzk_cuda_free(r.table);
    cuzk_cuda_free(r.scratch);
    cuzk_cuda_free(r.scalars);
    cuzk_cuda_free(r.out);
    cuzk_cuda_free(r.bytes);
}

int main(int argc, char **argv)
{
    const size_t n = (size_t)1 << (argc > 1 ? atoi(argv[1]) : 22);
    cuzk_stream stream = bench_open();
    cuzk_scalar *scalars = make_scalars(n);
    for (int id = 0; id < CUZK_CURVES; id++) {
        bench_group(cuzk_curve_get((cuzk_curve_id)id), CUZK_G1, n, scalars, stream);
        bench_group(cuzk_curve_get((cuzk_curve_id)id), CUZK_G2, n, scalars, stream);
    }
    free(scalars);
    cuzk_cuda_stream_free(stream);
    return 0;
}
