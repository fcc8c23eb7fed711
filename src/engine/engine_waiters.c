/* Who is told what: callers of submit and of await. */
#include "engine/engine_internal.h"

#include "base/clock.h"
#include "engine/engine_timing.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cuzk_engine_tell_submitted(cuzk_engine *engine, cuzk_submit_call *call,
                                const cuzk_submitted *submitted, cuzk_status status,
                                const char *message)
{
    (void)engine;
    const cuzk_submit_reply reply = {
        .submitted = *submitted, .job_id = call->id, .status = status, .message = message};
    call->fn(call->context, &reply);
    free(call->request.payload);
    free(call->id);
    free(call->key);
    free(call);
}

static void tell_submits(cuzk_engine *engine, cuzk_engine_job *job, cuzk_status status,
                         const char *message)
{
    cuzk_submit_call *call = job->submits;
    job->submits = NULL;
    while (call != NULL) {
        cuzk_submit_call *next = call->next;
        const cuzk_submitted submitted = {.verdict = CUZK_VERDICT_NEW, .job = job->no};
        cuzk_engine_tell_submitted(engine, call, &submitted, status, message);
        call = next;
    }
}

void cuzk_engine_tell_accepted(cuzk_engine *engine, cuzk_engine_job *job)
{
    cuzk_timing_accepted(job);
    tell_submits(engine, job, CUZK_OK, "");
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = ((const cuzk_engine_waiter *)a)->number,
                   y = ((const cuzk_engine_waiter *)b)->number;
    return x < y ? -1 : x > y;
}

/* Out of the registry: from then on only the core thread knows it. false: it was out already. */
static bool withdraw(cuzk_engine *engine, cuzk_engine_waiter *waiter)
{
    pthread_mutex_lock(&engine->waiters_lock);
    const bool was_in = tdelete(waiter, &engine->waiters, compare) != NULL;
    pthread_mutex_unlock(&engine->waiters_lock);
    return was_in;
}

static void free_waiter(cuzk_engine_waiter *waiter)
{
    free(waiter->job_id);
    free(waiter);
}

/* Fills reply for a job that has ended, as the core has it. */
static void describe(cuzk_engine *engine, const cuzk_engine_job *job, cuzk_await_reply *reply)
{
    cuzk_job_view view;
    *reply = (cuzk_await_reply){.job_id = job->id, .known = true, .kind = job->kind, .message = ""};
    if (!cuzk_core_view_job(engine->core, cuzk_clock_ns(), job->no, &view))
        return;
    reply->state = view.state;
    reply->queue_ms = view.queue_ns / 1000000;
    reply->key_ms = view.key_ns / 1000000;
    reply->synth_ms = view.synth_ns / 1000000;
    reply->compute_ms = view.compute_ns / 1000000;
    if (view.ended > view.submitted)
        reply->total_ms = (view.ended - view.submitted) / 1000000;
    if (view.failure != NULL) {
        reply->message = view.failure->message;
        reply->status = view.failure->status;
    } else if (job->end_message != NULL) {
        reply->message = job->end_message;
        reply->status = (cuzk_status)job->end_code;
    }
    if (view.state == CUZK_JOB_COMPLETED) {
        reply->proof = job->proof;
        reply->proof_size = job->proof_size;
    }
}

static void answer(cuzk_engine *engine, cuzk_engine_waiter *waiter, const cuzk_await_reply *reply)
{
    if (withdraw(engine, waiter))
        waiter->fn(waiter->context, reply);
    free_waiter(waiter);
}

static void tell_waiters(cuzk_engine *engine, cuzk_engine_job *job, const cuzk_await_reply *reply)
{
    cuzk_engine_waiter *waiter = job->waiters;
    job->waiters = NULL;
    while (waiter != NULL) {
        cuzk_engine_waiter *next = waiter->next;
        answer(engine, waiter, reply);
        waiter = next;
    }
}

void cuzk_engine_tell_ended(cuzk_engine *engine, cuzk_engine_job *job)
{
    cuzk_await_reply reply;
    describe(engine, job, &reply);
    cuzk_timing_ended(job, &reply);
    tell_submits(engine, job, reply.status != CUZK_OK ? reply.status : CUZK_ERR_CANCELLED,
                 reply.message);
    tell_waiters(engine, job, &reply);
}

