/* Ops of the core: noted while it runs, done when it has returned. And the table of jobs. */
#include "engine/engine_internal.h"

#include "base/log.h"
#include "base/random.h"
#include "engine/circuit_job.h"
#include "engine/engine_timing.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cuzk_action *note(cuzk_engine *engine, cuzk_action_kind kind)
{
    if (engine->n_actions == engine->actions_room) {
        const size_t room = engine->actions_room == 0 ? 256 : 2 * engine->actions_room;
        cuzk_action *grown = realloc(engine->actions, room * sizeof *grown);
        CUZK_ASSERT(grown != NULL); /* a few kilobytes, and no op can be left undone */
        engine->actions = grown;
        engine->actions_room = room;
    }
    cuzk_action *action = &engine->actions[engine->n_actions++];
    *action = (cuzk_action){.kind = kind};
    return action;
}

#define JOB_OP(name, kind)                                                                         \
    static void name(void *context, cuzk_job_no job)                                               \
    {                                                                                              \
        note(context, kind)->job = job;                                                            \
    }
JOB_OP(store_job, CUZK_ACTION_STORE_JOB)
JOB_OP(parse, CUZK_ACTION_PARSE)
JOB_OP(store_result, CUZK_ACTION_STORE_RESULT)
JOB_OP(payload_done, CUZK_ACTION_PAYLOAD_DONE)
JOB_OP(drop_input, CUZK_ACTION_DROP_INPUT)
JOB_OP(accepted, CUZK_ACTION_ACCEPTED)
JOB_OP(ended, CUZK_ACTION_ENDED)
JOB_OP(forget, CUZK_ACTION_FORGET)

static void share_result(void *context, cuzk_job_no job, cuzk_job_no from)
{
    cuzk_action *action = note(context, CUZK_ACTION_SHARE_RESULT);
    action->job = job;
    action->from = from;
}

static void note_key(cuzk_engine *engine, cuzk_action_kind kind, const char *key)
{
    cuzk_action *action = note(engine, kind);
    snprintf(action->key, sizeof action->key, "%s", key);
}

static void load_key(void *context, const char *key)
{
    note_key(context, CUZK_ACTION_LOAD_KEY, key);
}

static void free_key(void *context, const char *key)
{
    note_key(context, CUZK_ACTION_FREE_KEY, key);
}

static void free_buffer(void *context, uint64_t bytes)
{
    note(context, CUZK_ACTION_FREE_BUFFER)->bytes = bytes;
}

static void warm_buffer(void *context, uint64_t bytes)
{
    note(context, CUZK_ACTION_WARM_BUFFER)->bytes = bytes;
}

static void note_attempt(cuzk_engine *engine, cuzk_action_kind kind, unsigned device,
                         cuzk_attempt a)
{
    cuzk_action *action = note(engine, kind);
    action->job = a.job;
    action->attempt = a;
    action->device = device;
}

static void synthesise(void *context, cuzk_attempt a)
{
    note_attempt(context, CUZK_ACTION_SYNTHESISE, 0, a);
}

static void upload(void *context, unsigned device, cuzk_attempt a)
{
    note_attempt(context, CUZK_ACTION_UPLOAD, device, a);
}

static void compute(void *context, unsigned device, cuzk_attempt a)
{
    note_attempt(context, CUZK_ACTION_COMPUTE, device, a);
}

static void finish(void *context, unsigned device, cuzk_attempt a)
{
    note_attempt(context, CUZK_ACTION_FINISH, device, a);
}

static void check(void *context, unsigned device, cuzk_attempt a)
{
    note_attempt(context, CUZK_ACTION_CHECK, device, a);
}

static void drop_attempt(void *context, cuzk_attempt a)
{
    note_attempt(context, CUZK_ACTION_DROP_ATTEMPT, 0, a);
}

static void cancel_attempt(void *context, cuzk_attempt a)
{
    note_attempt(context, CUZK_ACTION_CANCEL_ATTEMPT, 0, a);
}

