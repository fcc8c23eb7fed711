#include "circuit/filecoin/c1.h"

#include "circuit/filecoin/c1_read.h"
#include "circuit/filecoin/json_scan.h"
#include "circuit/filecoin/labels.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define COUNT(names) ((int)(sizeof(names) / sizeof(names)[0]))

typedef struct c1 {
    cuzk_json_reader *json;
    cuzk_porep_vanilla *out;
    cuzk_arena *arena;
    const cuzk_fil_proof *proof;
    /* Of the challenge being read. */
    bool node_known;
    cuzk_scalar hashed[CUZK_LAYERS_MAX + 1][CUZK_LABEL_PARENTS]; /* the encoding proof's last */
} c1;

static void *new_array(c1 *in, size_t count, size_t size)
{
    void *array = cuzk_arena_new(in->arena, count, size);
    if (array == NULL)
        cuzk_json_fail(in->json, CUZK_ERR_MEMORY, "no memory for the parsed proof");
    return array;
}

/* --- Merkle paths --- */

static void read_hashes(c1 *in, cuzk_scalar *sibling, size_t n)
{
    cuzk_json_scope scope = {0};
    while (cuzk_json_item(in->json, &scope, n))
        cuzk_json_fr(in->json, &sibling[scope.count - 1]);
}

static void read_element(c1 *in, cuzk_scalar *sibling, uint32_t *index, uint32_t arity)
{
    static const char *const names[] = {"hashes", "index"};
    cuzk_json_scope scope = {0};
    uint64_t value = 0;
    for (int i; (i = cuzk_json_member(in->json, &scope, names, COUNT(names))) >= 0;)
        if (i == 0)
            read_hashes(in, sibling, arity - 1);
        else if (cuzk_json_u64(in->json, &value, arity - 1))
            *index = (uint32_t)value;
}

/* An InclusionPath: n levels of the path from `first` up. */
static void read_levels(c1 *in, cuzk_merkle_path *path, uint32_t first, uint32_t n)
{
    static const char *const names[] = {"path"};
    cuzk_json_scope scope = {0};
    while (cuzk_json_member(in->json, &scope, names, COUNT(names)) == 0) {
        cuzk_scalar *sibling = path->sibling;
        for (uint32_t level = 0; level < first; level++)
            sibling += cuzk_shape_arity(&path->shape, level) - 1;
        cuzk_json_scope levels = {0};
        while (cuzk_json_item(in->json, &levels, n)) {
            uint32_t level = first + (uint32_t)levels.count - 1;
            uint32_t arity = cuzk_shape_arity(&path->shape, level);
            read_element(in, sibling, &path->index[level], arity);
            sibling += arity - 1;
        }
    }
}

static void read_variant(c1 *in, cuzk_merkle_path *path)
{
    static const char *const names[] = {"root", "leaf", "base_proof", "sub_proof", "top_proof"};
    static const char *const single[] = {"root", "leaf", "path"};
    const uint32_t base = path->shape.base_levels;
    const bool is_single = path->shape.sub == 0;
    const int n = is_single ? 3 : path->shape.top == 0 ? 4 : 5;
    cuzk_json_scope scope = {0};
    for (int i; (i = cuzk_json_member(in->json, &scope, is_single ? single : names, n)) >= 0;) {
        if (i == 0)
            cuzk_json_fr(in->json, &path->root);
        else if (i == 1)
            cuzk_json_fr(in->json, &path->leaf);
        else if (i == 2)
            read_levels(in, path, 0, base);
        else
            read_levels(in, path, i == 3 ? base : base + 1, 1);
    }
}

/* A MerkleProof of a tree of that shape. */
static void read_path(c1 *in, cuzk_merkle_path *path, const cuzk_tree_shape *shape)
{
    static const char *const names[] = {"data"};
    const char *variant = shape->sub == 0 ? "Single" : shape->top == 0 ? "Sub" : "Top";
    if (in->json->failed)
        return;
    if (cuzk_merkle_path_init(path, in->arena, shape) != 0) {
        cuzk_json_fail(in->json, CUZK_ERR_MEMORY, "no memory for the parsed proof");
        return;
    }
    cuzk_json_scope scope = {0};
    while (cuzk_json_member(in->json, &scope, names, COUNT(names)) == 0) {
        cuzk_json_scope data = {0};
        while (cuzk_json_variant(in->json, &data, variant))
            read_variant(in, path);
    }
}

/* --- columns --- */

