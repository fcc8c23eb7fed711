#include "circuit/filecoin/checks.h"

#include "circuit/filecoin/check_values.h"
#include "circuit/filecoin/identity.h"
#include "circuit/filecoin/labels.h"
#include "field/bls12_381_fr.h"
#include "hash/poseidon.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What checking a partition needs. */
typedef struct checker {
    const cuzk_fil_proof *proof;
    const cuzk_porep_vanilla *c1;
    const cuzk_scalar *comm_c, *comm_r_last; /* what the first challenge says */
    cuzk_graph graph;
    cuzk_digest *sha256;
    cuzk_error *err;
} checker;

static cuzk_status check_replica_id(const cuzk_fil_proof *proof, const cuzk_porep_vanilla *c1,
                                    uint64_t miner, uint64_t sector, cuzk_error *err)
{
    cuzk_scalar id;
    cuzk_replica_source source = {.sector = sector, .comm_d = c1->comm_d};
    cuzk_prover_id(source.prover_id, miner);
    memcpy(source.ticket, c1->ticket, sizeof source.ticket);
    memcpy(source.porep_id, proof->porep_id, sizeof source.porep_id);
    CUZK_TRY(cuzk_replica_id(&id, &source, err));
    if (cuzk_check_equal(&c1->replica_id, &id, "replica_id", CUZK_ERR_MISMATCH, err) == CUZK_OK)
        return CUZK_OK;
    return cuzk_fail_context(err, "this is not sector %" PRIu64 " of miner %" PRIu64, sector,
                             miner);
}

cuzk_status cuzk_porep_check_head(const cuzk_fil_proof *proof, const cuzk_porep_vanilla *c1,
                                  uint64_t miner, uint64_t sector, cuzk_error *err)
{
    CUZK_TRY(cuzk_check_not_zero(&c1->comm_d, "comm_d", err));
    CUZK_TRY(cuzk_check_not_zero(&c1->comm_r, "comm_r", err));
    CUZK_TRY(cuzk_check_not_zero(c1->seed, "seed", err));
    return check_replica_id(proof, c1, miner, sector, err);
}

/* A column opens that node: its labels hash to the leaf of its path in C. */
static cuzk_status check_column(checker *c, const cuzk_column_proof *column, uint64_t node,
                                const char *name)
{
    cuzk_scalar hash;
    char text[64];
    if (column->index != node)
        return cuzk_fail(c->err, CUZK_ERR_FORMAT,
                         "%s: its index is %" PRIu32 ", expected node %" PRIu64, name,
                         column->index, node);
    const cuzk_poseidon *poseidon = cuzk_poseidon_get(c->proof->layers);
    cuzk_poseidon_hash_many(&hash, poseidon, cuzk_poseidon_tag_merkle(c->proof->layers),
                            column->label, 1, NULL);
    snprintf(text, sizeof text, "%s: the leaf of its path", name);
    CUZK_TRY(cuzk_check_equal(&column->path.leaf, &hash, text, CUZK_ERR_FORMAT, c->err));
    return cuzk_check_path(&column->path, CUZK_TREE_POSEIDON, node, c->comm_c, name, c->err);
}

static cuzk_status check_parents(checker *c, const cuzk_porep_challenge *challenge)
{
    uint32_t parents[CUZK_GRAPH_PARENTS];
    char name[32];
    CUZK_TRY(cuzk_graph_parents(parents, &c->graph, (uint32_t)challenge->node, c->err));
    for (size_t i = 0; i < CUZK_DRG_PARENTS; i++) {
        snprintf(name, sizeof name, "drg_parents[%zu]", i);
        CUZK_TRY(check_column(c, &challenge->drg[i], parents[i], name));
    }
    for (size_t i = 0; i < CUZK_EXP_PARENTS; i++) {
        snprintf(name, sizeof name, "exp_parents[%zu]", i);
        CUZK_TRY(check_column(c, &challenge->exp[i], parents[CUZK_DRG_PARENTS + i], name));
    }
    return check_column(c, &challenge->column, challenge->node, "c_x");
}

