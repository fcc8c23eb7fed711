#include "circuit/filecoin/trees.h"

cuzk_tree_form cuzk_shape_form(const cuzk_tree_shape *shape, cuzk_tree_hash hash)
{
    cuzk_tree_form form = {.hash = hash, .levels = cuzk_shape_levels(shape)};
    CUZK_ASSERT(form.levels <= CUZK_TREE_MAX_LEVELS);
    for (uint32_t level = 0; level < form.levels; level++)
        form.arity[level] = cuzk_shape_arity(shape, level);
    return form;
}

cuzk_status cuzk_merkle_path_root(cuzk_scalar *root, const cuzk_merkle_path *path,
                                  cuzk_tree_hash hash, cuzk_error *err)
{
    cuzk_tree_form form = cuzk_shape_form(&path->shape, hash);
    return cuzk_tree_path_root(root, &form, &path->leaf, path->sibling, path->index, err);
}

static void fill_from_tree(cuzk_merkle_path *path, const void *context, uint64_t leaf)
{
    const cuzk_tree *tree = context;
    path->leaf = tree->row[0][leaf];
    path->root = *cuzk_tree_root(tree);
    cuzk_tree_path(path->sibling, path->index, tree, leaf);
}

cuzk_path_source cuzk_path_source_of(const cuzk_tree *tree, const cuzk_tree_shape *shape)
{
    return (cuzk_path_source){*shape, fill_from_tree, tree};
}

cuzk_status cuzk_path_source_open(cuzk_merkle_path *path, cuzk_arena *arena,
                                  const cuzk_path_source *source, uint64_t leaf, cuzk_error *err)
{
    if (cuzk_merkle_path_init(path, arena, &source->shape) != 0)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a Merkle path");
    source->fill(path, source->tree, leaf);
    return CUZK_OK;
}