/* A proof that only the store has, since the job ended before a restart. */
static cuzk_status fetch_work(cuzk_step *step, cuzk_failure *failure)
{
    cuzk_engine_job *job = step->subject;
    cuzk_engine *engine = step->engine;
    void *proof = NULL;
    size_t size = 0;
    cuzk_error err = {0};
    pthread_mutex_lock(&engine->store_lock);
    const cuzk_status status = cuzk_store_proof(engine->store, job->no, &proof, &size, &err);
    pthread_mutex_unlock(&engine->store_lock);
    if (status != CUZK_OK)
        return cuzk_step_fail(failure, CUZK_BLAME_SYSTEM, "reading the stored proof", &err);
    job->proof = proof;
    job->proof_size = size;
    return CUZK_OK;
}

static void fetch_done(cuzk_step *step, const cuzk_failure *failure)
{
    cuzk_engine_job *job = step->subject;
    cuzk_await_reply reply;
    describe(step->engine, job, &reply);
    if (failure != NULL) { /* it is there, but cannot be had now */
        reply.timeout = true;
        reply.status = failure->status;
        reply.message = failure->message;
    }
    tell_waiters(step->engine, job, &reply);
    cuzk_engine_job_settle(step->engine, job);
}

/* The job has ended. */
static void answer_late(cuzk_engine *engine, cuzk_engine_job *job, cuzk_engine_waiter *waiter)
{
    if (job->proof == NULL && job->end_state == CUZK_JOB_COMPLETED && job->stored) {
        waiter->next = job->waiters;
        job->waiters = waiter;
        if (!job->step.under_way)
            cuzk_step_post(&job->step, engine, engine->io, job, fetch_work, fetch_done);
        return;
    }
    cuzk_await_reply reply;
    describe(engine, job, &reply);
    answer(engine, waiter, &reply);
}

static void handle_await(void *owner, cuzk_message *message)
{
    cuzk_engine *engine = owner;
    cuzk_engine_waiter *waiter =
        (cuzk_engine_waiter *)(void *)((char *)message - offsetof(cuzk_engine_waiter, message));
    const cuzk_job_no no = cuzk_core_find(engine->core, waiter->job_id);
    cuzk_engine_job *job = no == 0 ? NULL : cuzk_engine_job_find(engine, no);
    cuzk_await_reply reply = {.job_id = waiter->job_id, .message = ""};
    if (engine->stop) {
        reply = (cuzk_await_reply){.job_id = waiter->job_id,
                                   .known = true,
                                   .timeout = true,
                                   .status = CUZK_ERR_CANCELLED,
                                   .message = cuzk_engine_closed_text};
        answer(engine, waiter, &reply);
        return;
    }
    if (job == NULL) {
        answer(engine, waiter, &reply);
        return;
    }
    if (job->ended) {
        answer_late(engine, job, waiter);
        return;
    }
    waiter->job = no;
    waiter->next = job->waiters;
    job->waiters = waiter;
    if (waiter->until < engine->next_timeout)
        engine->next_timeout = waiter->until;
    cuzk_core_wait(engine->core, cuzk_clock_ns(), no);
    cuzk_engine_act(engine);
}

uint64_t cuzk_engine_await(cuzk_engine *engine, const char *job_id, uint64_t timeout_ms,
                           cuzk_await_fn *fn, void *context)
{
    cuzk_engine_waiter *waiter = calloc(1, sizeof *waiter);
    if (waiter != NULL)
        waiter->job_id = strdup(job_id);
    if (waiter == NULL || waiter->job_id == NULL) {
        free(waiter);
        const cuzk_await_reply reply = {.job_id = job_id,
                                        .known = true,
                                        .state = CUZK_JOB_RUNNING,
                                        .timeout = true,
                                        .status = CUZK_ERR_MEMORY,
                                        .message = "no memory to wait for the job: try again"};
        fn(context, &reply);
        return 0;
    }
    const uint64_t now = cuzk_clock_ns();
    waiter->engine = engine;
    waiter->fn = fn;
    waiter->context = context;
    waiter->until = timeout_ms == 0 || timeout_ms > (CUZK_NEVER - now) / 1000000
                        ? CUZK_NEVER
                        : now + timeout_ms * 1000000;
    waiter->number = atomic_fetch_add(&engine->next_waiter, 1) + 1;
    waiter->message.handle = handle_await;
    const uint64_t number = waiter->number;
    pthread_mutex_lock(&engine->waiters_lock);
    const bool in = tsearch(waiter, &engine->waiters, compare) != NULL;
    pthread_mutex_unlock(&engine->waiters_lock);
    CUZK_ASSERT(in);
    cuzk_inbox_post(&engine->inbox, &waiter->message);
    return number;
}

