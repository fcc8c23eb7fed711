#include "circuit/filecoin/registry.h"
#include "circuit/product.h"
#include "cmd/filecoin_check.h"

#include <stdlib.h>

static cuzk_status check_partition(const cuzk_compiled *compiled, const cuzk_circuit_inputs *inputs,
                                   size_t k, cuzk_pool *pool, cuzk_error *err)
{
    cuzk_witness witness = {0};
    cuzk_status status = cuzk_witness_make(&witness, compiled, inputs, pool, err);
    if (status == CUZK_OK)
        status = cuzk_compiled_check(compiled, &witness, NULL, pool, err);
    cuzk_witness_release(&witness);
    return status == CUZK_OK ? status : cuzk_fail_context(err, "partition %zu", k);
}

static cuzk_status check_all(const cuzk_fil_request *request, const cuzk_compiled *compiled,
                             cuzk_pool *pool, cuzk_error *err)
{
    const cuzk_fil_sizes sizes = cuzk_fil_sizes_get(cuzk_fil_request_proof(request));
    const cuzk_fil_inputs out = {.field = malloc(sizes.field * sizeof *out.field),
                                 .word = malloc((sizes.word + 1) * sizeof *out.word)};
    const cuzk_circuit_inputs inputs = {out.field, sizes.field, out.word, sizes.word};
    cuzk_status status = out.field == NULL || out.word == NULL
                             ? cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a circuit's inputs")
                             : CUZK_OK;
    for (size_t k = 0; k < cuzk_fil_request_partitions(request) && status == CUZK_OK; k++) {
        cuzk_fil_request_inputs(request, k, &out);
        status = check_partition(compiled, &inputs, k, pool, err);
    }
    free(out.field);
    free(out.word);
    return status;
}

cuzk_status cuzk_filecoin_check_rows(size_t *rows, const cuzk_fil_request *request, cuzk_pool *pool,
                                     cuzk_error *err)
{
    cuzk_compiled *compiled;
    cuzk_compiled_info info;
    CUZK_TRY(cuzk_fil_circuit_compile(&compiled, cuzk_fil_request_proof(request), err));
    cuzk_compiled_describe(compiled, &info);
    *rows = info.rows;
    cuzk_status status = check_all(request, compiled, pool, err);
    cuzk_compiled_free(compiled);
    return status;
}
