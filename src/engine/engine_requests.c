/* What callers ask of the engine, other than to wait: submit, cancel, keys, status. */
#include "engine/engine_internal.h"

#include "api/filecoin_key.h"
#include "base/clock.h"
#include "base/digest.h"
#include "engine/circuit_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- submit --- */

/* A circuit's request becomes one payload of key and witness; then the digest of kind and payload.
 */
static cuzk_status prepare(cuzk_submit_call *call, cuzk_error *err)
{
    cuzk_job_request *r = &call->request;
    if (r->kind == CUZK_KIND_CIRCUIT) {
        char *path = NULL;
        void *joined;
        size_t size;
        if (!call->key_known)
            CUZK_TRY(cuzk_engine_key_path(call->step.engine, call->key, &path, err));
        free(path);
        CUZK_TRY(
            cuzk_circuit_job_make(&joined, &size, call->key, r->payload, r->payload_size, err));
        free(r->payload);
        r->payload = joined;
        r->payload_size = size;
    }
    cuzk_digest *digest;
    const uint8_t kind = (uint8_t)r->kind;
    CUZK_TRY(cuzk_digest_new(&digest, CUZK_SHA256, err));
    cuzk_status status = cuzk_digest_update(digest, &kind, 1, err);
    if (status == CUZK_OK)
        status = cuzk_digest_update(digest, r->payload, r->payload_size, err);
    if (status == CUZK_OK)
        status = cuzk_digest_finish(digest, call->digest, err);
    cuzk_digest_free(digest);
    return status;
}

static cuzk_status prepare_work(cuzk_step *step, cuzk_failure *failure)
{
    cuzk_error err = {0};
    if (prepare(step->subject, &err) == CUZK_OK)
        return CUZK_OK;
    return cuzk_step_fail(failure, CUZK_BLAME_INPUT, "request", &err);
}

/* The new job takes the request over. */
static cuzk_engine_job *adopt(cuzk_engine *engine, cuzk_submit_call *call, cuzk_job_no no)
{
    cuzk_engine_job *job = cuzk_engine_job_add(engine, no);
    CUZK_ASSERT(job != NULL); /* some hundred bytes, for a payload that found its place */
    job->id = strdup(call->id);
    job->key = call->key;
    CUZK_ASSERT(job->id != NULL);
    job->kind = call->request.kind;
    job->class_ = call->request.class_;
    memcpy(job->digest, call->digest, sizeof job->digest);
    job->submitted_unix_ms = cuzk_clock_unix_ms();
    if (call->request.timeout_ms > 0)
        job->deadline_unix_ms = job->submitted_unix_ms + (int64_t)call->request.timeout_ms;
    job->payload = call->request.payload;
    job->payload_size = call->request.payload_size;
    call->request.payload = NULL;
    call->key = NULL;
    return job;
}

static void refuse_closed(cuzk_engine *engine, cuzk_submit_call *call)
{
    const cuzk_submitted submitted = {.verdict = CUZK_VERDICT_DRAINING};
    cuzk_engine_tell_submitted(engine, call, &submitted, CUZK_OK, cuzk_engine_closed_text);
}

static void hand_in(cuzk_engine *engine, cuzk_submit_call *call)
{
    const cuzk_job_request *r = &call->request;
    const uint64_t now = cuzk_clock_ns();
    cuzk_request request = {.request_id = call->id,
                            .kind = r->kind,
                            .class_ = r->class_,
                            .deadline = r->timeout_ms == 0 || r->timeout_ms > UINT64_MAX / 2000000
                                            ? CUZK_NEVER
                                            : now + r->timeout_ms * 1000000,
                            .payload_bytes = r->payload_size,
                            .parse_bytes = 2 * (uint64_t)r->payload_size,
                            .waited = r->waited};
    memcpy(request.digest, call->digest, sizeof request.digest);
    cuzk_submitted submitted;
    cuzk_core_submit(engine->core, now, &request, &submitted);
    if (submitted.verdict == CUZK_VERDICT_NEW) {
        cuzk_engine_job *job = adopt(engine, call, submitted.job);
        job->submits = call;
    } else {
        cuzk_engine_job *job = submitted.verdict == CUZK_VERDICT_JOINED
                                   ? cuzk_engine_job_find(engine, submitted.job)
                                   : NULL;
        if (job != NULL && job->submits != NULL) { /* it is not stored yet: told together */
            call->next = job->submits;
            job->submits = call;
        } else {
            cuzk_engine_tell_submitted(engine, call, &submitted, CUZK_OK, "");
        }
    }
    cuzk_engine_act(engine);
}

