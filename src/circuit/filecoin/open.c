#include "circuit/filecoin/open.h"

#include "circuit/filecoin/challenges.h"

#include <string.h>

static cuzk_scalar stored_label(const void *context, uint32_t layer, uint64_t node)
{
    const cuzk_sector *sector = context;
    return sector->label[(layer - 1) * sector->proof.nodes + node];
}

cuzk_sector_view cuzk_sector_view_of(cuzk_sector *sector)
{
    cuzk_sector_view view = {
        .proof = &sector->proof,
        .sector_id = sector->sector,
        .replica_id = sector->replica_id,
        .comm_d = sector->comm_d,
        .comm_c = sector->comm_c,
        .comm_r_last = sector->comm_r_last,
        .comm_r = sector->comm_r,
        .graph = &sector->graph,
        .d = cuzk_tree_as_source(&sector->d),
        .c = cuzk_tree_as_source(&sector->c),
        .r = cuzk_tree_as_source(&sector->r),
        .label = stored_label,
        .sector = sector,
    };
    memcpy(view.ticket, sector->ticket, sizeof view.ticket);
    return view;
}

static cuzk_status no_memory(cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a vanilla proof");
}

static cuzk_status open_column(cuzk_column_proof *column, cuzk_arena *arena,
                               const cuzk_sector_view *view, uint32_t node, cuzk_error *err)
{
    column->index = node;
    column->label = cuzk_arena_new(arena, view->proof->layers, sizeof *column->label);
    if (column->label == NULL)
        return no_memory(err);
    for (uint32_t layer = 1; layer <= view->proof->layers; layer++)
        column->label[layer - 1] = view->label(view->sector, layer, node);
    return cuzk_merkle_path_open(&column->path, arena, &view->proof->tree, &view->c, node, err);
}

static cuzk_status open_challenge(cuzk_porep_challenge *challenge, cuzk_arena *arena,
                                  const cuzk_sector_view *view, uint64_t node, cuzk_error *err)
{
    uint32_t parents[CUZK_GRAPH_PARENTS];
    const cuzk_fil_proof *proof = view->proof;
    challenge->node = node;
    CUZK_TRY(cuzk_graph_parents(parents, view->graph, (uint32_t)node, err));
    CUZK_TRY(cuzk_merkle_path_open(&challenge->data, arena, &proof->data, &view->d, node, err));
    CUZK_TRY(cuzk_merkle_path_open(&challenge->replica, arena, &proof->tree, &view->r, node, err));
    CUZK_TRY(open_column(&challenge->column, arena, view, (uint32_t)node, err));
    for (unsigned i = 0; i < CUZK_DRG_PARENTS; i++)
        CUZK_TRY(open_column(&challenge->drg[i], arena, view, parents[i], err));
    for (unsigned i = 0; i < CUZK_EXP_PARENTS; i++)
        CUZK_TRY(open_column(&challenge->exp[i], arena, view, parents[CUZK_DRG_PARENTS + i], err));
    return CUZK_OK;
}

static cuzk_status open_partition(cuzk_porep_partition *partition, cuzk_arena *arena,
                                  const cuzk_sector_view *view, const cuzk_porep_draw *draw,
                                  size_t k, cuzk_error *err)
{
    size_t n = view->proof->challenges;
    uint64_t *node = cuzk_arena_new(arena, n, sizeof *node);
    partition->n_challenges = n;
    partition->challenge = cuzk_arena_new(arena, n, sizeof *partition->challenge);
    if (node == NULL || partition->challenge == NULL)
        return no_memory(err);
    CUZK_TRY(cuzk_porep_challenges(node, draw, (uint32_t)(k * n), n, err));
    for (size_t i = 0; i < n; i++)
        CUZK_TRY(open_challenge(&partition->challenge[i], arena, view, node[i], err));
    return CUZK_OK;
}

