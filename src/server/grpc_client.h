/* A blocking client for unary calls, for the command line and tests. */
#ifndef CUZK_SERVER_GRPC_CLIENT_H
#define CUZK_SERVER_GRPC_CLIENT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cuzk_grpc_client cuzk_grpc_client;

typedef struct cuzk_grpc_client_config {
    const char *address;     /* "unix:///run/cuzk.sock", "unix:path", "host:port" */
    bool tls;                /* with the system's CAs unless ca_file is given */
    const char *tls_ca_file; /* NULL or PEM; implies tls, as the others do */
    const char *tls_cert_file, *tls_key_file; /* what to show to a server that asks for it */
    const char *tls_name; /* what the server's certificate must be for; NULL: the address's host */
    const char *token;    /* NULL: none */
} cuzk_grpc_client_config;

/* Does not connect yet; the first call does. Nothing of config is kept. */
cuzk_status cuzk_grpc_client_open(cuzk_grpc_client **client, const cuzk_grpc_client_config *config,
                                  cuzk_error *err);
/* NULL is allowed. No call may be under way. */
void cuzk_grpc_client_close(cuzk_grpc_client *client);

/* What came back. code: gRPC's status code, 0: well. */
typedef struct cuzk_grpc_answer {
    int code;
    char *message; /* malloc'd; "" if there is none */
    void *data;    /* malloc'd; NULL unless code is 0 */
    size_t size;
    uint64_t retry_ms; /* the server's hint when to try again; 0: none */
} cuzk_grpc_answer;

void cuzk_grpc_answer_release(cuzk_grpc_answer *answer);

/* Calls "/cuzk.v1.ProvingEngine/GetStatus" or the like with the request's bytes and waits for the
 * answer, timeout_ms at most (0: as long as it takes; then code is 4, DEADLINE_EXCEEDED). A server
 * that cannot be reached is code 14, UNAVAILABLE. Threads: any number at once. */
cuzk_status cuzk_grpc_client_call(cuzk_grpc_client *client, const char *method, const void *request,
                                  size_t size, uint64_t timeout_ms, cuzk_grpc_answer *answer,
                                  cuzk_error *err);

/* Cuts off the calls that are under way, with code 1, CANCELLED; later ones are not made either.
 * Any thread, not a signal handler. */
void cuzk_grpc_client_cancel(cuzk_grpc_client *client);

/* "NOT_FOUND" and the like. Static storage. */
const char *cuzk_grpc_code_name(int code);

#endif
