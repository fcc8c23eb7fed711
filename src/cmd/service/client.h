/* What the clients of the service have in common. */
#ifndef CUZK_CMD_SERVICE_CLIENT_H
#define CUZK_CMD_SERVICE_CLIENT_H

#include "base/status.h"
#include "server/grpc_client.h"

#include <argp.h>
#include <cuzk/v1/proving.pb-c.h>
#include <stdbool.h>

#define CUZK_DEFAULT_ADDRESS "unix:///run/curio/cuzk.sock"

/* Where the service is and how to speak to it, by options and environment. */
typedef struct cuzk_client_options {
    const char *address, *token_file, *ca, *cert, *key, *name;
    bool tls, json;
} cuzk_client_options;

/* Its input is a cuzk_client_options. */
extern const struct argp cuzk_client_argp;

/* The exit codes of clients, to end the documentation of each. */
#define CUZK_CLIENT_CODES                                                                          \
    "Exit codes: those of `cuzk --help`; 22: the service cannot be reached; 23: the job has not "  \
    "ended in time; 24: the service is full, try later; 25: no such job or key; 26: not allowed "  \
    "(token, certificate); 27: refused for the reason that is printed."

/* Parses "90s", "5m"; ends the process on anything else, inside argp. */
uint64_t cuzk_client_duration(const char *option, const char *text, struct argp_state *state);

/* On success *client is the caller's (cuzk_grpc_client_close). */
cuzk_status cuzk_client_open(cuzk_grpc_client **client, const cuzk_client_options *options,
                             cuzk_error *err);

/* Makes one call. Returns an exit code; on 0 *answer, of the type given, is the caller's
 * (protobuf_c_message_free_unpacked). timeout_ms 0: none. */
int cuzk_client_call(cuzk_grpc_client *client, const char *method, const ProtobufCMessage *request,
                     const ProtobufCMessageDescriptor *type, uint64_t timeout_ms,
                     ProtobufCMessage **answer, cuzk_error *err);

/* Opens, calls, closes. */
int cuzk_client_ask(const cuzk_client_options *options, const char *method,
                    const ProtobufCMessage *request, const ProtobufCMessageDescriptor *type,
                    ProtobufCMessage **answer, cuzk_error *err);

#endif
