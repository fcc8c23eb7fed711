/* Merkle trees of any size of which few nodes exist. Both kinds have a root like any other tree,
 * and paths that hash to it. */
#ifndef CUZK_CIRCUIT_FILECOIN_SPARSE_TREE_H
#define CUZK_CIRCUIT_FILECOIN_SPARSE_TREE_H

#include "base/pool.h"
#include "circuit/filecoin/seeded.h"
#include "hash/tree.h"

/* Some leaves are given; the nodes above them are hashes; all others are seeded values. */
typedef struct cuzk_sparse_tree {
    cuzk_tree_form form;
    const uint8_t *seed;
    cuzk_seeded_use use;
    size_t n[CUZK_TREE_MAX_LEVELS + 1];        /* nodes of each level that are kept */
    uint64_t *index[CUZK_TREE_MAX_LEVELS + 1]; /* their places, rising */
    cuzk_scalar *value[CUZK_TREE_MAX_LEVELS + 1];
} cuzk_sparse_tree;

/* index: n places of leaves, rising, without repetition, n > 0; value: theirs. seed (32 bytes) must
 * outlive the tree. Released by cuzk_sparse_tree_release; on error *tree is {0}. */
cuzk_status cuzk_sparse_tree_init(cuzk_sparse_tree *tree, const cuzk_tree_form *form,
                                  const uint8_t *seed, cuzk_seeded_use use, const uint64_t *index,
                                  const cuzk_scalar *value, size_t n, cuzk_pool *pool,
                                  cuzk_error *err);
void cuzk_sparse_tree_release(cuzk_sparse_tree *tree);
cuzk_tree_source cuzk_sparse_tree_as_source(const cuzk_sparse_tree *tree);
static inline const cuzk_scalar *cuzk_sparse_tree_root(const cuzk_sparse_tree *tree)
{
    return tree->value[tree->form.levels];
}

/* The leaves come in `values` pieces of equal length, all leaves of a piece the same. So every node
 * of it is known, and a tree can be opened at places that follow from its own root. */
typedef struct cuzk_piece_tree {
    cuzk_tree_form form;
    uint32_t low;  /* levels below top's leaves: whole subtrees of equal leaves */
    size_t values; /* chain[value * low + level] is a node of that level in such a piece */
    cuzk_scalar *chain;
    cuzk_tree top;
} cuzk_piece_tree;

/* values: their number, a power of two that divides the leaves. On error *tree is {0}. */
cuzk_status cuzk_piece_tree_init(cuzk_piece_tree *tree, const cuzk_tree_form *form,
                                 const cuzk_scalar *value, size_t values, cuzk_pool *pool,
                                 cuzk_error *err);
void cuzk_piece_tree_release(cuzk_piece_tree *tree);
cuzk_tree_source cuzk_piece_tree_as_source(const cuzk_piece_tree *tree);

#endif
