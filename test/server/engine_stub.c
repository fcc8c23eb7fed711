#include "server/engine_stub.h"
#include "base/clock.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MS 1000000u

typedef struct job {
    char id[CUZK_REQUEST_ID_MAX + 1];
    cuzk_kind kind;
    uint64_t begun, end_at;
    cuzk_job_state state;
    struct job *next;
} job;

typedef enum { SUBMITTED, AWAITED, CANCELLED, KEY, VIEW } message_kind;

/* Something that the core thread is to answer. */
typedef struct message {
    message_kind kind;
    char name[CUZK_REQUEST_ID_MAX + 1];
    cuzk_submitted submitted;
    uint64_t number, timeout_at;
    bool evict;
    union {
        cuzk_submit_fn *submit;
        cuzk_await_fn *await;
        cuzk_cancel_fn *cancel;
        cuzk_key_fn *key;
        cuzk_view_fn *view;
    } fn;
    void *context;
    struct message *next;
} message;

struct cuzk_engine {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    engine_stub_script script;
    engine_stub_seen seen;
    job *jobs;
    message *first;
    uint64_t next_number;
    bool closing, porep_loaded;
};

static void post(cuzk_engine *engine, message m)
{
    message *copy = malloc(sizeof *copy);
    *copy = m;
    pthread_mutex_lock(&engine->lock);
    message **at = &engine->first;
    while (*at != NULL)
        at = &(*at)->next;
    copy->next = NULL;
    *at = copy;
    pthread_cond_signal(&engine->changed);
    pthread_mutex_unlock(&engine->lock);
}

static job *find(cuzk_engine *engine, const char *id)
{
    job *j = engine->jobs;
    while (j != NULL && strcmp(j->id, id) != 0)
        j = j->next;
    return j;
}

static void end_due_jobs(cuzk_engine *engine, uint64_t now)
{
    for (job *j = engine->jobs; j != NULL; j = j->next) {
        if (j->state == CUZK_JOB_RUNNING && j->end_at <= now)
            j->state = engine->script.end != 0 ? engine->script.end : CUZK_JOB_COMPLETED;
    }
}

static bool is_due(cuzk_engine *engine, const message *m, uint64_t now)
{
    if (m->kind != AWAITED)
        return true;
    job *j = find(engine, m->name);
    return j == NULL || cuzk_job_state_is_terminal(j->state) || m->timeout_at <= now ||
           engine->closing;
}

static void answer_await(cuzk_engine *engine, const message *m, uint64_t now)
{
    pthread_mutex_lock(&engine->lock);
    engine_stub_script script = engine->script;
    job *found = find(engine, m->name), j = {0};
    if (found != NULL)
        j = *found;
    pthread_mutex_unlock(&engine->lock);
    size_t size = script.proof_size > 0 ? script.proof_size : strlen(j.id) + 9;
    char *proof = malloc(size + 1);
    if (script.proof_size > 0)
        memset(proof, 'p', size);
    else
        snprintf(proof, size + 1, "proof of %s", j.id);
    bool completed = j.state == CUZK_JOB_COMPLETED;
    const cuzk_await_reply reply = {
        .job_id = m->name,
        .known = found != NULL,
        .timeout = found != NULL && !cuzk_job_state_is_terminal(j.state),
        .state = j.state,
        .kind = j.kind,
        .proof = completed ? proof : NULL,
        .proof_size = completed ? size : 0,
        .message = completed ? "" : script.message,
        .status = completed ? CUZK_OK : script.end_status,
        .queue_ms = 1,
        .key_ms = 2,
        .synth_ms = 3,
        .compute_ms = 4,
        .total_ms = (now - j.begun) / MS,
    };
    m->fn.await(m->context, &reply);
    free(proof);
}

static void answer_submit(cuzk_engine *engine, const message *m)
{
    pthread_mutex_lock(&engine->lock);
    engine_stub_script script = engine->script;
    pthread_mutex_unlock(&engine->lock);
    const cuzk_submit_reply reply = {.submitted = m->submitted,
                                     .job_id = m->name,
                                     .status = script.submit_status,
                                     .message = script.message};
    m->fn.submit(m->context, &reply);
}

static void answer_cancel(cuzk_engine *engine, const message *m)
{
    pthread_mutex_lock(&engine->lock);
    job *j = find(engine, m->name);
    cuzk_cancel_reply reply = {.known = j != NULL};
    reply.cancelled = reply.was_running = j != NULL && j->state == CUZK_JOB_RUNNING;
    if (reply.cancelled)
        j->state = CUZK_JOB_CANCELLED;
    if (reply.known)
        reply.state = j->state;
    engine->seen.cancels++;
    pthread_mutex_unlock(&engine->lock);
    m->fn.cancel(m->context, &reply);
}

