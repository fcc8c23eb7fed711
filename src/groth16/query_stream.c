/* A query on its way to a device. Pieces are small, so that a key of fifty gigabytes passes through
 * megabytes. */
#include "base/memory.h"
#include "compute/msm.h"
#include "groth16/decode.h"
#include "groth16/query.h"

#include <stdlib.h>
#include <string.h>

#define PIECE ((size_t)1 << 18) /* points: 25 or 50 MB */

typedef struct streaming {
    cuzk_query *query;
    const struct cuzk_query_source *source;
    const cuzk_query_place *place;
    cuzk_base_sink *sink;
    cuzk_pool *pool;
    unsigned words;
    size_t file_size; /* bytes of a point in the source */
    uint64_t *piece;  /* PIECE points in memory form */
} streaming;

static cuzk_status no_memory(const streaming *s, cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory to read the %zu points of %s",
                     s->place->name, s->source->n, s->place->what);
}

/* Points first .. first + n of the source, decoded and checked, in s->piece. */
static cuzk_status read_piece(const streaming *s, size_t first, size_t n, cuzk_error *err)
{
    const cuzk_query_place *place = s->place;
    const uint8_t *from = (const uint8_t *)s->source->points + first * s->file_size;
    if (s->source->zcash) {
        const cuzk_decode_place at = {.curve = place->curve,
                                      .group = place->group,
                                      .name = place->name,
                                      .what = place->what,
                                      .first = first};
        CUZK_TRY(cuzk_decode_zcash(s->piece, from, n, &at, s->pool, err));
    } else {
        memcpy(s->piece, from, n * s->file_size);
    }
    return place->check ? cuzk_query_check(s->piece, first, n, place, s->pool, err) : CUZK_OK;
}

static uint32_t variable(const streaming *s, size_t i)
{
    return s->source->index != NULL ? s->source->index[i] : s->place->offset + (uint32_t)i;
}

/* Moves the finite points of s->piece together and notes their variables; returns their number. */
static size_t drop_infinity(const streaming *s, size_t first, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t *point = s->piece + i * s->words;
        if (point[0] == 0 && cuzk_point_is_infinity(point, s->words))
            continue;
        if (kept != i)
            memcpy(s->piece + kept * s->words, point, s->words * sizeof *point);
        s->query->index[s->query->n + kept++] = variable(s, first + i);
    }
    return kept;
}

static cuzk_status stream_pieces(const streaming *s, cuzk_error *err)
{
    const size_t total = s->source->n;
    for (size_t first = 0; first < total; first += PIECE) {
        const size_t n = total - first < PIECE ? total - first : PIECE;
        CUZK_TRY(read_piece(s, first, n, err));
        const size_t kept = drop_infinity(s, first, n);
        CUZK_TRY(s->sink->put(s->sink, s->piece, kept, err));
        s->query->n += kept;
    }
    return CUZK_OK;
}

/* No index where variable i is offset + i all along. */
static void shorten_index(streaming *s, size_t *bytes)
{
    cuzk_query *query = s->query;
    query->offset = s->place->offset;
    if (query->n == s->source->n && s->source->index == NULL) {
        free(query->index);
        query->index = NULL;
        return;
    }
    uint32_t *shorter = realloc(query->index, (query->n + 1) * sizeof *shorter);
    if (shorter != NULL)
        query->index = shorter;
    *bytes += query->n * sizeof *shorter;
}

cuzk_status cuzk_query_stream(cuzk_query *query, size_t *bytes,
                              const struct cuzk_query_source *source, const cuzk_query_place *place,
                              cuzk_query_id id, cuzk_base_sink *sink, cuzk_pool *pool,
                              cuzk_error *err)
{
    streaming s = {query, source, place, sink, pool, 0, 0, NULL};
    s.words = cuzk_point_words(place->curve, place->group);
    s.file_size = source->zcash ? cuzk_encoding_size(place->curve, place->group, CUZK_ENC_ZCASH)
                                : s.words * sizeof(uint64_t);
    const size_t most = source->n < PIECE ? source->n : PIECE;
    s.piece = cuzk_memory_new(most, s.words * sizeof *s.piece);
    query->index = malloc((source->n + 1) * sizeof *query->index);
    cuzk_status status = CUZK_OK;
    if (s.piece == NULL || query->index == NULL)
        status = no_memory(&s, err);
    if (status == CUZK_OK)
        status = sink->begin(sink, place->curve, id, source->n, err);
    if (status == CUZK_OK)
        status = stream_pieces(&s, err);
    if (status == CUZK_OK)
        shorten_index(&s, bytes);
    free(s.piece);
    return status;
}
