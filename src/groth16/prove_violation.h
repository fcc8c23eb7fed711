/* Looking for the reason of a false proof. */
#ifndef CUZK_GROTH16_PROVE_VIOLATION_H
#define CUZK_GROTH16_PROVE_VIOLATION_H

#include "groth16/prove.h"

/* CUZK_ERR_UNSATISFIED, naming the first row that the witness violates; CUZK_OK if there is none,
 * or if the key has no matrix C to tell. scratch: cuzk_prove_violation_scratch bytes, 64-byte
 * aligned, which is no more than cuzk_prove_start takes; wiped before return. The key may be
 * without points. */
cuzk_status cuzk_prove_find_violation(const cuzk_pk *pk, const cuzk_assignment *assignment,
                                      void *scratch, cuzk_pool *pool, cuzk_error *err);

#endif
