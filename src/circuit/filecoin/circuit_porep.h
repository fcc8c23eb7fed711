/* The Stacked PoRep circuit of one partition (Filecoin circuits, section 7).
 *
 * What it takes from a request (cuzk_circuit_inputs), in this order. F: a field element, W: a word.
 *     head        F replica_id, comm_d, comm_r, comm_r_last, comm_c
 *     then for each challenge
 *       data        F leaf; path in D
 *       parents     for each of the 6 DRG, then the 8 expander parents:
 *                   F label of layer 1 .. layers; path in C
 *       challenge   W the challenge
 *       replica     path in R
 *       column      path in C
 * A path is, for each of its levels from the leaf up: W index (below the arity), then F siblings
 * (arity - 1, in the tree's order). Fields and words are two streams; the order between an F and a
 * W does not matter.
 *
 * Public inputs: replica_id, comm_d, comm_r, then for each challenge c: c, drg(c) 0..5, exp(c)
 * 0..7, c, c, c. */
#ifndef CUZK_CIRCUIT_FILECOIN_CIRCUIT_POREP_H
#define CUZK_CIRCUIT_FILECOIN_CIRCUIT_POREP_H

#include "circuit/cs.h"
#include "circuit/filecoin/shape.h"

/* layers: 2 or 11, or another arity that Poseidon has. */
typedef struct cuzk_porep_params {
    cuzk_tree_shape tree;      /* of C and R */
    cuzk_tree_shape data_tree; /* of D: 2-0-0 */
    uint32_t layers;
    uint32_t challenges;
} cuzk_porep_params;

/* cuzk_circuit's build; params: a cuzk_porep_params. */
void cuzk_porep_build(cuzk_cs *cs, const void *params);

#endif
