#include "circuit/filecoin/graph.h"

#include "hash/chacha.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3 }; /* of the Feistel network */

/* SHA-256 of a separator and the porep id. */
static cuzk_status seed(uint8_t out[CUZK_SHA256_BYTES], cuzk_digest *sha256, const char *separator,
                        const uint8_t porep_id[32], cuzk_error *err)
{
    CUZK_TRY(cuzk_digest_update(sha256, separator, strlen(separator), err));
    CUZK_TRY(cuzk_digest_update(sha256, porep_id, 32, err));
    return cuzk_digest_finish(sha256, out, err);
}

static cuzk_status make_seeds(cuzk_graph *graph, const uint8_t porep_id[32], cuzk_error *err)
{
    uint8_t drg[CUZK_SHA256_BYTES];
    cuzk_digest *sha256;
    CUZK_TRY(cuzk_digest_new(&sha256, CUZK_SHA256, err));
    cuzk_status status = seed(drg, sha256, "Filecoin_DRSample", porep_id, err);
    memcpy(graph->drg_seed, drg, sizeof graph->drg_seed);
    if (status == CUZK_OK)
        status = seed((uint8_t *)graph->feistel, sha256, "Filecoin_Feistel", porep_id, err);
    cuzk_digest_free(sha256);
    return status;
}

static cuzk_status make_table(cuzk_graph *graph, cuzk_error *err)
{
    size_t bytes = ROUNDS * sizeof *graph->round << graph->half_bits;
    graph->round = malloc(bytes);
    if (graph->round == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a graph's parents");
    memset(graph->round, 0xff, bytes);
    return CUZK_OK;
}

cuzk_status cuzk_graph_init(cuzk_graph *graph, uint64_t nodes, const uint8_t porep_id[32],
                            cuzk_fil_api api, cuzk_error *err)
{
    CUZK_ASSERT(nodes >= 2 && nodes <= UINT64_C(1) << 31);
    *graph = (cuzk_graph){.nodes = nodes, .api = api, .half_bits = 1};
    while (UINT64_C(1) << 2 * graph->half_bits < CUZK_EXP_PARENTS * nodes)
        graph->half_bits++;
    cuzk_status status = make_seeds(graph, porep_id, err);
    if (status == CUZK_OK)
        status = cuzk_digest_new(&graph->blake2b, CUZK_BLAKE2B, err);
    if (status == CUZK_OK)
        status = make_table(graph, err);
    if (status != CUZK_OK)
        cuzk_graph_release(graph);
    return status;
}

void cuzk_graph_release(cuzk_graph *graph)
{
    cuzk_digest_free(graph->blake2b);
    free(graph->round);
    *graph = (cuzk_graph){0};
}

/* Ten 64-bit numbers are needed: two blocks. */
static void draw(uint64_t out[10], const cuzk_graph *graph, uint32_t node)
{
    uint8_t key[32];
    uint32_t words[2 * CUZK_CHACHA_WORDS];
    memcpy(key, graph->drg_seed, 28);
    memcpy(key + 28, &node, 4);
    for (uint32_t block = 0; block < 2; block++) {
        const uint32_t tail[4] = {block, 0, 0, 0};
        cuzk_chacha_block(words + block * CUZK_CHACHA_WORDS, key, tail, 8);
    }
    memcpy(out, words, 10 * sizeof *out);
}

/* The smallest n with 2^n >= x. */
static unsigned ceil_log2(uint64_t x)
{
    unsigned n = 0;
    while (UINT64_C(1) << n < x)
        n++;
    return n;
}

/* The number of parents that are drawn; one more is the node before. */
enum { DRAWN = CUZK_DRG_PARENTS - 1 };

/* Each drawn parent comes from a bucket whose distance and size are random powers of two, in a
 * graph that has DRAWN nodes for each of ours. */
void cuzk_graph_drg_parents(uint32_t parents[CUZK_DRG_PARENTS], const cuzk_graph *graph,
                            uint32_t node)
{
    uint64_t random[2 * DRAWN];
    if (node < 2) {
        memset(parents, 0, CUZK_DRG_PARENTS * sizeof *parents);
        return;
    }
    draw(random, graph, node);
    bool before_last = graph->api == CUZK_FIL_V1_0;
    uint32_t *drawn = before_last ? parents : parents + 1;
    parents[before_last ? DRAWN : 0] = node - 1;
    uint64_t meta = (uint64_t)node * DRAWN;
    unsigned buckets = ceil_log2(meta);
    for (unsigned i = 0; i < DRAWN; i++) {
        uint64_t big = UINT64_C(1) << (random[2 * i] % buckets + 1);
        if (big > meta)
            big = meta;
        uint64_t small = big / 2 > 2 ? big / 2 : 2;
        uint64_t distance = small + random[2 * i + 1] % (big - small + 1);
        uint64_t parent = (meta - distance) / DRAWN;
        drawn[i] = (uint32_t)(parent == node ? parent - 1 : parent);
    }
}

static uint64_t swap_bytes(uint64_t x)
{
    return __builtin_bswap64(x);
}

/* *out = the round function of a half's value. */
static cuzk_status apply_round(uint64_t *out, cuzk_graph *graph, unsigned round, uint64_t half,
                               cuzk_error *err)
{
    uint32_t *known = &graph->round[((uint64_t)round << graph->half_bits) + half];
    if (*known == UINT32_MAX) {
        uint64_t message[2] = {swap_bytes(half), swap_bytes(graph->feistel[round])};
        uint64_t hash[CUZK_BLAKE2B_BYTES / 8];
        CUZK_TRY(cuzk_digest_update(graph->blake2b, message, sizeof message, err));
        CUZK_TRY(cuzk_digest_finish(graph->blake2b, (uint8_t *)hash, err));
        *known = (uint32_t)(swap_bytes(hash[0]) & ((UINT64_C(1) << graph->half_bits) - 1));
    }
    *out = *known;
    return CUZK_OK;
}

/* One pass of a Feistel network. */
static cuzk_status permute(uint64_t *x, cuzk_graph *graph, cuzk_error *err)
{
    uint64_t left = *x >> graph->half_bits;
    uint64_t right = *x & ((UINT64_C(1) << graph->half_bits) - 1);
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint64_t f;
        CUZK_TRY(apply_round(&f, graph, i, right, err));
        f ^= left;
        left = right;
        right = f;
    }
    *x = left << graph->half_bits | right;
    return CUZK_OK;
}

cuzk_status cuzk_graph_parents(uint32_t parents[CUZK_GRAPH_PARENTS], cuzk_graph *graph,
                               uint32_t node, cuzk_error *err)
{
    CUZK_ASSERT(node < graph->nodes);
    cuzk_graph_drg_parents(parents, graph, node);
    for (unsigned i = 0; i < CUZK_EXP_PARENTS; i++) {
        uint64_t x = (uint64_t)node * CUZK_EXP_PARENTS + i;
        do {
            CUZK_TRY(permute(&x, graph, err));
        } while (x >= CUZK_EXP_PARENTS * graph->nodes);
        if (graph->api == CUZK_FIL_V1_0)
            x &= UINT32_MAX; /* as the first version of the protocol has it */
        parents[CUZK_DRG_PARENTS + i] = (uint32_t)(x / CUZK_EXP_PARENTS);
    }
    return CUZK_OK;
}
