/* Which variables a bellperson key has points for. */
#ifndef CUZK_GROTH16_DENSITY_H
#define CUZK_GROTH16_DENSITY_H

#include "compute/sparse.h"

/* The variables, rising, that have a point in the queries a and b: those with an entry in some row
 * of the matrix (which holds no zeros), and for a all inputs, because of the rows that setup
 * appends. */
typedef struct cuzk_density {
    uint32_t *a, *b;
    size_t n_a, n_b;
} cuzk_density;

cuzk_status cuzk_density_make(cuzk_density *density, const cuzk_r1cs *cs, cuzk_error *err);
void cuzk_density_release(cuzk_density *density);

#endif
