/* SubmitProof, AwaitProof, Prove, CancelProof. */
#include "server/grpc_methods.h"
#include "server/submit_request.h"

#include <cuzk/v1/proving.pb-c.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Where no better hint exists: devices come back, and restarts end, about so soon. */
#define RETRY_UNAVAILABLE_MS 5000

/* --- submitting --- */

static void refuse(cuzk_grpc_call *call, const cuzk_submit_reply *reply)
{
    const cuzk_submitted *s = &reply->submitted;
    const char *why = reply->message != NULL ? reply->message : "";
    const char *colon = why[0] != '\0' ? ": " : "";
    switch (s->verdict) {
    case CUZK_VERDICT_CONFLICT:
        cuzk_grpc_call_fail(call, GRPC_STATUS_ALREADY_EXISTS,
                            "request_id names another request, which is not done%s%s", colon, why);
        return;
    case CUZK_VERDICT_FULL:
        cuzk_grpc_call_fail_retry(call, GRPC_STATUS_RESOURCE_EXHAUSTED, s->retry_ms,
                                  "the queue is full: %" PRIu64 " are needed, %" PRIu64
                                  " are free%s%s",
                                  s->need, s->have, colon, why);
        return;
    case CUZK_VERDICT_TOO_LARGE:
        cuzk_grpc_call_fail(call, GRPC_STATUS_INVALID_ARGUMENT,
                            "this job can never run here: it needs %" PRIu64
                            " bytes, and there are %" PRIu64 "%s%s",
                            s->need, s->have, colon, why);
        return;
    case CUZK_VERDICT_DRAINING:
        cuzk_grpc_call_fail_retry(call, GRPC_STATUS_UNAVAILABLE, RETRY_UNAVAILABLE_MS,
                                  "the service is shutting down%s%s", colon, why);
        return;
    case CUZK_VERDICT_NO_DEVICE:
        cuzk_grpc_call_fail_retry(call, GRPC_STATUS_UNAVAILABLE, RETRY_UNAVAILABLE_MS,
                                  "every device is out of order for now%s%s", colon, why);
        return;
    case CUZK_VERDICT_NEW:
    case CUZK_VERDICT_JOINED:
    case CUZK_VERDICT_DONE:
        cuzk_grpc_call_fail(call, cuzk_grpc_code(reply->status), "%s", why);
    }
}

static bool is_taken(const cuzk_submit_reply *reply)
{
    return reply->status == CUZK_OK && (reply->submitted.verdict == CUZK_VERDICT_NEW ||
                                        reply->submitted.verdict == CUZK_VERDICT_JOINED ||
                                        reply->submitted.verdict == CUZK_VERDICT_DONE);
}

/* Hands a serialised SubmitProofRequest, which it takes over, to the engine. fn gets the call with
 * a reference that it drops. */
static void submit(cuzk_grpc_call *call, void *message, size_t size, bool waited,
                   cuzk_submit_fn *fn)
{
    cuzk_error err;
    cuzk_submit_request read;
    cuzk_status status = cuzk_submit_request_read(&read, message, size, &err);
    if (status == CUZK_OK)
        status = cuzk_submit_request_pack(&read, &message, &size, &err);
    if (status != CUZK_OK) {
        free(message);
        cuzk_grpc_call_fail(call, cuzk_grpc_code(status), "%s", err.message);
        return;
    }
    const cuzk_job_request request = {
        .request_id = read.request_id,
        .kind = read.kind,
        .class_ = read.class_,
        .timeout_ms = read.deadline_ms,
        .key = read.circuit_key,
        .payload = message,
        .payload_size = size,
        .waited = waited,
    };
    cuzk_grpc_call_ref(call);
    cuzk_engine_submit(call->shared->engine, &request, fn, call);
}

