/* What the programs that time ops on a card share. They end at the first failure. */
#ifndef CUZK_BENCH_CUDA_TIMING_H
#define CUZK_BENCH_CUDA_TIMING_H

#include "compute/cuda/cuda.h"

/* Ends the program with the error's message, unless all is well. */
void bench_check(cuzk_status status, const cuzk_error *err, const char *call);
#define BENCH_OK(call)                                                                             \
    do {                                                                                           \
        cuzk_error error;                                                                          \
        bench_check((call), &error, #call);                                                        \
    } while (0)

/* Uses device 0, says which it is, and makes the stream. */
cuzk_stream bench_open(void);

void *bench_alloc(size_t bytes);
void *bench_host(size_t bytes);
void bench_upload(void *device, const void *host, size_t bytes, cuzk_stream stream);

/* The median milliseconds of several runs of op(context, stream), after one that is not timed. */
typedef void bench_op(void *context, cuzk_stream stream);
double bench_time(bench_op *op, void *context, cuzk_stream stream);

/* One line: what, size, milliseconds, units per second, share of the bound (milliseconds). */
void bench_report(const char *what, double n, double ms, double bound_ms);

/* Random 64-bit numbers. */
uint64_t bench_random(uint64_t *state);

#endif
