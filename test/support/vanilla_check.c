#include "support/vanilla_check.h"

#include "circuit/filecoin/challenges.h"
#include "circuit/filecoin/identity.h"
#include "circuit/filecoin/labels.h"
#include "field/bls12_381_fr.h"
#include "hash/poseidon.h"
#include "support/circuit.h"

#include <string.h>

static cuzk_error err;

static void assert_equal(const cuzk_scalar *a, const cuzk_scalar *b)
{
    assert_memory_equal(a, b, sizeof *a);
}

static void check_path(const cuzk_merkle_path *path, const cuzk_tree_shape *shape,
                       cuzk_tree_hash hash, uint64_t place, const cuzk_scalar *root)
{
    cuzk_scalar computed;
    assert_memory_equal(&path->shape, shape, sizeof *shape);
    assert_int_equal(cuzk_merkle_path_leaf(path), place);
    TEST_EXPECT(cuzk_merkle_path_root(&computed, path, hash, &err), CUZK_OK, &err);
    assert_equal(&computed, root);
    assert_equal(&path->root, root);
}

/* a + b * c mod r. */
static cuzk_scalar sum(const cuzk_scalar *a, const cuzk_scalar *b, const cuzk_scalar *c)
{
    cuzk_fr x, y, z;
    cuzk_scalar s;
    assert_true(bls12_381_fr_from_limbs(&x, a));
    assert_true(bls12_381_fr_from_limbs(&y, b));
    assert_true(bls12_381_fr_from_limbs(&z, c));
    bls12_381_fr_mul(&y, &y, &z);
    bls12_381_fr_add(&x, &x, &y);
    bls12_381_fr_to_canon(&s, &x);
    return s;
}

typedef struct porep_check {
    const cuzk_porep_vanilla *vanilla;
    const cuzk_fil_proof *proof;
    cuzk_scalar comm_c, comm_r_last;
    cuzk_graph graph;
    cuzk_digest *sha256;
} porep_check;

static void check_column(const cuzk_column_proof *column, const porep_check *check, uint64_t node)
{
    const cuzk_poseidon *p = cuzk_poseidon_get(check->proof->layers);
    cuzk_scalar hash;
    assert_int_equal(column->index, node);
    cuzk_poseidon_hash_many(&hash, p, cuzk_poseidon_tag_merkle(p->arity), column->label, 1, NULL);
    assert_equal(&hash, &column->path.leaf);
    check_path(&column->path, &check->proof->tree, CUZK_TREE_POSEIDON, node, &check->comm_c);
}

static void check_labels(const cuzk_porep_challenge *c, const porep_check *check)
{
    for (uint32_t layer = 1; layer <= check->proof->layers; layer++) {
        cuzk_parent_labels parents = {0};
        cuzk_scalar label;
        for (unsigned i = 0; i < CUZK_DRG_PARENTS; i++)
            parents.label[i] = c->drg[i].label[layer - 1];
        for (unsigned i = 0; i < CUZK_EXP_PARENTS && layer > 1; i++)
            parents.label[CUZK_DRG_PARENTS + i] = c->exp[i].label[layer - 2];
        TEST_EXPECT(cuzk_label_make(&label, check->sha256, &check->vanilla->replica_id, layer,
                                    c->node, &parents, &err),
                    CUZK_OK, &err);
        assert_equal(&label, &c->column.label[layer - 1]);
    }
}

static void check_challenge(const cuzk_porep_challenge *c, porep_check *check, uint64_t node)
{
    const cuzk_scalar one = {{1, 0, 0, 0}};
    uint32_t parents[CUZK_GRAPH_PARENTS];
    assert_int_equal(c->node, node);
    TEST_EXPECT(cuzk_graph_parents(parents, &check->graph, (uint32_t)node, &err), CUZK_OK, &err);
    check_path(&c->data, &check->proof->data, CUZK_TREE_SHA256, node, &check->vanilla->comm_d);
    check_path(&c->replica, &check->proof->tree, CUZK_TREE_POSEIDON, node, &check->comm_r_last);
    check_column(&c->column, check, node);
    for (unsigned i = 0; i < CUZK_DRG_PARENTS; i++)
        check_column(&c->drg[i], check, parents[i]);
    for (unsigned i = 0; i < CUZK_EXP_PARENTS; i++)
        check_column(&c->exp[i], check, parents[CUZK_DRG_PARENTS + i]);
    check_labels(c, check);
    cuzk_scalar replica = sum(&c->column.label[check->proof->layers - 1], &c->data.leaf, &one);
    assert_equal(&replica, &c->replica.leaf);
}

