/* Who may come in: bearer token, client certificate. */
#include "server/http_internal.h"

#include "base/digest.h"

#include <gnutls/gnutls.h>
#include <openssl/crypto.h>
#include <string.h>
#include <strings.h>

#define BEARER "Bearer "

static cuzk_status digest_of(uint8_t *digest, const char *text, cuzk_error *err)
{
    cuzk_digest *state = NULL;
    CUZK_TRY(cuzk_digest_new(&state, CUZK_SHA256, err));
    cuzk_status status = cuzk_digest_update(state, text, strlen(text), err);
    if (status == CUZK_OK)
        status = cuzk_digest_finish(state, digest, err);
    cuzk_digest_free(state);
    return status;
}

/* Digests are compared, so the time tells neither a prefix nor the length. */
static bool token_matches(const http_exchange *x)
{
    const char *given =
        MHD_lookup_connection_value(x->connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_AUTHORIZATION);
    uint8_t digest[CUZK_SHA256_BYTES];
    if (given == NULL || strncasecmp(given, BEARER, strlen(BEARER)) != 0 ||
        digest_of(digest, given + strlen(BEARER), NULL) != CUZK_OK)
        return false;
    return CRYPTO_memcmp(digest, x->server->token_digest, sizeof digest) == 0;
}

static bool certificate_holds(const http_exchange *x)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(x->connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    unsigned flaws = 0;
    return info != NULL && info->tls_session != NULL &&
           gnutls_certificate_verify_peers2(info->tls_session, &flaws) == GNUTLS_E_SUCCESS &&
           flaws == 0;
}

bool http_auth_allows(const http_exchange *x)
{
    if (x->server->listen.is_unix)
        return true; /* the socket's mode decides */
    return (!x->server->has_client_ca || certificate_holds(x)) &&
           (!x->server->has_token || token_matches(x));
}

cuzk_status http_auth_open(cuzk_http_server *server, const cuzk_http_config *config,
                           cuzk_error *err)
{
    if ((config->tls_cert == NULL) != (config->tls_key == NULL))
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "HTTP: TLS needs both a certificate and its key; one of them is missing");
    if (config->tls_client_ca != NULL && config->tls_cert == NULL)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "HTTP: client certificates need TLS; give a certificate and its key too");
    if (config->token != NULL && config->token[0] == '\0')
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "HTTP: the bearer token is empty");
    server->has_token = config->token != NULL;
    server->has_client_ca = config->tls_client_ca != NULL;
    return server->has_token ? digest_of(server->token_digest, config->token, err) : CUZK_OK;
}
