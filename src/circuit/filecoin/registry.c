#include "circuit/filecoin/registry.h"

#include "base/digest.h"
#include "circuit/filecoin/inputs.h"

#include <string.h>

/* Raised whenever a gadget's or circuit's text makes other rows, or other programs for witnesses:
 * what was saved before is then refused. */
#define TEXT_VERSION "1"

/* The proofs that are in use; others of the size have the same circuit. */
static const struct {
    cuzk_fil_kind kind;
    unsigned first_id;
} families[] = {
    {CUZK_FIL_POREP, 5}, {CUZK_FIL_WINDOW, 10}, {CUZK_FIL_WINNING, 0}, {CUZK_FIL_SNAP, 0}};

void cuzk_fil_circuit_at(cuzk_fil_proof *proof, size_t i)
{
    CUZK_ASSERT(i < CUZK_FIL_CIRCUITS);
    const size_t family = i / CUZK_FIL_SIZES;
    const unsigned id = families[family].first_id + (unsigned)(i % CUZK_FIL_SIZES);
    CUZK_ASSERT(cuzk_fil_proof_get(proof, families[family].kind, id, NULL) == CUZK_OK);
}

cuzk_status cuzk_fil_circuit_find(cuzk_fil_proof *proof, const char *name, cuzk_error *err)
{
    for (size_t i = 0; i < CUZK_FIL_CIRCUITS; i++) {
        cuzk_fil_circuit_at(proof, i);
        if (strcmp(proof->circuit, name) == 0)
            return CUZK_OK;
    }
    return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                     "circuit %s is not known: expected porep, window, winning or update, then "
                     "-2k, -8m, -512m, -32g or -64g",
                     name);
}

cuzk_status cuzk_fil_circuit_id(uint8_t id[CUZK_CIRCUIT_ID_BYTES], const cuzk_fil_proof *proof,
                                cuzk_error *err)
{
    static const char version[] = "cuzk circuit text " TEXT_VERSION;
    cuzk_fil_params params;
    cuzk_digest *digest;
    CUZK_TRY(cuzk_fil_params_get(&params, proof, err));
    CUZK_TRY(cuzk_digest_new(&digest, CUZK_SHA256, err));
    cuzk_status status = cuzk_digest_update(digest, version, sizeof version, err);
    if (status == CUZK_OK)
        status = cuzk_digest_update(digest, params.name, strlen(params.name), err);
    if (status == CUZK_OK)
        status = cuzk_digest_finish(digest, id, err);
    cuzk_digest_free(digest);
    return status;
}

cuzk_status cuzk_fil_circuit_compile(cuzk_compiled **compiled, const cuzk_fil_proof *proof,
                                     cuzk_error *err)
{
    cuzk_fil_circuit circuit;
    cuzk_fil_circuit_init(&circuit, proof);
    return cuzk_compile(compiled, &circuit.circuit, err);
}

cuzk_status cuzk_fil_circuit_open(cuzk_compiled **compiled, const char *path,
                                  const cuzk_fil_proof *proof, cuzk_error *err)
{
    uint8_t id[CUZK_CIRCUIT_ID_BYTES];
    CUZK_TRY(cuzk_fil_circuit_id(id, proof, err));
    return cuzk_compiled_open(compiled, path, proof->circuit, id, err);
}
