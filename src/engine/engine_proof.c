/* The answer to a circuit's job: {"proof": ..., "publicSignals": [...]}, each as snarkjs writes it.
 */
#define _GNU_SOURCE
#include "engine/engine_internal.h"

#include "iden3/json.h"

#include <stdio.h>
#include <stdlib.h>

cuzk_status cuzk_engine_write_proof(char **text, const cuzk_engine_attempt *attempt,
                                    cuzk_error *err)
{
    const cuzk_vk *vk = &attempt->work.pk->vk;
    char *proof = NULL, *signals = NULL;
    CUZK_TRY(
        cuzk_json_write_proof(&proof, &attempt->work.proof, vk->curve, CUZK_JSON_SNARKJS, err));
    cuzk_status status = cuzk_json_write_public(&signals, attempt->work.assignment.z + 1,
                                                vk->n_public, CUZK_JSON_SNARKJS, err);
    if (status == CUZK_OK &&
        asprintf(text, "{\"proof\": %s,\n\"publicSignals\": %s}\n", proof, signals) < 0)
        status = cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the text of a proof");
    free(proof);
    free(signals);
    return status;
}
