/* Merkle inclusion as a circuit (Filecoin circuits, section 6). Shapes: circuit/filecoin/shape.h.
 * Each level of a path is one template. */
#ifndef CUZK_CIRCUIT_GADGET_POR_H
#define CUZK_CIRCUIT_GADGET_POR_H

#include "circuit/cs.h"
#include "circuit/filecoin/shape.h"

typedef enum cuzk_tree_hash { CUZK_TREE_POSEIDON, CUZK_TREE_SHA256 } cuzk_tree_hash;

/* SHA-256 of n numbers as 32 bytes each, as a number without its two top bits; a template. */
cuzk_var cuzk_sha256_numbers(cuzk_cs *cs, const cuzk_var *numbers, uint32_t n);

/* Hashes up a path that the request brings: for each level from the leaf up a word, the index, and
 * arity - 1 field elements, the siblings. The leaf's place becomes a public input. Returns the root
 * that follows. */
cuzk_var cuzk_por_root(cuzk_cs *cs, cuzk_tree_hash hash, const cuzk_tree_shape *shape,
                       cuzk_var leaf);
/* The same, and the root must be `root`. */
void cuzk_por(cuzk_cs *cs, cuzk_tree_hash hash, const cuzk_tree_shape *shape, cuzk_var leaf,
              cuzk_var root);

/* The same where the bits of the leaf's place, the lowest first, and the siblings of all levels
 * (cuzk_shape_siblings) are there already: no public input. */
void cuzk_por_given(cuzk_cs *cs, cuzk_tree_hash hash, const cuzk_tree_shape *shape, cuzk_var leaf,
                    const cuzk_bit *bits, const cuzk_var *siblings, cuzk_var root);

#endif
