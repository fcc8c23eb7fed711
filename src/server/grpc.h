/* The gRPC service (proto/cuzk/v1/proving.proto), with gRPC's health and reflection services. */
#ifndef CUZK_SERVER_GRPC_H
#define CUZK_SERVER_GRPC_H

#include "engine/engine.h"

/* One message, each way. */
#define CUZK_GRPC_MESSAGE_MAX (128u << 20)

typedef struct cuzk_grpc_server cuzk_grpc_server;

typedef struct cuzk_grpc_config {
    /* "unix:///run/cuzk.sock", "unix:path", "host:port", "127.0.0.1:9820", "[::1]:9820"; port 0:
     * any that is free. */
    const char *const *addresses;
    size_t addresses_count;
    /* For TCP. NULL: not used. Files are PEM. */
    const char *tls_cert_file, *tls_key_file;
    const char *tls_client_ca_file; /* clients must show a certificate that it signed */
    const char *token;              /* calls must carry "authorization: Bearer <token>" */
    /* Else a TCP address that is not of this machine alone is refused unless a token or a client CA
     * says who may call. */
    bool allow_unauthenticated;
    unsigned threads;           /* 0: a few */
    uint64_t receive_bytes_max; /* of requests being received, all connections together: so many are
                                   received at once as surely have room, others wait; 0: 1 GiB */
    unsigned concurrent_calls;  /* per connection; 0: 1000 */
} cuzk_grpc_config;

/* cuzk_grpc_open listens and serves until it is stopped. The engine must live until after
 * cuzk_grpc_close. Nothing of config is kept. Errors name the address or file. */
cuzk_status cuzk_grpc_open(cuzk_grpc_server **server, const cuzk_grpc_config *config,
                           cuzk_engine *engine, cuzk_error *err);

/* The TCP port that addresses[i] listens on; 0 for a unix socket. */
unsigned cuzk_grpc_port(const cuzk_grpc_server *server, size_t i);

/* Takes no new calls and connections; calls under way have grace_ms to end and are then cut off.
 * Blocks until they have ended: the engine must still answer. */
void cuzk_grpc_stop(cuzk_grpc_server *server, uint64_t grace_ms);

/* Stops at once if it was not stopped, and frees. NULL is allowed. */
void cuzk_grpc_close(cuzk_grpc_server *server);

#endif