static void gap(void *context, unsigned device, cuzk_device_state cause, uint64_t begin,
                uint64_t end, const cuzk_attempt *waited_for, cuzk_part_state its_state)
{
    const unsigned long long ms = (end - begin) / 1000000;
    const cuzk_engine_job *job =
        waited_for == NULL ? NULL : cuzk_engine_job_find(context, waited_for->job);
    if (job == NULL)
        cuzk_log(CUZK_LOG_INFO, "IDLE_GAP device=%u cause=%s ms=%llu", device,
                 cuzk_device_state_name(cause), ms);
    else
        cuzk_log(CUZK_LOG_INFO,
                 "IDLE_GAP device=%u cause=%s ms=%llu job_id=%s partition=%u state=%s", device,
                 cuzk_device_state_name(cause), ms, job->id, waited_for->partition,
                 cuzk_part_state_name(its_state));
}

static void quarantined(void *context, unsigned device, bool in)
{
    cuzk_engine *engine = context;
    const char *what = "takes work again";
    if (in)
        what = engine->late_of[device] > 0
                   ? "is quarantined until its step returns"
                   : "is quarantined: too many faults in a row; check the machine";
    if (in)
        atomic_fetch_sub(&engine->well, 1);
    else
        atomic_fetch_add(&engine->well, 1);
    cuzk_log(in ? CUZK_LOG_ERROR : CUZK_LOG_WARN, "device %u (%s) %s", device,
             engine->device_name[device], what);
}

static void drained(void *context)
{
    note(context, CUZK_ACTION_DRAINED);
}

const cuzk_core_ops cuzk_engine_ops = {
    .store_job = store_job,
    .parse = parse,
    .load_key = load_key,
    .free_key = free_key,
    .free_buffer = free_buffer,
    .warm_buffer = warm_buffer,
    .synthesise = synthesise,
    .upload = upload,
    .compute = compute,
    .finish = finish,
    .check = check,
    .store_result = store_result,
    .payload_done = payload_done,
    .drop_input = drop_input,
    .drop_attempt = drop_attempt,
    .cancel_attempt = cancel_attempt,
    .accepted = accepted,
    .ended = ended,
    .share_result = share_result,
    .forget = forget,
    .gap = gap,
    .quarantined = quarantined,
    .drained = drained,
};

/* --- jobs --- */

static int compare(const void *a, const void *b)
{
    const cuzk_job_no x = ((const cuzk_engine_job *)a)->no, y = ((const cuzk_engine_job *)b)->no;
    return x < y ? -1 : x > y;
}

cuzk_engine_job *cuzk_engine_job_find(cuzk_engine *engine, cuzk_job_no no)
{
    const cuzk_engine_job key = {.no = no};
    void *at = tfind(&key, &engine->jobs, compare);
    return at == NULL ? NULL : *(cuzk_engine_job **)at;
}

cuzk_engine_job *cuzk_engine_job_add(cuzk_engine *engine, cuzk_job_no no)
{
    cuzk_engine_job *job = calloc(1, sizeof *job);
    if (job == NULL)
        return NULL;
    job->no = no;
    void *at = tsearch(job, &engine->jobs, compare);
    if (at == NULL) {
        free(job);
        return NULL;
    }
    CUZK_ASSERT(*(cuzk_engine_job **)at == job);
    return job;
}

static void free_payload(cuzk_engine_job *job)
{
    if (job->payload != NULL)
        cuzk_wipe(job->payload, job->payload_size);
    free(job->payload);
    job->payload = NULL;
    job->payload_size = 0;
}

static void free_job(void *node)
{
    cuzk_engine_job *job = node;
    CUZK_ASSERT(job->attempts == NULL && job->waiters == NULL && job->submits == NULL);
    free_payload(job);
    cuzk_job_input_release(&job->input);
    free(job->id);
    free(job->key);
    free(job->proof);
    free(job->end_message);
    free(job);
}

void cuzk_engine_job_settle(cuzk_engine *engine, cuzk_engine_job *job)
{
    if (job->step.under_way || job->storing || job->attempts != NULL || engine->acting)
        return;
    if (job->payload_done)
        free_payload(job);
    if (job->input_done)
        cuzk_job_input_release(&job->input);
    if (!job->forgotten)
        return;
    engine->unsaved -= job->unsaved;
    job->unsaved = false;
    if (job->stored && engine->store != NULL) {
        job->stored = false;
        cuzk_engine_forget_stored(engine, job);
        return;
    }
    tdelete(job, &engine->jobs, compare);
    free_job(job);
}

void cuzk_engine_jobs_free(cuzk_engine *engine)
{
    while (engine->jobs != NULL) {
        cuzk_engine_job *job = *(cuzk_engine_job **)engine->jobs;
        cuzk_engine_free_attempts(engine, job);
        tdelete(job, &engine->jobs, compare);
        free_job(job);
    }
}

