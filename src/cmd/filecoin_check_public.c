#include "cmd/filecoin_check.h"
#include "cmd/output.h"
#include "curve/curve.h"
#include "iden3/json.h"

#include <stdlib.h>

/* The public inputs of all partitions in turn, or NULL. */
static cuzk_scalar *collect(const cuzk_fil_request *request, const cuzk_fil_sizes *sizes)
{
    const size_t n = cuzk_fil_request_partitions(request);
    cuzk_fil_inputs out = {.field = malloc(sizes->field * sizeof *out.field),
                           .word = malloc((sizes->word + 1) * sizeof *out.word)};
    cuzk_scalar *all = calloc(n * sizes->statement, sizeof *all);
    const bool room = out.field != NULL && out.word != NULL && all != NULL;
    for (size_t k = 0; room && k < n; k++) {
        out.statement = all + k * sizes->statement;
        cuzk_fil_request_inputs(request, k, &out);
    }
    free(out.field);
    free(out.word);
    if (room)
        return all;
    free(all);
    return NULL;
}

cuzk_status cuzk_filecoin_write_public(const cuzk_fil_request *request, const char *path,
                                       cuzk_error *err)
{
    const cuzk_fil_sizes sizes = cuzk_fil_sizes_get(cuzk_fil_request_proof(request));
    cuzk_scalar *all = collect(request, &sizes);
    if (all == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the public inputs");
    char *text = NULL;
    cuzk_status status = cuzk_json_write_public(
        &text, all, cuzk_fil_request_partitions(request) * sizes.statement, CUZK_JSON_SNARKJS, err);
    if (status == CUZK_OK)
        status = cuzk_output_text(path, text, err);
    free(text);
    free(all);
    return status;
}
