/* A circuit of any size, made, set up and proved in memory. */
#include "bench_circuit.h"
#include "bench_key.h"
#include "bench_proof.h"

#include "base/clock.h"
#include "base/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUP "synthetic"

/* Starts a new peak of resident memory; where the kernel does not allow it the peak stays that of
 * the whole process. */
static void reset_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file == NULL)
        return;
    fputs("5", file);
    fclose(file);
}

/* GiB of resident memory at the peak. */
static double read_peak(void)
{
    char line[256];
    unsigned long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "VmHWM: %lu", &kib) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return (double)kib / (1 << 20);
}

static void note_seconds(cuzk_bench *bench, const char *name, uint64_t start)
{
    cuzk_bench_note(bench, GROUP, name, (double)(cuzk_clock_ns() - start) * 1e-9, "s");
}

static cuzk_status make_setup(cuzk_setup *setup, const cuzk_r1cs *cs, cuzk_pool *pool,
                              cuzk_error *err)
{
    cuzk_toxic toxic;
    cuzk_setup_kind kind =
        cs->curve->id == CUZK_BLS12_381 ? CUZK_SETUP_BELLPERSON : CUZK_SETUP_SNARKJS;
    CUZK_TRY(cuzk_toxic_random(&toxic, cs->curve, err));
    if (kind == CUZK_SETUP_SNARKJS)
        toxic.gamma = (cuzk_scalar){{1}};
    cuzk_status status = cuzk_setup_make(setup, cs, &toxic, kind, pool, err);
    cuzk_wipe(&toxic, sizeof toxic);
    return status;
}

static cuzk_status make_key(cuzk_bench *bench, cuzk_pk **pk, const cuzk_r1cs *cs, cuzk_error *err)
{
    cuzk_setup setup;
    uint64_t start = cuzk_clock_ns();
    cuzk_pool_announce(bench->pool, "making the key");
    CUZK_TRY(make_setup(&setup, cs, bench->pool, err));
    note_seconds(bench, "setup", start);
    start = cuzk_clock_ns();
    cuzk_status status = cuzk_bench_key(pk, &setup, cs, bench->pool, err);
    note_seconds(bench, "key from its points", start);
    cuzk_setup_release(&setup);
    cuzk_pool_announce(bench->pool, NULL);
    return status;
}

static cuzk_status prove(cuzk_bench *bench, const cuzk_pk *pk, const cuzk_scalar *z, size_t rows,
                         cuzk_error *err)
{
    char name[32];
    snprintf(name, sizeof name, "2^%u", bench->options.log_rows);
    cuzk_bench_job job = {.group = GROUP, .name = name, .pk = pk, .z = z, .rows = rows};
    cuzk_bench_note(bench, GROUP, "key in memory", (double)pk->bytes / (1 << 30), "GiB");
    reset_peak();
    CUZK_TRY(cuzk_bench_prove(bench, &job, err));
    cuzk_bench_note(bench, GROUP, "peak memory, key included", read_peak(), "GiB");
    return cuzk_bench_phases(bench, &job, err);
}

static cuzk_status run_curve(cuzk_bench *bench, const cuzk_curve *curve, cuzk_error *err)
{
    cuzk_r1cs cs;
    cuzk_scalar *z;
    cuzk_pk *pk = NULL;
    uint64_t start = cuzk_clock_ns();
    CUZK_TRY(cuzk_bench_circuit(&cs, &z, curve, bench->options.log_rows, bench->options.bits, err));
    note_seconds(bench, curve->id == CUZK_BN254 ? "circuit, bn128" : "circuit, bls12381", start);
    size_t rows = cs.rows;
    cuzk_status status = make_key(bench, &pk, &cs, err);
    cuzk_r1cs_release(&cs);
    if (status == CUZK_OK)
        status = prove(bench, pk, z, rows, err);
    cuzk_pk_free(pk);
    free(z);
    return status;
}

cuzk_status cuzk_bench_synthetic(cuzk_bench *bench, cuzk_error *err)
{
    for (int id = 0; id < CUZK_CURVES; id++) {
        const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)id);
        if (cuzk_bench_wants(bench, curve))
            CUZK_TRY(run_curve(bench, curve, err));
    }
    return CUZK_OK;
}
