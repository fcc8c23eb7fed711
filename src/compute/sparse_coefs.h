/* What the matrix builder asks a dictionary of coefficients beside compute/sparse.h. */
#ifndef CUZK_COMPUTE_SPARSE_COEFS_H
#define CUZK_COMPUTE_SPARSE_COEFS_H

#include "compute/sparse.h"

const cuzk_curve *cuzk_coef_table_curve(const cuzk_coef_table *table);

#endif
