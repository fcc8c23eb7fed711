#include "circuit/filecoin/sparse_tree.h"

#include "circuit/filecoin/places_sorted.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static cuzk_scalar sparse_node(const void *context, uint32_t level, uint64_t index)
{
    const cuzk_sparse_tree *tree = context;
    size_t at = cuzk_places_find(tree->index[level], tree->n[level], index);
    if (at < tree->n[level])
        return tree->value[level][at];
    return cuzk_seeded_value(tree->seed, tree->use, level, index);
}

cuzk_tree_source cuzk_sparse_tree_as_source(const cuzk_sparse_tree *tree)
{
    return (cuzk_tree_source){tree->form, sparse_node, tree};
}

static cuzk_status keep_level(cuzk_sparse_tree *tree, uint32_t level, size_t n, cuzk_error *err)
{
    tree->n[level] = n;
    tree->index[level] = malloc(n * sizeof *tree->index[level]);
    tree->value[level] = malloc(n * sizeof *tree->value[level]);
    if (tree->index[level] == NULL || tree->value[level] == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a sparse Merkle tree");
    return CUZK_OK;
}

static size_t count_parents(const uint64_t *index, size_t n, uint32_t arity)
{
    size_t parents = 0;
    for (size_t i = 0; i < n; i++)
        parents += i == 0 || index[i] / arity != index[i - 1] / arity;
    return parents;
}

/* The level above `level`. */
static cuzk_status make_parents(cuzk_sparse_tree *tree, uint32_t level, cuzk_pool *pool,
                                cuzk_error *err)
{
    const uint32_t arity = tree->form.arity[level];
    const uint64_t *index = tree->index[level];
    const size_t n = tree->n[level], parents = count_parents(index, n, arity);
    CUZK_TRY(keep_level(tree, level + 1, parents, err));
    cuzk_scalar *children = malloc(parents * arity * sizeof *children);
    if (children == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a sparse Merkle tree");
    for (size_t i = 0, parent = 0; i < n; parent++) {
        uint64_t place = index[i] / arity;
        tree->index[level + 1][parent] = place;
        for (uint32_t j = 0; j < arity; j++) {
            bool kept = i < n && index[i] == place * arity + j;
            children[parent * arity + j] =
                kept ? tree->value[level][i]
                     : cuzk_seeded_value(tree->seed, tree->use, level, place * arity + j);
            i += kept;
        }
    }
    cuzk_status status = cuzk_tree_nodes(tree->value[level + 1], tree->form.hash, arity, children,
                                         parents, pool, err);
    free(children);
    return status;
}

cuzk_status cuzk_sparse_tree_init(cuzk_sparse_tree *tree, const cuzk_tree_form *form,
                                  const uint8_t *seed, cuzk_seeded_use use, const uint64_t *index,
                                  const cuzk_scalar *value, size_t n, cuzk_pool *pool,
                                  cuzk_error *err)
{
    CUZK_ASSERT(n > 0);
    *tree = (cuzk_sparse_tree){.form = *form, .seed = seed, .use = use};
    cuzk_status status = keep_level(tree, 0, n, err);
    if (status == CUZK_OK) {
        memcpy(tree->index[0], index, n * sizeof *index);
        memcpy(tree->value[0], value, n * sizeof *value);
    }
    for (uint32_t level = 0; level < form->levels && status == CUZK_OK; level++)
        status = make_parents(tree, level, pool, err);
    if (status != CUZK_OK)
        cuzk_sparse_tree_release(tree);
    return status;
}

void cuzk_sparse_tree_release(cuzk_sparse_tree *tree)
{
    for (uint32_t level = 0; level <= CUZK_TREE_MAX_LEVELS; level++) {
        free(tree->index[level]);
        free(tree->value[level]);
    }
    *tree = (cuzk_sparse_tree){0};
}

static cuzk_scalar piece_node(const void *context, uint32_t level, uint64_t index)
{
    const cuzk_piece_tree *tree = context;
    if (level >= tree->low)
        return tree->top.row[level - tree->low][index];
    uint64_t nodes = cuzk_tree_form_leaves(&tree->form); /* of that level */
    for (uint32_t i = 0; i < level; i++)
        nodes /= tree->form.arity[i];
    return tree->chain[index / (nodes / tree->values) * tree->low + level];
}

cuzk_tree_source cuzk_piece_tree_as_source(const cuzk_piece_tree *tree)
{
    return (cuzk_tree_source){tree->form, piece_node, tree};
}

/* From a leaf up; *root is what the highest level kept in the chain hashes to. */
static cuzk_status make_chain(cuzk_scalar *chain, cuzk_scalar *root, const cuzk_piece_tree *tree,
                              const cuzk_scalar *leaf, cuzk_error *err)
{
    cuzk_scalar children[CUZK_TREE_MAX_ARITY], node = *leaf;
    for (uint32_t level = 0; level < tree->low; level++) {
        uint32_t arity = tree->form.arity[level];
        chain[level] = node;
        for (uint32_t i = 0; i < arity; i++)
            children[i] = node;
        CUZK_TRY(cuzk_tree_nodes(&node, tree->form.hash, arity, children, 1, NULL, err));
    }
    *root = node;
    return CUZK_OK;
}

static cuzk_status make_top(cuzk_piece_tree *tree, const cuzk_scalar *value, cuzk_scalar *roots,
                            size_t n_roots, cuzk_pool *pool, cuzk_error *err)
{
    const size_t repeat = n_roots / tree->values;
    cuzk_tree_form top = {.hash = tree->form.hash, .levels = tree->form.levels - tree->low};
    memcpy(top.arity, tree->form.arity + tree->low, top.levels * sizeof *top.arity);
    for (size_t i = 0; i < tree->values; i++) {
        cuzk_scalar root;
        CUZK_TRY(make_chain(tree->chain + i * tree->low, &root, tree, &value[i], err));
        for (size_t j = 0; j < repeat; j++)
            roots[i * repeat + j] = root;
    }
    return cuzk_tree_init(&tree->top, &top, roots, pool, err);
}

cuzk_status cuzk_piece_tree_init(cuzk_piece_tree *tree, const cuzk_tree_form *form,
                                 const cuzk_scalar *value, size_t values, cuzk_pool *pool,
                                 cuzk_error *err)
{
    size_t n_roots = cuzk_tree_form_leaves(form), piece = n_roots / values;
    CUZK_ASSERT(values > 0 && n_roots % values == 0);
    *tree = (cuzk_piece_tree){.form = *form, .values = values};
    /* As many levels as fit into a piece. */
    while (tree->low < form->levels && piece % form->arity[tree->low] == 0) {
        piece /= form->arity[tree->low];
        n_roots /= form->arity[tree->low++];
    }
    cuzk_scalar *roots = malloc(n_roots * sizeof *roots);
    tree->chain = malloc((values * tree->low + 1) * sizeof *tree->chain);
    cuzk_status status =
        roots == NULL || tree->chain == NULL
            ? cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a Merkle tree of pieces")
            : make_top(tree, value, roots, n_roots, pool, err);
    free(roots);
    if (status != CUZK_OK)
        cuzk_piece_tree_release(tree);
    return status;
}

void cuzk_piece_tree_release(cuzk_piece_tree *tree)
{
    free(tree->chain);
    cuzk_tree_release(&tree->top);
    *tree = (cuzk_piece_tree){0};
}
