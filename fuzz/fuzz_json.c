/* snarkjs' JSON: each text as a proof, as public signals and as a verification key; what reads is
 * written and must read again to the same. */
#include "iden3/json.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_proof(const cuzk_curve *curve, const char *text, size_t size)
{
    cuzk_error err;
    cuzk_proof proof, again;
    char *written = NULL;
    memset(&again, 0, sizeof again);
    if (cuzk_json_read_proof(&proof, curve, text, size, "fuzz", &err) != CUZK_OK ||
        cuzk_json_write_proof(&written, &proof, curve, CUZK_JSON_SNARKJS, &err) != CUZK_OK)
        return;
    if (cuzk_json_read_proof(&again, curve, written, strlen(written), "again", &err) != CUZK_OK ||
        memcmp(&proof, &again, sizeof proof) != 0)
        abort();
    free(written);
}

static void try_public(const cuzk_curve *curve, const char *text, size_t size, size_t n)
{
    cuzk_error err;
    cuzk_scalar *inputs = NULL, *again = NULL;
    char *written = NULL;
    if (cuzk_json_read_public(&inputs, n, curve, text, size, "fuzz", &err) != CUZK_OK)
        return;
    if (cuzk_json_write_public(&written, inputs, n, CUZK_JSON_RAPIDSNARK, &err) == CUZK_OK) {
        if (cuzk_json_read_public(&again, n, curve, written, strlen(written), "again", &err) !=
                CUZK_OK ||
            memcmp(inputs, again, n * sizeof *inputs) != 0)
            abort();
        free(again);
        free(written);
    }
    free(inputs);
}

static void try_vk(const char *text, size_t size)
{
    cuzk_error err;
    cuzk_vk vk;
    if (cuzk_json_read_vk(&vk, text, size, "fuzz", &err) == CUZK_OK)
        cuzk_vk_release(&vk);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    for (int i = 0; i < CUZK_CURVES; i++) {
        const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)i);
        try_proof(curve, text, size);
        for (size_t n = 0; n < 4; n++)
            try_public(curve, text, size, n);
    }
    try_vk(text, size);
    return 0;
}
