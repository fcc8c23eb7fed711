/* Shapes of Merkle trees (Filecoin circuits, sections 6.1 and 10.1). */
#ifndef CUZK_CIRCUIT_FILECOIN_SHAPE_H
#define CUZK_CIRCUIT_FILECOIN_SHAPE_H

#include <stdint.h>

/* A tree base-sub-top: arities, powers of two; sub and top 0 where there is none. base_levels
 * levels of arity `base`, then at most one of `sub`, then at most one of `top`. */
typedef struct cuzk_tree_shape {
    uint32_t base, sub, top;
    uint32_t base_levels;
} cuzk_tree_shape;

static inline uint32_t cuzk_shape_levels(const cuzk_tree_shape *shape)
{
    return shape->base_levels + (shape->sub != 0) + (shape->top != 0);
}

/* The arity of a level, the leaves' first. */
static inline uint32_t cuzk_shape_arity(const cuzk_tree_shape *shape, uint32_t level)
{
    if (level < shape->base_levels)
        return shape->base;
    return level == shape->base_levels ? shape->sub : shape->top;
}

/* Siblings on a path: arity - 1 of each level. */
static inline uint32_t cuzk_shape_siblings(const cuzk_tree_shape *shape)
{
    uint32_t n = shape->base_levels * (shape->base - 1);
    n += shape->sub != 0 ? shape->sub - 1 : 0;
    return n + (shape->top != 0 ? shape->top - 1 : 0);
}

static inline uint64_t cuzk_shape_leaves(const cuzk_tree_shape *shape)
{
    uint64_t n = 1;
    for (uint32_t level = 0; level < cuzk_shape_levels(shape); level++)
        n *= cuzk_shape_arity(shape, level);
    return n;
}

#endif
