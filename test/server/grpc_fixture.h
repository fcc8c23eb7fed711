/* A gRPC service over the stub engine, and calls to it. */
#ifndef CUZK_TEST_GRPC_FIXTURE_H
#define CUZK_TEST_GRPC_FIXTURE_H

#include "server/engine_stub.h"
#include "server/grpc.h"
#include "server/grpc_client.h"

#include <cuzk/v1/proving.pb-c.h>

#define ENGINE_METHOD(name) "/cuzk.v1.ProvingEngine/" name

typedef struct grpc_fixture {
    char folder[64], unix_address[96], tcp_address[32];
    cuzk_engine *engine;
    cuzk_grpc_server *server;
    cuzk_grpc_client *client; /* through the unix socket */
} grpc_fixture;

/* Serves on a unix socket in a folder of its own and on a free TCP port. config: addresses are
 * filled in; NULL: nothing else. */
grpc_fixture *grpc_fixture_open(const cuzk_grpc_config *config);
void grpc_fixture_close(grpc_fixture *fixture);

/* Calls with the request and expects the code; the answer's bytes as a message of the type, or NULL
 * if the code is not 0. The answer's text is in grpc_said(). */
ProtobufCMessage *grpc_call_expect(cuzk_grpc_client *client, const char *method,
                                   const ProtobufCMessage *request,
                                   const ProtobufCMessageDescriptor *type, int code);
void grpc_message_free(void *message);
/* What the last failed call of this thread said. */
const char *grpc_said(void);
uint64_t grpc_said_retry(void);

/* A request for a circuit proof with a small witness; to be changed before it is sent. */
Cuzk__V1__SubmitProofRequest grpc_circuit_request(const char *id);

/* Runs a shell command; fails the test if it fails. */
void grpc_shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
