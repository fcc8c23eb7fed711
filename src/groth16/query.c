#include "groth16/query.h"

#include "base/memory.h"
#include "compute/msm.h"
#include "groth16/decode.h"

#include <stdlib.h>
#include <string.h>

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

static cuzk_status check_points(const void *points, size_t n, const cuzk_query_place *place,
                                cuzk_pool *pool, cuzk_error *err)
{
    size_t bad;
    cuzk_point_status found =
        cuzk_points_check(place->curve, place->group, points, n, true, &bad, pool);
    if (found == CUZK_POINT_OK)
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: %s[%zu] is %s; the file is damaged or not honest",
                     place->name, place->what, bad, cuzk_point_status_text(found));
}

static bool is_infinity(const void *points, size_t i, unsigned words)
{
    uint64_t point[CUZK_G2_MAX_WORDS];
    size_t size = words * sizeof(uint64_t);
    memcpy(point, (const uint8_t *)points + i * size, size);
    return cuzk_point_is_infinity(point, words);
}

static size_t count_finite(const void *points, size_t n, unsigned words)
{
    size_t finite = 0;
    for (size_t i = 0; i < n; i++)
        finite += !is_infinity(points, i, words);
    return finite;
}

static void gather_finite(uint8_t *out, uint32_t *index, const struct cuzk_query_source *source,
                          const void *points, const cuzk_query_place *place)
{
    unsigned words = cuzk_point_words(place->curve, place->group);
    size_t size = words * sizeof(uint64_t);
    for (size_t i = 0; i < source->n; i++) {
        if (is_infinity(points, i, words))
            continue;
        memcpy(out, (const uint8_t *)points + i * size, size);
        out += size;
        *index++ = source->index != NULL ? source->index[i] : place->offset + (uint32_t)i;
    }
}

static cuzk_status prepare(cuzk_query *query, size_t *bytes, const void *points, size_t n,
                           const cuzk_query_place *place, cuzk_pool *pool, cuzk_error *err)
{
    size_t size = cuzk_bases_bytes(place->curve, place->group, n);
    query->bases = cuzk_memory_new(size, 1);
    if (query->bases == NULL)
        return no_memory(place, n, err);
    cuzk_bases_prepare(place->curve, place->group, query->bases, points, n, pool);
    query->n = n;
    query->offset = place->offset;
    *bytes += size + (query->index != NULL ? n * sizeof *query->index : 0);
    return CUZK_OK;
}

static cuzk_status prepare_finite(cuzk_query *query, size_t *bytes, size_t finite,
                                  const struct cuzk_query_source *source, const void *points,
                                  const cuzk_query_place *place, cuzk_pool *pool, cuzk_error *err)
{
    unsigned words = cuzk_point_words(place->curve, place->group);
    query->index = calloc(finite + 1, sizeof *query->index);
    uint8_t *kept = cuzk_memory_new(finite, words * sizeof(uint64_t));
    cuzk_status status;
    if (query->index == NULL || kept == NULL) {
        status = no_memory(place, finite, err);
    } else {
        gather_finite(kept, query->index, source, points, place);
        status = prepare(query, bytes, kept, finite, place, pool, err);
    }
    free(kept);
    return status;
}

static cuzk_status prepare_all(cuzk_query *query, size_t *bytes,
                               const struct cuzk_query_source *source, const void *points,
                               const cuzk_query_place *place, cuzk_pool *pool, cuzk_error *err)
{
    if (source->index != NULL) {
        query->index = calloc(source->n + 1, sizeof *query->index);
        if (query->index == NULL)
            return no_memory(place, source->n, err);
        if (source->n > 0)
            memcpy(query->index, source->index, source->n * sizeof *query->index);
    }
    return prepare(query, bytes, points, source->n, place, pool, err);
}

static cuzk_status load_points(cuzk_query *query, size_t *bytes,
                               const struct cuzk_query_source *source, const void *points,
                               const cuzk_query_place *place, cuzk_pool *pool, cuzk_error *err)
{
    if (place->check)
        CUZK_TRY(check_points(points, source->n, place, pool, err));
    size_t finite = count_finite(points, source->n, cuzk_point_words(place->curve, place->group));
    if (finite == source->n)
        return prepare_all(query, bytes, source, points, place, pool, err);
    return prepare_finite(query, bytes, finite, source, points, place, pool, err);
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
