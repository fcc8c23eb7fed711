#include "circuit/filecoin/c1_write.h"

#include "base/buffer.h"
#include "circuit/filecoin/labels.h"
#include "circuit/filecoin/proofs.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

static void text(cuzk_buffer *out, const char *string)
{
    cuzk_buffer_add_text(out, string);
}

static void write_bytes(cuzk_buffer *out, const uint8_t bytes[32])
{
    char number[4 * 32 + 2], *at = number;
    *at++ = '[';
    for (unsigned i = 0; i < 32; i++) {
        unsigned byte = bytes[i];
        if (byte >= 100)
            *at++ = (char)('0' + byte / 100);
        if (byte >= 10)
            *at++ = (char)('0' + byte / 10 % 10);
        *at++ = (char)('0' + byte % 10);
        *at++ = i < 31 ? ',' : ']';
    }
    cuzk_buffer_add(out, number, (size_t)(at - number));
}

static void write_scalar(cuzk_buffer *out, const cuzk_scalar *value)
{
    write_bytes(out, (const uint8_t *)value->l);
}

static void write_scalars(cuzk_buffer *out, const cuzk_scalar *values, size_t n)
{
    text(out, "[");
    for (size_t i = 0; i < n; i++) {
        text(out, i > 0 ? "," : "");
        write_scalar(out, &values[i]);
    }
    text(out, "]");
}

/* Levels [first, end) of a path; *sibling moves on. */
static void write_levels(cuzk_buffer *out, const char *name, const cuzk_merkle_path *path,
                         uint32_t first, uint32_t end, const cuzk_scalar **sibling)
{
    text(out, name);
    text(out, "{\"path\":[");
    for (uint32_t level = first; level < end; level++) {
        uint32_t n = cuzk_shape_arity(&path->shape, level) - 1;
        text(out, level > first ? ",{\"hashes\":" : "{\"hashes\":");
        write_scalars(out, *sibling, n);
        *sibling += n;
        text(out, ",\"index\":");
        cuzk_buffer_add_decimal(out, path->index[level]);
        text(out, "}");
    }
    text(out, "]}");
}

static void write_ends(cuzk_buffer *out, const cuzk_merkle_path *path)
{
    text(out, "\"root\":");
    write_scalar(out, &path->root);
    text(out, ",\"leaf\":");
    write_scalar(out, &path->leaf);
}

static void write_path(cuzk_buffer *out, const cuzk_merkle_path *path)
{
    uint32_t base = path->shape.base_levels, levels = cuzk_shape_levels(&path->shape);
    const cuzk_scalar *sibling = path->sibling;
    if (levels == base) {
        text(out, "{\"data\":{\"Single\":{");
        write_ends(out, path);
        write_levels(out, ",\"path\":", path, 0, base, &sibling);
    } else {
        text(out, levels == base + 1 ? "{\"data\":{\"Sub\":{" : "{\"data\":{\"Top\":{");
        write_levels(out, "\"base_proof\":", path, 0, base, &sibling);
        write_levels(out, ",\"sub_proof\":", path, base, base + 1, &sibling);
        if (levels == base + 2)
            write_levels(out, ",\"top_proof\":", path, base + 1, levels, &sibling);
        text(out, ",");
        write_ends(out, path);
    }
    text(out, "}}}");
}

static void write_column(cuzk_buffer *out, const cuzk_column_proof *column, unsigned layers)
{
    text(out, "{\"column\":{\"index\":");
    cuzk_buffer_add_decimal(out, column->index);
    text(out, ",\"rows\":");
    write_scalars(out, column->label, layers);
    text(out, ",\"_h\":null},\"inclusion_proof\":");
    write_path(out, &column->path);
    text(out, "}");
}

static void write_columns(cuzk_buffer *out, const cuzk_column_proof *column, size_t n,
                          unsigned layers)
{
    for (size_t i = 0; i < n; i++) {
        text(out, i > 0 ? "," : "[");
        write_column(out, &column[i], layers);
    }
    text(out, "]");
}