/* Told to the core thread after a caller has left: the waiter is out of the registry. */
typedef struct departure {
    cuzk_message message;
    uint64_t number;
    char *job_id;
} departure;

static cuzk_engine_waiter *detach(cuzk_engine_job *job, uint64_t number)
{
    for (cuzk_engine_waiter **at = &job->waiters; *at != NULL; at = &(*at)->next)
        if ((*at)->number == number) {
            cuzk_engine_waiter *waiter = *at;
            *at = waiter->next;
            return waiter;
        }
    return NULL;
}

static void handle_departure(void *owner, cuzk_message *message)
{
    cuzk_engine *engine = owner;
    departure *d = (departure *)(void *)message;
    const cuzk_job_no no = cuzk_core_find(engine->core, d->job_id);
    cuzk_engine_job *job = no == 0 ? NULL : cuzk_engine_job_find(engine, no);
    cuzk_engine_waiter *waiter = job == NULL ? NULL : detach(job, d->number);
    if (waiter != NULL) {
        free_waiter(waiter);
        cuzk_core_leave(engine->core, cuzk_clock_ns(), no);
        cuzk_engine_act(engine);
    }
    free(d->job_id);
    free(d);
}

bool cuzk_engine_leave(cuzk_engine *engine, uint64_t number)
{
    const cuzk_engine_waiter key = {.number = number};
    char *job_id = NULL;
    pthread_mutex_lock(&engine->waiters_lock);
    void *at = tfind(&key, &engine->waiters, compare);
    if (at != NULL) {
        cuzk_engine_waiter *waiter = *(cuzk_engine_waiter **)at;
        job_id = strdup(waiter->job_id);
        tdelete(waiter, &engine->waiters, compare);
    }
    pthread_mutex_unlock(&engine->waiters_lock);
    if (at == NULL)
        return false;
    departure *d = job_id == NULL ? NULL : calloc(1, sizeof *d);
    if (d == NULL) { /* the job counts one waiter too many: it will not be taken for an orphan */
        free(job_id);
        return true;
    }
    d->message.handle = handle_departure;
    d->number = number;
    d->job_id = job_id;
    cuzk_inbox_post(&engine->inbox, &d->message);
    return true;
}

static void time_out_job(cuzk_engine *engine, cuzk_engine_job *job, uint64_t now)
{
    cuzk_engine_waiter **at = &job->waiters;
    while (*at != NULL) {
        cuzk_engine_waiter *waiter = *at;
        if (waiter->until > now) {
            if (waiter->until < engine->next_timeout)
                engine->next_timeout = waiter->until;
            at = &waiter->next;
            continue;
        }
        *at = waiter->next;
        cuzk_await_reply reply;
        describe(engine, job, &reply);
        reply.timeout = true;
        answer(engine, waiter, &reply);
        cuzk_core_leave(engine->core, now, job->no);
    }
}

void cuzk_engine_time_out(cuzk_engine *engine, uint64_t now)
{
    if (engine->next_timeout > now)
        return;
    engine->next_timeout = CUZK_NEVER;
    for (cuzk_job_no no = cuzk_core_next_job(engine->core, 0); no != 0;
         no = cuzk_core_next_job(engine->core, no)) {
        cuzk_engine_job *job = cuzk_engine_job_find(engine, no);
        if (job != NULL && job->waiters != NULL)
            time_out_job(engine, job, now);
    }
    cuzk_engine_act(engine);
}

const char cuzk_engine_closed_text[] =
    "the service is stopping; an accepted job is kept if there is a store";

void cuzk_engine_tell_closed(cuzk_engine *engine)
{
    const char *const text = cuzk_engine_closed_text;
    for (cuzk_job_no no = cuzk_core_next_job(engine->core, 0); no != 0;
         no = cuzk_core_next_job(engine->core, no)) {
        cuzk_engine_job *job = cuzk_engine_job_find(engine, no);
        if (job == NULL)
            continue;
        tell_submits(engine, job, CUZK_ERR_CANCELLED, text);
        while (job->waiters != NULL) {
            cuzk_engine_waiter *waiter = detach(job, job->waiters->number);
            cuzk_await_reply reply;
            describe(engine, job, &reply);
            reply.timeout = true;
            reply.status = CUZK_ERR_CANCELLED;
            reply.message = text;
            answer(engine, waiter, &reply);
        }
    }
}
