/* Filecoin circuits, compiled: their size, witnesses, and checks of all rows. */
#include "bench.h"
#include "bench_requests.h"

#include "base/clock.h"
#include "circuit/product.h"

#include <stdio.h>

#define GROUP "filecoin"
#define MB    1e6
#define RUNS  3

static const struct registered {
    cuzk_fil_kind kind;
    unsigned quick_id, id; /* 2 KiB, 32 GiB */
} registered[] = {{CUZK_FIL_POREP, 5, 8},
                  {CUZK_FIL_SNAP, 0, 3},
                  {CUZK_FIL_WINNING, 0, 3},
                  {CUZK_FIL_WINDOW, 10, 13}};

static void note(cuzk_bench *bench, const char *circuit, const char *what, double value,
                 const char *unit)
{
    char name[64];
    snprintf(name, sizeof name, "%s: %s", circuit, what);
    cuzk_bench_note(bench, GROUP, name, value, unit);
}

static double seconds_since(uint64_t start)
{
    return (double)(cuzk_clock_ns() - start) * 1e-9;
}

static cuzk_status run_witness(cuzk_bench *bench, const cuzk_compiled *c, const char *name,
                               const cuzk_circuit_inputs *request, cuzk_error *err)
{
    cuzk_witness w = {0};
    double best = 0;
    for (int run = 0; run < RUNS; run++) {
        cuzk_witness_release(&w);
        const uint64_t start = cuzk_clock_ns();
        CUZK_TRY(cuzk_witness_make(&w, c, request, bench->pool, err));
        const double seconds = seconds_since(start);
        best = run == 0 || seconds < best ? seconds : best;
    }
    note(bench, name, "witness", best, "s");
    const uint64_t start = cuzk_clock_ns();
    const cuzk_status status = cuzk_compiled_check(c, &w, NULL, bench->pool, err);
    note(bench, name, "check of all rows", seconds_since(start), "s");
    cuzk_witness_release(&w);
    return status;
}

static void describe(cuzk_bench *bench, const cuzk_compiled *c)
{
    cuzk_compiled_info info;
    cuzk_compiled_describe(c, &info);
    note(bench, info.name, "rows", (double)info.rows, "");
    note(bench, info.name, "compiled", (double)info.bytes / MB, "MB");
    note(bench, info.name, "packed witness", (double)cuzk_witness_bytes(c) / MB, "MB");
    note(bench, info.name, "memory besides",
         (double)cuzk_witness_scratch(c, cuzk_pool_threads(bench->pool)) / MB, "MB");
}

static cuzk_status run_proof(cuzk_bench *bench, const cuzk_fil_proof *proof, cuzk_error *err)
{
    cuzk_fil_circuit circuit;
    cuzk_circuit_inputs request;
    cuzk_arena arena = {0};
    cuzk_compiled *c;
    uint64_t start = cuzk_clock_ns();
    cuzk_fil_circuit_init(&circuit, proof);
    CUZK_TRY(cuzk_compile(&c, &circuit.circuit, err));
    note(bench, circuit.name, "compilation", seconds_since(start), "s");
    describe(bench, c);
    start = cuzk_clock_ns();
    cuzk_status status = cuzk_bench_request(&request, proof, &arena, bench->pool, err);
    note(bench, circuit.name, "request from a sparse sector", seconds_since(start), "s");
    if (status == CUZK_OK)
        status = run_witness(bench, c, circuit.name, &request, err);
    cuzk_arena_release(&arena);
    cuzk_compiled_free(c);
    return status;
}

cuzk_status cuzk_bench_filecoin(cuzk_bench *bench, cuzk_error *err)
{
    for (size_t i = 0; i < sizeof registered / sizeof registered[0]; i++) {
        cuzk_fil_proof proof;
        const unsigned id = bench->options.quick ? registered[i].quick_id : registered[i].id;
        CUZK_TRY(cuzk_fil_proof_get(&proof, registered[i].kind, id, err));
        CUZK_TRY(run_proof(bench, &proof, err));
    }
    return CUZK_OK;
}
