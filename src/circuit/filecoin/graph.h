/* The graph by which sectors are labeled: a node's parents (Filecoin sealing, section 2). */
#ifndef CUZK_CIRCUIT_FILECOIN_GRAPH_H
#define CUZK_CIRCUIT_FILECOIN_GRAPH_H

#include "base/digest.h"
#include "circuit/filecoin/proofs.h"
#include "circuit/filecoin/vanilla.h"

#include <stdint.h>

enum { CUZK_GRAPH_PARENTS = CUZK_DRG_PARENTS + CUZK_EXP_PARENTS };

/* Used by one thread at a time. */
typedef struct cuzk_graph {
    uint64_t nodes;
    cuzk_fil_api api;
    uint8_t drg_seed[28];
    uint64_t feistel[4];  /* three are round keys; all four are in a parent cache's id */
    unsigned half_bits;   /* of the numbers that the Feistel network permutes */
    cuzk_digest *blake2b; /* its round function */
    uint32_t *round;      /* and what is known of it: 3 << half_bits values, UINT32_MAX: not yet */
} cuzk_graph;

/* nodes: 2 to 2^31. Released by cuzk_graph_release; on error *graph is {0}. */
cuzk_status cuzk_graph_init(cuzk_graph *graph, uint64_t nodes, const uint8_t porep_id[32],
                            cuzk_fil_api api, cuzk_error *err);
void cuzk_graph_release(cuzk_graph *graph);

/* The parents of a node below graph->nodes: 6 DRG ones, then 8 expander ones. A node below 2 has
 * only zeros as DRG parents. */
cuzk_status cuzk_graph_parents(uint32_t parents[CUZK_GRAPH_PARENTS], cuzk_graph *graph,
                               uint32_t node, cuzk_error *err);

/* The DRG parents alone: they cost little. */
void cuzk_graph_drg_parents(uint32_t parents[CUZK_DRG_PARENTS], const cuzk_graph *graph,
                            uint32_t node);

#endif
