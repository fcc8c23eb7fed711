/* A job's life, from its place in the tables to its one end. */
#include "engine/core_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_MS 1000000u

int cuzk_core_job_order(const core_job *a, const core_job *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->deadline != b->deadline)
        return a->deadline < b->deadline ? -1 : 1;
    if (a->submitted != b->submitted)
        return a->submitted < b->submitted ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

core_job *cuzk_core_job_find(const cuzk_core *core, cuzk_job_no number)
{
    core_job probe = {.number = number};
    core_node *node = cuzk_core_tree_find(&core->by_number, &probe.by_number);
    return node ? CORE_OF(node, core_job, by_number) : NULL;
}

/* When there is no memory to keep the reason in. Never written. */
static cuzk_failure unsaid = {CUZK_BLAME_SYSTEM, CUZK_ERR_MEMORY,
                              "it failed, and there was no memory to keep the reason"};

void cuzk_core_job_free(core_job *job)
{
    free(job->request_id);
    free(job->parts);
    if (job->failure != &unsaid)
        free(job->failure);
    free(job);
}

core_job *cuzk_core_job_new(cuzk_core *core, cuzk_job_no number, const cuzk_request *request)
{
    core_job *job = calloc(1, sizeof *job);
    if (!job)
        return NULL;
    size_t size = strlen(request->request_id) + 1;
    job->request_id = malloc(size);
    if (!job->request_id) {
        free(job);
        return NULL;
    }
    memcpy(job->request_id, request->request_id, size);
    job->number = number;
    memcpy(job->digest, request->digest, sizeof job->digest);
    job->kind = request->kind;
    job->class_ = job->rank = request->class_;
    job->deadline = request->deadline;
    job->payload_bytes = request->payload_bytes;
    job->parse_bytes = request->parse_bytes;
    job->waited = request->waited;
    job->submitted = core->now;
    cuzk_core_tree_add(&core->by_number, &job->by_number);
    if (job->request_id[0] != '\0') {
        core_node *older = cuzk_core_tree_find(&core->by_id, &job->by_id);
        if (older)
            cuzk_core_tree_remove(&core->by_id, older);
        cuzk_core_tree_add(&core->by_id, &job->by_id);
    }
    if (core->next_job <= number)
        core->next_job = number + 1;
    return job;
}

/* Counts a new job that is not terminal. */
static void enlist(cuzk_core *core, core_job *job)
{
    core->jobs_live++;
    core->class_jobs[job->class_]++;
    core->counters.pending[job->kind]++;
    cuzk_core_tree_add(&core->pending, &job->pending);
    if (job->deadline != CUZK_NEVER)
        cuzk_core_tree_add(&core->deadlines, &job->deadline_timer);
    cuzk_core_job_watch(core, job);
    cuzk_core_age_begin(core, job);
}

void cuzk_core_job_accept(cuzk_core *core, core_job *job)
{
    if (!cuzk_core_tree_has(&job->pending))
        enlist(core, job);
    if (core->config.store && !job->stored) {
        job->storing = true;
        core->storings++;
        core->ops.store_job(core->context, job->number);
        return;
    }
    job->state = CUZK_JOB_ACCEPTED;
    cuzk_core_twin_place(core, job);
    if (!job->restored)
        core->ops.accepted(core->context, job->number);
}

void cuzk_core_job_watch(cuzk_core *core, core_job *job)
{
    cuzk_core_tree_remove(&core->orphans, &job->orphan_timer);
    uint64_t grace = core->config.orphan_grace_ns;
    if (!job->waited || job->waiters > 0 || job->followers.root || grace == CUZK_NEVER ||
        cuzk_job_state_is_terminal(job->state))
        return;
    job->orphan_at = core->now + grace;
    cuzk_core_tree_add(&core->orphans, &job->orphan_timer);
}

void cuzk_core_job_payload_done(cuzk_core *core, core_job *job)
{
    if (!job->has_payload)
        return;
    job->has_payload = false;
    core->ops.payload_done(core->context, job->number);
    cuzk_core_memory_give(core, CUZK_MEMORY_PAYLOAD, job->payload_held);
    core->class_bytes[job->class_] -= job->payload_held;
    job->payload_held = 0;
}

static cuzk_failure *copy_failure(const cuzk_failure *failure)
{
    if (!failure)
        return NULL;
    cuzk_failure *copy = malloc(sizeof *copy);
    if (!copy)
        return &unsaid;
    *copy = *failure;
    return copy;
}

static void announce(cuzk_core *core, core_job *job)
{
    job->announced = true;
    core->ops.ended(core->context, job->number);
}

