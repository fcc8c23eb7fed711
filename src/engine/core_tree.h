/* An ordered tree whose nodes lie inside the things that it orders: a treap. */
#ifndef CUZK_ENGINE_CORE_TREE_H
#define CUZK_ENGINE_CORE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed: in no tree. */
typedef struct core_node {
    struct core_node *left, *right;
    uint32_t priority, size; /* size 0: in no tree */
} core_node;

/* Negative: a comes first. 0 only for equal things, which a tree does not hold twice. */
typedef int core_order(const core_node *a, const core_node *b);

typedef struct core_tree {
    core_node *root;
    core_order *order;
    uint32_t seed; /* of the priorities; the shape depends on the calls made, on nothing else */
} core_tree;

#define CORE_OF(node, type, member) ((type *)(void *)((char *)(node)-offsetof(type, member)))

/* Aborts if an equal one is there. */
void cuzk_core_tree_add(core_tree *tree, core_node *node);
/* Does nothing if the node is in no tree. */
void cuzk_core_tree_remove(core_tree *tree, core_node *node);
core_node *cuzk_core_tree_first(const core_tree *tree);
core_node *cuzk_core_tree_last(const core_tree *tree);
/* The first that comes after probe, which need not be in the tree. */
core_node *cuzk_core_tree_after(const core_tree *tree, const core_node *probe);
/* The one equal to probe, or NULL. */
core_node *cuzk_core_tree_find(const core_tree *tree, const core_node *probe);
/* How many come before probe. */
size_t cuzk_core_tree_rank(const core_tree *tree, const core_node *probe);

static inline size_t cuzk_core_tree_size(const core_tree *tree)
{
    return tree->root ? tree->root->size : 0;
}

static inline bool cuzk_core_tree_has(const core_node *node)
{
    return node->size > 0;
}

#endif
