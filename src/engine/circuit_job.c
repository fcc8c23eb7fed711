#include "engine/circuit_job.h"

#include "base/random.h"
#include "engine/engine_internal.h"
#include "iden3/r1cs.h"

#include <stdlib.h>
#include <string.h>

#define HEAD 2 /* bytes of the name's length */

cuzk_status cuzk_circuit_job_make(void **payload, size_t *size, const char *key, const void *wtns,
                                  size_t wtns_size, cuzk_error *err)
{
    const size_t length = strlen(key);
    if (length == 0 || length >= CUZK_KEY_NAME_MAX)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "the name of the circuit's key has %zu bytes; 1 to %u are allowed", length,
                         CUZK_KEY_NAME_MAX - 1);
    uint8_t *made = malloc(HEAD + length + wtns_size);
    if (made == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a request of %zu bytes", wtns_size);
    made[0] = (uint8_t)length;
    made[1] = (uint8_t)(length >> 8);
    memcpy(made + HEAD, key, length);
    if (wtns_size > 0)
        memcpy(made + HEAD + length, wtns, wtns_size);
    *payload = made;
    *size = HEAD + length + wtns_size;
    return CUZK_OK;
}

/* The length of the name, which the payload has room for. */
static cuzk_status name_length(size_t *length, const uint8_t *bytes, size_t size, cuzk_error *err)
{
    *length = size < HEAD ? 0 : bytes[0] | (size_t)bytes[1] << 8;
    if (*length == 0 || *length >= CUZK_KEY_NAME_MAX || size - HEAD < *length)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "a stored request of %zu bytes without a key's name",
                         size);
    return CUZK_OK;
}

cuzk_status cuzk_circuit_job_open(const void *payload, size_t size, char **key, cuzk_error *err)
{
    size_t length;
    CUZK_TRY(name_length(&length, payload, size, err));
    char *name = strndup((const char *)payload + HEAD, length);
    if (name == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a key's name");
    free(*key);
    *key = name;
    return CUZK_OK;
}

static cuzk_status copy_witness(cuzk_job_input *input, const cuzk_wtns *witness, const char *name,
                                cuzk_error *err)
{
    input->z = malloc(witness->n * sizeof *input->z);
    if (input->z == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory for %zu values", name, witness->n);
    memcpy(input->z, witness->z, witness->n * sizeof *input->z);
    input->n = witness->n;
    input->curve = witness->curve;
    return CUZK_OK;
}

cuzk_status cuzk_circuit_job_parse(cuzk_job_input *input, const void *payload, size_t size,
                                   const char *name, cuzk_error *err)
{
    size_t length;
    CUZK_TRY(name_length(&length, payload, size, err));
    cuzk_map *map;
    CUZK_TRY(cuzk_map_borrow(&map, (const uint8_t *)payload + HEAD + length, size - HEAD - length,
                             name, err));
    cuzk_wtns witness;
    cuzk_status status = cuzk_wtns_read(&witness, map, err);
    if (status == CUZK_OK) {
        status = copy_witness(input, &witness, name, err);
        cuzk_wtns_release(&witness);
    }
    cuzk_map_close(map);
    return status;
}

void cuzk_job_input_release(cuzk_job_input *input)
{
    if (input->z != NULL)
        cuzk_wipe(input->z, input->n * sizeof *input->z);
    free(input->z);
    *input = (cuzk_job_input){0};
}
