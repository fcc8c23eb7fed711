/* An engine whose answers are decided by the names that requests use, with a core thread of its own
 * that delivers them. It DEFINES functions of engine/engine.h and, by fake_core.h, engine/core.h.
 * Include it in one file of a program.
 *
 * Keys decide what becomes of a submitted job: "never" runs until it is cancelled, "broken" fails,
 * others are completed after 20 ms; "full", "large", "conflict", "draining", "nodevice", "bad" are
 * refused so. As keys to load: "absent" is not there, "busy" cannot be evicted, "slow" takes 300
 * ms. */
#ifndef CUZK_TEST_FAKE_ENGINE_H
#define CUZK_TEST_FAKE_ENGINE_H

#include "base/clock.h"
#include "support/fake_core.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define FAKE_PROOF "{\"proof\":{\"protocol\":\"groth16\"},\"publicSignals\":[\"33\"]}"
#define FAKE_MS    ((uint64_t)1000000)
#define FAKE_JOBS  600

typedef enum fake_task_kind {
    FAKE_SUBMIT,
    FAKE_AWAIT,
    FAKE_CANCEL,
    FAKE_KEY,
    FAKE_VIEW
} fake_task_kind;

/* An answer that is due. */
typedef struct fake_task {
    struct fake_task *next;
    fake_task_kind kind;
    uint64_t due, waiter;
    void (*fn)(void);
    void *context;
    int job; /* -1: none */
    bool evicts;
    char name[CUZK_REQUEST_ID_MAX + 1];
    cuzk_submit_reply submit;
} fake_task;

typedef struct fake_submitted {
    char id[CUZK_REQUEST_ID_MAX + 1], key[CUZK_KEY_NAME_MAX];
    uint64_t done_at;
    cuzk_job_state end;
    uint64_t timeout_ms, size, checksum;
    cuzk_class class_;
} fake_submitted;

static struct fake_engine {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool stop, not_ready;
    fake_task *tasks;
    fake_submitted jobs[FAKE_JOBS];
    int n_jobs;
    uint64_t next_waiter;
    size_t inflight, inflight_max, inflight_peak;
    unsigned left; /* waiters that left */
} fake_engine = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void fake_post(fake_task *task)
{
    pthread_mutex_lock(&fake_engine.lock);
    task->next = fake_engine.tasks;
    fake_engine.tasks = task;
    pthread_cond_signal(&fake_engine.changed);
    pthread_mutex_unlock(&fake_engine.lock);
}

static fake_task *fake_task_new(fake_task_kind kind, void (*fn)(void), void *context,
                                const char *name)
{
    fake_task *task = calloc(1, sizeof *task);
    if (task == NULL)
        abort();
    task->kind = kind;
    task->fn = fn;
    task->context = context;
    task->job = -1;
    snprintf(task->name, sizeof task->name, "%s", name);
    return task;
}

/* Under the lock. */
static int fake_find(const char *id)
{
    for (int i = fake_engine.n_jobs - 1; i >= 0; i--)
        if (strcmp(fake_engine.jobs[i].id, id) == 0)
            return i;
    return -1;
}

static void fake_tell_await(const fake_task *task)
{
    cuzk_await_reply reply = {.job_id = task->name, .kind = CUZK_KIND_CIRCUIT, .message = ""};
    pthread_mutex_lock(&fake_engine.lock);

    if (task->job >= 0) {
        const fake_submitted *job = &fake_engine.jobs[task->job];
        reply.known = true;
        reply.timeout = job->done_at > cuzk_clock_ns();
        reply.state = reply.timeout ? CUZK_JOB_RUNNING : job->end;
        reply.total_ms = 20;
    }
    pthread_mutex_unlock(&fake_engine.lock);
    if (reply.state == CUZK_JOB_COMPLETED) {
        reply.proof = FAKE_PROOF;
        reply.proof_size = strlen(FAKE_PROOF);
    } else if (cuzk_job_state_is_terminal(reply.state)) {
        reply.status = CUZK_ERR_UNSATISFIED;
        reply.message = "row 3 does not hold";
    }
    ((cuzk_await_fn *)task->fn)(task->context, &reply);
}

static void fake_tell_cancel(const fake_task *task)
{
    pthread_mutex_lock(&fake_engine.lock);
    int i = fake_find(task->name);
    cuzk_cancel_reply reply = {.known = i >= 0};
    reply.cancelled = reply.known && fake_engine.jobs[i].done_at > cuzk_clock_ns();
    reply.was_running = reply.cancelled;
    if (reply.cancelled) {
        fake_engine.jobs[i].done_at = 0;
        fake_engine.jobs[i].end = CUZK_JOB_CANCELLED;
        for (fake_task *t = fake_engine.tasks; t != NULL; t = t->next)
            if (t->kind == FAKE_AWAIT && t->job == i)
                t->due = 0;
    }
    if (reply.known)
        reply.state = fake_engine.jobs[i].end;
    pthread_mutex_unlock(&fake_engine.lock);
    ((cuzk_cancel_fn *)task->fn)(task->context, &reply);
}

