#include "groth16/query.h"

#include "base/memory.h"
#include "compute/msm.h"
#include "groth16/decode.h"

#include <stdlib.h>
#include <string.h>

#define SEARCH_TILE 4096u

void cuzk_query_release(cuzk_query *query)
{
    free(query->bases);
    free(query->index);
    *query = (cuzk_query){0};
}

static cuzk_status no_memory(const cuzk_query_place *place, size_t n, cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory for the %zu points of %s", place->name, n,
                     place->what);
}

cuzk_status cuzk_query_check(const void *points, size_t first, size_t n,
                             const cuzk_query_place *place, cuzk_pool *pool, cuzk_error *err)
{
    size_t bad;
    cuzk_point_status found =
        cuzk_points_check(place->curve, place->group, points, n, true, &bad, pool);
    if (found == CUZK_POINT_OK)
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: %s[%zu] is %s; the file is damaged or not honest",
                     place->name, place->what, first + bad, cuzk_point_status_text(found));
}

static bool is_infinity(const uint8_t *point, unsigned words)
{
    uint64_t aligned[CUZK_G2_MAX_WORDS];
    memcpy(aligned, point, sizeof *aligned);
    if (aligned[0] != 0)
        return false;
    memcpy(aligned, point, words * sizeof(uint64_t));
    return cuzk_point_is_infinity(aligned, words);
}

/* The search for points at infinity, in tiles: each tile lists its finite points, in the place that
 * they take if all before are finite too, and is moved up afterwards. */
typedef struct search {
    const uint8_t *points;
    size_t n;
    unsigned words;
    uint32_t *finite;      /* n */
    uint32_t *tile_finite; /* number per tile */
} search;

static void search_tile(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    const search *s = context;
    const size_t first = tile * SEARCH_TILE;
    const size_t end = s->n - first < SEARCH_TILE ? s->n : first + SEARCH_TILE;
    const size_t size = s->words * sizeof(uint64_t);
    uint32_t *at = s->finite + first;
    for (size_t i = first; i < end; i++)
        if (!is_infinity(s->points + i * size, s->words))
            *at++ = (uint32_t)i;
    s->tile_finite[tile] = (uint32_t)(at - (s->finite + first));
}

/* Lists the finite points; returns their number. */
static size_t find_finite(search *s, cuzk_pool *pool)
{
    const size_t tiles = (s->n + SEARCH_TILE - 1) / SEARCH_TILE;
    cuzk_pool_run(pool, tiles, search_tile, s);
    size_t finite = 0;
    for (size_t tile = 0; tile < tiles; tile++) {
        memmove(s->finite + finite, s->finite + tile * SEARCH_TILE,
                s->tile_finite[tile] * sizeof *s->finite);
        finite += s->tile_finite[tile];
    }
    return finite;
}

/* Prepares the n points whose numbers query->index holds, or all if it is NULL, and replaces the
 * numbers by those of their variables. */
static cuzk_status prepare(cuzk_query *query, size_t *bytes, const struct cuzk_query_source *source,
                           const void *points, size_t n, const cuzk_query_place *place,
                           cuzk_pool *pool, cuzk_error *err)
{
    uint32_t *finite = query->index;
    size_t size = cuzk_bases_bytes(place->curve, place->group, n);
    query->bases = cuzk_memory_new(size, 1);
    if (query->bases == NULL)
        return no_memory(place, n, err);
    cuzk_bases_prepare(place->curve, place->group, query->bases, points, finite, n, pool);
    for (size_t i = 0; finite != NULL && i < n; i++)
        finite[i] = source->index != NULL ? source->index[finite[i]] : place->offset + finite[i];
    query->n = n;
    query->offset = place->offset;
    *bytes += size + (finite != NULL ? n * sizeof *finite : 0);
    return CUZK_OK;
}

static cuzk_status load_points(cuzk_query *query, size_t *bytes,
                               const struct cuzk_query_source *source, const void *points,
                               const cuzk_query_place *place, cuzk_pool *pool, cuzk_error *err)
{
    if (place->check)
        CUZK_TRY(cuzk_query_check(points, 0, source->n, place, pool, err));
    search s = {
        .points = points, .n = source->n, .words = cuzk_point_words(place->curve, place->group)};
    s.finite = malloc((source->n + 1) * sizeof *s.finite);
    s.tile_finite = malloc((source->n / SEARCH_TILE + 1) * sizeof *s.tile_finite);
    if (s.finite == NULL || s.tile_finite == NULL) {
        free(s.finite);
        free(s.tile_finite);
        return no_memory(place, source->n, err);
    }
    size_t n = find_finite(&s, pool);
    free(s.tile_finite);
    if (n == source->n && source->index == NULL) {
        free(s.finite);
    } else {
        query->index = realloc(s.finite, (n + 1) * sizeof *s.finite);
        if (query->index == NULL) {
            free(s.finite);
            return no_memory(place, n, err);
        }
    }
    return prepare(query, bytes, source, points, n, place, pool, err);
}

cuzk_status cuzk_query_load(cuzk_query *query, size_t *bytes,
                            const struct cuzk_query_source *source, const cuzk_query_place *place,
                            cuzk_pool *pool, cuzk_error *err)
{
    if (!source->zcash)
        return load_points(query, bytes, source, source->points, place, pool, err);
    unsigned words = cuzk_point_words(place->curve, place->group);
    uint64_t *decoded = cuzk_memory_new(source->n, words * sizeof(uint64_t));
    if (decoded == NULL)
        return no_memory(place, source->n, err);
    cuzk_decode_place at = {.curve = place->curve,
                            .group = place->group,
                            .name = place->name,
                            .what = place->what,
                            .subgroup = false};
    cuzk_status status = cuzk_decode_zcash(decoded, source->points, source->n, &at, pool, err);
    if (status == CUZK_OK)
        status = load_points(query, bytes, source, decoded, place, pool, err);
    free(decoded);
    return status;
}
