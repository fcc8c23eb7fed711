#include "circuit/filecoin/bincode_write.h"

#include "base/buffer.h"
#include "base/bytes.h"

static void write_u64(cuzk_buffer *out, uint64_t value)
{
    uint8_t bytes[8];
    cuzk_store_le64(bytes, value);
    cuzk_buffer_add(out, bytes, sizeof bytes);
}

static void write_u32(cuzk_buffer *out, uint32_t value)
{
    uint8_t bytes[4];
    cuzk_store_le32(bytes, value);
    cuzk_buffer_add(out, bytes, sizeof bytes);
}

static void write_scalars(cuzk_buffer *out, const cuzk_scalar *values, size_t n)
{
    cuzk_buffer_add(out, values, n * sizeof *values);
}

/* Levels [first, end) of a path as an InclusionPath; *sibling moves on. */
static void write_levels(cuzk_buffer *out, const cuzk_merkle_path *path, uint32_t first,
                         uint32_t end, const cuzk_scalar **sibling)
{
    write_u64(out, end - first);
    for (uint32_t level = first; level < end; level++) {
        uint32_t n = cuzk_shape_arity(&path->shape, level) - 1;
        write_u64(out, n);
        write_scalars(out, *sibling, n);
        *sibling += n;
        write_u64(out, path->index[level]);
    }
}

static void write_path(cuzk_buffer *out, const cuzk_merkle_path *path)
{
    uint32_t base = path->shape.base_levels, levels = cuzk_shape_levels(&path->shape);
    const cuzk_scalar *sibling = path->sibling;
    write_u32(out, levels - base); /* 0 Single, 1 Sub, 2 Top */
    if (levels == base) {
        write_scalars(out, &path->root, 1);
        write_scalars(out, &path->leaf, 1);
        write_levels(out, path, 0, base, &sibling);
        return;
    }
    write_levels(out, path, 0, base, &sibling);
    for (uint32_t level = base; level < levels; level++)
        write_levels(out, path, level, level + 1, &sibling);
    write_scalars(out, &path->root, 1);
    write_scalars(out, &path->leaf, 1);
}

cuzk_status cuzk_post_write(uint8_t **blob, size_t *size, const cuzk_post_sector *sector,
                            cuzk_error *err)
{
    cuzk_buffer out = {0};
    write_u64(&out, sector->sector_id);
    write_scalars(&out, &sector->comm_r, 1);
    write_u64(&out, 1);
    write_u64(&out, sector->n_paths);
    for (size_t i = 0; i < sector->n_paths; i++)
        write_path(&out, &sector->path[i]);
    write_scalars(&out, &sector->comm_c, 1);
    write_scalars(&out, &sector->comm_r_last, 1);
    return cuzk_buffer_take(&out, blob, size, err);
}

cuzk_status cuzk_snap_write(uint8_t **blob, size_t *size, const cuzk_snap_partition *partition,
                            cuzk_error *err)
{
    cuzk_buffer out = {0};
    write_scalars(&out, &partition->comm_c, 1);
    write_u64(&out, partition->n_apex);
    write_scalars(&out, partition->apex, partition->n_apex);
    write_u64(&out, partition->n_challenges);
    for (size_t i = 0; i < partition->n_challenges; i++) {
        write_path(&out, &partition->challenge[i].r_old);
        write_path(&out, &partition->challenge[i].d_new);
        write_path(&out, &partition->challenge[i].r_new);
    }
    return cuzk_buffer_take(&out, blob, size, err);
}
