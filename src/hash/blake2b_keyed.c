#include "hash/blake2b_keyed.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <string.h>

static int compute(EVP_MAC_CTX *context, uint8_t out[32], const char *key, const void *data,
                   size_t n)
{
    size_t size = 32, written;
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size),
                                 OSSL_PARAM_construct_end()};
    return EVP_MAC_init(context, (const uint8_t *)key, strlen(key), params) &&
           EVP_MAC_update(context, data, n) && EVP_MAC_final(context, out, &written, 32) &&
           written == 32;
}

cuzk_status cuzk_blake2b_keyed(uint8_t out[32], const char *key, const void *data, size_t n,
                               cuzk_error *err)
{
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "BLAKE2BMAC", NULL);
    EVP_MAC_CTX *context = mac == NULL ? NULL : EVP_MAC_CTX_new(mac);
    int done = context != NULL && compute(context, out, key, data, n);
    EVP_MAC_CTX_free(context);
    EVP_MAC_free(mac);
    if (!done)
        return cuzk_fail(err, CUZK_ERR_MEMORY,
                         "libcrypto cannot compute a keyed hash: out of memory, or BLAKE2b is "
                         "switched off in its configuration");
    return CUZK_OK;
}