static void submitted(void *context, const cuzk_submit_reply *reply)
{
    cuzk_grpc_call *call = context;
    cuzk_grpc_call_uncharge(call);
    if (is_taken(reply)) {
        Cuzk__V1__SubmitProofResponse response = CUZK__V1__SUBMIT_PROOF_RESPONSE__INIT;
        uint64_t position = reply->submitted.position;
        response.job_id = (char *)(uintptr_t)reply->job_id;
        response.queue_position = position < UINT32_MAX ? (uint32_t)position : UINT32_MAX;
        cuzk_grpc_call_reply_message(call, &response.base);
    } else {
        refuse(call, reply);
    }
    cuzk_grpc_call_unref(call);
}

void cuzk_grpc_submit_proof(cuzk_grpc_call *call, void *message, size_t size)
{
    submit(call, message, size, false, submitted);
}

/* --- waiting --- */

/* The engine's callback is done, or will not come: drops its reference, once. */
static void end_waiting(cuzk_grpc_call *call)
{
    pthread_mutex_lock(&call->lock);
    bool was = call->waiting;
    call->waiting = false;
    pthread_mutex_unlock(&call->lock);
    if (was)
        cuzk_grpc_call_unref(call);
}

/* The caller is gone. */
static void leave(cuzk_grpc_call *call)
{
    pthread_mutex_lock(&call->lock);
    uint64_t waiter = call->waiting ? call->waiter : 0;
    pthread_mutex_unlock(&call->lock);
    if (waiter != 0 && cuzk_engine_leave(call->shared->engine, waiter))
        end_waiting(call);
}

static void wait_for_job(cuzk_grpc_call *call, const char *job_id, uint64_t timeout_ms,
                         cuzk_await_fn *fn)
{
    pthread_mutex_lock(&call->lock);
    bool closed = call->closed;
    call->waiting = !closed;
    call->on_closed = leave;
    pthread_mutex_unlock(&call->lock);
    if (closed)
        return;
    cuzk_grpc_call_ref(call); /* fn's */
    cuzk_grpc_call_ref(call); /* fn may have run when this returns: */
    uint64_t waiter = cuzk_engine_await(call->shared->engine, job_id, timeout_ms, fn, call);
    pthread_mutex_lock(&call->lock);
    call->waiter = waiter;
    closed = call->closed;
    pthread_mutex_unlock(&call->lock);
    if (closed)
        leave(call);
    cuzk_grpc_call_unref(call);
}

static Cuzk__V1__AwaitProofResponse__Status outcome(const cuzk_await_reply *reply)
{
    if (reply->timeout)
        return CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__TIMEOUT;
    switch (reply->state) {
    case CUZK_JOB_COMPLETED:
        return CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__COMPLETED;
    case CUZK_JOB_FAILED:
        return CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__FAILED;
    case CUZK_JOB_CANCELLED:
    case CUZK_JOB_EXPIRED:
        return CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__CANCELLED;
    case CUZK_JOB_RECEIVED:
    case CUZK_JOB_ACCEPTED:
    case CUZK_JOB_PARSING:
    case CUZK_JOB_RUNNING:
    case CUZK_JOB_VERIFYING:
        break;
    }
    return CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__UNKNOWN;
}

static char *text_of(const char *text)
{
    return (char *)(uintptr_t)(text != NULL ? text : "");
}

/* Points into reply. */
static Cuzk__V1__AwaitProofResponse response_of(const cuzk_await_reply *reply)
{
    Cuzk__V1__AwaitProofResponse response = CUZK__V1__AWAIT_PROOF_RESPONSE__INIT;
    response.job_id = text_of(reply->job_id);
    response.status = outcome(reply);
    bool completed = response.status == CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__COMPLETED;
    if (completed) {
        response.proof.data = (uint8_t *)(uintptr_t)reply->proof;
        response.proof.len = reply->proof_size;
    } else {
        response.error_message = text_of(reply->message);
        if (reply->timeout && response.error_message[0] == '\0')
            response.error_message = text_of("the job has not ended in time; it goes on");
        response.error_code = (uint32_t)reply->status;
    }
    response.queue_wait_ms = reply->queue_ms;
    response.srs_load_ms = reply->key_ms;
    response.synthesis_ms = reply->synth_ms;
    response.gpu_compute_ms = reply->compute_ms;
    response.total_ms = reply->total_ms;
    return response;
}

