/* The rows that a setup appends to the constraint system: for every input i <= n_public A = {i: 1},
 * B and C empty. They make the input polynomials independent of the circuit's. */
#include "groth16/setup.h"

#include <stdlib.h>
#include <string.h>

unsigned cuzk_domain_log(size_t rows, size_t n_public)
{
    unsigned log_m = 0;
    /* rows + n_public + 1 without overflow; no domain has 2^63 rows. */
    while (log_m < 63 && ((size_t)1 << log_m) - 1 < rows + n_public)
        log_m++;
    return log_m;
}

/* Copies from with `more` rows appended, which get one entry each if filled. */
static bool extend(cuzk_matrix *to, const cuzk_matrix *from, size_t more, bool filled)
{
    uint64_t old = from->rows == 0 ? 0 : from->row_start[from->rows];
    uint64_t entries = old + (filled ? more : 0);
    cuzk_matrix made = {.rows = from->rows + more};
    made.row_start = malloc((made.rows + 1) * sizeof *made.row_start);
    made.col = malloc((entries + 1) * sizeof *made.col);
    made.coef = malloc((entries + 1) * sizeof *made.coef);
    if (made.row_start == NULL || made.col == NULL || made.coef == NULL) {
        cuzk_matrix_release(&made);
        return false;
    }
    made.row_start[0] = 0;
    if (from->rows > 0)
        memcpy(made.row_start, from->row_start, (from->rows + 1) * sizeof *made.row_start);
    if (old > 0) {
        memcpy(made.col, from->col, old * sizeof *made.col);
        memcpy(made.coef, from->coef, old * sizeof *made.coef);
    }
    for (size_t i = 0; i < more; i++) {
        made.row_start[from->rows + i + 1] = filled ? old + i + 1 : old;
        if (!filled)
            continue;
        made.col[old + i] = (uint32_t)i;
        made.coef[old + i] = CUZK_COEF_ONE;
    }
    *to = made;
    return true;
}

cuzk_status cuzk_append_input_rows(const cuzk_r1cs *cs, cuzk_matrix *a, cuzk_matrix *b,
                                   cuzk_matrix *c, cuzk_error *err)
{
    size_t inputs = cs->n_public + 1;
    cuzk_matrix made[3] = {{0}};
    if (extend(&made[0], &cs->a, inputs, true) && extend(&made[1], &cs->b, inputs, false) &&
        (c == NULL || extend(&made[2], &cs->c, inputs, false))) {
        *a = made[0];
        *b = made[1];
        if (c != NULL)
            *c = made[2];
        return CUZK_OK;
    }
    for (size_t i = 0; i < 3; i++)
        cuzk_matrix_release(&made[i]);
    return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a circuit of %zu rows",
                     cs->rows + inputs);
}
