/* What callers ask for: submit, wait, cancel; and what the store answers. */
#include "engine/core_state.h"

#include <stdlib.h>
#include <string.h>

#define NS_PER_MS    1000000u
#define RETRY_MS     1000u
#define RETRY_MS_MAX 60000u

int cuzk_core_job_id_order(const core_node *a, const core_node *b)
{
    return strcmp(CORE_OF(a, core_job, by_id)->request_id, CORE_OF(b, core_job, by_id)->request_id);
}

static core_job *find_id(const cuzk_core *core, const char *request_id)
{
    core_job probe = {.request_id = (char *)(uintptr_t)request_id};
    core_node *node = cuzk_core_tree_find(&core->by_id, &probe.by_id);
    return node ? CORE_OF(node, core_job, by_id) : NULL;
}

cuzk_job_no cuzk_core_find(const cuzk_core *core, const char *request_id)
{
    const core_job *job = find_id(core, request_id);
    return job ? job->number : 0;
}

static uint64_t position_of(const cuzk_core *core, const core_job *job)
{
    return cuzk_core_tree_has(&job->pending) ? cuzk_core_tree_rank(&core->pending, &job->pending)
                                             : 0;
}

/* The same id was seen before: true if that is the answer. */
static bool answer_known(cuzk_core *core, const cuzk_request *request, cuzk_submitted *submitted)
{
    core_job *job = request->request_id[0] ? find_id(core, request->request_id) : NULL;
    if (!job)
        return false;
    bool same = memcmp(job->digest, request->digest, sizeof job->digest) == 0;
    bool live = !cuzk_job_state_is_terminal(job->state);
    if (job->state == CUZK_JOB_COMPLETED && !job->announced)
        live = true;
    if (!live && !(same && job->state == CUZK_JOB_COMPLETED))
        return false;
    submitted->job = job->number;
    submitted->verdict = !same  ? CUZK_VERDICT_CONFLICT
                         : live ? CUZK_VERDICT_JOINED
                                : CUZK_VERDICT_DONE;
    if (!same) {
        core->counters.conflicts++;
    } else {
        core->counters.joined++;
        submitted->position = position_of(core, job);
        if (!request->waited)
            job->waited = false;
        cuzk_core_job_watch(core, job);
    }
    return true;
}

static uint64_t retry_hint(const cuzk_core *core)
{
    uint64_t ms = core->ended_mean / NS_PER_MS;
    return ms == 0 ? RETRY_MS : ms > RETRY_MS_MAX ? RETRY_MS_MAX : ms;
}

static bool refuse(cuzk_core *core, cuzk_submitted *submitted, cuzk_verdict verdict, uint64_t need,
                   uint64_t have)
{
    submitted->verdict = verdict;
    submitted->need = need;
    submitted->have = have;
    cuzk_core_view *counters = &core->counters;
    if (verdict == CUZK_VERDICT_FULL)
        submitted->retry_ms = retry_hint(core);
    *(verdict == CUZK_VERDICT_FULL        ? &counters->refused_full
      : verdict == CUZK_VERDICT_TOO_LARGE ? &counters->refused_too_large
      : verdict == CUZK_VERDICT_DRAINING  ? &counters->refused_draining
                                          : &counters->refused_no_device) += 1;
    return true;
}

/* Whether the request is refused; tells why. */
static bool is_refused(cuzk_core *core, const cuzk_request *request, cuzk_submitted *submitted)
{
    const cuzk_core_config *config = &core->config;
    cuzk_class class_ = request->class_;
    uint64_t limit = cuzk_core_memory_limit(core, class_), bytes = request->payload_bytes;
    uint64_t backlog = cuzk_core_memory_backlog(core), short_of;
    if (core->draining)
        return refuse(core, submitted, CUZK_VERDICT_DRAINING, 0, 0);
    if (core->well == 0)
        return refuse(core, submitted, CUZK_VERDICT_NO_DEVICE, 0, 0);
    if (request->parse_bytes > limit || bytes > limit - request->parse_bytes)
        return refuse(core, submitted, CUZK_VERDICT_TOO_LARGE,
                      bytes > UINT64_MAX - request->parse_bytes ? UINT64_MAX
                                                                : bytes + request->parse_bytes,
                      limit);
    if (bytes > config->queue_bytes_max)
        return refuse(core, submitted, CUZK_VERDICT_TOO_LARGE, bytes, config->queue_bytes_max);
    if (core->class_jobs[class_] >= config->queue_jobs_max)
        return refuse(core, submitted, CUZK_VERDICT_FULL, core->class_jobs[class_] + 1,
                      config->queue_jobs_max);
    if (bytes > config->queue_bytes_max - core->class_bytes[class_])
        return refuse(core, submitted, CUZK_VERDICT_FULL, bytes,
                      config->queue_bytes_max - core->class_bytes[class_]);
    core_fit fit = cuzk_core_memory_fit_payload(core, class_, bytes, &short_of);
    if (fit == CORE_FIT_NOW)
        return false;
    if (fit == CORE_FIT_SHORT)
        (void)cuzk_core_keys_evict(core, short_of, NULL, NULL);
    return refuse(core, submitted, CUZK_VERDICT_FULL, bytes, limit > backlog ? limit - backlog : 0);
}