static void answer_key(cuzk_engine *engine, const message *m)
{
    pthread_mutex_lock(&engine->lock);
    engine_stub_script script = engine->script;
    bool was = engine->porep_loaded;
    if (script.key_status == CUZK_OK)
        engine->porep_loaded = !m->evict;
    pthread_mutex_unlock(&engine->lock);
    m->fn.key(m->context, script.key_status, script.message, was, 4096, 7);
}

static void answer_view(cuzk_engine *engine, const message *m)
{
    static const char *const names[] = {"device zero"};
    const cuzk_memory_limit limit = {.bytes = 1 << 30, .source = "configured 1.0 GiB"};
    struct cuzk_core core = {.view = {.now = 5000000000u,
                                      .started = 2000000000u,
                                      .memory_total = 1 << 30,
                                      .memory_used = 4096,
                                      .devices = 1}};
    pthread_mutex_lock(&engine->lock);
    for (job *j = engine->jobs; j != NULL; j = j->next) {
        core.view.submitted[j->kind]++;
        if (cuzk_job_state_is_terminal(j->state))
            core.view.ended[j->kind][j->state]++;
        else
            core.view.in_progress[j->kind]++;
        if (j->state == CUZK_JOB_RUNNING)
            snprintf(core.computing, sizeof core.computing, "%s", j->id);
    }
    core.view.memory[CUZK_MEMORY_KEY] = engine->porep_loaded ? 4096 : 0;
    const cuzk_engine_view view = {.core = &core,
                                   .now = core.view.now,
                                   .limit = &limit,
                                   .inflight_bytes = engine->seen.inflight,
                                   .resident_bytes = 12345,
                                   .device_names = names,
                                   .started_iso = "2026-01-31T12:00:00.123456Z"};
    pthread_mutex_unlock(&engine->lock);
    m->fn.view(m->context, &view);
}

static void answer(cuzk_engine *engine, const message *m)
{
    switch (m->kind) {
    case SUBMITTED:
        answer_submit(engine, m);
        break;
    case AWAITED:
        answer_await(engine, m, cuzk_clock_ns());
        break;
    case CANCELLED:
        answer_cancel(engine, m);
        break;
    case KEY:
        answer_key(engine, m);
        break;
    case VIEW:
        answer_view(engine, m);
        break;
    }
}

static message *take_due(cuzk_engine *engine)
{
    uint64_t now = cuzk_clock_ns();
    end_due_jobs(engine, now);
    message **at = &engine->first;
    while (*at != NULL && !is_due(engine, *at, now))
        at = &(*at)->next;
    message *due = *at;
    if (due != NULL)
        *at = due->next;
    return due;
}

static void *run(void *context)
{
    cuzk_engine *engine = context;
    pthread_mutex_lock(&engine->lock);
    for (;;) {
        message *due = take_due(engine);
        if (due != NULL) {
            pthread_mutex_unlock(&engine->lock);
            answer(engine, due);
            free(due);
            pthread_mutex_lock(&engine->lock);
        } else if (engine->closing) {
            break;
        } else {
            struct timespec until;
            clock_gettime(CLOCK_REALTIME, &until);
            until.tv_nsec += 2 * MS;
            if (until.tv_nsec >= 1000000000) {
                until.tv_sec++;
                until.tv_nsec -= 1000000000;
            }
            pthread_cond_timedwait(&engine->changed, &engine->lock, &until);
        }
    }
    pthread_mutex_unlock(&engine->lock);
    return NULL;
}

cuzk_engine *engine_stub_open(void)
{
    cuzk_engine *engine = calloc(1, sizeof *engine);
    pthread_mutex_init(&engine->lock, NULL);
    pthread_cond_init(&engine->changed, NULL);
    engine->next_number = 1;
    pthread_create(&engine->thread, NULL, run, engine);
    return engine;
}

void engine_stub_close(cuzk_engine *engine)
{
    pthread_mutex_lock(&engine->lock);
    engine->closing = true;
    pthread_cond_signal(&engine->changed);
    pthread_mutex_unlock(&engine->lock);
    pthread_join(engine->thread, NULL);
    for (job *j = engine->jobs, *next; j != NULL; j = next) {
        next = j->next;
        free(j);
    }
    free(engine->seen.last.payload);
    pthread_cond_destroy(&engine->changed);
    pthread_mutex_destroy(&engine->lock);
    free(engine);
}

void engine_stub_set(cuzk_engine *engine, const engine_stub_script *script)
{
    pthread_mutex_lock(&engine->lock);
    engine->script = *script;
    pthread_mutex_unlock(&engine->lock);
}

engine_stub_seen engine_stub_see(cuzk_engine *engine)
{
    pthread_mutex_lock(&engine->lock);
    engine_stub_seen seen = engine->seen;
    pthread_mutex_unlock(&engine->lock);
    return seen;
}

/* --- engine/engine.h --- */

bool cuzk_engine_is_ready(cuzk_engine *engine)
{
    pthread_mutex_lock(&engine->lock);
    bool ready = !engine->script.unready;
    pthread_mutex_unlock(&engine->lock);
    return ready;
}

