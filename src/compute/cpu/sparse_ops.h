/* Row products of one (curve, CPU level) pair: files sparse_<curve>_<level>.c, tables
 * cuzk_sparse_ops_<curve>_<level>. There are no lanes: rows are short and most entries cost an
 * addition or nothing, so levels above adx use adx. */
#ifndef CUZK_COMPUTE_SPARSE_OPS_H
#define CUZK_COMPUTE_SPARSE_OPS_H

#include "compute/sparse.h"

typedef struct cuzk_sparse_ops {
    /* out[i] = <M_i, z>, first <= i < end */
    void (*mul_rows)(const cuzk_matrix *matrix, const cuzk_coefs *coefs, cuzk_fr *out,
                     const cuzk_fr *z, size_t first, size_t end);
    /* out[col] += <column, x> */
    void (*mul_transposed)(const cuzk_matrix *matrix, const cuzk_coefs *coefs, cuzk_fr *out,
                           const cuzk_fr *x);
    /* The first violated row in [first, end), or end. */
    size_t (*check_rows)(const cuzk_r1cs *cs, const cuzk_fr *z, size_t first, size_t end);
} cuzk_sparse_ops;

#endif
