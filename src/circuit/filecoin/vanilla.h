/* Vanilla proofs in memory: what the parsers make, what sealing makes, what checks, circuits and
 * writers take (Filecoin circuits, section 12).
 *
 * Values are canonical field elements, below r, but for seed and ticket, which are only hashed.
 * Everything that a structure points to lies in one arena, its owner's: nothing is freed alone. */
#ifndef CUZK_CIRCUIT_FILECOIN_VANILLA_H
#define CUZK_CIRCUIT_FILECOIN_VANILLA_H

#include "base/arena.h"
#include "circuit/filecoin/shape.h"
#include "field/scalar.h"

#include <stddef.h>
#include <stdint.h>

enum { CUZK_DRG_PARENTS = 6, CUZK_EXP_PARENTS = 8, CUZK_LABEL_PARENTS = 37 };

/* A path of a tree of the shape that belongs to it, from the leaf up. */
typedef struct cuzk_merkle_path {
    cuzk_tree_shape shape;
    cuzk_scalar leaf, root;
    cuzk_scalar *sibling; /* of all levels one after the other: cuzk_shape_siblings(&shape) */
    uint32_t *index;      /* own position on each level, below its arity: cuzk_shape_levels */
} cuzk_merkle_path;

/* The place of the leaf in the tree: the levels' indices, the lowest least significant. */
static inline uint64_t cuzk_merkle_path_leaf(const cuzk_merkle_path *path)
{
    uint64_t place = 0, weight = 1;
    for (uint32_t level = 0; level < cuzk_shape_levels(&path->shape); level++) {
        place += weight * path->index[level];
        weight *= cuzk_shape_arity(&path->shape, level);
    }
    return place;
}

#define CUZK_LAYERS_MAX 11

/* A node's labels and their place in tree C; the path's leaf is the labels' hash. */
typedef struct cuzk_column_proof {
    uint32_t index;     /* the node */
    cuzk_scalar *label; /* of layer 1 first */
    cuzk_merkle_path path;
} cuzk_column_proof;

/* What a labeling proof and the encoding proof repeat (the hashed parents, the layer) follows from
 * the columns: readers compare it and do not keep it. */
typedef struct cuzk_porep_challenge {
    uint64_t node;            /* the challenge */
    cuzk_merkle_path data;    /* tree D */
    cuzk_merkle_path replica; /* tree R */
    cuzk_column_proof column; /* the node's own, then its parents' in the graph's order */
    cuzk_column_proof drg[CUZK_DRG_PARENTS];
    cuzk_column_proof exp[CUZK_EXP_PARENTS];
} cuzk_porep_challenge;

typedef struct cuzk_porep_partition {
    cuzk_porep_challenge *challenge;
    size_t n_challenges;
} cuzk_porep_partition;

/* A C1 output. */
typedef struct cuzk_porep_vanilla {
    unsigned registered_proof; /* 0 to 19 */
    unsigned layers;           /* labels of each column */
    cuzk_scalar comm_r, comm_d, replica_id;
    uint8_t seed[32], ticket[32];
    cuzk_porep_partition *partition;
    size_t n_partitions;
} cuzk_porep_vanilla;

/* One sector's proof for Window or Winning PoSt. */
typedef struct cuzk_post_sector {
    uint64_t sector_id;
    cuzk_scalar comm_r, comm_c, comm_r_last;
    cuzk_merkle_path *path; /* tree R, one for each challenge */
    size_t n_paths;
} cuzk_post_sector;

typedef struct cuzk_snap_challenge {
    cuzk_merkle_path r_old, d_new, r_new;
} cuzk_snap_challenge;

/* One partition of a SnapDeals proof. */
typedef struct cuzk_snap_partition {
    cuzk_scalar comm_c;
    cuzk_scalar *apex;
    size_t n_apex;
    cuzk_snap_challenge *challenge;
    size_t n_challenges;
} cuzk_snap_partition;

/* Gives a path its arrays, all zero, from the arena. Returns 0, or -1 when memory is short. */
static inline int cuzk_merkle_path_init(cuzk_merkle_path *path, cuzk_arena *arena,
                                        const cuzk_tree_shape *shape)
{
    *path = (cuzk_merkle_path){.shape = *shape};
    path->sibling = cuzk_arena_new(arena, cuzk_shape_siblings(shape), sizeof *path->sibling);
    path->index = cuzk_arena_new(arena, cuzk_shape_levels(shape), sizeof *path->index);
    return path->sibling != NULL && path->index != NULL ? 0 : -1;
}

#endif
