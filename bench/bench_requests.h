/* Requests for Filecoin circuits, from sparse sectors: they satisfy all rows. */
#ifndef CUZK_BENCH_REQUESTS_H
#define CUZK_BENCH_REQUESTS_H

#include "base/arena.h"
#include "base/pool.h"
#include "circuit/filecoin/inputs.h"

/* What the first partition of a registered proof brings to its circuit; in the arena. */
cuzk_status cuzk_bench_request(cuzk_circuit_inputs *request, const cuzk_fil_proof *proof,
                               cuzk_arena *arena, cuzk_pool *pool, cuzk_error *err);

#endif
