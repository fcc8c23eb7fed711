/* Section 4 of a .zkey: the coefficients of A and B. */
#ifndef CUZK_IDEN3_ZKEY_COEFS_H
#define CUZK_IDEN3_ZKEY_COEFS_H

#include "base/outfile.h"
#include "iden3/zkey_head.h"

/* A or B, with a dictionary of its own. */
typedef struct cuzk_zkey_matrix {
    cuzk_matrix rows;
    cuzk_coefs coefs;
} cuzk_zkey_matrix;
void cuzk_zkey_matrix_release(cuzk_zkey_matrix *matrix);

/* Makes A (which: 0) or B (1) from the entries, which may come in any order. */
cuzk_status cuzk_zkey_matrix_read(cuzk_zkey_matrix *matrix, const cuzk_zkey_head *head,
                                  unsigned which, cuzk_error *err);

/* Gives A and B the same number of rows, those that setup appended for public signals included,
 * which must be there, and one dictionary: that of A. The dictionary of B is of no use then. */
cuzk_status cuzk_zkey_matrices_join(cuzk_zkey_matrix matrices[2], const cuzk_zkey_head *head,
                                    cuzk_error *err);

/* Writes the section for cs, with the rows that setup appends; from the terms of the file r1cs if
 * that is not NULL. */
cuzk_status cuzk_zkey_coefs_write(cuzk_outfile *file, const cuzk_r1cs *cs, const cuzk_map *r1cs,
                                  cuzk_error *err);

#endif
