/* The EmptySectorUpdate circuit of one partition, for SnapDeals (Filecoin circuits, section 9).
 *
 * What it takes from a request (cuzk_circuit_inputs), in this order: field elements only.
 *     k_h (partition number + h_select * partitions), comm_r_old, comm_d_new, comm_r_new,
 *     comm_c, root_r_old, root_r_new,
 *     apex leaves,
 *     partition path: of the first challenge's path in D the last partition_bits siblings, from the
 *         lower level up,
 *     then for each challenge
 *       leaf_r_old, leaf_d_new,
 *       siblings of path_r_old, of all levels from the leaf up, in the tree's order,
 *       siblings of path_r_new likewise,
 *       the first (levels of D) - partition_bits - apex_bits siblings of path_d_new.
 * Places are not taken: the circuit derives the challenges from k_h and comm_r_new.
 *
 * Public inputs: k_h, comm_r_old, comm_d_new, comm_r_new. */
#ifndef CUZK_CIRCUIT_FILECOIN_CIRCUIT_UPDATE_H
#define CUZK_CIRCUIT_FILECOIN_CIRCUIT_UPDATE_H

#include "circuit/cs.h"
#include "circuit/filecoin/shape.h"

#define CUZK_UPDATE_HIGHS 6 /* selectable numbers of high bits */

typedef struct cuzk_update_params {
    cuzk_tree_shape tree;    /* of R, old and new */
    uint32_t node_bits;      /* log2 of the sector's nodes: levels of D */
    uint32_t partition_bits; /* log2 of the partitions */
    uint32_t apex_bits;      /* log2 of the apex leaves of a partition */
    uint32_t challenges;     /* per partition */
    uint32_t high[CUZK_UPDATE_HIGHS];
} cuzk_update_params;

/* cuzk_circuit's build; params: a cuzk_update_params. */
void cuzk_update_build(cuzk_cs *cs, const void *params);

#endif
