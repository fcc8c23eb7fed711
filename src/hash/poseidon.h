/* Poseidon over the scalar field of BLS12-381, in Filecoin's parameters (Filecoin circuits, section
 * 5): width t = arity + 1, S-box x^5, 8 full rounds. State element 0 is a domain tag, the preimage
 * fills elements 1 .. arity, the result is element 1. */
#ifndef CUZK_HASH_POSEIDON_H
#define CUZK_HASH_POSEIDON_H

#include "base/pool.h"
#include "field/scalar.h"

#include <stddef.h>
#include <stdint.h>

#define CUZK_POSEIDON_FULL_ROUNDS 8
#define CUZK_POSEIDON_MAX_ARITY   36
#define CUZK_POSEIDON_MAX_WIDTH   (CUZK_POSEIDON_MAX_ARITY + 1)

/* Tags. The Merkle tag serves tree nodes, columns and comm_r; the snap tag SnapDeals' phi, rho and
 * challenges. */
#define CUZK_POSEIDON_TAG_SNAP (UINT64_C(1) << 40)
static inline uint64_t cuzk_poseidon_tag_merkle(unsigned arity)
{
    return (UINT64_C(1) << arity) - 1;
}

/* The constants of one arity, Montgomery, read-only. In matrices row i starts at i * width.
 *
 * The optimised permutation (section 5.5) takes `compressed` in order; products are of row vectors,
 * new[j] = sum over i of state[i] * matrix[i][j]:
 *     state += width constants
 *     4 full rounds: each element to x^5 + constant; times mds, the fourth time times pre
 *     partial_rounds rounds, r = 0, 1, ...: state[0] = state[0]^5 + constant, then with
 *         w = w_hat + r * width and v = v_rest + r * (width - 1):
 *         new[0] = sum of w[i] * state[i];  new[j] = state[j] + v[j - 1] * state[0], j >= 1
 *     3 full rounds: each element to x^5 + constant, times mds
 *     last: each element to x^5, times mds */
typedef struct cuzk_poseidon {
    unsigned arity, width, partial_rounds;
    const cuzk_fr *round;      /* (8 + partial_rounds) * width, for the reference permutation */
    const cuzk_fr *mds;        /* width * width, symmetric */
    const cuzk_fr *compressed; /* 8 * width + partial_rounds */
    const cuzk_fr *pre;        /* width * width */
    const cuzk_fr *w_hat;      /* partial_rounds * width, in the order of use */
    const cuzk_fr *v_rest;     /* partial_rounds * (width - 1), in the order of use */
} cuzk_poseidon;

/* The constants for arity 1, 2, 4, 8, 11, 16, 24 or 36; NULL for others. Static storage, computed
 * at the first call for that arity (milliseconds; 0.2 s for 36). Any thread. */
const cuzk_poseidon *cuzk_poseidon_get(unsigned arity);

/* *out = hash of p->arity elements, Montgomery. Any thread; no allocation. */
void cuzk_poseidon_hash(cuzk_fr *out, const cuzk_poseidon *p, uint64_t tag,
                        const cuzk_fr *preimage);

/* The same by the textbook permutation with dense matrices (section 5.4): an oracle for tests. */
void cuzk_poseidon_hash_reference(cuzk_fr *out, const cuzk_poseidon *p, uint64_t tag,
                                  const cuzk_fr *preimage);

/* out[i] = hash of preimages[i * arity ...], i < n, all canonical (below r). Shared among the
 * threads of pool; NULL: this one. out does not overlap preimages. */
void cuzk_poseidon_hash_many(cuzk_scalar *out, const cuzk_poseidon *p, uint64_t tag,
                             const cuzk_scalar *preimages, size_t n, cuzk_pool *pool);

#endif