static void fake_tell_key(const fake_task *task)
{
    cuzk_key_fn *fn = (cuzk_key_fn *)task->fn;
    if (task->evicts && strcmp(task->name, "busy") == 0)
        fn(task->context, CUZK_ERR_ARGUMENT, "the key is in use", true, 0, 0);
    else if (strcmp(task->name, "absent") == 0)
        fn(task->context, CUZK_ERR_IO, "there is no such file", false, 0, 0);
    else
        fn(task->context, CUZK_OK, "", task->evicts, 4096, 3);
}

static void fake_tell(fake_task *task)
{
    cuzk_engine_view view;
    switch (task->kind) {
    case FAKE_SUBMIT:
        task->submit.job_id = task->name;
        ((cuzk_submit_fn *)task->fn)(task->context, &task->submit);
        break;
    case FAKE_AWAIT:
        fake_tell_await(task);
        break;
    case FAKE_CANCEL:
        fake_tell_cancel(task);
        break;
    case FAKE_KEY:
        fake_tell_key(task);
        break;
    case FAKE_VIEW:
        view = fake_view(cuzk_clock_ns());
        ((cuzk_view_fn *)task->fn)(task->context, &view);
        break;
    }
    free(task);
}

static void *fake_core_thread(void *context)
{
    (void)context;
    pthread_mutex_lock(&fake_engine.lock);
    while (!fake_engine.stop || fake_engine.tasks != NULL) {
        fake_task **best = NULL;
        for (fake_task **at = &fake_engine.tasks; *at != NULL; at = &(*at)->next)
            if (best == NULL || (*at)->due < (*best)->due)
                best = at;
        if (best != NULL && ((*best)->due <= cuzk_clock_ns() || fake_engine.stop)) {
            fake_task *task = *best;
            *best = task->next;
            pthread_mutex_unlock(&fake_engine.lock);
            fake_tell(task);
            pthread_mutex_lock(&fake_engine.lock);
            continue;
        }
        struct timespec soon;
        clock_gettime(CLOCK_REALTIME, &soon);
        soon.tv_nsec += 2000000;
        soon.tv_sec += soon.tv_nsec / 1000000000;
        soon.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&fake_engine.changed, &fake_engine.lock, &soon);
    }
    pthread_mutex_unlock(&fake_engine.lock);
    return NULL;
}

static void fake_engine_start(void)
{
    fake_engine.stop = fake_engine.not_ready = false;
    fake_engine.n_jobs = 0;
    fake_engine.left = 0;
    fake_engine.inflight = fake_engine.inflight_peak = 0;
    fake_engine.inflight_max = (size_t)1 << 30;
    memset(&fake_core, 0, sizeof fake_core);
    fake_core.view.devices = 1;
    if (pthread_create(&fake_engine.thread, NULL, fake_core_thread, NULL) != 0)
        abort();
}

/* All answers that are due come before this returns. */
static void fake_engine_stop(void)
{
    pthread_mutex_lock(&fake_engine.lock);
    fake_engine.stop = true;
    pthread_cond_signal(&fake_engine.changed);
    pthread_mutex_unlock(&fake_engine.lock);
    pthread_join(fake_engine.thread, NULL);
}

/* --- engine.h --- */

bool cuzk_engine_is_ready(cuzk_engine *engine)
{
    (void)engine;
    return !fake_engine.not_ready;
}

bool cuzk_engine_receive(cuzk_engine *engine, size_t bytes)
{
    (void)engine;
    pthread_mutex_lock(&fake_engine.lock);
    bool fits = bytes <= fake_engine.inflight_max - fake_engine.inflight;
    if (fits)
        fake_engine.inflight += bytes;
    if (fake_engine.inflight > fake_engine.inflight_peak)
        fake_engine.inflight_peak = fake_engine.inflight;
    pthread_mutex_unlock(&fake_engine.lock);
    return fits;
}

void cuzk_engine_received(cuzk_engine *engine, size_t bytes)
{
    (void)engine;
    pthread_mutex_lock(&fake_engine.lock);
    if (bytes > fake_engine.inflight)
        abort();
    fake_engine.inflight -= bytes;
    pthread_mutex_unlock(&fake_engine.lock);
}

static cuzk_submitted fake_verdict(const char *key)
{
    static const struct {
        const char *key;
        cuzk_submitted submitted;
    } verdicts[] = {
        {"full", {.verdict = CUZK_VERDICT_FULL, .retry_ms = 1500, .need = 9, .have = 1}},
        {"large", {.verdict = CUZK_VERDICT_TOO_LARGE, .need = 99, .have = 10}},
        {"conflict", {.verdict = CUZK_VERDICT_CONFLICT}},
        {"draining", {.verdict = CUZK_VERDICT_DRAINING}},
        {"nodevice", {.verdict = CUZK_VERDICT_NO_DEVICE}},
    };
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
        if (strcmp(verdicts[i].key, key) == 0)
            return verdicts[i].submitted;
    return (cuzk_submitted){.verdict = CUZK_VERDICT_NEW, .position = 2};
}

