/* The table of methods, and what they share. */
#include "server/grpc_methods.h"
#include "server/grpc.h"
#include "server/grpc_health.h"
#include "server/grpc_reflection.h"
#include "server/submit_request.h"

#include <stdlib.h>
#include <string.h>

static const cuzk_grpc_method methods[] = {
    {.path = "/cuzk.v1.ProvingEngine/SubmitProof", .start = cuzk_grpc_submit_proof, .large = true},
    {.path = "/cuzk.v1.ProvingEngine/AwaitProof", .start = cuzk_grpc_await_proof},
    {.path = "/cuzk.v1.ProvingEngine/Prove", .start = cuzk_grpc_prove, .large = true},
    {.path = "/cuzk.v1.ProvingEngine/CancelProof", .start = cuzk_grpc_cancel_proof},
    {.path = "/cuzk.v1.ProvingEngine/GetStatus", .start = cuzk_grpc_get_status},
    {.path = "/cuzk.v1.ProvingEngine/GetMetrics", .start = cuzk_grpc_get_metrics},
    {.path = "/cuzk.v1.ProvingEngine/PreloadSRS", .start = cuzk_grpc_preload_srs},
    {.path = "/cuzk.v1.ProvingEngine/EvictSRS", .start = cuzk_grpc_evict_srs},
    /* Load balancers have no token. */
    {.path = "/grpc.health.v1.Health/Check", .start = cuzk_grpc_health_check, .open = true},
    {.path = "/grpc.health.v1.Health/Watch", .start = cuzk_grpc_health_watch, .open = true},
    {.path = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
     .start = cuzk_grpc_reflection},
};

const cuzk_grpc_method *cuzk_grpc_method_find(const char *path, size_t size)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (strlen(methods[i].path) == size && memcmp(methods[i].path, path, size) == 0)
            return &methods[i];
    }
    return NULL;
}

void *cuzk_grpc_pack(const ProtobufCMessage *message, size_t *size)
{
    *size = protobuf_c_message_get_packed_size(message);
    uint8_t *data = malloc(*size + 1);
    if (data != NULL)
        protobuf_c_message_pack(message, data);
    return data;
}

void cuzk_grpc_call_reply_message(cuzk_grpc_call *call, const ProtobufCMessage *message)
{
    size_t size;
    void *data = cuzk_grpc_pack(message, &size);
    if (data == NULL) {
        cuzk_grpc_call_fail(call, GRPC_STATUS_RESOURCE_EXHAUSTED,
                            "no memory for an answer of %zu bytes", size);
    } else if (size > CUZK_GRPC_MESSAGE_MAX) {
        free(data);
        cuzk_grpc_call_fail(call, GRPC_STATUS_RESOURCE_EXHAUSTED,
                            "the answer has %zu bytes; at most %u are allowed", size,
                            CUZK_GRPC_MESSAGE_MAX);
    } else {
        cuzk_grpc_call_reply(call, data, size);
    }
}

ProtobufCMessage *cuzk_grpc_request_unpack(cuzk_grpc_call *call,
                                           const ProtobufCMessageDescriptor *type, void *message,
                                           size_t size)
{
    ProtobufCMessage *request = protobuf_c_message_unpack(type, NULL, size, message);
    free(message);
    if (request == NULL)
        cuzk_grpc_call_fail(call, GRPC_STATUS_INVALID_ARGUMENT, "%s: the request is malformed",
                            type->short_name);
    return request;
}

bool cuzk_grpc_name_copy(cuzk_grpc_call *call, char *out, size_t room, const char *text,
                         const char *field)
{
    cuzk_error err;
    cuzk_status status =
        cuzk_name_read(out, room, (const uint8_t *)text, strlen(text), field, &err);
    if (status == CUZK_OK && out[0] == '\0')
        status = cuzk_fail(&err, CUZK_ERR_ARGUMENT, "%s: it is missing", field);
    if (status != CUZK_OK)
        cuzk_grpc_call_fail(call, GRPC_STATUS_INVALID_ARGUMENT, "%s", err.message);
    return status == CUZK_OK;
}

grpc_status_code cuzk_grpc_code(cuzk_status status)
{
    switch (status) {
    case CUZK_OK:
        return GRPC_STATUS_OK;
    case CUZK_ERR_ARGUMENT:
    case CUZK_ERR_FORMAT:
    case CUZK_ERR_MISMATCH:
    case CUZK_ERR_UNSATISFIED:
    case CUZK_ERR_REJECTED:
        return GRPC_STATUS_INVALID_ARGUMENT;
    case CUZK_ERR_UNSUPPORTED:
        return GRPC_STATUS_UNIMPLEMENTED;
    case CUZK_ERR_INSECURE:
        return GRPC_STATUS_FAILED_PRECONDITION;
    case CUZK_ERR_MEMORY:
        return GRPC_STATUS_RESOURCE_EXHAUSTED;
    case CUZK_ERR_CANCELLED:
        return GRPC_STATUS_CANCELLED;
    case CUZK_ERR_IO:
    case CUZK_ERR_DEVICE:
        return GRPC_STATUS_UNAVAILABLE;
    case CUZK_ERR_RANDOM:
        break;
    }
    return GRPC_STATUS_INTERNAL;
}
