/* The permutation per processor level. */
#ifndef CUZK_HASH_POSEIDON_LEVELS_H
#define CUZK_HASH_POSEIDON_LEVELS_H

#include "hash/poseidon.h"

/* Permutes the p->width elements of state. */
void cuzk_poseidon_permute_portable(cuzk_fr *state, const cuzk_poseidon *p);
void cuzk_poseidon_permute_adx(cuzk_fr *state, const cuzk_poseidon *p);

#endif