static cuzk_status check_label(checker *c, const cuzk_porep_challenge *challenge, uint32_t layer)
{
    cuzk_parent_labels parents;
    cuzk_scalar label;
    char name[64];
    cuzk_challenge_parents(&parents, challenge, layer);
    CUZK_TRY(cuzk_label_make(&label, c->sha256, &c->c1->replica_id, layer, challenge->node,
                             &parents, c->err));
    snprintf(name, sizeof name, "c_x: label of layer %" PRIu32, layer);
    return cuzk_check_equal(&challenge->column.label[layer - 1], &label, name, CUZK_ERR_FORMAT,
                            c->err);
}

/* The replica's leaf is the last label plus the data. */
static cuzk_status check_encoding(checker *c, const cuzk_porep_challenge *challenge)
{
    bls12_381_fr key, data;
    cuzk_scalar sum;
    bls12_381_fr_from_canon(&key, &challenge->column.label[c->proof->layers - 1]);
    bls12_381_fr_from_canon(&data, &challenge->data.leaf);
    bls12_381_fr_add(&key, &key, &data);
    bls12_381_fr_to_canon(&sum, &key);
    return cuzk_check_equal(&challenge->replica.leaf, &sum, "comm_r_last_proof: its leaf",
                            CUZK_ERR_FORMAT, c->err);
}

static cuzk_status check_challenge(checker *c, const cuzk_porep_challenge *challenge, uint64_t node)
{
    if (challenge->node != node)
        return cuzk_fail(c->err, CUZK_ERR_MISMATCH,
                         "the node is %" PRIu64 ", expected %" PRIu64
                         " from replica_id, seed and comm_r",
                         challenge->node, node);
    CUZK_TRY(cuzk_check_path(&challenge->data, CUZK_TREE_SHA256, node, &c->c1->comm_d,
                             "comm_d_proofs", c->err));
    CUZK_TRY(cuzk_check_path(&challenge->replica, CUZK_TREE_POSEIDON, node, c->comm_r_last,
                             "comm_r_last_proof", c->err));
    CUZK_TRY(check_parents(c, challenge));
    for (uint32_t layer = 1; layer <= c->proof->layers; layer++)
        CUZK_TRY(check_label(c, challenge, layer));
    return check_encoding(c, challenge);
}

static cuzk_status check_challenges(checker *c, const cuzk_porep_partition *partition, size_t k)
{
    const cuzk_porep_vanilla *c1 = c->c1;
    cuzk_porep_draw draw = {.rule = c->proof->rule,
                            .nodes = c->proof->nodes,
                            .replica_id = c1->replica_id,
                            .comm_r = c1->comm_r,
                            .candidates = cuzk_synthetic_candidates(c->proof->nodes)};
    memcpy(draw.seed, c1->seed, sizeof draw.seed);
    for (size_t i = 0; i < partition->n_challenges; i++) {
        uint64_t node = 0;
        uint32_t number = (uint32_t)(k * partition->n_challenges + i);
        CUZK_TRY(cuzk_porep_challenges(&node, &draw, number, 1, c->err));
        if (check_challenge(c, &partition->challenge[i], node) != CUZK_OK)
            return cuzk_fail_context(c->err, "challenge %zu", i);
    }
    return CUZK_OK;
}

cuzk_status cuzk_porep_check_partition(const cuzk_fil_proof *proof, const cuzk_porep_vanilla *c1,
                                       size_t k, cuzk_error *err)
{
    const cuzk_porep_partition *partition = &c1->partition[k];
    const cuzk_porep_challenge *first = &partition->challenge[0];
    cuzk_error own;
    checker c = {.proof = proof,
                 .c1 = c1,
                 .comm_c = &first->column.path.root,
                 .comm_r_last = &first->replica.root,
                 .err = err != NULL ? err : &own};
    CUZK_TRY(cuzk_graph_init(&c.graph, proof->nodes, proof->porep_id, proof->api, c.err));
    cuzk_status status = cuzk_digest_new(&c.sha256, CUZK_SHA256, c.err);
    if (status == CUZK_OK)
        status = cuzk_check_comm_r(&c1->comm_r, c.comm_c, c.comm_r_last,
                                   "the hash of the roots of c_x and comm_r_last_proof of "
                                   "challenge 0 (comm_r)",
                                   c.err);
    if (status == CUZK_OK)
        status = check_challenges(&c, partition, k);
    cuzk_digest_free(c.sha256);
    cuzk_graph_release(&c.graph);
    return status == CUZK_OK ? CUZK_OK : cuzk_fail_context(c.err, "partition %zu", k);
}
