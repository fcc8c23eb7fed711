/* The HTTP server: /status, /metrics, /healthz, /readyz, and jobs and keys as a small REST
 * interface under /v1. doc/http.md describes it for users.
 *
 * All protocol work is libmicrohttpd's. Requests that wait for the engine are suspended, so one
 * thread serves all connections; a second one ends those whose time is up or whose client is gone.
 */
#ifndef CUZK_SERVER_HTTP_H
#define CUZK_SERVER_HTTP_H

#include "engine/engine.h"

typedef struct cuzk_http_server cuzk_http_server;

typedef struct cuzk_http_config {
    const char *listen; /* "127.0.0.1:9821", "[::1]:9821", "localhost:0" (a free port), or
                           "unix:///run/cuzk/http.sock": its mode, 0660, decides who
                           comes in; no TLS, token or certificate there */
    const char *token;  /* clients send "Authorization: Bearer TOKEN"; not for /healthz and /readyz.
                           NULL: none */
    const char *tls_cert, *tls_key; /* PEM files; NULL: no TLS */
    const char *tls_client_ca; /* PEM file: clients must show a certificate of these; NULL: none */
    bool allow_insecure;       /* listen beyond loopback without token and client certificates */
    const char *config_text;   /* what GET /v1/config answers; NULL: 404 */

    /* 0: defaults. */
    unsigned connections_max; /* 256; more wait in the backlog */
    size_t body_max;          /* 128 MiB */
    uint64_t head_ms, body_ms,
        answer_ms; /* 15 s for a request's head; 30 s for a body, and a
                      second more for each MiB of it; 60 s to take an answer */
} cuzk_http_config;

/* Starts serving. Strings are copied. The engine must outlive the server. Fails with
 * CUZK_ERR_ARGUMENT (configuration), CUZK_ERR_IO (address in use, file unreadable). */
cuzk_status cuzk_http_open(cuzk_http_server **server, cuzk_engine *engine,
                           const cuzk_http_config *config, cuzk_error *err);

/* Where it listens, with the port that was free: "127.0.0.1:34567". Valid as long as the server. */
const char *cuzk_http_address(const cuzk_http_server *server);

/* Takes no more connections and requests; requests that wait are answered 503. */
void cuzk_http_stop(cuzk_http_server *server);

/* Stops, lets answers under way leave (two seconds at most), closes all connections. Callbacks of
 * the engine that are still due find their requests abandoned. NULL is allowed. */
void cuzk_http_close(cuzk_http_server *server);

#endif
