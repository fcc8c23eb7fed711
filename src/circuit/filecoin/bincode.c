#include "circuit/filecoin/bincode.h"

#include "base/bytes.h"
#include "circuit/filecoin/place.h"
#include "field/bls12_381_fr.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { VARIANT_SINGLE = 0, VARIANT_SUB = 1, VARIANT_TOP = 2 };

typedef struct reader {
    const uint8_t *data;
    size_t size, at;
    const char *name;
    cuzk_place place;
    cuzk_arena *arena;
    cuzk_error *err;
} reader;

static cuzk_status fail_at(reader *in, size_t at, const char *what)
{
    char place[CUZK_PLACE_TEXT];
    cuzk_place_write(place, &in->place);
    return cuzk_fail(in->err, CUZK_ERR_FORMAT, "%s: %s (byte %zu): %s", in->name, place, at, what);
}

static cuzk_status fail_memory(reader *in)
{
    return cuzk_fail(in->err, CUZK_ERR_MEMORY, "%s: no memory for the parsed proof", in->name);
}

static cuzk_status take(reader *in, const uint8_t **bytes, size_t n)
{
    char what[96];
    if (in->size - in->at < n) {
        snprintf(what, sizeof what, "expected %zu bytes, found %zu up to the end", n,
                 in->size - in->at);
        return fail_at(in, in->at, what);
    }
    *bytes = in->data + in->at;
    in->at += n;
    return CUZK_OK;
}

/* Members step down, read and step up; after an error the place stays where it was. */
#define MEMBER(in, name, call)                                                                     \
    do {                                                                                           \
        cuzk_place_push(&(in)->place, name, 0);                                                    \
        CUZK_TRY(call);                                                                            \
        cuzk_place_pop(&(in)->place);                                                              \
    } while (0)
#define ELEMENT(in, i, call)                                                                       \
    do {                                                                                           \
        cuzk_place_push(&(in)->place, NULL, i);                                                    \
        CUZK_TRY(call);                                                                            \
        cuzk_place_pop(&(in)->place);                                                              \
    } while (0)

static cuzk_status read_u64(reader *in, uint64_t *value)
{
    const uint8_t *bytes = NULL;
    CUZK_TRY(take(in, &bytes, 8));
    *value = cuzk_load_le64(bytes);
    return CUZK_OK;
}

static cuzk_status read_fr(reader *in, cuzk_scalar *value)
{
    const uint8_t *bytes = NULL;
    CUZK_TRY(take(in, &bytes, 32));
    for (size_t i = 0; i < 4; i++)
        value->l[i] = cuzk_load_le64(bytes + 8 * i);
    if (!bls12_381_fr_limbs_valid(value->l))
        return fail_at(in, in->at - 32, "the value is not below r, so not a field element");
    return CUZK_OK;
}

/* The length of a vector: from least to most elements. */
static cuzk_status read_length(reader *in, size_t *length, size_t least, size_t most)
{
    char what[96];
    uint64_t n = 0;
    CUZK_TRY(read_u64(in, &n));
    if (n < least || n > most) {
        if (least == most)
            snprintf(what, sizeof what, "found %" PRIu64 " elements, expected %zu", n, most);
        else
            snprintf(what, sizeof what, "found %" PRIu64 " elements, expected %zu to %zu", n, least,
                     most);
        return fail_at(in, in->at - 8, what);
    }
    *length = (size_t)n;
    return CUZK_OK;
}

static cuzk_status read_frs(reader *in, cuzk_scalar *value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ELEMENT(in, i, read_fr(in, &value[i]));
    return CUZK_OK;
}

static cuzk_status read_index(reader *in, uint32_t *index, uint32_t arity)
{
    char what[96];
    uint64_t value = 0;
    CUZK_TRY(read_u64(in, &value));
    if (value >= arity) {
        snprintf(what, sizeof what, "found %" PRIu64 ", expected a number below %u", value, arity);
        return fail_at(in, in->at - 8, what);
    }
    *index = (uint32_t)value;
    return CUZK_OK;
}