/* Under the lock. */
static void fake_add_job(const cuzk_job_request *request, const char *id)
{
    if (fake_engine.n_jobs == FAKE_JOBS)
        abort();
    fake_submitted *job = &fake_engine.jobs[fake_engine.n_jobs++];
    memset(job, 0, sizeof *job);
    snprintf(job->id, sizeof job->id, "%s", id);
    snprintf(job->key, sizeof job->key, "%s", request->key);
    bool never = strcmp(request->key, "never") == 0;
    job->done_at = never ? UINT64_MAX : cuzk_clock_ns() + 20 * FAKE_MS;
    job->end = strcmp(request->key, "broken") == 0 ? CUZK_JOB_FAILED : CUZK_JOB_COMPLETED;
    job->timeout_ms = request->timeout_ms;
    job->class_ = request->class_;
    job->size = request->payload_size;
    for (size_t i = 0; i < request->payload_size; i++)
        job->checksum = job->checksum * 31 + ((const uint8_t *)request->payload)[i];
}

void cuzk_engine_submit(cuzk_engine *engine, const cuzk_job_request *request, cuzk_submit_fn *fn,
                        void *context)
{
    (void)engine;
    const char *id = request->request_id[0] != '\0' ? request->request_id : "made-for-you";
    fake_task *task = fake_task_new(FAKE_SUBMIT, (void (*)(void))fn, context, id);
    task->submit.submitted = fake_verdict(request->key);
    task->submit.message = "";
    if (strcmp(request->key, "bad") == 0) {
        task->submit.status = CUZK_ERR_FORMAT;
        task->submit.message = "witness: section 2 is cut off";
    } else if (task->submit.submitted.verdict == CUZK_VERDICT_NEW) {
        pthread_mutex_lock(&fake_engine.lock);
        int there = fake_find(id);
        if (there < 0)
            fake_add_job(request, id);
        else if (fake_engine.jobs[there].done_at > cuzk_clock_ns())
            task->submit.submitted.verdict = CUZK_VERDICT_JOINED;
        else
            task->submit.submitted.verdict = CUZK_VERDICT_DONE;
        pthread_mutex_unlock(&fake_engine.lock);
    }
    free(request->payload);
    fake_post(task);
}

uint64_t cuzk_engine_await(cuzk_engine *engine, const char *job_id, uint64_t timeout_ms,
                           cuzk_await_fn *fn, void *context)
{
    (void)engine;
    fake_task *task = fake_task_new(FAKE_AWAIT, (void (*)(void))fn, context, job_id);
    pthread_mutex_lock(&fake_engine.lock);
    uint64_t waiter = task->waiter = ++fake_engine.next_waiter;
    task->job = fake_find(job_id);
    if (task->job >= 0) {
        uint64_t end = cuzk_clock_ns() + timeout_ms * FAKE_MS;
        uint64_t done_at = fake_engine.jobs[task->job].done_at;
        task->due = done_at < end ? done_at : end;
    }
    pthread_mutex_unlock(&fake_engine.lock);
    fake_post(task);
    return waiter;
}

bool cuzk_engine_leave(cuzk_engine *engine, uint64_t waiter)
{
    (void)engine;
    pthread_mutex_lock(&fake_engine.lock);
    fake_task **at = &fake_engine.tasks;
    while (*at != NULL && ((*at)->kind != FAKE_AWAIT || (*at)->waiter != waiter))
        at = &(*at)->next;
    fake_task *task = *at;
    if (task != NULL) {
        *at = task->next;
        fake_engine.left++;
    }
    pthread_mutex_unlock(&fake_engine.lock);
    free(task);
    return task != NULL;
}

void cuzk_engine_cancel(cuzk_engine *engine, const char *job_id, cuzk_cancel_fn *fn, void *context)
{
    (void)engine;
    fake_post(fake_task_new(FAKE_CANCEL, (void (*)(void))fn, context, job_id));
}

void cuzk_engine_preload(cuzk_engine *engine, const char *key, cuzk_key_fn *fn, void *context)
{
    (void)engine;
    fake_task *task = fake_task_new(FAKE_KEY, (void (*)(void))fn, context, key);
    if (strcmp(key, "slow") == 0)
        task->due = cuzk_clock_ns() + 300 * FAKE_MS;
    fake_post(task);
}

void cuzk_engine_evict(cuzk_engine *engine, const char *key, cuzk_key_fn *fn, void *context)
{
    (void)engine;
    fake_task *task = fake_task_new(FAKE_KEY, (void (*)(void))fn, context, key);
    task->evicts = true;
    fake_post(task);
}

void cuzk_engine_view_get(cuzk_engine *engine, cuzk_view_fn *fn, void *context)
{
    (void)engine;
    fake_post(fake_task_new(FAKE_VIEW, (void (*)(void))fn, context, ""));
}

#endif
