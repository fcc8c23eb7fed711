#include "hash/tree.h"

#include "base/memory.h"
#include "hash/poseidon.h"
#include "hash/sha256_trim.h"

#include <stdlib.h>
#include <string.h>

size_t cuzk_tree_form_leaves(const cuzk_tree_form *form)
{
    size_t n = 1;
    for (uint32_t level = 0; level < form->levels; level++)
        n *= form->arity[level];
    return n;
}

cuzk_status cuzk_tree_nodes(cuzk_scalar *out, cuzk_tree_hash hash, uint32_t arity,
                            const cuzk_scalar *children, size_t n, cuzk_pool *pool, cuzk_error *err)
{
    if (hash == CUZK_TREE_POSEIDON) {
        const cuzk_poseidon *p = cuzk_poseidon_get(arity);
        CUZK_ASSERT(p != NULL);
        cuzk_poseidon_hash_many(out, p, cuzk_poseidon_tag_merkle(arity), children, n, pool);
        return CUZK_OK;
    }
    CUZK_ASSERT(arity == 2);
    cuzk_digest *digest;
    CUZK_TRY(cuzk_digest_new(&digest, CUZK_SHA256, err));
    cuzk_status status = CUZK_OK;
    for (size_t i = 0; i < n && status == CUZK_OK; i++)
        status = cuzk_sha256_trim(&out[i], digest, children + 2 * i, 2 * sizeof *children, err);
    cuzk_digest_free(digest);
    return status;
}

cuzk_status cuzk_tree_init(cuzk_tree *tree, const cuzk_tree_form *form, const cuzk_scalar *leaves,
                           cuzk_pool *pool, cuzk_error *err)
{
    size_t n = cuzk_tree_form_leaves(form), total = n;
    CUZK_ASSERT(form->levels <= CUZK_TREE_MAX_LEVELS);
    *tree = (cuzk_tree){.form = *form};
    for (size_t level = 0, width = n; level < form->levels; level++)
        total += width /= form->arity[level];
    cuzk_scalar *nodes = cuzk_memory_new(total, sizeof *nodes);
    if (nodes == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a Merkle tree of %zu nodes", total);
    memcpy(nodes, leaves, n * sizeof *nodes);
    tree->row[0] = nodes;
    for (uint32_t level = 0; level < form->levels; level++) {
        uint32_t arity = form->arity[level];
        tree->row[level + 1] = tree->row[level] + n;
        n /= arity;
        cuzk_status status = cuzk_tree_nodes(tree->row[level + 1], form->hash, arity,
                                             tree->row[level], n, pool, err);
        if (status != CUZK_OK) {
            cuzk_tree_release(tree);
            return status;
        }
    }
    return CUZK_OK;
}

void cuzk_tree_release(cuzk_tree *tree)
{
    free(tree->row[0]);
    *tree = (cuzk_tree){0};
}

static cuzk_scalar stored_node(const void *context, uint32_t level, uint64_t index)
{
    const cuzk_tree *tree = context;
    return tree->row[level][index];
}

cuzk_tree_source cuzk_tree_as_source(const cuzk_tree *tree)
{
    return (cuzk_tree_source){tree->form, stored_node, tree};
}

void cuzk_tree_path(cuzk_scalar *sibling, uint32_t *index, const cuzk_tree_source *source,
                    uint64_t leaf)
{
    for (uint32_t level = 0; level < source->form.levels; level++) {
        uint32_t arity = source->form.arity[level];
        uint32_t own = (uint32_t)(leaf % arity);
        for (uint32_t i = 0; i < arity; i++) {
            if (i != own)
                *sibling++ = source->node(source->tree, level, leaf - own + i);
        }
        index[level] = own;
        leaf /= arity;
    }
}

cuzk_status cuzk_tree_path_root(cuzk_scalar *root, const cuzk_tree_form *form,
                                const cuzk_scalar *leaf, const cuzk_scalar *sibling,
                                const uint32_t *index, cuzk_error *err)
{
    cuzk_scalar children[CUZK_TREE_MAX_ARITY], current = *leaf;
    for (uint32_t level = 0; level < form->levels; level++) {
        uint32_t arity = form->arity[level];
        CUZK_ASSERT(arity <= CUZK_TREE_MAX_ARITY && index[level] < arity);
        for (uint32_t i = 0; i < arity; i++)
            children[i] = i == index[level] ? current : *sibling++;
        CUZK_TRY(cuzk_tree_nodes(&current, form->hash, arity, children, 1, NULL, err));
    }
    *root = current;
    return CUZK_OK;
}

cuzk_status cuzk_tree_zero_root(cuzk_scalar *root, uint32_t levels, cuzk_error *err)
{
    cuzk_scalar node = {{0}};
    for (uint32_t level = 0; level < levels; level++) {
        const cuzk_scalar children[2] = {node, node};
        CUZK_TRY(cuzk_tree_nodes(&node, CUZK_TREE_SHA256, 2, children, 1, NULL, err));
    }
    *root = node;
    return CUZK_OK;
}
