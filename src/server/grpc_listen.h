/* TCP addresses of the gRPC service. */
#ifndef CUZK_SERVER_GRPC_LISTEN_H
#define CUZK_SERVER_GRPC_LISTEN_H

#include "server/grpc.h"

#include <grpc/grpc.h>

/* The path if the address is one of a unix socket ("unix:path", "unix:///path"), else NULL. */
const char *cuzk_address_unix_path(const char *address);

/* Listens on "host:port" with all addresses that the host has; *port is the one that was taken.
 * CUZK_ERR_INSECURE if one is not of this machine alone and guarded is false. */
cuzk_status cuzk_grpc_listen_tcp(grpc_server *server, const char *address,
                                 grpc_server_credentials *credentials, bool guarded, unsigned *port,
                                 cuzk_error *err);

#endif