void test_check_porep(const cuzk_porep_vanilla *vanilla, const cuzk_fil_proof *proof)
{
    const cuzk_porep_challenge *first = vanilla->partition[0].challenge;
    porep_check check = {vanilla, proof, first->column.path.root, first->replica.root, {0}, NULL};
    cuzk_porep_draw draw = {.rule = proof->rule,
                            .nodes = proof->nodes,
                            .replica_id = vanilla->replica_id,
                            .comm_r = vanilla->comm_r,
                            .candidates = cuzk_synthetic_candidates(proof->nodes)};
    cuzk_scalar comm_r;
    memcpy(draw.seed, vanilla->seed, sizeof draw.seed);
    TEST_EXPECT(cuzk_graph_init(&check.graph, proof->nodes, proof->porep_id, proof->api, &err),
                CUZK_OK, &err);
    TEST_EXPECT(cuzk_digest_new(&check.sha256, CUZK_SHA256, &err), CUZK_OK, &err);
    cuzk_comm_r(&comm_r, &check.comm_c, &check.comm_r_last);
    assert_equal(&comm_r, &vanilla->comm_r);
    assert_int_equal(vanilla->registered_proof, proof->id);
    assert_int_equal(vanilla->layers, proof->layers);
    assert_int_equal(vanilla->n_partitions, proof->partitions);
    for (size_t k = 0; k < proof->partitions; k++) {
        const cuzk_porep_partition *partition = &vanilla->partition[k];
        assert_int_equal(partition->n_challenges, proof->challenges);
        for (size_t i = 0; i < proof->challenges; i++) {
            uint64_t node;
            TEST_EXPECT(
                cuzk_porep_challenges(&node, &draw, (uint32_t)(k * proof->challenges + i), 1, &err),
                CUZK_OK, &err);
            check_challenge(&partition->challenge[i], &check, node);
        }
    }
    cuzk_digest_free(check.sha256);
    cuzk_graph_release(&check.graph);
}

void test_check_post(const cuzk_post_sector *post, const cuzk_fil_proof *proof,
                     const uint64_t *leaf, size_t n)
{
    cuzk_scalar comm_r;
    cuzk_comm_r(&comm_r, &post->comm_c, &post->comm_r_last);
    assert_equal(&comm_r, &post->comm_r);
    assert_int_equal(post->n_paths, n);
    for (size_t i = 0; i < n; i++)
        check_path(&post->path[i], &proof->tree, CUZK_TREE_POSEIDON, leaf[i], &post->comm_r_last);
}

/* The apex leaves' subtree and the first path above it are one tree: each path's node at their
 * level is the apex leaf over it. */
static void check_apex(const cuzk_snap_partition *snap, const cuzk_fil_proof *proof,
                       const cuzk_merkle_path *path, uint64_t node)
{
    unsigned apex_bits = 0;
    while ((size_t)1 << apex_bits < proof->apex)
        apex_bits++;
    unsigned below = proof->data.base_levels - proof->partition_bits - apex_bits;
    cuzk_tree_form form = {CUZK_TREE_SHA256, below, {0}};
    cuzk_scalar apex;
    for (unsigned i = 0; i < below; i++)
        form.arity[i] = 2;
    TEST_EXPECT(cuzk_tree_path_root(&apex, &form, &path->leaf, path->sibling, path->index, &err),
                CUZK_OK, &err);
    assert_int_equal(snap->n_apex, proof->apex);
    assert_equal(&apex, &snap->apex[node >> below & (proof->apex - 1)]);
}

void test_check_snap(const cuzk_snap_partition *snap, const cuzk_deal_view *comms, size_t partition)
{
    const cuzk_fil_proof *proof = comms->proof;
    const cuzk_snap_challenge *first = &snap->challenge[0];
    cuzk_scalar comm_r, phi, rho;
    uint64_t node[128];
    assert_true(proof->challenges <= 128);
    assert_int_equal(snap->n_challenges, proof->challenges);
    cuzk_comm_r(&comm_r, &snap->comm_c, &first->r_old.root);
    assert_equal(&comm_r, &comms->comm_r_old);
    cuzk_comm_r(&comm_r, &snap->comm_c, &first->r_new.root);
    assert_equal(&comm_r, &comms->comm_r_new);
    cuzk_snap_phi(&phi, &comms->comm_d_new, &comms->comm_r_old);
    cuzk_snap_challenges(node, proof, &comms->comm_r_new, partition);
    for (size_t i = 0; i < snap->n_challenges; i++) {
        const cuzk_snap_challenge *c = &snap->challenge[i];
        check_path(&c->r_old, &proof->tree, CUZK_TREE_POSEIDON, node[i], &first->r_old.root);
        check_path(&c->r_new, &proof->tree, CUZK_TREE_POSEIDON, node[i], &first->r_new.root);
        check_path(&c->d_new, &proof->data, CUZK_TREE_SHA256, node[i], &comms->comm_d_new);
        check_apex(snap, proof, &c->d_new, node[i]);
        unsigned shift = proof->data.base_levels - cuzk_snap_high_bits(proof);
        cuzk_snap_rho(&rho, &phi, node[i] >> shift);
        cuzk_scalar replica = sum(&c->r_old.leaf, &c->d_new.leaf, &rho);
        assert_equal(&replica, &c->r_new.leaf);
    }
}
