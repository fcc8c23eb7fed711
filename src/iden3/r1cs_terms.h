/* The terms of an .r1cs file as it holds them: neither sorted nor merged. */
#ifndef CUZK_IDEN3_R1CS_TERMS_H
#define CUZK_IDEN3_R1CS_TERMS_H

#include "iden3/r1cs.h"

/* matrix: 0, 1, 2 for A, B, C. */
typedef void cuzk_r1cs_term_fn(void *context, unsigned matrix, uint32_t row, uint32_t wire,
                               const cuzk_scalar *coef);

/* Calls visit for each term, row after row, A before B before C. The file is checked as by
 * cuzk_r1cs_read before the first call. counts: the terms of each matrix; visit may be NULL, to
 * count only. */
cuzk_status cuzk_r1cs_terms(const cuzk_map *map, size_t counts[3], cuzk_r1cs_term_fn *visit,
                            void *context, cuzk_error *err);

#endif
