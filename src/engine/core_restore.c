/* Jobs of an earlier process, as its store has them. */
#include "engine/core_state.h"

static core_job *restore(cuzk_core *core, uint64_t now, cuzk_job_no number,
                         const cuzk_request *request)
{
    cuzk_core_enter(core, now);
    if (number == 0 || cuzk_core_job_find(core, number))
        return NULL;
    core_job *job = cuzk_core_job_new(core, number, request);
    if (job)
        job->stored = job->restored = true;
    return job;
}

bool cuzk_core_restore(cuzk_core *core, uint64_t now, cuzk_job_no number,
                       const cuzk_request *request)
{
    core_job *job = restore(core, now, number, request);
    if (!job)
        return false;
    cuzk_core_job_accept(core, job);
    uint64_t limit = cuzk_core_memory_limit(core, job->class_);
    if (job->parse_bytes > limit || job->payload_bytes > limit - job->parse_bytes)
        cuzk_core_job_fail(core, job, CUZK_JOB_FAILED, CUZK_BLAME_SYSTEM, CUZK_ERR_MEMORY,
                           "restored: the request needs %llu bytes to be parsed, the memory budget "
                           "has %llu now; raise it and submit again",
                           (unsigned long long)(job->parse_bytes + job->payload_bytes),
                           (unsigned long long)limit);
    cuzk_core_settle(core);
    return true;
}

bool cuzk_core_restore_ended(cuzk_core *core, uint64_t now, cuzk_job_no number,
                             const cuzk_request *request, cuzk_job_state state)
{
    CUZK_ASSERT(cuzk_job_state_is_terminal(state));
    core_job *job = restore(core, now, number, request);
    if (!job)
        return false;
    job->state = state;
    job->ended = core->now;
    job->announced = job->settled = true;
    cuzk_core_history_add(core, job);
    cuzk_core_settle(core);
    return true;
}

void cuzk_core_set_next_job(cuzk_core *core, cuzk_job_no next)
{
    if (next > core->next_job)
        core->next_job = next;
}
