#include "cmd/setup_source.h"

#include "api/file_kind.h"
#include "circuit/filecoin/registry.h"
#include "iden3/r1cs.h"

static void use_matrices(cuzk_setup_source *source)
{
    cuzk_r1cs_columns_init(&source->plain, &source->cs);
    source->columns = &source->plain.columns;
}

cuzk_status cuzk_setup_source_read(cuzk_setup_source *source, const cuzk_map *map, cuzk_error *err)
{
    *source = (cuzk_setup_source){0};
    cuzk_file_kind found = cuzk_file_kind_find(map);
    if (found != CUZK_FILE_R1CS)
        return cuzk_file_kind_fail(map, found, cuzk_file_kind_text(CUZK_FILE_R1CS), err);
    CUZK_TRY(cuzk_r1cs_read(&source->cs, map, err));
    use_matrices(source);
    return CUZK_OK;
}

cuzk_status cuzk_setup_source_compile(cuzk_setup_source *source, const char *name, size_t max_rows,
                                      bool matrices, cuzk_error *err)
{
    cuzk_fil_proof proof;
    *source = (cuzk_setup_source){0};
    CUZK_TRY(cuzk_fil_circuit_find(&proof, name, err));
    const size_t rows = cuzk_fil_counts_get(&proof).rows;
    if (rows > max_rows)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "circuit %s has %zu rows; a key for more than %zu is made with "
                         "--device=cuda, as .params",
                         name, rows, max_rows);
    CUZK_TRY(cuzk_fil_circuit_compile(&source->compiled, &proof, err));
    if (matrices) {
        CUZK_TRY(cuzk_compiled_expand(source->compiled, &source->cs, err));
        use_matrices(source);
    } else {
        cuzk_compiled_columns_init(&source->shared, source->compiled);
        source->columns = &source->shared.columns;
    }
    return CUZK_OK;
}

void cuzk_setup_source_release(cuzk_setup_source *source)
{
    cuzk_r1cs_release(&source->cs);
    cuzk_compiled_free(source->compiled);
    *source = (cuzk_setup_source){0};
}
