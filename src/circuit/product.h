/* The products of a compiled circuit's rows with a packed witness. */
#ifndef CUZK_CIRCUIT_PRODUCT_H
#define CUZK_CIRCUIT_PRODUCT_H

#include "circuit/witness.h"

/* a[i] = <A_j, w>, b[i] = <B_j, w>, c[i] = <C_j, w> for rows j = first + i, i < n; Montgomery.
 * first + n <= rows, plus inputs: the rows for public inputs (A = {input: 1}, B = C = {}) follow
 * the circuit's own. Any of the three may be NULL. CUZK_ERR_MEMORY only. */
cuzk_status cuzk_compiled_products(const cuzk_compiled *compiled, const cuzk_witness *witness,
                                   size_t first, size_t n, cuzk_fr *a, cuzk_fr *b, cuzk_fr *c,
                                   cuzk_pool *pool, cuzk_error *err);

/* The first row that a witness violates, with the three products of that row. */
typedef struct cuzk_violation {
    size_t row;
    cuzk_row_place place;
    cuzk_fr a, b, c;
} cuzk_violation;

/* Checks all rows. CUZK_OK; CUZK_ERR_UNSATISFIED with *violation (may be NULL) set and a message
 * that names row, gadget and values; CUZK_ERR_MEMORY. */
cuzk_status cuzk_compiled_check(const cuzk_compiled *compiled, const cuzk_witness *witness,
                                cuzk_violation *violation, cuzk_pool *pool, cuzk_error *err);

#endif
