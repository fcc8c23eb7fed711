/* Whether a parameters file is the one that was published for a circuit. */
#ifndef CUZK_API_PUBLISHED_H
#define CUZK_API_PUBLISHED_H

#include "base/digest.h"
#include "base/map.h"
#include "base/pool.h"
#include "circuit/filecoin/proofs.h"

#include <stdbool.h>

typedef struct cuzk_published {
    bool is_published;
    bool is_read; /* the file was, and sha256 is its digest; else its identity was known */
    uint8_t sha256[CUZK_SHA256_BYTES];
    char found[33]; /* if it was read: what stands in the list of published files, of this one */
} cuzk_published;

/* Reads the file at most once: both digests are computed piece by piece, side by side on the pool.
 */
cuzk_status cuzk_published_find(cuzk_published *published, const cuzk_map *map,
                                const cuzk_fil_params *params, cuzk_pool *pool, cuzk_error *err);

/* Keeps that the file with this SHA-256 is the published one, for the file of a verdict
 * (groth16/key.h). */
cuzk_status cuzk_published_store(const uint8_t sha256[CUZK_SHA256_BYTES],
                                 const cuzk_fil_params *params, cuzk_error *err);

#endif
