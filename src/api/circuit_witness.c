#include "api/circuit_witness.h"

#include "base/memory.h"
#include "base/random.h"

#include <stdlib.h>
#include <string.h>

static const cuzk_circuit_witness *of(const cuzk_row_source *source)
{
    return (const cuzk_circuit_witness *)(const void *)source;
}

static cuzk_status multiply(const cuzk_row_source *source, cuzk_fr *a, cuzk_fr *b, cuzk_fr *c,
                            cuzk_pool *pool, cuzk_error *err)
{
    const cuzk_circuit_witness *w = of(source);
    return cuzk_compiled_products(w->compiled, &w->witness, 0, source->rows, a, b, c, pool, err);
}

static cuzk_status check(const cuzk_row_source *source, cuzk_pool *pool, cuzk_error *err)
{
    const cuzk_circuit_witness *w = of(source);
    return cuzk_compiled_check(w->compiled, &w->witness, NULL, pool, err);
}

size_t cuzk_circuit_witness_bytes(const cuzk_compiled *compiled)
{
    cuzk_compiled_info info;
    cuzk_compiled_describe(compiled, &info);
    const size_t values = (info.inputs + info.wide) * sizeof(cuzk_scalar);
    const size_t scratch = cuzk_witness_scratch(compiled, 1);
    return cuzk_witness_bytes(compiled) + info.inputs * sizeof(cuzk_scalar) +
           (values > scratch ? values : scratch);
}

static cuzk_status check_statement(const cuzk_circuit_witness *w, const char *name, cuzk_error *err)
{
    for (size_t i = 1; i < w->witness.inputs; i++)
        if (memcmp(&w->value[i], &w->statement[i - 1], sizeof *w->value) != 0)
            return cuzk_fail(err, CUZK_ERR_MISMATCH,
                             "%s: public input %zu of %zu that the circuit computes is not the one "
                             "that follows from the request: its proofs contradict themselves",
                             name, i, w->witness.inputs - 1);
    return CUZK_OK;
}

static cuzk_status fill(cuzk_circuit_witness *w, const cuzk_circuit_inputs *request,
                        const cuzk_scalar *statement, const char *name, cuzk_error *err)
{
    const cuzk_packed_map *map = cuzk_compiled_packed_map(w->compiled);
    cuzk_compiled_info info;
    cuzk_compiled_describe(w->compiled, &info);
    CUZK_TRY(cuzk_witness_make(&w->witness, w->compiled, request, NULL, err));
    w->source =
        (cuzk_row_source){.rows = info.rows + info.inputs, .multiply = multiply, .check = check};
    w->value = cuzk_memory_new(map->wide, sizeof *w->value);
    w->statement = malloc(info.inputs * sizeof *w->statement);
    if (w->value == NULL || w->statement == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY,
                         "%s: no memory for the %zu values of its witness that are no bits", name,
                         map->wide);
    memcpy(w->statement, statement, (info.inputs - 1) * sizeof *w->statement);
    cuzk_witness_values(w->compiled, &w->witness, w->value);
    w->packed = (cuzk_packed_scalars){.map = map, .bits = w->witness.bits, .value = w->value};
    return check_statement(w, name, err);
}

cuzk_status cuzk_circuit_witness_make(cuzk_circuit_witness **witness, const cuzk_compiled *compiled,
                                      const cuzk_circuit_inputs *request,
                                      const cuzk_scalar *statement, const char *name,
                                      cuzk_error *err)
{
    cuzk_circuit_witness *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory for a witness", name);
    made->compiled = compiled;
    const cuzk_status status = fill(made, request, statement, name, err);
    if (status == CUZK_OK)
        *witness = made;
    else
        cuzk_circuit_witness_free(made);
    return status;
}

void cuzk_circuit_witness_free(cuzk_circuit_witness *witness)
{
    if (witness == NULL)
        return;
    cuzk_witness_release(&witness->witness);
    if (witness->value != NULL)
        cuzk_wipe(witness->value,
                  cuzk_compiled_packed_map(witness->compiled)->wide * sizeof *witness->value);
    free(witness->value);
    free(witness->statement);
    free(witness);
}

cuzk_assignment cuzk_circuit_witness_assign(const cuzk_circuit_witness *witness, const char *name)
{
    return (cuzk_assignment){.packed = &witness->packed,
                             .name = name,
                             .rows = &witness->source,
                             .statement = witness->statement};
}
