/* The life of a call: accepted -> authenticated -> received -> its method -> answered -> closed.
 * Every step is an operation of gRPC's C core whose completion calls the next one on a thread of
 * the service; answers may be started from any thread. */
#include "server/grpc_call.h"

#include "base/log.h"
#include "server/grpc_auth.h"
#include "server/grpc_turns.h"

#include <grpc/byte_buffer_reader.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RETRY_INFLIGHT_MS 1000

static void accepted(void *owner, bool success);
static void received(void *owner, bool success);
static void sent(void *owner, bool success);
static void closed(void *owner, bool success);

bool cuzk_grpc_call_expect(cuzk_grpc_shared *shared)
{
    cuzk_grpc_call *call = calloc(1, sizeof *call);
    if (call == NULL)
        return false;
    call->shared = shared;
    call->accept = (cuzk_grpc_event){.done = accepted, .owner = call};
    call->receive = (cuzk_grpc_event){.done = received, .owner = call};
    call->send = (cuzk_grpc_event){.done = sent, .owner = call};
    call->close = (cuzk_grpc_event){.done = closed, .owner = call};
    atomic_init(&call->refs, 1);
    pthread_mutex_init(&call->lock, NULL);
    grpc_call_details_init(&call->details);
    grpc_metadata_array_init(&call->metadata);
    cuzk_grpc_event_start(&call->accept);
    grpc_call_error error =
        grpc_server_request_call(shared->server, &call->call, &call->details, &call->metadata,
                                 shared->queue, shared->queue, &call->accept);
    if (error == GRPC_CALL_OK)
        return true;
    cuzk_grpc_call_unref(call);
    return false;
}

void cuzk_grpc_call_ref(cuzk_grpc_call *call)
{
    atomic_fetch_add(&call->refs, 1);
}

void cuzk_grpc_call_unref(cuzk_grpc_call *call)
{
    if (atomic_fetch_sub(&call->refs, 1) != 1)
        return;
    cuzk_grpc_call_uncharge(call);
    if (call->request != NULL)
        grpc_byte_buffer_destroy(call->request);
    grpc_metadata_array_destroy(&call->metadata);
    grpc_call_details_destroy(&call->details);
    if (call->call != NULL)
        grpc_call_unref(call->call);
    pthread_mutex_destroy(&call->lock);
    free(call);
}

void cuzk_grpc_call_uncharge(cuzk_grpc_call *call)
{
    if (call->charged > 0)
        cuzk_engine_received(call->shared->engine, call->charged);
    call->charged = 0;
}

bool cuzk_grpc_call_is_closed(cuzk_grpc_call *call)
{
    pthread_mutex_lock(&call->lock);
    bool is_closed = call->closed;
    pthread_mutex_unlock(&call->lock);
    return is_closed;
}

/* Starts operations on behalf of the event, which keeps the call alive until it comes. */
static void start(cuzk_grpc_call *call, const grpc_op *ops, size_t n, cuzk_grpc_event *event)
{
    cuzk_grpc_call_ref(call);
    cuzk_grpc_event_start(event);
    grpc_call_error error = grpc_call_start_batch(call->call, ops, n, event, NULL);
    CUZK_ASSERT(error == GRPC_CALL_OK);
}

/* A new call is here; wait for the next one too, and for the end of this one. */
static void accepted(void *owner, bool success)
{
    cuzk_grpc_call *call = owner;
    if (!success) { /* the server stops */
        cuzk_grpc_call_unref(call);
        return;
    }
    cuzk_grpc_call_expect(call->shared);
    grpc_op close = {.op = GRPC_OP_RECV_CLOSE_ON_SERVER};
    close.data.recv_close_on_server.cancelled = &call->cancelled;
    start(call, &close, 1, &call->close);

    const uint8_t *path = GRPC_SLICE_START_PTR(call->details.method);
    size_t size = GRPC_SLICE_LENGTH(call->details.method);
    call->method = cuzk_grpc_method_find((const char *)path, size);
    if (call->method == NULL)
        cuzk_grpc_call_fail(call, GRPC_STATUS_UNIMPLEMENTED, "there is no method %.*s",
                            (int)(size < 200 ? size : 200), (const char *)path);
    else if (!call->method->open && !cuzk_grpc_auth_is_good(call))
        cuzk_grpc_call_fail(call, GRPC_STATUS_UNAUTHENTICATED,
                            "this service needs a token: send authorization: Bearer <token>");
    else if (call->method->large)
        cuzk_grpc_turns_wait(call->shared->turns, call);
    else
        cuzk_grpc_call_receive(call);
    cuzk_grpc_call_unref(call);
}

