/* The columns of a compiled circuit, without its matrices: for keys of large circuits. */
#ifndef CUZK_CIRCUIT_COMPILE_COLUMNS_H
#define CUZK_CIRCUIT_COMPILE_COLUMNS_H

#include "circuit/compile.h"
#include "compute/columns.h"

/* compiled stays the caller's. The first member is `columns`. */
typedef struct cuzk_compiled_columns {
    cuzk_columns columns;
    const cuzk_compiled *compiled;
} cuzk_compiled_columns;
void cuzk_compiled_columns_init(cuzk_compiled_columns *columns, const cuzk_compiled *compiled);

#endif
