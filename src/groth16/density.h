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

/* The same from sets: bit i % 64 of word i / 64 stands for input i, or for the i-th of the
 * `aux` variables after the `inputs` inputs. */
typedef struct cuzk_density_sets {
    size_t inputs, aux;
    const uint64_t *a_aux, *b_input, *b_aux;
} cuzk_density_sets;
cuzk_status cuzk_density_from_sets(cuzk_density *density, const cuzk_density_sets *sets,
                                   cuzk_error *err);

cuzk_status cuzk_density_make(cuzk_density *density, const cuzk_r1cs *cs, cuzk_error *err);
void cuzk_density_release(cuzk_density *density);

#endif