static void prepare_done(cuzk_step *step, const cuzk_failure *failure)
{
    cuzk_submit_call *call = step->subject;
    if (step->engine->stop) {
        refuse_closed(step->engine, call);
        return;
    }
    if (failure == NULL) {
        hand_in(step->engine, call);
        return;
    }
    const cuzk_submitted none = {0};
    cuzk_engine_tell_submitted(step->engine, call, &none, failure->status, failure->message);
}

static void handle_submit(void *owner, cuzk_message *message)
{
    cuzk_engine *engine = owner;
    cuzk_submit_call *call =
        (cuzk_submit_call *)(void *)((char *)message - offsetof(cuzk_submit_call, step.message));
    if (engine->stop) {
        refuse_closed(engine, call);
        return;
    }
    call->key_known = cuzk_engine_key_known(engine, call->key);
    /* Nothing on this thread may wait for a disk, as the look for the key's file does. */
    const bool quick = call->key_known && call->request.payload_size <= CUZK_QUICK_BYTES;
    cuzk_step_post(&call->step, engine, quick ? NULL : engine->parse, call, prepare_work,
                   prepare_done);
}

/* A request that is not looked at. */
static void turn_away(const cuzk_job_request *request, cuzk_submit_fn *fn, void *context,
                      cuzk_status status, const char *message)
{
    const cuzk_submit_reply reply = {.job_id = "", .status = status, .message = message};
    fn(context, &reply);
    free(request->payload);
}

void cuzk_engine_submit(cuzk_engine *engine, const cuzk_job_request *request, cuzk_submit_fn *fn,
                        void *context)
{
    CUZK_ASSERT(request->kind >= CUZK_KIND_POREP && request->kind < CUZK_KINDS);
    cuzk_submit_call *call = calloc(1, sizeof *call);
    char made[48];
    const bool named = request->request_id != NULL && request->request_id[0] != '\0';
    if (!named)
        snprintf(made, sizeof made, "job-%llx-%llu", (unsigned long long)cuzk_clock_unix_ms(),
                 (unsigned long long)atomic_fetch_add(&engine->next_name, 1) + 1);
    if (call != NULL) {
        call->id = strdup(named ? request->request_id : made);
        call->key = strdup(request->key != NULL ? request->key : "");
    }
    if (call == NULL || call->id == NULL || call->key == NULL ||
        strlen(call->id) > CUZK_REQUEST_ID_MAX) {
        const bool short_of_memory = call == NULL || call->id == NULL || call->key == NULL;
        if (call != NULL) {
            free(call->id);
            free(call->key);
        }
        free(call);
        turn_away(request, fn, context, short_of_memory ? CUZK_ERR_MEMORY : CUZK_ERR_ARGUMENT,
                  short_of_memory ? "no memory for a request: try again"
                                  : "the request id is longer than 512 bytes");
        return;
    }
    call->request = *request;
    call->fn = fn;
    call->context = context;
    call->step.message.handle = handle_submit;
    cuzk_inbox_post(&engine->inbox, &call->step.message);
}

/* --- cancel --- */

typedef struct cancel_call {
    cuzk_message message;
    char *job_id;
    cuzk_cancel_fn *fn;
    void *context;
} cancel_call;

