/* Labels: layer by layer, each node's is the hash of its parents' (Filecoin sealing, section 3). */
#ifndef CUZK_CIRCUIT_FILECOIN_LABELS_H
#define CUZK_CIRCUIT_FILECOIN_LABELS_H

#include "circuit/filecoin/graph.h"
#include "circuit/filecoin/vanilla.h"

/* A node's parents' labels in the graph's order: those of the 6 DRG parents in this layer, then
 * those of the 8 expander parents in the layer before (not there in layer 1). */
typedef struct cuzk_parent_labels {
    cuzk_scalar label[CUZK_GRAPH_PARENTS];
} cuzk_parent_labels;

/* Those of a challenge's node in this layer, from its proof. */
void cuzk_challenge_parents(cuzk_parent_labels *out, const cuzk_porep_challenge *challenge,
                            uint32_t layer);

/* The 37 values that a label hashes, in their order. Layers count from 1. */
void cuzk_label_parents(cuzk_scalar out[CUZK_LABEL_PARENTS], uint32_t layer,
                        const cuzk_parent_labels *parents);

/* One label. sha256: a digest of that kind, used for it; parents are not read for node 0. */
cuzk_status cuzk_label_make(cuzk_scalar *out, cuzk_digest *sha256, const cuzk_scalar *replica_id,
                            uint32_t layer, uint64_t node, const cuzk_parent_labels *parents,
                            cuzk_error *err);

/* All labels of a sector: label[(layer - 1) * nodes + node]. */
cuzk_status cuzk_labels_make(cuzk_scalar *label, cuzk_graph *graph, uint32_t layers,
                             const cuzk_scalar *replica_id, cuzk_error *err);

#endif