static cuzk_status read_hashes(reader *in, cuzk_scalar *sibling, uint32_t arity)
{
    size_t n = 0;
    CUZK_TRY(read_length(in, &n, arity - 1, arity - 1));
    return read_frs(in, sibling, n);
}

static cuzk_status read_element(reader *in, cuzk_scalar *sibling, uint32_t *index, uint32_t arity)
{
    MEMBER(in, "hashes", read_hashes(in, sibling, arity));
    MEMBER(in, "index", read_index(in, index, arity));
    return CUZK_OK;
}

/* An InclusionPath: n levels of a path from `level` up. *sibling moves on behind them. */
static cuzk_status read_levels(reader *in, cuzk_merkle_path *path, uint32_t level, uint32_t n,
                               cuzk_scalar **sibling)
{
    size_t length = 0;
    CUZK_TRY(read_length(in, &length, n, n));
    for (uint32_t i = 0; i < n; i++) {
        uint32_t arity = cuzk_shape_arity(&path->shape, level + i);
        ELEMENT(in, i, read_element(in, *sibling, &path->index[level + i], arity));
        *sibling += arity - 1;
    }
    return CUZK_OK;
}

static cuzk_status read_variant(reader *in, uint32_t expected)
{
    static const char *const names[] = {"Single", "Sub", "Top"};
    const uint8_t *bytes = NULL;
    char what[96];
    CUZK_TRY(take(in, &bytes, 4));
    uint32_t variant = cuzk_load_le32(bytes);
    if (variant != expected) {
        snprintf(what, sizeof what, "found variant %" PRIu32 ", expected %" PRIu32 " (%s)", variant,
                 expected, names[expected]);
        return fail_at(in, in->at - 4, what);
    }
    return CUZK_OK;
}

static cuzk_status read_root_and_leaf(reader *in, cuzk_merkle_path *path)
{
    MEMBER(in, "root", read_fr(in, &path->root));
    MEMBER(in, "leaf", read_fr(in, &path->leaf));
    return CUZK_OK;
}

/* A MerkleProof of a tree of that shape. Root and leaf come first in Single and last in the
 * others. */
static cuzk_status read_path(reader *in, cuzk_merkle_path *path, const cuzk_tree_shape *shape)
{
    if (cuzk_merkle_path_init(path, in->arena, shape) != 0)
        return fail_memory(in);
    cuzk_scalar *sibling = path->sibling;
    const uint32_t base = shape->base_levels;
    if (shape->sub == 0) {
        MEMBER(in, "data", read_variant(in, VARIANT_SINGLE));
        CUZK_TRY(read_root_and_leaf(in, path));
        MEMBER(in, "path", read_levels(in, path, 0, base, &sibling));
        return CUZK_OK;
    }
    MEMBER(in, "data", read_variant(in, shape->top == 0 ? VARIANT_SUB : VARIANT_TOP));
    MEMBER(in, "base_proof", read_levels(in, path, 0, base, &sibling));
    MEMBER(in, "sub_proof", read_levels(in, path, base, 1, &sibling));
    if (shape->top != 0)
        MEMBER(in, "top_proof", read_levels(in, path, base + 1, 1, &sibling));
    return read_root_and_leaf(in, path);
}

static cuzk_status check_end(reader *in)
{
    char what[96];
    if (in->at == in->size)
        return CUZK_OK;
    snprintf(what, sizeof what, "%zu bytes follow the proof, expected none", in->size - in->at);
    return fail_at(in, in->at, what);
}

