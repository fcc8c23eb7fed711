/* The methods of cuzk.v1.ProvingEngine, and what they share. Internal to the service's files. */
#ifndef CUZK_SERVER_GRPC_METHODS_H
#define CUZK_SERVER_GRPC_METHODS_H

#include "server/grpc_call.h"

#include <protobuf-c/protobuf-c.h>

/* The message's bytes, malloc'd; NULL: no memory. */
void *cuzk_grpc_pack(const ProtobufCMessage *message, size_t *size);
/* Answers with the message. */
void cuzk_grpc_call_reply_message(cuzk_grpc_call *call, const ProtobufCMessage *message);

/* Unpacks a request with the given type and frees its bytes. NULL: it was malformed, and the call
 * is answered. The caller frees the message with protobuf_c_message_free_unpacked. */
ProtobufCMessage *cuzk_grpc_request_unpack(cuzk_grpc_call *call,
                                           const ProtobufCMessageDescriptor *type, void *message,
                                           size_t size);

/* Copies a name (job or key) of a request; false: it is not one, and the call is answered. */
bool cuzk_grpc_name_copy(cuzk_grpc_call *call, char *out, size_t room, const char *text,
                         const char *field);

cuzk_grpc_method_fn cuzk_grpc_submit_proof, cuzk_grpc_await_proof, cuzk_grpc_prove;
cuzk_grpc_method_fn cuzk_grpc_cancel_proof, cuzk_grpc_preload_srs, cuzk_grpc_evict_srs;
cuzk_grpc_method_fn cuzk_grpc_get_status, cuzk_grpc_get_metrics;

#endif
