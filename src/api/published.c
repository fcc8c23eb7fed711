#include "api/published.h"

#include "groth16/key.h"

#include <stdio.h>
#include <string.h>

#define PUBLISHED_BYTES 16 /* of the BLAKE2b-512 that are published */
#define PIECE           ((size_t)8 << 20)

/* Under which a verdict on a file's digest is kept: it was the published file of this circuit. */
static cuzk_status make_token(uint8_t token[CUZK_SHA256_BYTES],
                              const uint8_t sha256[CUZK_SHA256_BYTES],
                              const cuzk_fil_params *params, cuzk_error *err)
{
    cuzk_digest *d;
    CUZK_TRY(cuzk_digest_new(&d, CUZK_SHA256, err));
    cuzk_status status = cuzk_digest_update(d, sha256, CUZK_SHA256_BYTES, err);
    if (status == CUZK_OK)
        status = cuzk_digest_update(d, params->params_digest, strlen(params->params_digest), err);
    if (status == CUZK_OK)
        status = cuzk_digest_finish(d, token, err);
    cuzk_digest_free(d);
    return status;
}

/* Two digests of one file, and the piece of it that both take now. */
typedef struct reading {
    cuzk_digest *digest[2];
    const uint8_t *piece;
    size_t n;
    cuzk_status status[2];
    cuzk_error err[2];
} reading;

static void read_piece(void *context, size_t k, unsigned worker)
{
    reading *r = context;
    (void)worker;
    if (r->status[k] == CUZK_OK)
        r->status[k] = cuzk_digest_update(r->digest[k], r->piece, r->n, &r->err[k]);
}

static cuzk_status read_all(reading *r, const cuzk_map *map, cuzk_pool *pool, cuzk_error *err)
{
    const uint8_t *data = cuzk_map_data(map);
    const size_t size = cuzk_map_size(map);
    for (size_t at = 0; at < size; at += r->n) {
        r->piece = data + at;
        r->n = size - at < PIECE ? size - at : PIECE;
        cuzk_pool_run(pool, 2, read_piece, r);
    }
    for (size_t k = 0; k < 2; k++)
        if (r->status[k] != CUZK_OK)
            return cuzk_fail(err, r->status[k], "%s: %s", cuzk_map_name(map), r->err[k].message);
    return CUZK_OK;
}

static cuzk_status read_digests(uint8_t sha256[CUZK_SHA256_BYTES],
                                uint8_t blake2b[CUZK_BLAKE2B_BYTES], const cuzk_map *map,
                                cuzk_pool *pool, cuzk_error *err)
{
    reading r = {0};
    cuzk_status status = cuzk_digest_new(&r.digest[0], CUZK_SHA256, err);
    if (status == CUZK_OK)
        status = cuzk_digest_new(&r.digest[1], CUZK_BLAKE2B, err);
    if (status == CUZK_OK)
        status = read_all(&r, map, pool, err);
    if (status == CUZK_OK)
        status = cuzk_digest_finish(r.digest[0], sha256, err);
    if (status == CUZK_OK)
        status = cuzk_digest_finish(r.digest[1], blake2b, err);
    cuzk_digest_free(r.digest[0]);
    cuzk_digest_free(r.digest[1]);
    return status;
}

cuzk_status cuzk_published_find(cuzk_published *published, const cuzk_map *map,
                                const cuzk_fil_params *params, cuzk_pool *pool, cuzk_error *err)
{
    cuzk_published found = {0};
    uint8_t token[CUZK_SHA256_BYTES], blake2b[CUZK_BLAKE2B_BYTES];
    if (cuzk_verdict_recall(found.sha256, map)) {
        CUZK_TRY(make_token(token, found.sha256, params, err));
        found.is_published = cuzk_verdict_known(token);
    }
    if (!found.is_published) {
        CUZK_TRY(read_digests(found.sha256, blake2b, map, pool, err));
        for (size_t i = 0; i < PUBLISHED_BYTES; i++)
            snprintf(found.found + 2 * i, 3, "%02x", blake2b[i]);
        found.is_read = true;
        found.is_published = strcmp(found.found, params->params_digest) == 0;
    }
    *published = found;
    return CUZK_OK;
}

cuzk_status cuzk_published_store(const uint8_t sha256[CUZK_SHA256_BYTES],
                                 const cuzk_fil_params *params, cuzk_error *err)
{
    uint8_t token[CUZK_SHA256_BYTES];
    CUZK_TRY(make_token(token, sha256, params, err));
    cuzk_verdict_store(token);
    return CUZK_OK;
}