void cuzk_grpc_call_receive(cuzk_grpc_call *call)
{
    grpc_op receive = {.op = GRPC_OP_RECV_MESSAGE};
    receive.data.recv_message.recv_message = &call->request;
    start(call, &receive, 1, &call->receive);
}

/* The request in one piece, with a NUL behind; NULL: no memory. */
static void *flatten(grpc_byte_buffer *buffer, size_t size)
{
    uint8_t *message = malloc(size + 1);
    grpc_byte_buffer_reader reader;
    if (message == NULL || !grpc_byte_buffer_reader_init(&reader, buffer)) {
        free(message);
        return NULL;
    }
    grpc_slice *slice;
    size_t at = 0;
    while (grpc_byte_buffer_reader_peek(&reader, &slice)) {
        size_t n = GRPC_SLICE_LENGTH(*slice);
        CUZK_ASSERT(n <= size - at);
        memcpy(message + at, GRPC_SLICE_START_PTR(*slice), n);
        at += n;
    }
    grpc_byte_buffer_reader_destroy(&reader);
    CUZK_ASSERT(at == size);
    message[size] = 0;
    return message;
}

static void start_method(cuzk_grpc_call *call)
{
    size_t size = grpc_byte_buffer_length(call->request);
    if (!cuzk_engine_receive(call->shared->engine, size)) {
        cuzk_grpc_call_fail_retry(call, GRPC_STATUS_RESOURCE_EXHAUSTED, RETRY_INFLIGHT_MS,
                                  "requests being received fill their limit; this one has %zu "
                                  "bytes",
                                  size);
        return;
    }
    call->charged = size;
    void *message = flatten(call->request, size);
    grpc_byte_buffer_destroy(call->request);
    call->request = NULL;
    cuzk_grpc_turns_end(call->shared->turns, call);
    if (message != NULL)
        call->method->start(call, message, size);
    else
        cuzk_grpc_call_fail_retry(call, GRPC_STATUS_RESOURCE_EXHAUSTED, RETRY_INFLIGHT_MS,
                                  "no memory for a request of %zu bytes", size);
}

static void received(void *owner, bool success)
{
    cuzk_grpc_call *call = owner;
    if (call->request != NULL)
        start_method(call);
    else if (call->initial_sent && success)
        call->method->start(call, NULL, 0); /* a stream's end */
    else
        cuzk_grpc_call_fail(call, GRPC_STATUS_INVALID_ARGUMENT,
                            "no request came with the call, or it was cut off");
    cuzk_grpc_turns_end(call->shared->turns, call); /* if it has not ended above */
    cuzk_grpc_call_unref(call);
}

/* The call is over: answered, cancelled, past its deadline or cut off. */
static void closed(void *owner, bool success)
{
    (void)success;
    cuzk_grpc_call *call = owner;
    pthread_mutex_lock(&call->lock);
    call->closed = true;
    void (*on_closed)(cuzk_grpc_call *) = call->on_closed;
    pthread_mutex_unlock(&call->lock);
    if (on_closed != NULL)
        on_closed(call);
    cuzk_grpc_call_unref(call);
}

static void sent(void *owner, bool success)
{
    cuzk_grpc_call *call = owner;
    void (*next)(cuzk_grpc_call *, bool) = call->sent;
    call->sent = NULL;
    if (next != NULL)
        next(call, success);
    cuzk_grpc_call_unref(call);
}

/* Appends what must go before anything else of an answer. */
static size_t add_initial(cuzk_grpc_call *call, grpc_op *ops, size_t n)
{
    if (!call->initial_sent)
        ops[n++] = (grpc_op){.op = GRPC_OP_SEND_INITIAL_METADATA};
    call->initial_sent = true;
    return n;
}

static grpc_op send_status(grpc_status_code code, grpc_slice *details)
{
    grpc_op op = {.op = GRPC_OP_SEND_STATUS_FROM_SERVER};
    op.data.send_status_from_server.status = code;
    op.data.send_status_from_server.status_details = details;
    return op;
}

