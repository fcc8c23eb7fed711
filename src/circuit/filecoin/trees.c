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

cuzk_status cuzk_merkle_path_open(cuzk_merkle_path *path, cuzk_arena *arena,
                                  const cuzk_tree_shape *shape, const cuzk_tree_source *source,
                                  uint64_t leaf, cuzk_error *err)
{
    CUZK_ASSERT(cuzk_shape_levels(shape) == source->form.levels);
    if (cuzk_merkle_path_init(path, arena, shape) != 0)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a Merkle path");
    path->leaf = source->node(source->tree, 0, leaf);
    path->root = source->node(source->tree, source->form.levels, 0);
    cuzk_tree_path(path->sibling, path->index, source, leaf);
    return CUZK_OK;
}
