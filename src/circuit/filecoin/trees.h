/* Paths of vanilla proofs and the trees that they come from. */
#ifndef CUZK_CIRCUIT_FILECOIN_TREES_H
#define CUZK_CIRCUIT_FILECOIN_TREES_H

#include "circuit/filecoin/vanilla.h"
#include "hash/tree.h"

/* A shape's levels as src/hash knows them. */
cuzk_tree_form cuzk_shape_form(const cuzk_tree_shape *shape, cuzk_tree_hash hash);

/* The root that a path hashes to, by its leaf, siblings and indices (each below its arity). */
cuzk_status cuzk_merkle_path_root(cuzk_scalar *root, const cuzk_merkle_path *path,
                                  cuzk_tree_hash hash, cuzk_error *err);

/* A tree of which paths can be had, however it is stored. fill sets leaf, root, siblings and
 * indices of a path whose arrays are there. */
typedef struct cuzk_path_source {
    cuzk_tree_shape shape;
    void (*fill)(cuzk_merkle_path *path, const void *tree, uint64_t leaf);
    const void *tree;
} cuzk_path_source;

/* A whole tree as such a source; it must outlive it. */
cuzk_path_source cuzk_path_source_of(const cuzk_tree *tree, const cuzk_tree_shape *shape);

/* Takes a path's arrays from the arena and fills it. */
cuzk_status cuzk_path_source_open(cuzk_merkle_path *path, cuzk_arena *arena,
                                  const cuzk_path_source *source, uint64_t leaf, cuzk_error *err);

#endif