/* --- doing --- */

static void copy_result(cuzk_engine *engine, cuzk_engine_job *job, cuzk_job_no from)
{
    const cuzk_engine_job *other = cuzk_engine_job_find(engine, from);
    CUZK_ASSERT(other != NULL && other->proof != NULL && job->proof == NULL);
    job->proof = malloc(other->proof_size);
    CUZK_ASSERT(job->proof != NULL); /* some kilobytes, which were granted */
    memcpy(job->proof, other->proof, other->proof_size);
    job->proof_size = other->proof_size;
    cuzk_log(CUZK_LOG_INFO, "proof shared job_id=%s with=%s", job->id, other->id);
}

static void do_job_action(cuzk_engine *engine, const cuzk_action *action, cuzk_engine_job *job)
{
    switch (action->kind) {
    case CUZK_ACTION_STORE_JOB:
        cuzk_engine_store_job(engine, job);
        break;
    case CUZK_ACTION_PARSE:
        cuzk_engine_parse(engine, job);
        break;
    case CUZK_ACTION_STORE_RESULT:
        cuzk_engine_store_result(engine, job);
        break;
    case CUZK_ACTION_PAYLOAD_DONE:
        job->payload_done = true;
        break;
    case CUZK_ACTION_DROP_INPUT:
        job->input_done = true;
        break;
    case CUZK_ACTION_ACCEPTED:
        cuzk_engine_tell_accepted(engine, job);
        break;
    case CUZK_ACTION_ENDED:
        job->ended = true;
        cuzk_engine_tell_ended(engine, job);
        cuzk_engine_trim(engine, job->id);
        break;
    case CUZK_ACTION_SHARE_RESULT:
        copy_result(engine, job, action->from);
        break;
    case CUZK_ACTION_FORGET:
        job->forgotten = true;
        break;
    case CUZK_ACTION_SYNTHESISE:
        cuzk_engine_synthesise(engine, job, action->attempt);
        break;
    case CUZK_ACTION_DROP_ATTEMPT:
        cuzk_engine_drop_attempt(engine, job, action->attempt);
        break;
    default:
        cuzk_engine_advance(engine, job, action);
        break;
    }
}

static void do_action(cuzk_engine *engine, const cuzk_action *action)
{
    switch (action->kind) {
    case CUZK_ACTION_LOAD_KEY:
        cuzk_engine_load_key(engine, action->key);
        break;
    case CUZK_ACTION_FREE_KEY:
        cuzk_engine_free_key(engine, action->key);
        break;
    case CUZK_ACTION_FREE_BUFFER:
        cuzk_engine_free_buffer(engine, action->bytes);
        break;
    case CUZK_ACTION_WARM_BUFFER:
        cuzk_engine_warm_buffer(engine, action->bytes);
        break;
    case CUZK_ACTION_DRAINED:
        if (engine->drained != NULL)
            engine->drained(engine->drained_context);
        engine->drained = NULL;
        break;
    default: {
        cuzk_engine_job *job = cuzk_engine_job_find(engine, action->job);
        CUZK_ASSERT(job != NULL);
        do_job_action(engine, action, job);
        break;
    }
    }
}

/* Jobs that the actions ended or forgot, and with which nothing is under way, are settled last: an
 * action of the same round may still speak of them. */
static void settle_all(cuzk_engine *engine, const cuzk_action *actions, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const cuzk_action_kind kind = actions[i].kind;
        if (kind != CUZK_ACTION_PAYLOAD_DONE && kind != CUZK_ACTION_DROP_INPUT &&
            kind != CUZK_ACTION_FORGET && kind != CUZK_ACTION_DROP_ATTEMPT)
            continue;
        cuzk_engine_job *job = cuzk_engine_job_find(engine, actions[i].job);
        if (job != NULL && (engine->settling == NULL || engine->settling->job != job))
            cuzk_engine_job_settle(engine, job);
    }
}

/* An action may call the core, which notes more. */
void cuzk_engine_act(cuzk_engine *engine)
{
    if (engine->acting)
        return;
    engine->acting = true;
    for (size_t i = 0; i < engine->n_actions; i++) {
        const cuzk_action action = engine->actions[i];
        do_action(engine, &action);
    }
    engine->acting = false;
    settle_all(engine, engine->actions, engine->n_actions);
    engine->n_actions = 0;
}