void cuzk_core_submit(cuzk_core *core, uint64_t now, const cuzk_request *request,
                      cuzk_submitted *submitted)
{
    cuzk_core_enter(core, now);
    *submitted = (cuzk_submitted){.verdict = CUZK_VERDICT_NEW};
    if (!answer_known(core, request, submitted) && !is_refused(core, request, submitted)) {
        core_job *job = cuzk_core_job_new(core, core->next_job, request);
        if (!job) {
            (void)refuse(core, submitted, CUZK_VERDICT_FULL, sizeof *job, 0);
            return;
        }
        job->has_payload = true;
        job->payload_held = request->payload_bytes;
        cuzk_core_memory_take(core, CUZK_MEMORY_PAYLOAD, job->payload_held);
        core->class_bytes[job->class_] += job->payload_held;
        core->counters.submitted[job->kind]++;
        submitted->job = job->number;
        cuzk_core_job_accept(core, job);
        submitted->position = position_of(core, job);
    }
    cuzk_core_settle(core);
}

void cuzk_core_wait(cuzk_core *core, uint64_t now, cuzk_job_no number)
{
    cuzk_core_enter(core, now);
    core_job *job = cuzk_core_job_find(core, number);
    if (!job)
        return;
    job->waiters++;
    cuzk_core_job_watch(core, job);
}

void cuzk_core_leave(cuzk_core *core, uint64_t now, cuzk_job_no number)
{
    cuzk_core_enter(core, now);
    core_job *job = cuzk_core_job_find(core, number);
    if (!job || job->waiters == 0)
        return;
    job->waiters--;
    cuzk_core_job_watch(core, job);
}

bool cuzk_core_cancel(cuzk_core *core, uint64_t now, cuzk_job_no number, bool *was_running)
{
    cuzk_core_enter(core, now);
    *was_running = false;
    core_job *job = cuzk_core_job_find(core, number);
    if (!job || cuzk_job_state_is_terminal(job->state))
        return false;
    for (uint32_t i = 0; i < job->partitions; i++)
        *was_running = *was_running || job->parts[i].attempt > 0;
    cuzk_core_job_fail(core, job, CUZK_JOB_CANCELLED, CUZK_BLAME_INPUT, CUZK_ERR_CANCELLED,
                       "cancelled by request in state %s", cuzk_job_state_name(job->state));
    cuzk_core_settle(core);
    return true;
}

void cuzk_core_stored(cuzk_core *core, uint64_t now, cuzk_job_no number,
                      const cuzk_failure *failure)
{
    cuzk_core_enter(core, now);
    core_job *job = cuzk_core_job_find(core, number);
    CUZK_ASSERT(job && job->storing);
    job->storing = false;
    core->storings--;
    job->stored = !failure;
    if (cuzk_job_state_is_terminal(job->state))
        cuzk_core_job_rest(core, job);
    else if (failure)
        cuzk_core_job_end(core, job, CUZK_JOB_FAILED, failure);
    else
        cuzk_core_job_accept(core, job);
    cuzk_core_settle(core);
}

void cuzk_core_result_stored(cuzk_core *core, uint64_t now, cuzk_job_no number,
                             const cuzk_failure *failure)
{
    cuzk_core_enter(core, now);
    core_job *job = cuzk_core_job_find(core, number);
    CUZK_ASSERT(job && job->storing_result);
    job->storing_result = false;
    core->storings--;
    cuzk_core_job_stored_result(core, job, failure);
    cuzk_core_settle(core);
}