static void read_column(c1 *in, cuzk_column_proof *column)
{
    static const char *const names[] = {"index", "rows", "_h"}; /* the last is null */
    cuzk_json_scope scope = {0};
    uint64_t value = 0;
    for (int i; (i = cuzk_json_member(in->json, &scope, names, COUNT(names))) >= 0;)
        if (i == 1)
            read_hashes(in, column->label, in->proof->layers);
        else if (i == 2)
            (void)cuzk_json_skip(in->json);
        else if (cuzk_json_u64(in->json, &value, UINT32_MAX))
            column->index = (uint32_t)value;
}

static void read_column_proof(c1 *in, cuzk_column_proof *column)
{
    static const char *const names[] = {"column", "inclusion_proof"};
    cuzk_json_scope scope = {0};
    column->label = new_array(in, in->proof->layers, sizeof *column->label);
    for (int i; (i = cuzk_json_member(in->json, &scope, names, COUNT(names))) >= 0;)
        if (i == 0)
            read_column(in, column);
        else
            read_path(in, &column->path, &in->proof->tree);
}

static void read_parents(c1 *in, cuzk_column_proof *parent, size_t n)
{
    cuzk_json_scope scope = {0};
    while (cuzk_json_item(in->json, &scope, n))
        read_column_proof(in, &parent[scope.count - 1]);
}

static void read_columns(c1 *in, cuzk_porep_challenge *challenge)
{
    static const char *const names[] = {"c_x", "drg_parents", "exp_parents"};
    cuzk_json_scope scope = {0};
    for (int i; (i = cuzk_json_member(in->json, &scope, names, COUNT(names))) >= 0;)
        if (i == 0)
            read_column_proof(in, &challenge->column);
        else if (i == 1)
            read_parents(in, challenge->drg, CUZK_DRG_PARENTS);
        else
            read_parents(in, challenge->exp, CUZK_EXP_PARENTS);
}

/* --- labels: only the node is kept, the rest must be as it has to be --- */

static void read_node(c1 *in, cuzk_porep_challenge *challenge)
{
    uint64_t node = 0;
    if (!cuzk_json_u64(in->json, &node, UINT64_MAX))
        return;
    if (in->node_known && node != challenge->node)
        cuzk_json_fail(in->json, CUZK_ERR_FORMAT,
                       "found node %" PRIu64 ", another proof of this challenge has %" PRIu64, node,
                       challenge->node);
    in->node_known = true;
    challenge->node = node;
}

static void read_labeling(c1 *in, cuzk_porep_challenge *challenge, size_t layer,
                          cuzk_scalar hashed[CUZK_LABEL_PARENTS])
{
    static const char *const names[] = {"parents", "layer_index", "node"};
    cuzk_json_scope scope = {0};
    uint64_t value = 0;
    for (int i; (i = cuzk_json_member(in->json, &scope, names, COUNT(names))) >= 0;) {
        if (i == 0)
            read_hashes(in, hashed, CUZK_LABEL_PARENTS);
        else if (i == 2)
            read_node(in, challenge);
        else if (cuzk_json_u64(in->json, &value, UINT32_MAX) && value != layer)
            cuzk_json_fail(in->json, CUZK_ERR_FORMAT, "found layer %" PRIu64 ", expected %zu",
                           value, layer);
    }
}

static void read_labelings(c1 *in, cuzk_porep_challenge *challenge)
{
    cuzk_json_scope scope = {0};
    while (cuzk_json_item(in->json, &scope, in->proof->layers))
        read_labeling(in, challenge, scope.count, in->hashed[scope.count - 1]);
}

/* The columns may come after what repeats them, so this is done when all is read. */
static void check_hashed(c1 *in, const cuzk_porep_challenge *challenge)
{
    const uint32_t layers = in->proof->layers;
    for (uint32_t l = 0; l <= layers; l++) {
        cuzk_parent_labels parents;
        cuzk_scalar expected[CUZK_LABEL_PARENTS];
        cuzk_challenge_parents(&parents, challenge, l < layers ? l + 1 : layers);
        cuzk_label_parents(expected, l < layers ? l + 1 : layers, &parents);
        for (uint32_t i = 0; i < CUZK_LABEL_PARENTS; i++) {
            if (memcmp(&in->hashed[l][i], &expected[i], sizeof expected[i]) == 0)
                continue;
            char name[32] = "encoding_proof";
            if (l < layers)
                snprintf(name, sizeof name, "labeling_proofs[%" PRIu32 "]", l);
            cuzk_json_fail(in->json, CUZK_ERR_FORMAT,
                           "%s.parents[%" PRIu32 "] is not the label that the parent's column has",
                           name, i);
            return;
        }
    }
}

/* --- the whole --- */

