#include "hash/sha256_trim.h"

#include <string.h>

cuzk_status cuzk_sha256_trim_finish(cuzk_scalar *out, cuzk_digest *digest, cuzk_error *err)
{
    uint8_t bytes[CUZK_SHA256_BYTES];
    CUZK_TRY(cuzk_digest_finish(digest, bytes, err));
    bytes[31] &= 0x3f;
    memcpy(out->l, bytes, sizeof bytes);
    return CUZK_OK;
}

cuzk_status cuzk_sha256_trim(cuzk_scalar *out, cuzk_digest *digest, const void *data, size_t n,
                             cuzk_error *err)
{
    CUZK_TRY(cuzk_digest_update(digest, data, n, err));
    return cuzk_sha256_trim_finish(out, digest, err);
}
