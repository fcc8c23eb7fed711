#include "circuit/filecoin/sparse_sector.h"

#include "circuit/filecoin/challenges.h"
#include "circuit/filecoin/identity.h"
#include "circuit/filecoin/labels.h"
#include "circuit/filecoin/places_sorted.h"
#include "hash/poseidon.h"

#include <stdlib.h>
#include <string.h>

static cuzk_status no_memory(cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a sparse sector");
}

static cuzk_scalar label_of(const void *context, uint32_t layer, uint64_t node)
{
    const cuzk_sparse_sector *s = context;
    size_t at = cuzk_places_find(s->challenge, s->n, node);
    if (at < s->n)
        return s->label[(layer - 1) * s->n + at];
    return cuzk_seeded_value(s->source.seed, CUZK_SEEDED_LABEL, layer, node);
}

static cuzk_status make_identity(cuzk_sparse_sector *s, cuzk_pool *pool, cuzk_error *err)
{
    const cuzk_sparse_source *source = &s->source;
    const cuzk_scalar zero = {{0}};
    cuzk_tree_form form = cuzk_shape_form(&source->proof.data, CUZK_TREE_SHA256);
    CUZK_TRY(cuzk_piece_tree_init(&s->d, &form, &zero, 1, pool, err));
    s->comm_d = *cuzk_tree_root(&s->d.top);
    cuzk_replica_source id = {.sector = source->sector, .comm_d = s->comm_d};
    cuzk_prover_id(id.prover_id, source->miner);
    memcpy(id.ticket, source->ticket, sizeof id.ticket);
    memcpy(id.porep_id, source->proof.porep_id, sizeof id.porep_id);
    CUZK_TRY(cuzk_replica_id(&s->replica_id, &id, err));
    return cuzk_graph_init(&s->graph, source->proof.nodes, source->proof.porep_id,
                           source->proof.api, err);
}

static cuzk_status make_challenges(cuzk_sparse_sector *s, cuzk_error *err)
{
    const cuzk_fil_proof *proof = &s->source.proof;
    size_t n = proof->partitions * proof->challenges;
    cuzk_porep_draw draw = {
        .rule = proof->rule, .nodes = proof->nodes, .replica_id = s->replica_id};
    memcpy(draw.seed, s->source.challenge_seed, sizeof draw.seed);
    s->challenge = malloc(n * sizeof *s->challenge);
    if (s->challenge == NULL)
        return no_memory(err);
    CUZK_TRY(cuzk_porep_challenges(s->challenge, &draw, 0, n, err));
    s->n = cuzk_places_sort(s->challenge, n);
    return CUZK_OK;
}

/* One layer's labels of challenges, in rising order: DRG parents come before their child. */
static cuzk_status make_layer(cuzk_sparse_sector *s, cuzk_digest *sha256, uint32_t layer,
                              cuzk_error *err)
{
    for (size_t i = 0; i < s->n; i++) {
        uint32_t parent[CUZK_GRAPH_PARENTS];
        cuzk_parent_labels parents = {0};
        CUZK_TRY(cuzk_graph_parents(parent, &s->graph, (uint32_t)s->challenge[i], err));
        for (unsigned j = 0; j < CUZK_DRG_PARENTS; j++)
            parents.label[j] = label_of(s, layer, parent[j]);
        for (unsigned j = CUZK_DRG_PARENTS; j < CUZK_GRAPH_PARENTS && layer > 1; j++)
            parents.label[j] = label_of(s, layer - 1, parent[j]);
        CUZK_TRY(cuzk_label_make(&s->label[(layer - 1) * s->n + i], sha256, &s->replica_id, layer,
                                 s->challenge[i], &parents, err));
    }
    return CUZK_OK;
}

static cuzk_status make_labels(cuzk_sparse_sector *s, cuzk_error *err)
{
    const uint32_t layers = s->source.proof.layers;
    cuzk_digest *sha256;
    s->label = calloc(layers * s->n, sizeof *s->label);
    if (s->label == NULL)
        return no_memory(err);
    CUZK_TRY(cuzk_digest_new(&sha256, CUZK_SHA256, err));
    cuzk_status status = CUZK_OK;
    for (uint32_t layer = 1; layer <= layers && status == CUZK_OK; layer++)
        status = make_layer(s, sha256, layer, err);
    cuzk_digest_free(sha256);
    return status;
}

static cuzk_status hash_columns(cuzk_scalar *hash, const cuzk_sparse_sector *s,
                                const uint64_t *node, size_t n, cuzk_pool *pool, cuzk_error *err)
{
    const cuzk_poseidon *p = cuzk_poseidon_get(s->source.proof.layers);
    cuzk_scalar *column = malloc(n * p->arity * sizeof *column);
    if (column == NULL)
        return no_memory(err);
    for (size_t i = 0; i < n; i++)
        for (uint32_t layer = 1; layer <= p->arity; layer++)
            column[i * p->arity + layer - 1] = label_of(s, layer, node[i]);
    cuzk_poseidon_hash_many(hash, p, cuzk_poseidon_tag_merkle(p->arity), column, n, pool);
    free(column);
    return CUZK_OK;
}

/* Sets node to the challenges and their parents, and returns how many. */
static cuzk_status list_columns(uint64_t *node, size_t *n, cuzk_sparse_sector *s, cuzk_error *err)
{
    size_t count = 0;
    for (size_t i = 0; i < s->n; i++) {
        uint32_t parent[CUZK_GRAPH_PARENTS];
        CUZK_TRY(cuzk_graph_parents(parent, &s->graph, (uint32_t)s->challenge[i], err));
        node[count++] = s->challenge[i];
        for (unsigned j = 0; j < CUZK_GRAPH_PARENTS; j++)
            node[count++] = parent[j];
    }
    *n = cuzk_places_sort(node, count);
    return CUZK_OK;
}

