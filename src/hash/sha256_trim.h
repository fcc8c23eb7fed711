/* SHA-256 as field elements are hashed with it: the digest with its two top bits cleared, read
 * little-endian. */
#ifndef CUZK_HASH_SHA256_TRIM_H
#define CUZK_HASH_SHA256_TRIM_H

#include "base/digest.h"
#include "field/scalar.h"

/* Finishes the digest (a SHA-256 one), which then starts afresh. */
cuzk_status cuzk_sha256_trim_finish(cuzk_scalar *out, cuzk_digest *digest, cuzk_error *err);

/* Of one piece of data. */
cuzk_status cuzk_sha256_trim(cuzk_scalar *out, cuzk_digest *digest, const void *data, size_t n,
                             cuzk_error *err);

#endif
