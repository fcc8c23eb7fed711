/* gRPC's health service: SERVING while the engine takes jobs. */
#ifndef CUZK_SERVER_GRPC_HEALTH_H
#define CUZK_SERVER_GRPC_HEALTH_H

#include "server/grpc_call.h"

/* Calls of Watch, which are told when the answer changes. */
typedef struct cuzk_grpc_watches cuzk_grpc_watches;

/* NULL: no memory. */
cuzk_grpc_watches *cuzk_grpc_watches_new(void);
void cuzk_grpc_watches_free(cuzk_grpc_watches *watches);
/* Tells them if it has changed. The service's threads call it after every event and every pause. */
void cuzk_grpc_watches_update(cuzk_grpc_shared *shared);
/* The service stops: they are told so, and end. */
void cuzk_grpc_watches_end(cuzk_grpc_shared *shared);

cuzk_grpc_method_fn cuzk_grpc_health_check, cuzk_grpc_health_watch;

#endif
