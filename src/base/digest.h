/* SHA-256, BLAKE2b-512 and BLAKE2s-256 of a stream of bytes, from libcrypto. */
#ifndef CUZK_BASE_DIGEST_H
#define CUZK_BASE_DIGEST_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

#define CUZK_SHA256_BYTES     32
#define CUZK_BLAKE2B_BYTES    64
#define CUZK_BLAKE2S_BYTES    32
#define CUZK_DIGEST_MAX_BYTES 64

typedef enum cuzk_digest_kind { CUZK_SHA256, CUZK_BLAKE2B, CUZK_BLAKE2S } cuzk_digest_kind;

typedef struct cuzk_digest cuzk_digest;

/* On success *digest is owned by the caller (cuzk_digest_free). */
cuzk_status cuzk_digest_new(cuzk_digest **digest, cuzk_digest_kind kind, cuzk_error *err);
void cuzk_digest_free(cuzk_digest *digest);

/* data may be NULL when n is 0. */
cuzk_status cuzk_digest_update(cuzk_digest *digest, const void *data, size_t n, cuzk_error *err);

/* Writes the kind's number of bytes to out. The digest then starts afresh. */
cuzk_status cuzk_digest_finish(cuzk_digest *digest, uint8_t *out, cuzk_error *err);

#endif
