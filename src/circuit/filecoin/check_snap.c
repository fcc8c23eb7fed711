#include "circuit/filecoin/checks.h"

#include "circuit/filecoin/check_values.h"
#include "circuit/filecoin/trees.h"
#include "field/bls12_381_fr.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What checking a partition needs. */
typedef struct checker {
    const cuzk_fil_proof *proof;
    const cuzk_snap_public *comms;
    const cuzk_snap_partition *partition;
    cuzk_scalar phi;
    uint32_t levels;      /* of D */
    uint32_t apex_levels; /* between apex leaves and the partition's root */
    cuzk_error *err;
} checker;

/* The levels of the path up to `levels`, as a path of its own. */
static cuzk_merkle_path lower_part(const cuzk_merkle_path *path, uint32_t levels)
{
    cuzk_merkle_path part = *path;
    part.shape.base_levels = levels;
    return part;
}

/* The apex leaves hash to comm_d_new by the upper levels of the first challenge's path. */
static cuzk_status check_apex_root(checker *c)
{
    const cuzk_snap_partition *partition = c->partition;
    const cuzk_merkle_path *path = &partition->challenge[0].d_new;
    const uint32_t bits = c->proof->partition_bits, first = c->levels - bits;
    cuzk_scalar root;
    cuzk_tree apex;
    cuzk_tree_form form =
        cuzk_shape_form(&(cuzk_tree_shape){2, 0, 0, c->apex_levels}, CUZK_TREE_SHA256);
    CUZK_TRY(cuzk_tree_init(&apex, &form, partition->apex, NULL, c->err));
    root = *cuzk_tree_root(&apex);
    cuzk_tree_release(&apex);
    cuzk_merkle_path upper = {.shape = {2, 0, 0, bits},
                              .leaf = root,
                              .sibling = path->sibling + first,
                              .index = path->index + first};
    CUZK_TRY(cuzk_merkle_path_root(&root, &upper, CUZK_TREE_SHA256, c->err));
    return cuzk_check_equal(&root, &c->comms->comm_d_new,
                            "what apex_leafs and the partition's path hash to (comm_d_new)",
                            CUZK_ERR_FORMAT, c->err);
}

/* The path in D passes the apex leaf above it, and shares its upper siblings with the first. */
static cuzk_status check_apex_leaf(checker *c, const cuzk_merkle_path *path, uint64_t node)
{
    const uint32_t bits = c->proof->partition_bits, upper = c->levels - bits;
    const uint32_t low = upper - c->apex_levels;
    const cuzk_merkle_path *first = &c->partition->challenge[0].d_new;
    char name[48];
    cuzk_scalar hash;
    cuzk_merkle_path part = lower_part(path, low);
    CUZK_TRY(cuzk_merkle_path_root(&hash, &part, CUZK_TREE_SHA256, c->err));
    size_t leaf = (size_t)(node >> low) & (c->partition->n_apex - 1);
    snprintf(name, sizeof name, "proof_d_new: its node below apex_leafs[%zu]", leaf);
    CUZK_TRY(cuzk_check_equal(&hash, &c->partition->apex[leaf], name, CUZK_ERR_FORMAT, c->err));
    for (uint32_t level = upper; level < c->levels; level++) {
        snprintf(name, sizeof name, "proof_d_new: the sibling of level %" PRIu32, level);
        CUZK_TRY(cuzk_check_equal(&path->sibling[level], &first->sibling[level], name,
                                  CUZK_ERR_FORMAT, c->err));
    }
    return CUZK_OK;
}

/* new = old + data * rho. */
static cuzk_status check_encoding(checker *c, const cuzk_snap_challenge *challenge, uint64_t node)
{
    bls12_381_fr old, data, factor;
    cuzk_scalar rho, sum;
    cuzk_snap_rho(&rho, &c->phi, node >> (c->levels - cuzk_snap_high_bits(c->proof)));
    bls12_381_fr_from_canon(&factor, &rho);
    bls12_381_fr_from_canon(&old, &challenge->r_old.leaf);
    bls12_381_fr_from_canon(&data, &challenge->d_new.leaf);
    bls12_381_fr_mul(&data, &data, &factor);
    bls12_381_fr_add(&old, &old, &data);
    bls12_381_fr_to_canon(&sum, &old);
    return cuzk_check_equal(&challenge->r_new.leaf, &sum, "proof_r_new: its leaf", CUZK_ERR_FORMAT,
                            c->err);
}

static cuzk_status check_challenge(checker *c, const cuzk_snap_challenge *challenge, uint64_t node)
{
    const cuzk_snap_challenge *first = &c->partition->challenge[0];
    CUZK_TRY(cuzk_check_path(&challenge->r_old, CUZK_TREE_POSEIDON, node, &first->r_old.root,
                             "proof_r_old", c->err));
    CUZK_TRY(cuzk_check_path(&challenge->d_new, CUZK_TREE_SHA256, node, &c->comms->comm_d_new,
                             "proof_d_new", c->err));
    CUZK_TRY(cuzk_check_path(&challenge->r_new, CUZK_TREE_POSEIDON, node, &first->r_new.root,
                             "proof_r_new", c->err));
    CUZK_TRY(check_apex_leaf(c, &challenge->d_new, node));
    return check_encoding(c, challenge, node);
}

static cuzk_status check_challenges(checker *c, size_t k)
{
    const size_t n = c->partition->n_challenges;
    uint64_t *node = malloc(n * sizeof *node);
    if (node == NULL)
        return cuzk_fail(c->err, CUZK_ERR_MEMORY, "no memory for %zu challenges", n);
    cuzk_snap_challenges(node, c->proof, &c->comms->comm_r_new, k);
    cuzk_status status = CUZK_OK;
    for (size_t i = 0; i < n && status == CUZK_OK; i++) {
        status = check_challenge(c, &c->partition->challenge[i], node[i]);
        if (status != CUZK_OK)
            cuzk_fail_context(c->err, "challenge %zu", i);
    }
    free(node);
    return status;
}

static cuzk_status check_partition(checker *c, size_t k)
{
    const cuzk_snap_partition *partition = c->partition;
    const cuzk_snap_challenge *first = &partition->challenge[0];
    CUZK_TRY(cuzk_check_comm_r(&c->comms->comm_r_old, &partition->comm_c, &first->r_old.root,
                               "the hash of comm_c and the root of proof_r_old (comm_r_old)",
                               c->err));
    CUZK_TRY(cuzk_check_comm_r(&c->comms->comm_r_new, &partition->comm_c, &first->r_new.root,
                               "the hash of comm_c and the root of proof_r_new (comm_r_new)",
                               c->err));
    CUZK_TRY(check_challenges(c, k));
    return check_apex_root(c);
}

cuzk_status cuzk_snap_check_partition(const cuzk_fil_proof *proof, const cuzk_snap_public *comms,
                                      const cuzk_snap_partition *partition, size_t k,
                                      cuzk_error *err)
{
    cuzk_error own;
    checker c = {.proof = proof,
                 .comms = comms,
                 .partition = partition,
                 .levels = cuzk_shape_levels(&proof->data),
                 .err = err != NULL ? err : &own};
    while ((size_t)1 << c.apex_levels < partition->n_apex)
        c.apex_levels++;
    cuzk_snap_phi(&c.phi, &comms->comm_d_new, &comms->comm_r_old);
    if (check_partition(&c, k) == CUZK_OK)
        return CUZK_OK;
    return cuzk_fail_context(c.err, "partition %zu", k);
}