static void handle_cancel(void *owner, cuzk_message *message)
{
    cuzk_engine *engine = owner;
    cancel_call *call = (cancel_call *)(void *)message;
    cuzk_cancel_reply reply = {0};
    cuzk_job_view view;
    const cuzk_job_no no = cuzk_core_find(engine->core, call->job_id);
    if (no != 0)
        reply.cancelled = cuzk_core_cancel(engine->core, cuzk_clock_ns(), no, &reply.was_running);
    if (no != 0 && cuzk_core_view_job(engine->core, cuzk_clock_ns(), no, &view)) {
        reply.known = true;
        reply.state = view.outcome;
    }
    cuzk_engine_act(engine);
    call->fn(call->context, &reply);
    free(call->job_id);
    free(call);
}

void cuzk_engine_cancel(cuzk_engine *engine, const char *job_id, cuzk_cancel_fn *fn, void *context)
{
    cancel_call *call = calloc(1, sizeof *call);
    if (call == NULL || (call->job_id = strdup(job_id)) == NULL) {
        free(call);
        fn(context, &(cuzk_cancel_reply){0});
        return;
    }
    call->message.handle = handle_cancel;
    call->fn = fn;
    call->context = context;
    cuzk_inbox_post(&engine->inbox, &call->message);
}

/* --- keys --- */

static void end_key_call(cuzk_key_call *call, cuzk_status status, const char *message,
                         bool was_loaded, uint64_t bytes)
{
    call->fn(call->context, status, message, was_loaded, bytes,
             (cuzk_clock_ns() - call->begun) / 1000000);
    free(call->name);
    free(call);
}

static cuzk_status sizes_work(cuzk_step *step, cuzk_failure *failure)
{
    cuzk_key_call *call = step->subject;
    cuzk_error err = {0};
    if (cuzk_engine_key_sizes(step->engine, call->name, &call->sizes, &err) == CUZK_OK)
        return CUZK_OK;
    return cuzk_step_fail(failure, CUZK_BLAME_INPUT, "key", &err);
}

static void sizes_done(cuzk_step *step, const cuzk_failure *failure)
{
    cuzk_key_call *call = step->subject;
    cuzk_engine *engine = step->engine;
    if (engine->stop) {
        end_key_call(call, CUZK_ERR_CANCELLED, cuzk_engine_closed_text, false, 0);
        return;
    }
    if (failure != NULL) {
        end_key_call(call, failure->status, failure->message, false, 0);
        return;
    }
    cuzk_engine_key *key = cuzk_engine_key_resolve(engine, call->name, &call->sizes);
    if (key == NULL) {
        end_key_call(call, CUZK_ERR_MEMORY, "no memory for a key", false, 0);
        return;
    }
    call->next = key->calls;
    key->calls = call;
    if (cuzk_core_preload(engine->core, cuzk_clock_ns(), key->name, call->sizes.key)) {
        key->calls = call->next;
        end_key_call(call, CUZK_OK, "", true, key->bytes);
    }
    cuzk_engine_act(engine);
}

/* Also what was loaded beside it (cuzk_engine_key_resolve). */
static bool is_called(const char *key, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(key, name, length) == 0 && (key[length] == '\0' || key[length] == '@');
}

static void evict(cuzk_engine *engine, cuzk_key_call *call)
{
    cuzk_key_view views[256];
    const size_t n = cuzk_core_view_keys(engine->core, views, 256);
    uint64_t sum = 0, bytes = 0;
    bool found = false, any = false, all = true;
    for (size_t i = 0; i < n; i++) {
        char key[CUZK_KEY_NAME_MAX]; /* the view's is gone once the key is */
        if (!is_called(views[i].key, call->name))
            continue;
        snprintf(key, sizeof key, "%s", views[i].key);
        const bool evicted = cuzk_core_evict(engine->core, cuzk_clock_ns(), key, &bytes);
        sum += evicted ? bytes : 0;
        found = true;
        any |= evicted;
        all &= evicted;
    }
    if (!found) /* a preload that has not begun is taken back */
        (void)cuzk_core_evict(engine->core, cuzk_clock_ns(), call->name, &bytes);
    cuzk_engine_act(engine);
    end_key_call(call, all ? CUZK_OK : CUZK_ERR_ARGUMENT, all ? "" : "the key is in use", any, sum);
}

