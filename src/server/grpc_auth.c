#include "server/grpc_auth.h"

#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>

/* Connections through unix sockets are handed to the core as open files, which it names so. */
static bool is_unix(grpc_call *call)
{
    char *peer = grpc_call_get_peer(call);
    bool is = strncmp(peer, "fd:", 3) == 0;
    gpr_free(peer);
    return is;
}

/* Takes the same time whatever the bytes are; the length of the token is no secret. */
static bool is_bearer(grpc_slice value, const char *token)
{
    static const char scheme[] = "Bearer ";
    size_t prefix = sizeof scheme - 1, size = strlen(token);
    const uint8_t *text = GRPC_SLICE_START_PTR(value);
    return GRPC_SLICE_LENGTH(value) == prefix + size && memcmp(text, scheme, prefix) == 0 &&
           CRYPTO_memcmp(text + prefix, token, size) == 0;
}

bool cuzk_grpc_auth_is_good(cuzk_grpc_call *call)
{
    const char *token = call->shared->token;
    if (token == NULL || is_unix(call->call))
        return true;
    for (size_t i = 0; i < call->metadata.count; i++) {
        const grpc_metadata *entry = &call->metadata.metadata[i];
        if (grpc_slice_str_cmp(entry->key, "authorization") == 0 && is_bearer(entry->value, token))
            return true;
    }
    return false;
}

cuzk_status cuzk_grpc_server_credentials(grpc_server_credentials **credentials,
                                         const cuzk_grpc_config *config, cuzk_error *err)
{
    if (config->tls_cert_file == NULL && config->tls_key_file == NULL &&
        config->tls_client_ca_file == NULL) {
        *credentials = grpc_insecure_server_credentials_create();
        return CUZK_OK;
    }
    if (config->tls_cert_file == NULL || config->tls_key_file == NULL)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "TLS needs both a certificate and its key; one of them is not given");
    char *cert = NULL, *key = NULL, *ca = NULL;
    cuzk_status status = cuzk_pem_read(&cert, config->tls_cert_file, err);
    if (status == CUZK_OK)
        status = cuzk_pem_read(&key, config->tls_key_file, err);
    if (status == CUZK_OK)
        status = cuzk_pem_check_pair(cert, key, config->tls_cert_file, config->tls_key_file, err);
    if (status == CUZK_OK && config->tls_client_ca_file != NULL) {
        status = cuzk_pem_read(&ca, config->tls_client_ca_file, err);
        if (status == CUZK_OK)
            status = cuzk_pem_check_certificate(ca, config->tls_client_ca_file, err);
    }
    if (status == CUZK_OK) {
        grpc_ssl_pem_key_cert_pair pair = {.private_key = key, .cert_chain = cert};
        *credentials = grpc_ssl_server_credentials_create_ex(
            ca, &pair, 1,
            ca != NULL ? GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY
                       : GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE,
            NULL);
        if (*credentials == NULL)
            status = cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: TLS cannot be set up with it",
                               config->tls_cert_file);
    }
    free(cert);
    if (key != NULL)
        OPENSSL_cleanse(key, strlen(key));
    free(key);
    free(ca);
    return status;
}
