/* Looking for the reason of a false proof. */
#ifndef CUZK_GROTH16_PROVE_VIOLATION_H
#define CUZK_GROTH16_PROVE_VIOLATION_H

#include "groth16/prove.h"

/* The first row that the witness violates; the domain's size (2^log_m) if none, or if the key has
 * no matrix C to tell. scratch as for cuzk_prove_start. */
size_t cuzk_prove_find_violation(const cuzk_pk *pk, const cuzk_assignment *assignment,
                                 void *scratch, cuzk_pool *pool);

#endif