static void awaited(void *context, const cuzk_await_reply *reply)
{
    cuzk_grpc_call *call = context;
    if (reply->known) {
        Cuzk__V1__AwaitProofResponse response = response_of(reply);
        cuzk_grpc_call_reply_message(call, &response.base);
    } else {
        cuzk_grpc_call_fail(call, GRPC_STATUS_NOT_FOUND, "job not found: %s",
                            text_of(reply->job_id));
    }
    end_waiting(call);
}

void cuzk_grpc_await_proof(cuzk_grpc_call *call, void *message, size_t size)
{
    Cuzk__V1__AwaitProofRequest *request = (void *)cuzk_grpc_request_unpack(
        call, &cuzk__v1__await_proof_request__descriptor, message, size);
    cuzk_grpc_call_uncharge(call);
    if (request == NULL)
        return;
    char job_id[CUZK_REQUEST_ID_MAX + 1];
    if (cuzk_grpc_name_copy(call, job_id, sizeof job_id, request->job_id, "job_id"))
        wait_for_job(call, job_id, request->timeout_ms, awaited);
    protobuf_c_message_free_unpacked(&request->base, NULL);
}

/* --- both in one --- */

static void proved(void *context, const cuzk_await_reply *reply)
{
    cuzk_grpc_call *call = context;
    Cuzk__V1__ProveResponse response = CUZK__V1__PROVE_RESPONSE__INIT;
    Cuzk__V1__AwaitProofResponse result = response_of(reply);
    response.result = &result;
    if (reply->known)
        cuzk_grpc_call_reply_message(call, &response.base);
    else
        cuzk_grpc_call_fail(call, GRPC_STATUS_INTERNAL, "the job was forgotten while it ran: %s",
                            text_of(reply->job_id));
    end_waiting(call);
}

static void submitted_to_prove(void *context, const cuzk_submit_reply *reply)
{
    cuzk_grpc_call *call = context;
    cuzk_grpc_call_uncharge(call);
    if (is_taken(reply))
        wait_for_job(call, reply->job_id, 0, proved);
    else
        refuse(call, reply);
    cuzk_grpc_call_unref(call);
}

void cuzk_grpc_prove(cuzk_grpc_call *call, void *message, size_t size)
{
    cuzk_error err;
    cuzk_status status = cuzk_prove_request_unwrap(message, &size, &err);
    if (status == CUZK_OK) {
        submit(call, message, size, true, submitted_to_prove);
        return;
    }
    free(message);
    cuzk_grpc_call_fail(call, cuzk_grpc_code(status), "%s", err.message);
}

/* --- cancelling --- */

static void cancelled(void *context, const cuzk_cancel_reply *reply)
{
    cuzk_grpc_call *call = context;
    if (reply->known) {
        Cuzk__V1__CancelProofResponse response = CUZK__V1__CANCEL_PROOF_RESPONSE__INIT;
        response.was_running = reply->was_running;
        response.state = text_of(cuzk_job_state_name(reply->state));
        cuzk_grpc_call_reply_message(call, &response.base);
    } else {
        cuzk_grpc_call_fail(call, GRPC_STATUS_NOT_FOUND,
                            "job not found; it may have ended so long ago that it was forgotten");
    }
    cuzk_grpc_call_unref(call);
}

void cuzk_grpc_cancel_proof(cuzk_grpc_call *call, void *message, size_t size)
{
    Cuzk__V1__CancelProofRequest *request = (void *)cuzk_grpc_request_unpack(
        call, &cuzk__v1__cancel_proof_request__descriptor, message, size);
    cuzk_grpc_call_uncharge(call);
    if (request == NULL)
        return;
    char job_id[CUZK_REQUEST_ID_MAX + 1];
    if (cuzk_grpc_name_copy(call, job_id, sizeof job_id, request->job_id, "job_id")) {
        cuzk_grpc_call_ref(call);
        cuzk_engine_cancel(call->shared->engine, job_id, cancelled, call);
    }
    protobuf_c_message_free_unpacked(&request->base, NULL);
}
