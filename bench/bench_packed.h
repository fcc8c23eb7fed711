/* Sums with packed scalars beside the same with arrays. */
#ifndef CUZK_BENCH_PACKED_H
#define CUZK_BENCH_PACKED_H

#include "bench.h"

/* Over the first 2^log_n points, with scalars as the witness of a PoRep circuit has them. */
cuzk_status cuzk_bench_packed(cuzk_bench *bench, const cuzk_curve *curve, cuzk_group group,
                              const uint64_t *points, unsigned log_n, cuzk_error *err);

#endif
