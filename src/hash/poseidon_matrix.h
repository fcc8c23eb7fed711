/* Small matrices over the scalar field of BLS12-381, rows one after the other, for Poseidon's
 * constants. */
#ifndef CUZK_HASH_POSEIDON_MATRIX_H
#define CUZK_HASH_POSEIDON_MATRIX_H

#include "hash/poseidon.h"

#define CUZK_MATRIX_MAX (CUZK_POSEIDON_MAX_WIDTH * CUZK_POSEIDON_MAX_WIDTH)

/* out = m * v, v a column of n. out is not v. */
void cuzk_matrix_times(cuzk_fr *out, const cuzk_fr *m, const cuzk_fr *v, unsigned n);

/* out = v * m, v a row of n. out is not v. */
void cuzk_matrix_row_times(cuzk_fr *out, const cuzk_fr *v, const cuzk_fr *m, unsigned n);

/* m = m^-1; it has one. */
void cuzk_matrix_invert(cuzk_fr *m, unsigned n);

#endif
