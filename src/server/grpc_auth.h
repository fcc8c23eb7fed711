/* Who may call. */
#ifndef CUZK_SERVER_GRPC_AUTH_H
#define CUZK_SERVER_GRPC_AUTH_H

#include "server/grpc.h"
#include "server/grpc_call.h"
#include "server/pem.h"

#include <grpc/grpc_security.h>

/* Whether the call may be served: it came through a unix socket, whose file mode decides, or
 * carries the token, or none is asked for. */
bool cuzk_grpc_auth_is_good(cuzk_grpc_call *call);

/* Credentials for TCP: TLS if files are given, else clear text. Owned by the caller
 * (grpc_server_credentials_release). */
cuzk_status cuzk_grpc_server_credentials(grpc_server_credentials **credentials,
                                         const cuzk_grpc_config *config, cuzk_error *err);

#endif
