/* Rows of a compiled circuit, expanded one after the other. */
#ifndef CUZK_CIRCUIT_COMPILE_ROWS_H
#define CUZK_CIRCUIT_COMPILE_ROWS_H

#include "circuit/compile_state.h"

/* Stretches of rows from `row` on: the rows of one call, or those of the root between two. */
typedef struct cuzk_stretch {
    size_t instance;        /* its number plus 1; 0: the root */
    size_t first, n;        /* rows in the circuit */
    uint32_t template, row; /* the first one's number in the template */
} cuzk_stretch;
cuzk_stretch cuzk_compiled_stretch(const cuzk_compiled *c, size_t row);

/* The terms of one side (0 A, 1 B, 2 C) of row s->row + i: slots of the root, rising. out has room
 * for cuzk_compiled_longest. Returns their number. */
size_t cuzk_stretch_terms(const cuzk_compiled *c, const cuzk_stretch *s, size_t i, int side,
                          cuzk_entry *out);
size_t cuzk_compiled_longest(const cuzk_compiled *c);

#endif
