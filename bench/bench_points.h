/* Points to add up. */
#ifndef CUZK_BENCH_POINTS_H
#define CUZK_BENCH_POINTS_H

#include "bench.h"

/* n points in memory form, random multiples of the generator; the caller frees them. */
cuzk_status cuzk_bench_points(uint64_t **points, const cuzk_curve *curve, cuzk_group group,
                              size_t n, cuzk_pool *pool, cuzk_error *err);

/* The same points prepared for MSM; the caller frees them. */
cuzk_status cuzk_bench_bases(void **bases, const cuzk_curve *curve, cuzk_group group,
                             const uint64_t *points, size_t n, cuzk_pool *pool, cuzk_error *err);

#endif
