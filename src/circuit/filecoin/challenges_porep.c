#include "circuit/filecoin/challenges.h"

#include "hash/blake2b_keyed.h"
#include "hash/chacha.h"

#include <stdbool.h>
#include <string.h>

static const char ni_tag[] = "filecoin.io|PoRep|1|NonInteractive|1";
static const char generation_tag[] = "filecoin.io|PoRep|1|Synthetic|1|Generation";
static const char selection_tag[] = "filecoin.io|PoRep|1|Synthetic|1|Selection";

uint64_t cuzk_synthetic_candidates(uint64_t nodes)
{
    const uint64_t most = UINT64_C(1) << 18;
    return nodes < most ? nodes : most;
}

/* 256 bits, little-endian, modulo nodes - 1, plus 1: never node 0. */
static uint64_t to_challenge(const uint8_t bytes[32], uint64_t nodes)
{
    uint64_t rest = 0;
    for (unsigned i = 32; i-- > 0;)
        rest = (rest << 8 | bytes[i]) % (nodes - 1);
    return rest + 1;
}

/* SHA-256 of the three pieces and the challenge's number. */
static cuzk_status hash_number(uint8_t out[CUZK_SHA256_BYTES], cuzk_digest *sha256,
                               const cuzk_porep_draw *draw, uint32_t j, cuzk_error *err)
{
    const uint8_t number[4] = {(uint8_t)j, (uint8_t)(j >> 8), (uint8_t)(j >> 16),
                               (uint8_t)(j >> 24)};
    bool interactive = draw->rule == CUZK_POREP_INTERACTIVE;
    if (!interactive)
        CUZK_TRY(cuzk_digest_update(sha256, ni_tag, strlen(ni_tag), err));
    CUZK_TRY(cuzk_digest_update(sha256, draw->replica_id.l, 32, err));
    CUZK_TRY(cuzk_digest_update(
        sha256, interactive ? (const void *)draw->seed : (const void *)draw->comm_r.l, 32, err));
    CUZK_TRY(cuzk_digest_update(sha256, number, sizeof number, err));
    return cuzk_digest_finish(sha256, out, err);
}

static cuzk_status draw_hashed(uint64_t *out, const cuzk_porep_draw *draw, uint32_t first, size_t n,
                               cuzk_error *err)
{
    cuzk_digest *sha256;
    cuzk_status status = CUZK_OK;
    CUZK_TRY(cuzk_digest_new(&sha256, CUZK_SHA256, err));
    for (size_t i = 0; i < n && status == CUZK_OK; i++) {
        uint8_t hash[CUZK_SHA256_BYTES];
        status = hash_number(hash, sha256, draw, first + (uint32_t)i, err);
        if (status == CUZK_OK)
            out[i] = to_challenge(hash, draw->nodes);
    }
    cuzk_digest_free(sha256);
    return status;
}

/* Copies n bytes at an offset of the ChaCha20 stream; they lie in one block. */
static void stream_bytes(uint8_t *out, const uint8_t key[32], uint64_t offset, size_t n)
{
    static const char nonce[12] = "synth-porep";
    uint32_t tail[4] = {(uint32_t)(offset / 64)}, block[CUZK_CHACHA_WORDS];
    memcpy(tail + 1, nonce, sizeof nonce);
    cuzk_chacha_block(block, key, tail, 20);
    memcpy(out, (const uint8_t *)block + offset % 64, n);
}

/* Candidates follow from the sealed sector, the seed selects among them. */
static cuzk_status draw_synthetic(uint64_t *out, const cuzk_porep_draw *draw, uint32_t first,
                                  size_t n, cuzk_error *err)
{
    uint8_t message[64], generation[32], selection[32], bytes[32];
    memcpy(message, draw->replica_id.l, 32);
    memcpy(message + 32, draw->comm_r.l, 32);
    CUZK_TRY(cuzk_blake2b_keyed(generation, generation_tag, message, sizeof message, err));
    memcpy(message + 32, draw->seed, 32);
    CUZK_TRY(cuzk_blake2b_keyed(selection, selection_tag, message, sizeof message, err));
    for (size_t i = 0; i < n; i++) {
        uint32_t word;
        stream_bytes((uint8_t *)&word, selection, 4 * (first + (uint64_t)i), 4);
        stream_bytes(bytes, generation, 32 * (word % draw->candidates), 32);
        out[i] = to_challenge(bytes, draw->nodes);
    }
    return CUZK_OK;
}

cuzk_status cuzk_porep_challenges(uint64_t *out, const cuzk_porep_draw *draw, uint32_t first,
                                  size_t n, cuzk_error *err)
{
    CUZK_ASSERT(draw->nodes > 1);
    if (draw->rule != CUZK_POREP_SYNTHETIC)
        return draw_hashed(out, draw, first, n, err);
    CUZK_ASSERT(draw->candidates > 0);
    return draw_synthetic(out, draw, first, n, err);
}

static cuzk_scalar small(uint64_t value)
{
    return (cuzk_scalar){{value, 0, 0, 0}};
}

cuzk_status cuzk_porep_public_inputs(cuzk_scalar *out, cuzk_graph *graph,
                                     const cuzk_porep_public *head, const uint64_t *challenge,
                                     size_t n, cuzk_error *err)
{
    *out++ = head->replica_id;
    *out++ = head->comm_d;
    *out++ = head->comm_r;
    for (size_t i = 0; i < n; i++) {
        uint32_t parents[CUZK_GRAPH_PARENTS];
        CUZK_TRY(cuzk_graph_parents(parents, graph, (uint32_t)challenge[i], err));
        *out++ = small(challenge[i]); /* the path in D */
        for (unsigned j = 0; j < CUZK_GRAPH_PARENTS; j++)
            *out++ = small(parents[j]);
        for (unsigned j = 0; j < 3; j++)
            *out++ = small(challenge[i]); /* itself, the paths in R and C */
    }
    return CUZK_OK;
}
