/* The rows of a compiled circuit, described for devices. */
#ifndef CUZK_CIRCUIT_PRODUCT_SHARED_H
#define CUZK_CIRCUIT_PRODUCT_SHARED_H

#include "circuit/compile.h"
#include "compute/shared_rows.h"

/* Describes all rows, those for public inputs included (A = {input: 1}, B = C = {}); the witness is
 * that of cuzk_compiled_packed_map. On success *rows is the caller's (cuzk_shared_rows_release); it
 * borrows coefficients, so compiled must live as long. CUZK_ERR_UNSUPPORTED for more than 2^29
 * coefficients, CUZK_ERR_MEMORY. */
cuzk_status cuzk_compiled_shared_rows(const cuzk_compiled *compiled, cuzk_shared_rows *rows,
                                      cuzk_error *err);

#endif
