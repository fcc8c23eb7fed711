#include "iden3/ceremony.h"

#include "base/digest.h"
#include "base/random.h"
#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>

#define HASH_CHUNK ((size_t)1 << 14)

/* The name that our contributions carry. */
static const char contributor[] = "cuzk";

size_t cuzk_ceremony_hashed_points(size_t m)
{
    if (m - 1 <= HASH_CHUNK)
        return m - 1;
    return (m - 1 + HASH_CHUNK - 1) / HASH_CHUNK * HASH_CHUNK;
}

static cuzk_status hash_points(cuzk_digest *digest, const cuzk_curve *curve, cuzk_group group,
                               const uint64_t *points, size_t n, cuzk_error *err)
{
    uint8_t bytes[8 * CUZK_G2_MAX_WORDS];
    unsigned words = cuzk_point_words(curve, group);
    for (size_t i = 0; i < n; i++) {
        if (group == CUZK_G1)
            curve->g1_encode(bytes, points + i * words, CUZK_ENC_IDEN3_U);
        else
            curve->g2_encode(bytes, points + i * words, CUZK_ENC_IDEN3_U);
        CUZK_TRY(cuzk_digest_update(digest, bytes, 8 * (size_t)words, err));
    }
    return CUZK_OK;
}

/* A big-endian count and the points. */
static cuzk_status hash_query(cuzk_digest *digest, const cuzk_curve *curve, cuzk_group group,
                              const uint64_t *points, size_t n, cuzk_error *err)
{
    const uint8_t count[4] = {(uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8),
                              (uint8_t)n};
    CUZK_TRY(cuzk_digest_update(digest, count, sizeof count, err));
    return hash_points(digest, curve, group, points, n, err);
}

static cuzk_status hash_head(cuzk_digest *digest, const cuzk_setup *setup, cuzk_error *err)
{
    const cuzk_curve *curve = setup->curve;
    CUZK_TRY(hash_points(digest, curve, CUZK_G1, setup->vk.alpha_g1.l, 1, err));
    CUZK_TRY(hash_points(digest, curve, CUZK_G1, setup->beta_g1.l, 1, err));
    CUZK_TRY(hash_points(digest, curve, CUZK_G2, setup->vk.beta_g2.l, 1, err));
    CUZK_TRY(hash_points(digest, curve, CUZK_G2, setup->vk.gamma_g2.l, 1, err));
    CUZK_TRY(hash_points(digest, curve, CUZK_G1, setup->delta_g1.l, 1, err));
    return hash_points(digest, curve, CUZK_G2, setup->vk.delta_g2.l, 1, err);
}

static cuzk_status hash_circuit(cuzk_digest *digest, const cuzk_setup *setup,
                                const uint64_t *h_points, size_t n, uint8_t *out, cuzk_error *err)
{
    const cuzk_curve *curve = setup->curve;
    size_t m = (size_t)1 << setup->log_m;
    const uint8_t h_count[4] = {(uint8_t)((m - 1) >> 24), (uint8_t)((m - 1) >> 16),
                                (uint8_t)((m - 1) >> 8), (uint8_t)(m - 1)};
    CUZK_TRY(hash_head(digest, setup, err));
    CUZK_TRY(hash_query(digest, curve, CUZK_G1, setup->vk.ic, setup->n_public + 1, err));
    CUZK_TRY(cuzk_digest_update(digest, h_count, sizeof h_count, err));
    CUZK_TRY(hash_points(digest, curve, CUZK_G1, h_points, n, err));
    CUZK_TRY(hash_query(digest, curve, CUZK_G1, setup->l, setup->n_l, err));
    CUZK_TRY(hash_query(digest, curve, CUZK_G1, setup->a, setup->n_a, err));
    CUZK_TRY(hash_query(digest, curve, CUZK_G1, setup->b1, setup->n_b, err));
    CUZK_TRY(hash_query(digest, curve, CUZK_G2, setup->b2, setup->n_b, err));
    return cuzk_digest_finish(digest, out, err);
}

