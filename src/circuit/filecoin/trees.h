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

/* Takes a path's arrays from the arena and fills it with the path of a leaf. The tree is of that
 * shape. */
cuzk_status cuzk_merkle_path_open(cuzk_merkle_path *path, cuzk_arena *arena,
                                  const cuzk_tree_shape *shape, const cuzk_tree_source *source,
                                  uint64_t leaf, cuzk_error *err);

#endif
