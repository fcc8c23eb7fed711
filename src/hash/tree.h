/* Merkle trees of field elements, as Filecoin builds them: binary ones of SHA-256 (tree D) and
 * Poseidon ones whose arity depends on the level (trees C and R of shape base-sub-top are trees
 * with `base` on all levels but the last one or two). Filecoin sealing, section 5. */
#ifndef CUZK_HASH_TREE_H
#define CUZK_HASH_TREE_H

#include "base/pool.h"
#include "base/status.h"
#include "field/scalar.h"

#include <stddef.h>
#include <stdint.h>

#define CUZK_TREE_MAX_LEVELS 40
#define CUZK_TREE_MAX_ARITY  36

typedef enum cuzk_tree_hash {
    CUZK_TREE_SHA256,   /* binary only: SHA-256 of both, the two top bits cleared */
    CUZK_TREE_POSEIDON, /* arities of cuzk_poseidon_get, the Merkle tag */
} cuzk_tree_hash;

/* Levels of hashing, from the leaves up. */
typedef struct cuzk_tree_form {
    cuzk_tree_hash hash;
    uint32_t levels;
    uint32_t arity[CUZK_TREE_MAX_LEVELS];
} cuzk_tree_form;

/* The product of the arities. */
size_t cuzk_tree_form_leaves(const cuzk_tree_form *form);

/* A tree with all of its nodes. row[0] are the leaves, row[levels] is the root. */
typedef struct cuzk_tree {
    cuzk_tree_form form;
    cuzk_scalar *row[CUZK_TREE_MAX_LEVELS + 1]; /* into one allocation, row[0]'s */
} cuzk_tree;

/* Builds the tree over a copy of cuzk_tree_form_leaves(form) canonical leaves. Released by
 * cuzk_tree_release; on error *tree is {0}. pool may be NULL. */
cuzk_status cuzk_tree_init(cuzk_tree *tree, const cuzk_tree_form *form, const cuzk_scalar *leaves,
                           cuzk_pool *pool, cuzk_error *err);
void cuzk_tree_release(cuzk_tree *tree);

static inline const cuzk_scalar *cuzk_tree_root(const cuzk_tree *tree)
{
    return tree->row[tree->form.levels];
}

/* A tree whose nodes can be asked for, however it is stored. */
typedef struct cuzk_tree_source {
    cuzk_tree_form form;
    cuzk_scalar (*node)(const void *tree, uint32_t level, uint64_t index); /* level 0: leaves */
    const void *tree;
} cuzk_tree_source;

/* The tree must outlive it. */
cuzk_tree_source cuzk_tree_as_source(const cuzk_tree *tree);

/* The path of a leaf: on each level the arity - 1 siblings in order, all levels one after the
 * other, and the own position. */
void cuzk_tree_path(cuzk_scalar *sibling, uint32_t *index, const cuzk_tree_source *source,
                    uint64_t leaf);

/* out[i] = the node above children[i * arity ...], i < n. out does not overlap children. */
cuzk_status cuzk_tree_nodes(cuzk_scalar *out, cuzk_tree_hash hash, uint32_t arity,
                            const cuzk_scalar *children, size_t n, cuzk_pool *pool,
                            cuzk_error *err);

/* The root that a leaf and its path hash to. */
cuzk_status cuzk_tree_path_root(cuzk_scalar *root, const cuzk_tree_form *form,
                                const cuzk_scalar *leaf, const cuzk_scalar *sibling,
                                const uint32_t *index, cuzk_error *err);

/* The root of a binary SHA-256 tree of that many levels whose leaves are all zero. */
cuzk_status cuzk_tree_zero_root(cuzk_scalar *root, uint32_t levels, cuzk_error *err);

#endif
