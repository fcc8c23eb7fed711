#include "support/timing.h"

#include <stdio.h>
#include <stdlib.h>

#define RUNS 9

void bench_check(cuzk_status status, const cuzk_error *err, const char *call)
{
    if (status == CUZK_OK)
        return;
    fprintf(stderr, "%s: %s\n", call, err->message);
    exit(1);
}

cuzk_stream bench_open(void)
{
    cuzk_stream stream;
    cuzk_cuda_info info;
    cuzk_error err;
    if (cuzk_cuda_count(&err) == 0) {
        fprintf(stderr, "no device: %s\n", err.message);
        exit(77);
    }
    BENCH_OK(cuzk_cuda_info_get(&info, 0, &error));
    BENCH_OK(cuzk_cuda_use(0, &error));
    BENCH_OK(cuzk_cuda_stream_new(&stream, &error));
    printf("%s, %u processors, %.1f of %.1f GB free\n", info.name, info.processors,
           (double)info.memory_free / 1e9, (double)info.memory / 1e9);
    return stream;
}

void *bench_alloc(size_t bytes)
{
    void *memory;
    BENCH_OK(cuzk_cuda_alloc(&memory, bytes == 0 ? 1 : bytes, &error));
    return memory;
}

void *bench_host(size_t bytes)
{
    void *memory = malloc(bytes == 0 ? 1 : bytes);
    if (memory == NULL) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(1);
    }
    return memory;
}

void bench_upload(void *device, const void *host, size_t bytes, cuzk_stream stream)
{
    BENCH_OK(cuzk_cuda_upload(device, host, bytes, stream, &error));
    BENCH_OK(cuzk_cuda_stream_wait(stream, &error));
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_time(bench_op *op, void *context, cuzk_stream stream)
{
    double ms[RUNS];
    cuzk_event from, to;
    BENCH_OK(cuzk_cuda_event_new(&from, true, &error));
    BENCH_OK(cuzk_cuda_event_new(&to, true, &error));
    op(context, stream);
    for (int i = 0; i < RUNS; i++) {
        float once;
        BENCH_OK(cuzk_cuda_event_record(from, stream, &error));
        op(context, stream);
        BENCH_OK(cuzk_cuda_event_record(to, stream, &error));
        BENCH_OK(cuzk_cuda_event_wait(to, &error));
        BENCH_OK(cuzk_cuda_event_elapsed(&once, from, to, &error));
        ms[i] = (double)once;
    }
    cuzk_cuda_event_free(from);
    cuzk_cuda_event_free(to);
    qsort(ms, RUNS, sizeof *ms, compare);
    return ms[RUNS / 2];
}

void bench_report(const char *what, double n, double ms, double bound_ms)
{
    printf("%-44s %12.0f %10.3f ms %8.3f G/s", what, n, ms, n / ms / 1e6);
    if (bound_ms > 0)
        printf("  %5.1f %% of the bound (%.3f ms)", 100 * bound_ms / ms, bound_ms);
    printf("\n");
    fflush(stdout);
}

uint64_t bench_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}
