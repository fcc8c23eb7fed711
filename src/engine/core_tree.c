/* A treap: a search tree by the order, a heap by random priorities, so that its depth is
 * logarithmic whatever the order of insertion. */
#include "engine/core_tree.h"

#include "base/status.h"

static uint32_t size_of(const core_node *node)
{
    return node ? node->size : 0;
}

static core_node *sized(core_node *node)
{
    node->size = 1 + size_of(node->left) + size_of(node->right);
    return node;
}

/* What comes before probe goes left, the rest right. */
static void split(const core_tree *tree, core_node *root, const core_node *probe, core_node **left,
                  core_node **right)
{
    if (!root) {
        *left = *right = NULL;
    } else if (tree->order(root, probe) < 0) {
        split(tree, root->right, probe, &root->right, right);
        *left = sized(root);
    } else {
        split(tree, root->left, probe, left, &root->left);
        *right = sized(root);
    }
}

/* All of left comes before all of right. */
static core_node *merge(core_node *left, core_node *right)
{
    if (!left || !right)
        return left ? left : right;
    if (left->priority >= right->priority) {
        left->right = merge(left->right, right);
        return sized(left);
    }
    right->left = merge(left, right->left);
    return sized(right);
}

static core_node *add(const core_tree *tree, core_node *root, core_node *node)
{
    if (!root)
        return sized(node);
    if (node->priority > root->priority) {
        split(tree, root, node, &node->left, &node->right);
        return sized(node);
    }
    if (tree->order(node, root) < 0)
        root->left = add(tree, root->left, node);
    else
        root->right = add(tree, root->right, node);
    return sized(root);
}

static core_node *cut(const core_tree *tree, core_node *root, core_node *node)
{
    if (root == node)
        return merge(root->left, root->right);
    CUZK_ASSERT(root);
    if (tree->order(node, root) < 0)
        root->left = cut(tree, root->left, node);
    else
        root->right = cut(tree, root->right, node);
    return sized(root);
}

void cuzk_core_tree_add(core_tree *tree, core_node *node)
{
    CUZK_ASSERT(!cuzk_core_tree_has(node) && !cuzk_core_tree_find(tree, node));
    tree->seed = tree->seed * 1664525u + 1013904223u;
    *node = (core_node){.priority = tree->seed >> 8};
    tree->root = add(tree, tree->root, node);
}

void cuzk_core_tree_remove(core_tree *tree, core_node *node)
{
    if (!cuzk_core_tree_has(node))
        return;
    tree->root = cut(tree, tree->root, node);
    *node = (core_node){0};
}

core_node *cuzk_core_tree_first(const core_tree *tree)
{
    core_node *node = tree->root;
    while (node && node->left)
        node = node->left;
    return node;
}

core_node *cuzk_core_tree_last(const core_tree *tree)
{
    core_node *node = tree->root;
    while (node && node->right)
        node = node->right;
    return node;
}

core_node *cuzk_core_tree_after(const core_tree *tree, const core_node *probe)
{
    core_node *found = NULL;
    for (core_node *node = tree->root; node;) {
        if (tree->order(node, probe) > 0) {
            found = node;
            node = node->left;
        } else {
            node = node->right;
        }
    }
    return found;
}

core_node *cuzk_core_tree_find(const core_tree *tree, const core_node *probe)
{
    core_node *node = tree->root;
    while (node) {
        int order = tree->order(probe, node);
        if (order == 0)
            return node;
        node = order < 0 ? node->left : node->right;
    }
    return NULL;
}

size_t cuzk_core_tree_rank(const core_tree *tree, const core_node *probe)
{
    size_t rank = 0;
    for (core_node *node = tree->root; node;) {
        if (tree->order(node, probe) < 0) {
            rank += 1 + size_of(node->left);
            node = node->right;
        } else {
            node = node->left;
        }
    }
    return rank;
}
