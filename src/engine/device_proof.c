#define _GNU_SOURCE
#include "engine/device_proof.h"

#include "base/random.h"
#include "iden3/json.h"

#include <stdio.h>
#include <stdlib.h>

cuzk_status cuzk_device_go_on(const cuzk_device_work *work, cuzk_error *err)
{
    if (atomic_load(work->cancelled))
        return cuzk_fail(err, CUZK_ERR_CANCELLED, "%s: cancelled", work->assignment.name);
    return CUZK_OK;
}

cuzk_status cuzk_device_finish(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    (void)device;
    CUZK_TRY(cuzk_device_go_on(work, err));
    return cuzk_prove_blind(work->pk, &work->sums, &work->proof, NULL, err);
}

void cuzk_device_encode(const cuzk_device *device, const cuzk_device_work *work,
                        uint8_t out[CUZK_PROOF_BYTES])
{
    (void)device;
    cuzk_proof_encode(out, &work->proof);
}

/* {"proof": ..., "publicSignals": [...]}, each as snarkjs writes it. */
cuzk_status cuzk_device_answer(cuzk_device *device, const cuzk_device_work *work, char **text,
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

void cuzk_device_drop(cuzk_device *device, cuzk_device_work *work)
{
    (void)device;
    cuzk_wipe(&work->sums, sizeof work->sums);
}