static grpc_byte_buffer *wrap(void *data, size_t size)
{
    grpc_slice slice = size > 0 ? grpc_slice_new(data, size, free) : grpc_empty_slice();
    if (size == 0)
        free(data);
    grpc_byte_buffer *buffer = grpc_raw_byte_buffer_create(&slice, 1);
    grpc_slice_unref(slice);
    return buffer;
}

void cuzk_grpc_call_reply(cuzk_grpc_call *call, void *data, size_t size)
{
    if (atomic_exchange(&call->answered, true)) {
        free(data);
        return;
    }
    grpc_byte_buffer *buffer = wrap(data, size);
    grpc_op ops[3];
    size_t n = add_initial(call, ops, 0);
    ops[n] = (grpc_op){.op = GRPC_OP_SEND_MESSAGE};
    ops[n++].data.send_message.send_message = buffer;
    ops[n++] = send_status(GRPC_STATUS_OK, NULL);
    start(call, ops, n, &call->send);
    grpc_byte_buffer_destroy(buffer);
}

void cuzk_grpc_call_send(cuzk_grpc_call *call, void *data, size_t size,
                         void (*next)(cuzk_grpc_call *call, bool success))
{
    grpc_byte_buffer *buffer = wrap(data, size);
    grpc_op ops[2];
    size_t n = add_initial(call, ops, 0);
    ops[n] = (grpc_op){.op = GRPC_OP_SEND_MESSAGE};
    ops[n++].data.send_message.send_message = buffer;
    call->sent = next;
    start(call, ops, n, &call->send);
    grpc_byte_buffer_destroy(buffer);
}

static void fail(cuzk_grpc_call *call, grpc_status_code code, const char *message,
                 grpc_metadata *trailing, size_t count)
{
    if (atomic_exchange(&call->answered, true))
        return;
    char *peer = grpc_call_get_peer(call->call);
    cuzk_log(CUZK_LOG_DEBUG, "grpc: %s from %s: status %d: %s",
             call->method != NULL ? call->method->path : "unknown method", peer, (int)code,
             message);
    gpr_free(peer);
    grpc_slice details = grpc_slice_from_copied_string(message);
    grpc_op ops[2];
    size_t n = add_initial(call, ops, 0);
    ops[n] = send_status(code, &details);
    ops[n].data.send_status_from_server.trailing_metadata = trailing;
    ops[n++].data.send_status_from_server.trailing_metadata_count = count;
    start(call, ops, n, &call->send);
    grpc_slice_unref(details);
}

void cuzk_grpc_call_end(cuzk_grpc_call *call)
{
    if (atomic_exchange(&call->answered, true))
        return;
    grpc_op ops[2];
    size_t n = add_initial(call, ops, 0);
    ops[n++] = send_status(GRPC_STATUS_OK, NULL);
    start(call, ops, n, &call->send);
}

void cuzk_grpc_call_fail(cuzk_grpc_call *call, grpc_status_code code, const char *format, ...)
{
    char message[sizeof((cuzk_error *)NULL)->message];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    fail(call, code, message, NULL, 0);
}

void cuzk_grpc_call_fail_retry(cuzk_grpc_call *call, grpc_status_code code, uint64_t retry_ms,
                               const char *format, ...)
{
    char message[1024], hint[64], ms[24], seconds[24];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message - sizeof hint, format, args);
    va_end(args);
    snprintf(hint, sizeof hint, "; try again in %" PRIu64 " ms", retry_ms);
    strncat(message, hint, sizeof message - strlen(message) - 1);
    snprintf(ms, sizeof ms, "%" PRIu64, retry_ms);
    snprintf(seconds, sizeof seconds, "%" PRIu64, (retry_ms + 999) / 1000);
    grpc_metadata trailing[] = {
        {.key = grpc_slice_from_static_string("grpc-retry-pushback-ms"),
         .value = grpc_slice_from_copied_string(ms)},
        {.key = grpc_slice_from_static_string("retry-after"),
         .value = grpc_slice_from_copied_string(seconds)},
    };
    fail(call, code, message, trailing, 2);
    grpc_slice_unref(trailing[0].value);
    grpc_slice_unref(trailing[1].value);
}
