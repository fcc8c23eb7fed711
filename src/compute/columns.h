/* The columns of a constraint system: all that a setup needs of its rows, in whatever form they
 * are. */
#ifndef CUZK_COMPUTE_COLUMNS_H
#define CUZK_COMPUTE_COLUMNS_H

#include "compute/sparse.h"

typedef struct cuzk_columns cuzk_columns;
struct cuzk_columns {
    const cuzk_curve *curve;
    size_t rows, vars, n_public; /* as in cuzk_r1cs */
    /* out[0][j] = <column j of A, x>, j < vars; out[1] of B, out[2] of C. x: rows elements.
     * CUZK_ERR_MEMORY only. */
    cuzk_status (*multiply)(const cuzk_columns *columns, cuzk_fr *const out[3], const cuzk_fr *x,
                            cuzk_pool *pool, cuzk_error *err);
};

/* Those of matrices, which stay the caller's. The first member is `columns`. */
typedef struct cuzk_r1cs_columns {
    cuzk_columns columns;
    const cuzk_r1cs *cs;
} cuzk_r1cs_columns;
void cuzk_r1cs_columns_init(cuzk_r1cs_columns *columns, const cuzk_r1cs *cs);

#endif
