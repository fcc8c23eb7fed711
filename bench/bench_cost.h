/* How much arithmetic a job needs at least (formats, section 6.3), in seconds of all threads
 * together. */
#ifndef CUZK_BENCH_COST_H
#define CUZK_BENCH_COST_H

#include "bench.h"
#include "groth16/key.h"

/* Base-field products of one affine addition that shares its inversion: 5 M + 1 S in G1; in G2 over
 * Fp2, with 3 M for a product and 2 M for a square. */
#define CUZK_BENCH_ADD_G1 6.0
#define CUZK_BENCH_ADD_G2 17.0

/* A sum over n_one points with scalar 1 and n_wide with full-size ones: one addition per point and
 * window, in windows as wide as pays. */
double cuzk_bench_msm_cost(cuzk_bench *bench, const cuzk_curve *curve, cuzk_group group,
                           size_t n_one, size_t n_wide);

/* One transform of 2^log_m elements: log_m / 2 butterflies per element, each a product and two
 * sums. */
double cuzk_bench_ntt_cost(cuzk_bench *bench, const cuzk_curve *curve, unsigned log_m);

/* A proof with this witness: five sums and the transforms of the quotient. */
double cuzk_bench_proof_cost(cuzk_bench *bench, const cuzk_pk *pk, const cuzk_scalar *z);

/* The parts of it. */
double cuzk_bench_query_cost(cuzk_bench *bench, const cuzk_pk *pk, const cuzk_query *query,
                             cuzk_group group, const cuzk_scalar *z);
double cuzk_bench_quotient_cost(cuzk_bench *bench, const cuzk_pk *pk);

#endif
