/* Timing one key and witness: whole proofs, and their parts one by one. */
#ifndef CUZK_BENCH_PROOF_H
#define CUZK_BENCH_PROOF_H

#include "bench.h"
#include "groth16/prove.h"

typedef struct cuzk_bench_job {
    const char *group, *name;
    const cuzk_pk *pk;
    const cuzk_scalar *z;
    size_t rows; /* constraints, for the time per constraint */
} cuzk_bench_job;

/* Proves at least once with every check on, and reports time, bound and time per row. */
cuzk_status cuzk_bench_prove(cuzk_bench *bench, const cuzk_bench_job *job, cuzk_error *err);

/* Does the parts of a proof one after the other, and reports each. */
cuzk_status cuzk_bench_phases(cuzk_bench *bench, const cuzk_bench_job *job, cuzk_error *err);

#endif
