/* Section 4 of a .zkey: the coefficients of A and B. */
#ifndef CUZK_IDEN3_ZKEY_COEFS_H
#define CUZK_IDEN3_ZKEY_COEFS_H

#include "base/outfile.h"
#include "iden3/zkey_head.h"

/* Makes A and B from the entries, which may come in any order. Both get the same number of rows,
 * those that setup appended for public signals included: they must be there. */
cuzk_status cuzk_zkey_coefs_read(const cuzk_zkey_head *head, cuzk_coefs *coefs, cuzk_matrix *a,
                                 cuzk_matrix *b, cuzk_error *err);

/* Writes the section for cs, with the rows that setup appends; from the terms of the file r1cs if
 * that is not NULL. */
cuzk_status cuzk_zkey_coefs_write(cuzk_outfile *file, const cuzk_r1cs *cs, const cuzk_map *r1cs,
                                  cuzk_error *err);

#endif
