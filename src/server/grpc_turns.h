/* Turns at receiving large requests. The library buffers a request until it is complete, and its
 * size is not known before. So only as many are received at once as have room if each is as large
 * as it may be; the others wait in order, held back by flow control. A caller that stops sending
 * loses its turn when its deadline passes or its connection answers no pings. */
#ifndef CUZK_SERVER_GRPC_TURNS_H
#define CUZK_SERVER_GRPC_TURNS_H

#include "server/grpc_call.h"

typedef struct cuzk_grpc_turns cuzk_grpc_turns;

/* NULL: no memory. bytes: of all requests being received together; there is always one turn. */
cuzk_grpc_turns *cuzk_grpc_turns_new(uint64_t bytes);
void cuzk_grpc_turns_free(cuzk_grpc_turns *turns);

/* Starts receiving when it is the call's turn, now or later. */
void cuzk_grpc_turns_wait(cuzk_grpc_turns *turns, cuzk_grpc_call *call);
/* The call has received, if it had a turn; the next one may. */
void cuzk_grpc_turns_end(cuzk_grpc_turns *turns, cuzk_grpc_call *call);

#endif
