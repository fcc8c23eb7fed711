#include "bench_requests.h"

#include "circuit/filecoin/sparse_sector.h"

#define MOST_LEAVES 66 /* of one sector */

static const uint8_t seed[32] = {8}, randomness[32] = {9};

static cuzk_status porep(const cuzk_fil_inputs *to, const cuzk_fil_proof *proof, cuzk_arena *arena,
                         cuzk_pool *pool, cuzk_error *err)
{
    cuzk_sparse_source source = {
        .proof = *proof, .miner = 1, .sector = 2, .seed = {3}, .challenge_seed = {1}};
    cuzk_sparse_sector sector;
    cuzk_porep_vanilla vanilla;
    source.proof.partitions = 1;
    CUZK_TRY(cuzk_sparse_sector_init(&sector, &source, pool, err));
    const cuzk_sector_view view = cuzk_sparse_sector_view(&sector);
    cuzk_status status = cuzk_porep_open(&vanilla, arena, &view, source.challenge_seed, err);
    if (status == CUZK_OK)
        cuzk_porep_inputs(to, &source.proof, &vanilla, 0);
    cuzk_sparse_sector_release(&sector);
    return status;
}

static cuzk_status snap(const cuzk_fil_inputs *to, const cuzk_fil_proof *proof, cuzk_arena *arena,
                        cuzk_pool *pool, cuzk_error *err)
{
    cuzk_sparse_deal deal;
    cuzk_snap_partition partition;
    CUZK_TRY(cuzk_sparse_deal_init(&deal, proof, seed, pool, err));
    const cuzk_deal_view view = cuzk_sparse_deal_view(&deal);
    const cuzk_snap_public comms = {deal.comm_r_old, deal.comm_d_new, deal.comm_r_new};
    cuzk_status status = cuzk_snap_open(&partition, arena, &view, 0, err);
    if (status == CUZK_OK)
        cuzk_snap_inputs(to, proof, &comms, &partition, 0);
    cuzk_sparse_deal_release(&deal);
    return status;
}

static cuzk_status open_sector(cuzk_post_sector *post, const cuzk_fil_proof *proof, size_t sector,
                               size_t leaves, cuzk_arena *arena, cuzk_error *err)
{
    uint64_t leaf[MOST_LEAVES];
    CUZK_ASSERT(leaves <= MOST_LEAVES);
    for (size_t i = 0; i < leaves; i++)
        CUZK_TRY(cuzk_post_leaf(&leaf[i], randomness, sector, i, proof->nodes, err));
    return cuzk_sparse_post_open(post, arena, proof, sector, seed, leaf, leaves, err);
}

static cuzk_status window(const cuzk_fil_inputs *to, const cuzk_fil_proof *proof, cuzk_arena *arena,
                          cuzk_error *err)
{
    cuzk_post_sector *post = cuzk_arena_new(arena, proof->sectors, sizeof *post);
    if (post == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for %zu sectors", proof->sectors);
    for (size_t i = 0; i < proof->sectors; i++)
        CUZK_TRY(open_sector(&post[i], proof, i, proof->challenges, arena, err));
    cuzk_window_inputs(to, proof, post, proof->sectors);
    return CUZK_OK;
}

static cuzk_status winning(const cuzk_fil_inputs *to, const cuzk_fil_proof *proof,
                           cuzk_arena *arena, cuzk_error *err)
{
    cuzk_post_sector post;
    CUZK_TRY(open_sector(&post, proof, 4, MOST_LEAVES, arena, err));
    cuzk_winning_inputs(to, proof, &post);
    return CUZK_OK;
}

cuzk_status cuzk_bench_request(cuzk_circuit_inputs *request, const cuzk_fil_proof *proof,
                               cuzk_arena *arena, cuzk_pool *pool, cuzk_error *err)
{
    const cuzk_fil_sizes sizes = cuzk_fil_sizes_get(proof);
    const cuzk_fil_inputs to = {cuzk_arena_new(arena, sizes.field, sizeof *to.field),
                                cuzk_arena_new(arena, sizes.word, sizeof *to.word),
                                cuzk_arena_new(arena, sizes.statement, sizeof *to.statement)};
    if (to.field == NULL || to.word == NULL || to.statement == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a request");
    *request = (cuzk_circuit_inputs){to.field, sizes.field, to.word, sizes.word};
    switch (proof->kind) {
    case CUZK_FIL_POREP:
        return porep(&to, proof, arena, pool, err);
    case CUZK_FIL_SNAP:
        return snap(&to, proof, arena, pool, err);
    case CUZK_FIL_WINDOW:
        return window(&to, proof, arena, err);
    case CUZK_FIL_WINNING:
        break;
    }
    return winning(&to, proof, arena, err);
}