cuzk_status cuzk_porep_open(cuzk_porep_vanilla *vanilla, cuzk_arena *arena,
                            const cuzk_sector_view *view, const uint8_t seed[32], cuzk_error *err)
{
    const cuzk_fil_proof *proof = view->proof;
    cuzk_porep_draw draw = {.rule = proof->rule,
                            .nodes = proof->nodes,
                            .replica_id = view->replica_id,
                            .comm_r = view->comm_r,
                            .candidates = cuzk_synthetic_candidates(proof->nodes)};
    memcpy(draw.seed, seed, sizeof draw.seed);
    *vanilla = (cuzk_porep_vanilla){.registered_proof = proof->id,
                                    .layers = proof->layers,
                                    .comm_r = view->comm_r,
                                    .comm_d = view->comm_d,
                                    .replica_id = view->replica_id,
                                    .n_partitions = proof->partitions};
    memcpy(vanilla->seed, seed, sizeof vanilla->seed);
    memcpy(vanilla->ticket, view->ticket, sizeof vanilla->ticket);
    vanilla->partition = cuzk_arena_new(arena, proof->partitions, sizeof *vanilla->partition);
    if (vanilla->partition == NULL)
        return no_memory(err);
    for (size_t k = 0; k < proof->partitions; k++)
        CUZK_TRY(open_partition(&vanilla->partition[k], arena, view, &draw, k, err));
    return CUZK_OK;
}

cuzk_status cuzk_post_open(cuzk_post_sector *post, cuzk_arena *arena, const cuzk_sector_view *view,
                           const uint64_t *leaf, size_t n, cuzk_error *err)
{
    *post = (cuzk_post_sector){.sector_id = view->sector_id,
                               .comm_r = view->comm_r,
                               .comm_c = view->comm_c,
                               .comm_r_last = view->comm_r_last,
                               .n_paths = n};
    post->path = cuzk_arena_new(arena, n, sizeof *post->path);
    if (post->path == NULL)
        return no_memory(err);
    for (size_t i = 0; i < n; i++)
        CUZK_TRY(cuzk_merkle_path_open(&post->path[i], arena, &view->proof->tree, &view->r, leaf[i],
                                       err));
    return CUZK_OK;
}

/* Apex leaves: a partition's nodes of the row of tree D that has `apex` of them for each. */
static void open_apex(cuzk_snap_partition *snap, const cuzk_deal_view *view, size_t partition)
{
    const cuzk_fil_proof *proof = view->proof;
    uint32_t level = proof->data.base_levels - proof->partition_bits;
    for (size_t n = proof->apex; n > 1; n /= 2)
        level--;
    for (size_t i = 0; i < proof->apex; i++)
        snap->apex[i] = view->d_new.node(view->d_new.tree, level, partition * proof->apex + i);
}

cuzk_status cuzk_snap_open(cuzk_snap_partition *snap, cuzk_arena *arena, const cuzk_deal_view *view,
                           size_t partition, cuzk_error *err)
{
    const cuzk_fil_proof *proof = view->proof;
    size_t n = proof->challenges;
    uint64_t *node = cuzk_arena_new(arena, n, sizeof *node);
    *snap = (cuzk_snap_partition){.comm_c = view->comm_c, .n_apex = proof->apex, .n_challenges = n};
    snap->apex = cuzk_arena_new(arena, proof->apex, sizeof *snap->apex);
    snap->challenge = cuzk_arena_new(arena, n, sizeof *snap->challenge);
    if (node == NULL || snap->apex == NULL || snap->challenge == NULL)
        return no_memory(err);
    open_apex(snap, view, partition);
    cuzk_snap_challenges(node, proof, &view->comm_r_new, partition);
    for (size_t i = 0; i < n; i++) {
        cuzk_snap_challenge *c = &snap->challenge[i];
        CUZK_TRY(cuzk_merkle_path_open(&c->r_old, arena, &proof->tree, &view->r_old, node[i], err));
        CUZK_TRY(cuzk_merkle_path_open(&c->d_new, arena, &proof->data, &view->d_new, node[i], err));
        CUZK_TRY(cuzk_merkle_path_open(&c->r_new, arena, &proof->tree, &view->r_new, node[i], err));
    }
    return CUZK_OK;
}