static void handle_key_call(void *owner, cuzk_message *message)
{
    cuzk_engine *engine = owner;
    cuzk_key_call *call = (cuzk_key_call *)(void *)message;
    if (engine->stop) {
        end_key_call(call, CUZK_ERR_CANCELLED, cuzk_engine_closed_text, false, 0);
        return;
    }
    if (!call->evict) {
        cuzk_step_post(&call->step, engine, engine->parse, call, sizes_work, sizes_done);
        return;
    }
    evict(engine, call);
}

static void call_key(cuzk_engine *engine, const char *key, bool evict, cuzk_key_fn *fn,
                     void *context)
{
    cuzk_key_call *call = calloc(1, sizeof *call);
    cuzk_fil_proof proof; /* all names of a circuit are one key */
    if (cuzk_fil_key_find(&proof, key))
        key = proof.circuit;
    if (call == NULL || (call->name = strdup(key)) == NULL) {
        free(call);
        fn(context, CUZK_ERR_MEMORY, "no memory for a call", false, 0, 0);
        return;
    }
    call->message.handle = handle_key_call;
    call->engine = engine;
    call->evict = evict;
    call->begun = cuzk_clock_ns();
    call->fn = fn;
    call->context = context;
    cuzk_inbox_post(&engine->inbox, &call->message);
}

void cuzk_engine_preload(cuzk_engine *engine, const char *key, cuzk_key_fn *fn, void *context)
{
    call_key(engine, key, false, fn, context);
}

void cuzk_engine_evict(cuzk_engine *engine, const char *key, cuzk_key_fn *fn, void *context)
{
    call_key(engine, key, true, fn, context);
}

/* --- status --- */

typedef struct view_call {
    cuzk_message message;
    cuzk_view_fn *fn;
    void *context;
} view_call;

static void handle_view(void *owner, cuzk_message *message)
{
    cuzk_engine *engine = owner;
    view_call *call = (view_call *)(void *)message;
    const cuzk_engine_view view = {.core = engine->core,
                                   .now = cuzk_clock_ns(),
                                   .limit = &engine->limit,
                                   .inflight_bytes = atomic_load(&engine->inflight),
                                   .resident_bytes = cuzk_memory_resident(),
                                   .device_names = engine->device_name,
                                   .allow_test_params = engine->config.allow_test_params,
                                   .started_iso = engine->started_iso};
    call->fn(call->context, &view);
    free(call);
}

void cuzk_engine_view_get(cuzk_engine *engine, cuzk_view_fn *fn, void *context)
{
    view_call *call = calloc(1, sizeof *call);
    CUZK_ASSERT(call != NULL); /* tens of bytes */
    call->message.handle = handle_view;
    call->fn = fn;
    call->context = context;
    cuzk_inbox_post(&engine->inbox, &call->message);
}

/* --- bytes being received --- */

bool cuzk_engine_receive(cuzk_engine *engine, size_t bytes)
{
    size_t now = atomic_load(&engine->inflight);
    do {
        if (bytes > engine->config.inflight_bytes_max ||
            now > engine->config.inflight_bytes_max - bytes)
            return false;
    } while (!atomic_compare_exchange_weak(&engine->inflight, &now, now + bytes));
    return true;
}

void cuzk_engine_received(cuzk_engine *engine, size_t bytes)
{
    atomic_fetch_sub(&engine->inflight, bytes);
}
