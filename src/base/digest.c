#include "base/digest.h"

#include <openssl/evp.h>
#include <stdlib.h>

struct cuzk_digest {
    EVP_MD_CTX *context;
    const EVP_MD *algorithm;
};

static cuzk_status fail_crypto(cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_MEMORY,
                     "libcrypto cannot compute a digest: out of memory, or "
                     "SHA-256 and BLAKE2 are switched off in its configuration");
}

static const EVP_MD *find_algorithm(cuzk_digest_kind kind)
{
    switch (kind) {
    case CUZK_SHA256:
        return EVP_sha256();
    case CUZK_BLAKE2B:
        return EVP_blake2b512();
    case CUZK_BLAKE2S:
        return EVP_blake2s256();
    }
    CUZK_ASSERT(0);
}

cuzk_status cuzk_digest_new(cuzk_digest **digest, cuzk_digest_kind kind, cuzk_error *err)
{
    cuzk_digest *d = calloc(1, sizeof *d);
    if (d == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a digest");
    d->algorithm = find_algorithm(kind);
    d->context = EVP_MD_CTX_new();
    if (d->context == NULL || !EVP_DigestInit_ex(d->context, d->algorithm, NULL)) {
        cuzk_digest_free(d);
        return fail_crypto(err);
    }
    *digest = d;
    return CUZK_OK;
}

void cuzk_digest_free(cuzk_digest *digest)
{
    if (digest == NULL)
        return;
    EVP_MD_CTX_free(digest->context);
    free(digest);
}

cuzk_status cuzk_digest_update(cuzk_digest *digest, const void *data, size_t n, cuzk_error *err)
{
    if (n > 0 && !EVP_DigestUpdate(digest->context, data, n))
        return fail_crypto(err);
    return CUZK_OK;
}

cuzk_status cuzk_digest_finish(cuzk_digest *digest, uint8_t *out, cuzk_error *err)
{
    if (!EVP_DigestFinal_ex(digest->context, out, NULL) ||
        !EVP_DigestInit_ex(digest->context, digest->algorithm, NULL))
        return fail_crypto(err);
    return CUZK_OK;
}
