/* The CPU as a device: the prover of groth16/ on one pool. Nothing is uploaded; finish runs beside
 * the next partition's compute. */
#define _GNU_SOURCE
#include "engine/device.h"

#include "base/cpu.h"
#include "base/random.h"
#include "iden3/json.h"

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

static cuzk_status cancelled(const cuzk_device_work *work, cuzk_error *err)
{
    if (atomic_load(work->cancelled))
        return cuzk_fail(err, CUZK_ERR_CANCELLED, "%s: cancelled", work->assignment.name);
    return CUZK_OK;
}

static size_t work_bytes(const cuzk_device *device, const cuzk_pk *pk)
{
    return cuzk_prove_scratch(pk, cuzk_pool_threads(cpu(device)->pool));
}

static cuzk_status upload(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    CUZK_TRY(cancelled(work, err));
    CUZK_ASSERT(work->scratch_bytes >= work_bytes(device, work->pk));
    return CUZK_OK;
}

static cuzk_status compute(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    CUZK_TRY(cancelled(work, err));
    return cuzk_prove_start(work->pk, &work->assignment, &work->sums, work->scratch,
                            cpu(device)->pool, err);
}

static cuzk_status finish(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    (void)device;
    CUZK_TRY(cancelled(work, err));
    return cuzk_prove_blind(work->pk, &work->sums, &work->proof, NULL, err);
}

static cuzk_status check(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    return cuzk_prove_check(work->pk, &work->assignment, &work->sums, &work->proof, work->scratch,
                            cpu(device)->pool, err);
}

static void encode(const cuzk_device *device, const cuzk_device_work *work,
                   uint8_t out[CUZK_PROOF_BYTES])
{
    (void)device;
    cuzk_proof_encode(out, &work->proof);
}

/* {"proof": ..., "publicSignals": [...]}, each as snarkjs writes it. */
static cuzk_status answer(cuzk_device *device, const cuzk_device_work *work, char **text,
                          cuzk_error *err)
{
    (void)device;
    const cuzk_vk *vk = &work->pk->vk;
    char *proof = NULL, *signals = NULL;
    CUZK_TRY(cuzk_json_write_proof(&proof, &work->proof, vk->curve, CUZK_JSON_SNARKJS, err));
    cuzk_status status = cuzk_json_write_public(&signals, cuzk_assignment_public(&work->assignment),
                                                vk->n_public, CUZK_JSON_SNARKJS, err);
    if (status == CUZK_OK &&
        asprintf(text, "{\"proof\": %s,\n\"publicSignals\": %s}\n", proof, signals) < 0)
        status = cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the text of a proof");
    free(proof);
    free(signals);
    return status;
}

static void drop(cuzk_device *device, cuzk_device_work *work)
{
    (void)device;
    cuzk_wipe(&work->sums, sizeof work->sums); /* the scratch: cuzk_prove_start, cuzk_prove_check */
}

static void close_cpu(cuzk_device *device)
{
    free(device);
}

cuzk_status cuzk_device_cpu_open(cuzk_device **device, cuzk_pool *pool, cuzk_error *err)
{
    static const cuzk_device_ops ops = {.upload = upload,
                                        .compute = compute,
                                        .finish = finish,
                                        .check = check,
                                        .encode = encode,
                                        .answer = answer,
                                        .drop = drop,
                                        .work_bytes = work_bytes,
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