bool cuzk_engine_receive(cuzk_engine *engine, size_t bytes)
{
    pthread_mutex_lock(&engine->lock);
    engine_stub_seen *seen = &engine->seen;
    uint64_t max = engine->script.inflight_max;
    bool fits = max == 0 || seen->inflight + bytes <= max;
    if (fits)
        seen->inflight += bytes;
    if (seen->inflight > seen->inflight_peak)
        seen->inflight_peak = seen->inflight;
    pthread_mutex_unlock(&engine->lock);
    return fits;
}

void cuzk_engine_received(cuzk_engine *engine, size_t bytes)
{
    pthread_mutex_lock(&engine->lock);
    CUZK_ASSERT(engine->seen.inflight >= bytes);
    engine->seen.inflight -= bytes;
    pthread_mutex_unlock(&engine->lock);
}

static void add_job(cuzk_engine *engine, const char *id, cuzk_kind kind)
{
    job *j = calloc(1, sizeof *j);
    snprintf(j->id, sizeof j->id, "%s", id);
    j->kind = kind;
    j->state = CUZK_JOB_RUNNING;
    j->begun = cuzk_clock_ns();
    j->end_at =
        engine->script.job_ms == CUZK_NEVER ? CUZK_NEVER : j->begun + engine->script.job_ms * MS;
    j->next = engine->jobs;
    engine->jobs = j;
}

void cuzk_engine_submit(cuzk_engine *engine, const cuzk_job_request *request, cuzk_submit_fn *fn,
                        void *context)
{
    message m = {.kind = SUBMITTED, .fn.submit = fn, .context = context};
    pthread_mutex_lock(&engine->lock);
    engine_stub_seen *seen = &engine->seen;
    free(seen->last.payload);
    seen->last = *request;
    snprintf(seen->request_id, sizeof seen->request_id, "%s", request->request_id);
    snprintf(seen->key, sizeof seen->key, "%s", request->key);
    seen->submits++;
    if (request->request_id[0] != '\0')
        snprintf(m.name, sizeof m.name, "%s", request->request_id);
    else
        snprintf(m.name, sizeof m.name, "made-%u", seen->submits);
    m.submitted = engine->script.submitted;
    if (m.submitted.verdict == CUZK_VERDICT_NEW && engine->script.submit_status == CUZK_OK) {
        if (find(engine, m.name) == NULL)
            add_job(engine, m.name, request->kind);
        else
            m.submitted.verdict = CUZK_VERDICT_JOINED;
    }
    pthread_mutex_unlock(&engine->lock);
    post(engine, m);
}

uint64_t cuzk_engine_await(cuzk_engine *engine, const char *job_id, uint64_t timeout_ms,
                           cuzk_await_fn *fn, void *context)
{
    message m = {.kind = AWAITED, .fn.await = fn, .context = context};
    snprintf(m.name, sizeof m.name, "%s", job_id);
    m.timeout_at = timeout_ms > 0 ? cuzk_clock_ns() + timeout_ms * MS : CUZK_NEVER;
    pthread_mutex_lock(&engine->lock);
    engine->seen.awaits++;
    m.number = engine->next_number++;
    pthread_mutex_unlock(&engine->lock);
    post(engine, m);
    return m.number;
}

bool cuzk_engine_leave(cuzk_engine *engine, uint64_t waiter)
{
    pthread_mutex_lock(&engine->lock);
    message **at = &engine->first, *found = NULL;
    while (*at != NULL && ((*at)->kind != AWAITED || (*at)->number != waiter))
        at = &(*at)->next;
    if (*at != NULL) {
        found = *at;
        *at = found->next;
        engine->seen.leaves++;
    } else {
        engine->seen.leaves_late++;
    }
    pthread_mutex_unlock(&engine->lock);
    free(found);
    return found != NULL;
}

void cuzk_engine_cancel(cuzk_engine *engine, const char *job_id, cuzk_cancel_fn *fn, void *context)
{
    message m = {.kind = CANCELLED, .fn.cancel = fn, .context = context};
    snprintf(m.name, sizeof m.name, "%s", job_id);
    post(engine, m);
}

void cuzk_engine_preload(cuzk_engine *engine, const char *key, cuzk_key_fn *fn, void *context)
{
    message m = {.kind = KEY, .fn.key = fn, .context = context};
    snprintf(m.name, sizeof m.name, "%s", key);
    post(engine, m);
}

void cuzk_engine_evict(cuzk_engine *engine, const char *key, cuzk_key_fn *fn, void *context)
{
    message m = {.kind = KEY, .evict = true, .fn.key = fn, .context = context};
    snprintf(m.name, sizeof m.name, "%s", key);
    post(engine, m);
}

void cuzk_engine_view_get(cuzk_engine *engine, cuzk_view_fn *fn, void *context)
{
    post(engine, (message){.kind = VIEW, .fn.view = fn, .context = context});
}
