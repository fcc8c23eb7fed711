/* PreloadSRS and EvictSRS. */
#include "server/grpc_methods.h"

#include <cuzk/v1/proving.pb-c.h>

/* A key is a file of the service's: what is wrong with it is not the caller's fault. */
static grpc_status_code key_code(cuzk_status status)
{
    switch (status) {
    case CUZK_ERR_ARGUMENT:
        return GRPC_STATUS_INVALID_ARGUMENT;
    case CUZK_ERR_IO:
        return GRPC_STATUS_NOT_FOUND;
    case CUZK_ERR_FORMAT:
    case CUZK_ERR_UNSUPPORTED:
    case CUZK_ERR_MISMATCH:
    case CUZK_ERR_INSECURE:
        return GRPC_STATUS_FAILED_PRECONDITION;
    default:
        return cuzk_grpc_code(status);
    }
}

static const char *or_name(const char *message, cuzk_status status)
{
    return message != NULL && message[0] != '\0' ? message : cuzk_status_name(status);
}

static void preloaded(void *context, cuzk_status status, const char *message, bool was_loaded,
                      uint64_t bytes, uint64_t ms)
{
    (void)bytes;
    cuzk_grpc_call *call = context;
    if (status == CUZK_OK) {
        Cuzk__V1__PreloadSRSResponse response = CUZK__V1__PRELOAD_SRSRESPONSE__INIT;
        response.already_loaded = was_loaded;
        response.load_time_ms = was_loaded ? 0 : ms;
        cuzk_grpc_call_reply_message(call, &response.base);
    } else {
        cuzk_grpc_call_fail(call, key_code(status), "%s", or_name(message, status));
    }
    cuzk_grpc_call_unref(call);
}

static void evicted(void *context, cuzk_status status, const char *message, bool was_loaded,
                    uint64_t bytes, uint64_t ms)
{
    (void)ms;
    cuzk_grpc_call *call = context;
    if (status == CUZK_OK) {
        Cuzk__V1__EvictSRSResponse response = CUZK__V1__EVICT_SRSRESPONSE__INIT;
        response.was_loaded = was_loaded;
        response.freed_bytes = was_loaded ? bytes : 0;
        cuzk_grpc_call_reply_message(call, &response.base);
    } else {
        grpc_status_code code =
            status == CUZK_ERR_ARGUMENT ? GRPC_STATUS_FAILED_PRECONDITION : key_code(status);
        cuzk_grpc_call_fail(call, code, "%s", or_name(message, status));
    }
    cuzk_grpc_call_unref(call);
}

void cuzk_grpc_preload_srs(cuzk_grpc_call *call, void *message, size_t size)
{
    Cuzk__V1__PreloadSRSRequest *request = (void *)cuzk_grpc_request_unpack(
        call, &cuzk__v1__preload_srsrequest__descriptor, message, size);
    cuzk_grpc_call_uncharge(call);
    if (request == NULL)
        return;
    char key[CUZK_KEY_NAME_MAX];
    if (cuzk_grpc_name_copy(call, key, sizeof key, request->circuit_id, "circuit_id")) {
        cuzk_grpc_call_ref(call);
        cuzk_engine_preload(call->shared->engine, key, preloaded, call);
    }
    protobuf_c_message_free_unpacked(&request->base, NULL);
}

void cuzk_grpc_evict_srs(cuzk_grpc_call *call, void *message, size_t size)
{
    Cuzk__V1__EvictSRSRequest *request = (void *)cuzk_grpc_request_unpack(
        call, &cuzk__v1__evict_srsrequest__descriptor, message, size);
    cuzk_grpc_call_uncharge(call);
    if (request == NULL)
        return;
    char key[CUZK_KEY_NAME_MAX];
    if (cuzk_grpc_name_copy(call, key, sizeof key, request->circuit_id, "circuit_id")) {
        cuzk_grpc_call_ref(call);
        cuzk_engine_evict(call->shared->engine, key, evicted, call);
    }
    protobuf_c_message_free_unpacked(&request->base, NULL);
}