static void read_challenge(c1 *in, cuzk_porep_challenge *challenge)
{
    static const char *const names[] = {"comm_d_proofs", "comm_r_last_proof",
                                        "replica_column_proofs", "labeling_proofs",
                                        "encoding_proof"};
    const uint32_t layers = in->proof->layers;
    cuzk_json_scope scope = {0};
    in->node_known = false;
    for (int i; (i = cuzk_json_member(in->json, &scope, names, COUNT(names))) >= 0;) {
        if (i == 0)
            read_path(in, &challenge->data, &in->proof->data);
        else if (i == 1)
            read_path(in, &challenge->replica, &in->proof->tree);
        else if (i == 2)
            read_columns(in, challenge);
        else if (i == 3)
            read_labelings(in, challenge);
        else
            read_labeling(in, challenge, layers, in->hashed[layers]);
    }
    if (!in->json->failed)
        check_hashed(in, challenge);
}

static void read_partition(c1 *in, cuzk_porep_partition *partition)
{
    const size_t n = in->proof->challenges;
    partition->challenge = new_array(in, n, sizeof *partition->challenge);
    partition->n_challenges = n;
    cuzk_json_scope scope = {0};
    while (cuzk_json_item(in->json, &scope, n))
        read_challenge(in, &partition->challenge[scope.count - 1]);
}

/* The variant is named after the size alone: the first registered proof that has it. */
static void read_partitions(c1 *in)
{
    const size_t n = in->proof->partitions;
    cuzk_fil_proof first;
    cuzk_fil_proof_get(&first, CUZK_FIL_POREP, in->proof->size, NULL);
    in->out->partition = new_array(in, n, sizeof *in->out->partition);
    in->out->n_partitions = n;
    cuzk_json_scope variant = {0};
    while (cuzk_json_variant(in->json, &variant, first.name)) {
        cuzk_json_scope scope = {0};
        while (cuzk_json_item(in->json, &scope, n))
            read_partition(in, &in->out->partition[scope.count - 1]);
    }
}

static void read_registered(c1 *in)
{
    char found[sizeof in->proof->name];
    if (cuzk_json_string(in->json, found, sizeof found) && strcmp(found, in->proof->name) != 0)
        cuzk_json_fail(in->json, CUZK_ERR_MISMATCH, "found \"%s\", the request is for \"%s\"",
                       found, in->proof->name);
}

bool cuzk_c1_registered_from(cuzk_json_reader *json, unsigned *id)
{
    static const char *const names[] = {"registered_proof"};
    char found[sizeof(cuzk_fil_proof){0}.name];
    cuzk_json_scope scope = {0};
    if (cuzk_json_member(json, &scope, names, COUNT(names)) < 0 ||
        !cuzk_json_string(json, found, sizeof found))
        return false;
    cuzk_fil_proof proof;
    for (*id = 0; cuzk_fil_proof_get(&proof, CUZK_FIL_POREP, *id, NULL) == CUZK_OK; ++*id)
        if (strcmp(proof.name, found) == 0)
            return true;
    return cuzk_json_fail(json, CUZK_ERR_FORMAT,
                          "found \"%s\", expected a registered seal proof such as "
                          "\"StackedDrg32GiBV1_1\"",
                          found);
}

bool cuzk_c1_read_from(cuzk_json_reader *json, cuzk_porep_vanilla *out, cuzk_arena *arena,
                       const cuzk_fil_proof *proof)
{
    static const char *const names[] = {"registered_proof", "vanilla_proofs", "comm_r", "comm_d",
                                        "replica_id",       "seed",           "ticket"};
    c1 in = {.json = json, .out = out, .arena = arena, .proof = proof};
    *out = (cuzk_porep_vanilla){.registered_proof = proof->id, .layers = proof->layers};
    uint8_t *const hashed[] = {out->seed, out->ticket};
    cuzk_scalar *const values[] = {&out->comm_r, &out->comm_d, &out->replica_id};
    cuzk_json_scope scope = {0};
    for (int i; (i = cuzk_json_member(json, &scope, names, COUNT(names))) >= 0;) {
        if (i == 0)
            read_registered(&in);
        else if (i == 1)
            read_partitions(&in);
        else if (i < 5)
            cuzk_json_fr(json, values[i - 2]);
        else
            cuzk_json_bytes32(json, hashed[i - 5]);
    }
    return cuzk_json_end(json);
}

cuzk_status cuzk_c1_read(cuzk_porep_vanilla *out, cuzk_arena *arena, const cuzk_fil_proof *proof,
                         const char *text, size_t size, const char *name, cuzk_error *err)
{
    cuzk_error own;
    cuzk_json_reader json;
    if (err == NULL)
        err = &own;
    cuzk_json_reader_init(&json, text, size, name, err);
    return cuzk_c1_read_from(&json, out, arena, proof) ? CUZK_OK : err->status;
}
