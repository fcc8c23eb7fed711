#include "circuit/filecoin/circuit_porep.h"

#include "circuit/filecoin/label_gadget.h"
#include "circuit/gadget/number.h"
#include "circuit/gadget/por.h"
#include "circuit/gadget/poseidon_gadget.h"
#include "hash/poseidon.h"

enum { DRG = CUZK_DRG_PARENTS, PARENTS = DRG + CUZK_EXP_PARENTS };

/* What all challenges share. */
typedef struct porep_head {
    cuzk_var comm_d, comm_r_last, comm_c;
    cuzk_bit replica_id[CUZK_LABEL_WORD_BITS];
} porep_head;

/* Of one challenge: the parents' labels, layer 1 first. */
typedef struct porep_columns {
    cuzk_var label[PARENTS][CUZK_POSEIDON_MAX_ARITY];
} porep_columns;

static void build_head(cuzk_cs *cs, porep_head *head)
{
    const cuzk_var replica_id = cuzk_number_take(cs);
    cuzk_number_expose(cs, replica_id);
    cuzk_label_word(cs, head->replica_id, replica_id);
    head->comm_d = cuzk_number_take(cs);
    cuzk_number_expose(cs, head->comm_d);
    const cuzk_var comm_r = cuzk_number_take(cs);
    cuzk_number_expose(cs, comm_r);
    head->comm_r_last = cuzk_number_take(cs);
    head->comm_c = cuzk_number_take(cs);
    const cuzk_var parts[2] = {head->comm_c, head->comm_r_last};
    cuzk_number_equal(cs, comm_r, cuzk_poseidon_node(cs, 2, parts));
}

static void build_columns(cuzk_cs *cs, const cuzk_porep_params *p, const porep_head *head,
                          porep_columns *columns)
{
    for (size_t i = 0; i < PARENTS; i++) {
        cuzk_number_take_many(cs, columns->label[i], p->layers);
        const cuzk_var hash = cuzk_poseidon_node(cs, p->layers, columns->label[i]);
        cuzk_por(cs, CUZK_TREE_POSEIDON, &p->tree, hash, head->comm_c);
    }
}

/* Layer 1 has the DRG parents only; others take the expander parents' labels from the layer
 * below. */
static cuzk_var build_label(cuzk_cs *cs, const porep_head *head, const porep_columns *columns,
                            uint32_t layer, const cuzk_bit *node)
{
    const size_t n = layer == 1 ? DRG : PARENTS;
    cuzk_bit parent[PARENTS][CUZK_LABEL_WORD_BITS];
    const cuzk_bit *slots[CUZK_LABEL_PARENTS];
    for (size_t i = 0; i < n; i++)
        cuzk_label_word(cs, parent[i], columns->label[i][i < DRG ? layer - 1 : layer - 2]);
    for (size_t i = 0; i < CUZK_LABEL_PARENTS; i++)
        slots[i] = parent[i % n];
    return cuzk_label_create(cs, head->replica_id, layer, node, slots);
}

static void build_challenge(cuzk_cs *cs, const cuzk_porep_params *p, const porep_head *head)
{
    porep_columns columns;
    cuzk_bit node[64];
    cuzk_var labels[CUZK_POSEIDON_MAX_ARITY];
    const cuzk_var leaf = cuzk_number_take(cs);
    cuzk_por(cs, CUZK_TREE_SHA256, &p->data_tree, leaf, head->comm_d);
    build_columns(cs, p, head, &columns);
    cuzk_bits_take(cs, node, 64);
    cuzk_bits_expose(cs, node, 64);
    for (uint32_t layer = 1; layer <= p->layers; layer++)
        labels[layer - 1] = build_label(cs, head, &columns, layer, node);
    const cuzk_var encoded = cuzk_number_add(cs, labels[p->layers - 1], leaf);
    cuzk_por(cs, CUZK_TREE_POSEIDON, &p->tree, encoded, head->comm_r_last);
    const cuzk_var hash = cuzk_poseidon_node(cs, p->layers, labels);
    cuzk_por(cs, CUZK_TREE_POSEIDON, &p->tree, hash, head->comm_c);
}

void cuzk_porep_build(cuzk_cs *cs, const void *params)
{
    const cuzk_porep_params *p = params;
    porep_head head;
    build_head(cs, &head);
    for (uint32_t i = 0; i < p->challenges; i++)
        build_challenge(cs, p, &head);
}