/* A labeling or encoding proof. */
static void write_labeling(cuzk_buffer *out, const cuzk_porep_challenge *c, uint32_t layer)
{
    cuzk_parent_labels parents;
    cuzk_scalar hashed[CUZK_LABEL_PARENTS];
    cuzk_challenge_parents(&parents, c, layer);
    cuzk_label_parents(hashed, layer, &parents);
    text(out, "{\"parents\":");
    write_scalars(out, hashed, CUZK_LABEL_PARENTS);
    text(out, ",\"layer_index\":");
    cuzk_buffer_add_decimal(out, layer);
    text(out, ",\"node\":");
    cuzk_buffer_add_decimal(out, c->node);
    text(out, "}");
}

static void write_challenge(cuzk_buffer *out, const cuzk_porep_challenge *c, unsigned layers)
{
    text(out, "{\"comm_d_proofs\":");
    write_path(out, &c->data);
    text(out, ",\"comm_r_last_proof\":");
    write_path(out, &c->replica);
    text(out, ",\"replica_column_proofs\":{\"c_x\":");
    write_column(out, &c->column, layers);
    text(out, ",\"drg_parents\":");
    write_columns(out, c->drg, CUZK_DRG_PARENTS, layers);
    text(out, ",\"exp_parents\":");
    write_columns(out, c->exp, CUZK_EXP_PARENTS, layers);
    text(out, "},\"labeling_proofs\":[");
    for (uint32_t layer = 1; layer <= layers; layer++) {
        text(out, layer > 1 ? "," : "");
        write_labeling(out, c, layer);
    }
    text(out, "],\"encoding_proof\":");
    write_labeling(out, c, layers);
    text(out, "}");
}

static void write_partitions(cuzk_buffer *out, const cuzk_porep_vanilla *vanilla)
{
    text(out, "[");
    for (size_t k = 0; k < vanilla->n_partitions; k++) {
        const cuzk_porep_partition *partition = &vanilla->partition[k];
        text(out, k > 0 ? ",[" : "[");
        for (size_t i = 0; i < partition->n_challenges; i++) {
            text(out, i > 0 ? "," : "");
            write_challenge(out, &partition->challenge[i], vanilla->layers);
        }
        text(out, "]");
    }
    text(out, "]");
}

cuzk_status cuzk_c1_write(uint8_t **out_text, size_t *size, const cuzk_porep_vanilla *vanilla,
                          cuzk_error *err)
{
    cuzk_fil_proof proof, first;
    cuzk_buffer out = {0};
    CUZK_TRY(cuzk_fil_proof_get(&proof, CUZK_FIL_POREP, vanilla->registered_proof, err));
    /* Vanilla proofs always bear the first name of their size. */
    CUZK_TRY(cuzk_fil_proof_get(&first, CUZK_FIL_POREP, proof.size, err));
    text(&out, "{\"registered_proof\":\"");
    text(&out, proof.name);
    text(&out, "\",\"vanilla_proofs\":{\"");
    text(&out, first.name);
    text(&out, "\":");
    write_partitions(&out, vanilla);
    text(&out, "},\"comm_r\":");
    write_scalar(&out, &vanilla->comm_r);
    text(&out, ",\"comm_d\":");
    write_scalar(&out, &vanilla->comm_d);
    text(&out, ",\"replica_id\":");
    write_scalar(&out, &vanilla->replica_id);
    text(&out, ",\"seed\":");
    write_bytes(&out, vanilla->seed);
    text(&out, ",\"ticket\":");
    write_bytes(&out, vanilla->ticket);
    text(&out, "}");
    return cuzk_buffer_take(&out, out_text, size, err);
}

cuzk_status cuzk_c1_wrap(uint8_t **out_text, size_t *size, const uint8_t *c1, size_t n,
                         uint64_t sector, uint64_t sector_bytes, cuzk_error *err)
{
    cuzk_buffer out = {0};
    CUZK_ASSERT(n < (size_t)1 << 30);
    uint8_t *base64 = malloc((n + 2) / 3 * 4 + 1);
    if (base64 == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory to wrap a C1 output");
    int length = EVP_EncodeBlock(base64, c1, (int)n);
    text(&out, "{\"SectorNum\":");
    cuzk_buffer_add_decimal(&out, sector);
    text(&out, ",\"Phase1Out\":\"");
    cuzk_buffer_add(&out, base64, (size_t)length);
    text(&out, "\",\"SectorSize\":");
    cuzk_buffer_add_decimal(&out, sector_bytes);
    text(&out, "}");
    free(base64);
    return cuzk_buffer_take(&out, out_text, size, err);
}
