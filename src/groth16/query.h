/* One query of a proving key: from a file's points to bases for MSM. */
#ifndef CUZK_GROTH16_QUERY_H
#define CUZK_GROTH16_QUERY_H

#include "groth16/key.h"

/* Where a query belongs, and how to load it. */
typedef struct cuzk_query_place {
    const cuzk_curve *curve;
    cuzk_group group;
    uint32_t offset;         /* variable of point 0 when the source has no index */
    const char *name, *what; /* of the file and the query, for messages */
    bool check;              /* look at curve and subgroup */
} cuzk_query_place;

/* cuzk_query_load decodes (if need be), checks, drops infinity and prepares. Adds the bytes that it
 * keeps to *bytes. query must be zero; after a failure it still needs cuzk_query_release. */
cuzk_status cuzk_query_load(cuzk_query *query, size_t *bytes,
                            const struct cuzk_query_source *source, const cuzk_query_place *place,
                            cuzk_pool *pool, cuzk_error *err);

/* Looks at n points in memory form: curve and subgroup. The message counts from `first`. */
cuzk_status cuzk_query_check(const void *points, size_t first, size_t n,
                             const cuzk_query_place *place, cuzk_pool *pool, cuzk_error *err);

/* As cuzk_query_load, but the points go into the sink, a piece at a time: decoded, checked, without
 * infinity. The query has index and count, and no bases. */
cuzk_status cuzk_query_stream(cuzk_query *query, size_t *bytes,
                              const struct cuzk_query_source *source, const cuzk_query_place *place,
                              cuzk_query_id id, cuzk_base_sink *sink, cuzk_pool *pool,
                              cuzk_error *err);
void cuzk_query_release(cuzk_query *query);

#endif