static cuzk_status read_paths(reader *in, cuzk_post_sector *sector, const cuzk_fil_proof *proof)
{
    const int winning = proof->kind == CUZK_FIL_WINNING;
    size_t most = winning ? proof->sectors : proof->challenges;
    CUZK_TRY(read_length(in, &sector->n_paths, winning ? 1 : most, most));
    sector->path = cuzk_arena_new(in->arena, sector->n_paths, sizeof *sector->path);
    if (sector->path == NULL)
        return fail_memory(in);
    for (size_t i = 0; i < sector->n_paths; i++)
        ELEMENT(in, i, read_path(in, &sector->path[i], &proof->tree));
    return CUZK_OK;
}

static cuzk_status read_sector_proof(reader *in, cuzk_post_sector *sector,
                                     const cuzk_fil_proof *proof)
{
    MEMBER(in, "inclusion_proofs", read_paths(in, sector, proof));
    MEMBER(in, "comm_c", read_fr(in, &sector->comm_c));
    MEMBER(in, "comm_r_last", read_fr(in, &sector->comm_r_last));
    return CUZK_OK;
}

static cuzk_status read_sector_proofs(reader *in, cuzk_post_sector *sector,
                                      const cuzk_fil_proof *proof)
{
    size_t n = 0;
    CUZK_TRY(read_length(in, &n, 1, 1));
    ELEMENT(in, 0, read_sector_proof(in, sector, proof));
    return CUZK_OK;
}

cuzk_status cuzk_post_read(cuzk_post_sector *sector, cuzk_arena *arena, const cuzk_fil_proof *proof,
                           const void *blob, size_t size, const char *name, cuzk_error *err)
{
    reader in = {.data = blob, .size = size, .name = name, .arena = arena, .err = err};
    *sector = (cuzk_post_sector){0};
    MEMBER(&in, "sector_id", read_u64(&in, &sector->sector_id));
    MEMBER(&in, "comm_r", read_fr(&in, &sector->comm_r));
    MEMBER(&in, "vanilla_proof", read_sector_proofs(&in, sector, proof));
    return check_end(&in);
}

static cuzk_status read_apex(reader *in, cuzk_snap_partition *partition, size_t n)
{
    CUZK_TRY(read_length(in, &partition->n_apex, n, n));
    partition->apex = cuzk_arena_new(in->arena, n, sizeof *partition->apex);
    if (partition->apex == NULL)
        return fail_memory(in);
    return read_frs(in, partition->apex, n);
}

static cuzk_status read_snap_challenge(reader *in, cuzk_snap_challenge *challenge,
                                       const cuzk_fil_proof *proof)
{
    MEMBER(in, "proof_r_old", read_path(in, &challenge->r_old, &proof->tree));
    MEMBER(in, "proof_d_new", read_path(in, &challenge->d_new, &proof->data));
    MEMBER(in, "proof_r_new", read_path(in, &challenge->r_new, &proof->tree));
    return CUZK_OK;
}

static cuzk_status read_snap_challenges(reader *in, cuzk_snap_partition *partition,
                                        const cuzk_fil_proof *proof)
{
    CUZK_TRY(read_length(in, &partition->n_challenges, proof->challenges, proof->challenges));
    partition->challenge =
        cuzk_arena_new(in->arena, proof->challenges, sizeof *partition->challenge);
    if (partition->challenge == NULL)
        return fail_memory(in);
    for (size_t i = 0; i < partition->n_challenges; i++)
        ELEMENT(in, i, read_snap_challenge(in, &partition->challenge[i], proof));
    return CUZK_OK;
}

cuzk_status cuzk_snap_read(cuzk_snap_partition *partition, cuzk_arena *arena,
                           const cuzk_fil_proof *proof, const void *blob, size_t size,
                           const char *name, cuzk_error *err)
{
    reader in = {.data = blob, .size = size, .name = name, .arena = arena, .err = err};
    *partition = (cuzk_snap_partition){0};
    MEMBER(&in, "comm_c", read_fr(&in, &partition->comm_c));
    MEMBER(&in, "apex_leafs", read_apex(&in, partition, proof->apex));
    MEMBER(&in, "challenge_proofs", read_snap_challenges(&in, partition, proof));
    return check_end(&in);
}
