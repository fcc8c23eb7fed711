#include "circuit/filecoin/labels.h"

#include "hash/sha256_trim.h"

#include <string.h>

/* Parents are repeated until there are 37. */
void cuzk_challenge_parents(cuzk_parent_labels *out, const cuzk_porep_challenge *challenge,
                            uint32_t layer)
{
    *out = (cuzk_parent_labels){0};
    for (unsigned i = 0; i < CUZK_DRG_PARENTS; i++)
        out->label[i] = challenge->drg[i].label[layer - 1];
    for (unsigned i = 0; i < CUZK_EXP_PARENTS && layer > 1; i++)
        out->label[CUZK_DRG_PARENTS + i] = challenge->exp[i].label[layer - 2];
}

void cuzk_label_parents(cuzk_scalar out[CUZK_LABEL_PARENTS], uint32_t layer,
                        const cuzk_parent_labels *parents)
{
    unsigned n = layer == 1 ? CUZK_DRG_PARENTS : CUZK_GRAPH_PARENTS;
    for (unsigned i = 0; i < CUZK_LABEL_PARENTS; i++)
        out[i] = parents->label[i % n];
}

static void store_be(uint8_t *out, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        out[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

cuzk_status cuzk_label_make(cuzk_scalar *out, cuzk_digest *sha256, const cuzk_scalar *replica_id,
                            uint32_t layer, uint64_t node, const cuzk_parent_labels *parents,
                            cuzk_error *err)
{
    uint8_t head[64] = {0};
    memcpy(head, replica_id->l, 32);
    store_be(head + 32, layer, 4);
    store_be(head + 36, node, 8);
    CUZK_TRY(cuzk_digest_update(sha256, head, sizeof head, err));
    if (node > 0) {
        cuzk_scalar hashed[CUZK_LABEL_PARENTS];
        cuzk_label_parents(hashed, layer, parents);
        CUZK_TRY(cuzk_digest_update(sha256, hashed, sizeof hashed, err));
    }
    return cuzk_sha256_trim_finish(out, sha256, err);
}

static cuzk_status make_layer(cuzk_scalar *label, cuzk_graph *graph, cuzk_digest *sha256,
                              uint32_t layer, const cuzk_scalar *replica_id, cuzk_error *err)
{
    const cuzk_scalar *before = layer > 1 ? label - graph->nodes : NULL;
    for (uint32_t v = 0; v < graph->nodes; v++) {
        uint32_t parent[CUZK_GRAPH_PARENTS];
        cuzk_parent_labels parents;
        if (layer == 1)
            cuzk_graph_drg_parents(parent, graph, v);
        else
            CUZK_TRY(cuzk_graph_parents(parent, graph, v, err));
        for (unsigned i = 0; i < CUZK_DRG_PARENTS && v > 0; i++)
            parents.label[i] = label[parent[i]];
        for (unsigned i = CUZK_DRG_PARENTS; i < CUZK_GRAPH_PARENTS && layer > 1; i++)
            parents.label[i] = before[parent[i]];
        CUZK_TRY(cuzk_label_make(&label[v], sha256, replica_id, layer, v, &parents, err));
    }
    return CUZK_OK;
}

cuzk_status cuzk_labels_make(cuzk_scalar *label, cuzk_graph *graph, uint32_t layers,
                             const cuzk_scalar *replica_id, cuzk_error *err)
{
    cuzk_digest *sha256;
    CUZK_TRY(cuzk_digest_new(&sha256, CUZK_SHA256, err));
    cuzk_status status = CUZK_OK;
    for (uint32_t layer = 1; layer <= layers && status == CUZK_OK; layer++)
        status =
            make_layer(label + (layer - 1) * graph->nodes, graph, sha256, layer, replica_id, err);
    cuzk_digest_free(sha256);
    return status;
}