static bool is_at_rest(const core_job *job)
{
    return job->announced && job->working == 0 && !job->storing && !job->parsing &&
           !job->storing_result;
}

void cuzk_core_job_rest(cuzk_core *core, core_job *job)
{
    if (!cuzk_job_state_is_terminal(job->state))
        return;
    if (!job->announced && !job->storing && !job->storing_result) {
        if (job->stored) {
            job->storing_result = true;
            core->storings++;
            core->ops.store_result(core->context, job->number);
        } else {
            announce(core, job);
        }
    }
    if (!job->storing && !job->parsing)
        cuzk_core_job_payload_done(core, job);
    if (job->working == 0 && job->late == 0 && !job->parsing) {
        if (job->has_input)
            core->ops.drop_input(core->context, job->number);
        job->has_input = false;
        cuzk_core_memory_give(core, CUZK_MEMORY_INPUT, job->input_held);
        job->input_held = 0;
    }
    if (is_at_rest(job) && !job->settled) {
        job->settled = true;
        core->jobs_unsettled--;
    }
    if (job->settled && job->late == 0 && !job->in_history)
        cuzk_core_history_add(core, job);
}

void cuzk_core_job_stored_result(cuzk_core *core, core_job *job, const cuzk_failure *failure)
{
    if (failure && !job->failure) {
        job->failure = copy_failure(failure);
    } else if (failure && job->failure != &unsaid) {
        size_t used = strlen(job->failure->message);
        (void)snprintf(job->failure->message + used, sizeof job->failure->message - used,
                       "; and this end could not be stored: %s", failure->message);
    }
    announce(core, job);
    cuzk_core_job_rest(core, job);
}

static void count_duration(cuzk_core *core, const core_job *job)
{
    cuzk_durations *durations = &core->counters.total[job->kind][job->class_];
    uint64_t ns = core->now - job->submitted;
    unsigned bucket = 0;
    while (bucket < CUZK_DURATION_BUCKETS - 1 && ns > cuzk_duration_ms[bucket] * NS_PER_MS)
        bucket++;
    durations->count[bucket]++;
    durations->sum_ns += ns;
    if (core->ended_last)
        core->ended_mean = core_mean(core->ended_mean, core->now - core->ended_last);
    core->ended_last = core->now;
}

/* Out of all queues and timers. */
static void withdraw(cuzk_core *core, core_job *job)
{
    core->jobs_live--;
    core->class_jobs[job->class_]--;
    if (job->started) {
        core->jobs_started--;
        core->counters.in_progress[job->kind]--;
    } else {
        core->counters.pending[job->kind]--;
    }
    cuzk_core_tree_remove(&core->pending, &job->pending);
    cuzk_core_tree_remove(&core->deadlines, &job->deadline_timer);
    cuzk_core_tree_remove(&core->orphans, &job->orphan_timer);
    cuzk_core_tree_remove(&core->ages, &job->age_timer);
    cuzk_core_twin_leave(core, job);
    if (!job->key) {
        cuzk_core_tree_remove(&core->parse_queue, &job->queue);
        return;
    }
    cuzk_core_key_unwait(core, job);
}

void cuzk_core_job_end(cuzk_core *core, core_job *job, cuzk_job_state state,
                       const cuzk_failure *failure)
{
    CUZK_ASSERT(cuzk_job_state_is_terminal(state) && !cuzk_job_state_is_terminal(job->state));
    withdraw(core, job);
    job->state = state;
    job->ended = core->now;
    core_span_stop(&job->synth, core->now);
    core_span_stop(&job->compute, core->now);
    job->failure = copy_failure(failure);
    core->jobs_unsettled++;
    core->counters.ended[job->kind][state]++;
    count_duration(core, job);
    for (uint32_t i = 0; i < job->partitions; i++)
        cuzk_core_part_cancel(core, &job->parts[i]);
    job->retry_first = job->retry_last = NULL;
    if (state != CUZK_JOB_COMPLETED) {
        cuzk_core_memory_give(core, CUZK_MEMORY_RESULT, job->result_held);
        job->result_held = 0;
    }
    cuzk_core_twin_ended(core, job);
    cuzk_core_job_rest(core, job);
}

void cuzk_core_job_fail(cuzk_core *core, core_job *job, cuzk_job_state state, cuzk_blame blame,
                        cuzk_status status, const char *format, ...)
{
    cuzk_failure failure = {.blame = blame, .status = status};
    va_list args;
    va_start(args, format);
    (void)vsnprintf(failure.message, sizeof failure.message, format, args);
    va_end(args);
    cuzk_core_job_end(core, job, state, &failure);
}