static cuzk_status make_tree_c(cuzk_sparse_sector *s, cuzk_pool *pool, cuzk_error *err)
{
    const size_t most = s->n * (1 + CUZK_GRAPH_PARENTS);
    cuzk_tree_form form = cuzk_shape_form(&s->source.proof.tree, CUZK_TREE_POSEIDON);
    uint64_t *node = malloc(most * sizeof *node);
    cuzk_scalar *hash = malloc(most * sizeof *hash);
    size_t n = 0;
    cuzk_status status =
        node == NULL || hash == NULL ? no_memory(err) : list_columns(node, &n, s, err);
    if (status == CUZK_OK)
        status = hash_columns(hash, s, node, n, pool, err);
    if (status == CUZK_OK)
        status = cuzk_sparse_tree_init(&s->c, &form, s->source.seed, CUZK_SEEDED_TREE_C, node, hash,
                                       n, pool, err);
    if (status == CUZK_OK)
        s->comm_c = *cuzk_sparse_tree_root(&s->c);
    free(node);
    free(hash);
    return status;
}

/* Replica nodes are labels: the data is zero. */
static cuzk_status make_tree_r(cuzk_sparse_sector *s, cuzk_pool *pool, cuzk_error *err)
{
    const size_t most = s->n + s->source.n_leaves;
    cuzk_tree_form form = cuzk_shape_form(&s->source.proof.tree, CUZK_TREE_POSEIDON);
    uint64_t *node = malloc(most * sizeof *node);
    cuzk_scalar *value = malloc(most * sizeof *value);
    cuzk_status status = CUZK_OK;
    if (node == NULL || value == NULL) {
        status = no_memory(err);
    } else {
        memcpy(node, s->challenge, s->n * sizeof *node);
        if (s->source.n_leaves > 0)
            memcpy(node + s->n, s->source.leaf, s->source.n_leaves * sizeof *node);
        size_t n = cuzk_places_sort(node, most);
        for (size_t i = 0; i < n; i++)
            value[i] = label_of(s, s->source.proof.layers, node[i]);
        status = cuzk_sparse_tree_init(&s->r, &form, s->source.seed, CUZK_SEEDED_TREE_R, node,
                                       value, n, pool, err);
    }
    if (status == CUZK_OK)
        s->comm_r_last = *cuzk_sparse_tree_root(&s->r);
    free(node);
    free(value);
    return status;
}

static cuzk_status check_source(const cuzk_sparse_source *source, cuzk_error *err)
{
    CUZK_ASSERT(source->proof.kind == CUZK_FIL_POREP);
    if (source->proof.rule != CUZK_POREP_INTERACTIVE)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "sparse sector: challenges of %s depend on comm_r, so they cannot be "
                         "opened before the trees are there; use an interactive proof of this "
                         "size, whose circuit is the same",
                         source->proof.name);
    for (size_t i = 0; i < source->n_leaves; i++) {
        if (source->leaf[i] >= source->proof.nodes)
            return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                             "sparse sector: leaf %llu is to be opened, the sector has %llu",
                             (unsigned long long)source->leaf[i],
                             (unsigned long long)source->proof.nodes);
    }
    return CUZK_OK;
}

cuzk_status cuzk_sparse_sector_init(cuzk_sparse_sector *sector, const cuzk_sparse_source *source,
                                    cuzk_pool *pool, cuzk_error *err)
{
    *sector = (cuzk_sparse_sector){.source = *source};
    cuzk_status status = check_source(source, err);
    if (status == CUZK_OK)
        status = make_identity(sector, pool, err);
    if (status == CUZK_OK)
        status = make_challenges(sector, err);
    if (status == CUZK_OK)
        status = make_labels(sector, err);
    if (status == CUZK_OK)
        status = make_tree_c(sector, pool, err);
    if (status == CUZK_OK)
        status = make_tree_r(sector, pool, err);
    if (status != CUZK_OK) {
        cuzk_sparse_sector_release(sector);
        return status;
    }
    cuzk_comm_r(&sector->comm_r, &sector->comm_c, &sector->comm_r_last);
    return CUZK_OK;
}

void cuzk_sparse_sector_release(cuzk_sparse_sector *sector)
{
    cuzk_graph_release(&sector->graph);
    cuzk_piece_tree_release(&sector->d);
    cuzk_sparse_tree_release(&sector->c);
    cuzk_sparse_tree_release(&sector->r);
    free(sector->challenge);
    free(sector->label);
    *sector = (cuzk_sparse_sector){0};
}

cuzk_sector_view cuzk_sparse_sector_view(cuzk_sparse_sector *sector)
{
    cuzk_sector_view view = {
        .proof = &sector->source.proof,
        .sector_id = sector->source.sector,
        .replica_id = sector->replica_id,
        .comm_d = sector->comm_d,
        .comm_c = sector->comm_c,
        .comm_r_last = sector->comm_r_last,
        .comm_r = sector->comm_r,
        .graph = &sector->graph,
        .d = cuzk_piece_tree_as_source(&sector->d),
        .c = cuzk_sparse_tree_as_source(&sector->c),
        .r = cuzk_sparse_tree_as_source(&sector->r),
        .label = label_of,
        .sector = sector,
    };
    memcpy(view.ticket, sector->source.ticket, sizeof view.ticket);
    return view;
}
