/* The engine and the servers in front of it, as a configuration says. */
#ifndef CUZK_CMD_SERVICE_SERVERS_H
#define CUZK_CMD_SERVICE_SERVERS_H

#include "engine/engine.h"
#include "server/config.h"
#include "server/grpc.h"
#include "server/http.h"

typedef struct cuzk_servers {
    cuzk_engine *engine;
    cuzk_grpc_server *grpc;
    cuzk_http_server *http;
    char where[1024]; /* "gRPC on unix:///run/cuzk.sock, 127.0.0.1:9820; HTTP on ..." */
} cuzk_servers;

/* Opens all. Returns an exit code: on failure all is closed again and err says why. */
int cuzk_servers_open(cuzk_servers *servers, const cuzk_config *config, cuzk_error *err);

/* Lets answers under way leave for grace_ms, and closes all. */
void cuzk_servers_close(cuzk_servers *servers, uint64_t grace_ms);

#endif
