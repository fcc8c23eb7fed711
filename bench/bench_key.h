/* A proving key straight from a setup, without a file between. */
#ifndef CUZK_BENCH_KEY_H
#define CUZK_BENCH_KEY_H

#include "groth16/key.h"
#include "groth16/setup.h"

/* The setup's arrays may be released afterwards. */
cuzk_status cuzk_bench_key(cuzk_pk **pk, cuzk_setup *setup, const cuzk_r1cs *cs, cuzk_pool *pool,
                           cuzk_error *err);

#endif