cuzk_status cuzk_ceremony_start(cuzk_setup *setup, const uint64_t *h_points, size_t n,
                                cuzk_error *err)
{
    cuzk_digest *digest = NULL;
    uint8_t *history = calloc(1, CUZK_BLAKE2B_BYTES + 4);
    if (history == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the history of a key");
    cuzk_status status = cuzk_digest_new(&digest, CUZK_BLAKE2B, err);
    if (status == CUZK_OK)
        status = hash_circuit(digest, setup, h_points, n, history, err);
    cuzk_digest_free(digest);
    if (status != CUZK_OK) {
        free(history);
        return status;
    }
    free(setup->history);
    setup->history = history;
    setup->history_bytes = CUZK_BLAKE2B_BYTES + 4;
    return CUZK_OK;
}

/* One contribution, in the order of the file. */
struct contribution {
    cuzk_g1 delta_after, g1_s, g1_sx;
    cuzk_g2 g2_spx;
    uint8_t transcript[CUZK_BLAKE2B_BYTES];
};

/* Bytes of the points of a record, and of a whole record without parameters. */
static size_t points_bytes(const cuzk_curve *curve)
{
    return 24 * (size_t)curve->g1_words + 8 * (size_t)curve->g2_words;
}

/* Feeds what an earlier record says; *at moves past it. */
static cuzk_status hash_record(cuzk_digest *digest, const cuzk_curve *curve, const uint8_t **at,
                               cuzk_error *err)
{
    size_t g1_bytes = 8 * (size_t)curve->g1_words, g2_bytes = 8 * (size_t)curve->g2_words;
    cuzk_g1 point;
    cuzk_g2 point2;
    for (int i = 0; i < 3; i++, *at += g1_bytes) {
        curve->g1_decode(point.l, *at, CUZK_ENC_LEM, false);
        CUZK_TRY(hash_points(digest, curve, CUZK_G1, point.l, 1, err));
    }
    curve->g2_decode(point2.l, *at, CUZK_ENC_LEM, false);
    CUZK_TRY(hash_points(digest, curve, CUZK_G2, point2.l, 1, err));
    *at += g2_bytes;
    CUZK_TRY(cuzk_digest_update(digest, *at, CUZK_BLAKE2B_BYTES, err));
    *at += CUZK_BLAKE2B_BYTES + 8 + cuzk_load_le32(*at + CUZK_BLAKE2B_BYTES + 4);
    return CUZK_OK;
}

static cuzk_status hash_transcript(cuzk_digest *digest, const cuzk_setup *setup,
                                   struct contribution *contribution, cuzk_error *err)
{
    const cuzk_curve *curve = setup->curve;
    const uint8_t *at = setup->history + CUZK_BLAKE2B_BYTES + 4;
    CUZK_TRY(cuzk_digest_update(digest, setup->history, CUZK_BLAKE2B_BYTES, err));
    while (at < setup->history + setup->history_bytes)
        CUZK_TRY(hash_record(digest, curve, &at, err));
    CUZK_TRY(hash_points(digest, curve, CUZK_G1, contribution->g1_s.l, 1, err));
    CUZK_TRY(hash_points(digest, curve, CUZK_G1, contribution->g1_sx.l, 1, err));
    return cuzk_digest_finish(digest, contribution->transcript, err);
}

/* Proves knowledge of factor: the same ratio between g1_s and g1_sx as between the transcript's
 * point and g2_spx. */
static cuzk_status prove_factor(struct contribution *contribution, const cuzk_setup *setup,
                                const cuzk_scalar *factor, cuzk_error *err)
{
    const cuzk_curve *curve = setup->curve;
    cuzk_digest *digest = NULL;
    uint8_t wide[64];
    cuzk_scalar s;

    CUZK_TRY(cuzk_random(wide, sizeof wide, err));
    curve->scalar_from_wide(&s, wide);
    curve->g1_mul(contribution->g1_s.l, curve->g1_generator, &s);
    curve->g1_mul_secret(contribution->g1_sx.l, contribution->g1_s.l, factor);
    CUZK_TRY(cuzk_digest_new(&digest, CUZK_BLAKE2B, err));
    cuzk_status status = hash_transcript(digest, setup, contribution, err);
    cuzk_digest_free(digest);
    if (status != CUZK_OK)
        return status;
    cuzk_ceremony_hash_to_g2(contribution->g2_spx.l, curve, contribution->transcript);
    curve->g2_mul_secret(contribution->g2_spx.l, contribution->g2_spx.l, factor);
    return CUZK_OK;
}

static void encode_record(uint8_t *out, const cuzk_curve *curve, const struct contribution *record)
{
    size_t g1_bytes = 8 * (size_t)curve->g1_words, g2_bytes = 8 * (size_t)curve->g2_words;
    const size_t name_bytes = sizeof contributor - 1;
    curve->g1_encode(out, record->delta_after.l, CUZK_ENC_LEM);
    curve->g1_encode(out + g1_bytes, record->g1_s.l, CUZK_ENC_LEM);
    curve->g1_encode(out + 2 * g1_bytes, record->g1_sx.l, CUZK_ENC_LEM);
    curve->g2_encode(out + 3 * g1_bytes, record->g2_spx.l, CUZK_ENC_LEM);
    out += 3 * g1_bytes + g2_bytes;
    memcpy(out, record->transcript, CUZK_BLAKE2B_BYTES);
    out += CUZK_BLAKE2B_BYTES;
    cuzk_store_le32(out, 0); /* a plain contribution, no beacon */
    cuzk_store_le32(out + 4, (uint32_t)(2 + name_bytes));
    out[8] = 1; /* parameter: name */
    out[9] = (uint8_t)name_bytes;
    memcpy(out + 10, contributor, name_bytes);
}

cuzk_status cuzk_ceremony_append(cuzk_setup *setup, const cuzk_scalar *factor, cuzk_error *err)
{
    struct contribution record = {.delta_after = setup->delta_g1};
    CUZK_TRY(prove_factor(&record, setup, factor, err));

    size_t bytes = points_bytes(setup->curve) + CUZK_BLAKE2B_BYTES + 10 + sizeof contributor - 1;
    uint8_t *history = realloc(setup->history, setup->history_bytes + bytes);
    if (history == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the history of a key");
    encode_record(history + setup->history_bytes, setup->curve, &record);
    uint8_t *count = history + CUZK_BLAKE2B_BYTES;
    cuzk_store_le32(count, cuzk_load_le32(count) + 1);
    setup->history = history;
    setup->history_bytes += bytes;
    return CUZK_OK;
}
