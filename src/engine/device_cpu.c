/* The CPU as a device: the prover of groth16/ on one pool. Nothing is uploaded; finish runs beside
 * the next partition's compute. */
#include "engine/device_proof.h"

#include "base/cpu.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct cpu_device {
    cuzk_device base;
    cuzk_pool *pool;
    char name[64];
} cpu_device;

static const cpu_device *cpu(const cuzk_device *device)
{
    return (const cpu_device *)(const void *)device;
}

static size_t work_bytes(const cuzk_device *device, const cuzk_pk *pk)
{
    return cuzk_prove_scratch(pk, cuzk_pool_threads(cpu(device)->pool));
}

static size_t work_bound(const cuzk_device *device, const cuzk_curve *curve,
                         const cuzk_prove_counts *counts)
{
    return cuzk_prove_scratch_bound(curve, counts, cuzk_pool_threads(cpu(device)->pool));
}

static cuzk_status upload(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    CUZK_TRY(cuzk_device_go_on(work, err));
    CUZK_ASSERT(work->scratch_bytes >= work_bytes(device, work->pk));
    return CUZK_OK;
}

static cuzk_status compute(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    CUZK_TRY(cuzk_device_go_on(work, err));
    return cuzk_prove_start(work->pk, &work->assignment, &work->sums, work->scratch,
                            cpu(device)->pool, err);
}

static cuzk_status check(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    return cuzk_prove_check(work->pk, &work->assignment, &work->sums, &work->proof, work->scratch,
                            cpu(device)->pool, err);
}

static void close_cpu(cuzk_device *device)
{
    free(device);
}

cuzk_status cuzk_device_cpu_open(cuzk_device **device, cuzk_pool *pool, cuzk_error *err)
{
    static const cuzk_device_ops ops = {.upload = upload,
                                        .compute = compute,
                                        .finish = cuzk_device_finish,
                                        .check = check,
                                        .encode = cuzk_device_encode,
                                        .answer = cuzk_device_answer,
                                        .drop = cuzk_device_drop,
                                        .work_bytes = work_bytes,
                                        .work_bound = work_bound,
                                        .close = close_cpu};
    cpu_device *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the CPU device");
    const unsigned threads = cuzk_pool_threads(pool);
    snprintf(made->name, sizeof made->name, "cpu, %u thread%s, %s", threads,
             threads == 1 ? "" : "s", cuzk_cpu_name(cuzk_cpu_selected()));
    made->base = (cuzk_device){.ops = &ops, .name = made->name, .quick_upload = true};
    made->pool = pool;
    *device = &made->base;
    return CUZK_OK;
}
