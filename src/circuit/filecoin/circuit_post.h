/* The Fallback PoSt circuit, for WindowPoSt and WinningPoSt (Filecoin circuits, section 8).
 *
 * What it takes from a request (cuzk_circuit_inputs), in this order. F: a field element, W: a word.
 *     for each sector
 *       F comm_r_last, comm_c, comm_r
 *       for each inclusion proof: F leaf; path in R
 * A path is, for each of its levels from the leaf up: W index (below the arity), then F siblings
 * (arity - 1, in the tree's order). Fields and words are two streams; the order between an F and a
 * W does not matter. Padding by repeating the last sector is the caller's.
 *
 * Public inputs: for each sector comm_r, then its leaves' places. */
#ifndef CUZK_CIRCUIT_FILECOIN_CIRCUIT_POST_H
#define CUZK_CIRCUIT_FILECOIN_CIRCUIT_POST_H

#include "circuit/cs.h"
#include "circuit/filecoin/shape.h"

/* Winning: 66 sectors with one inclusion proof each. */
typedef struct cuzk_post_params {
    cuzk_tree_shape tree; /* of R */
    uint32_t sectors;
    uint32_t challenges; /* inclusion proofs per sector */
} cuzk_post_params;

/* cuzk_circuit's build; params: a cuzk_post_params. */
void cuzk_post_build(cuzk_cs *cs, const void *params);

#endif
