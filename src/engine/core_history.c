/* Jobs that have ended, oldest first, until there are too many or they are too old. */
#include "engine/core_state.h"

void cuzk_core_history_add(cuzk_core *core, core_job *job)
{
    job->in_history = true;
    job->older = core->newest;
    job->newer = NULL;
    if (core->newest)
        core->newest->newer = job;
    else
        core->oldest = job;
    core->newest = job;
    core->history_jobs++;
}

bool cuzk_core_history_drop(cuzk_core *core)
{
    core_job *job = core->oldest;
    if (!job)
        return false;
    core->oldest = job->newer;
    if (job->newer)
        job->newer->older = NULL;
    else
        core->newest = NULL;
    core->history_jobs--;
    core->ops.forget(core->context, job->number);
    cuzk_core_memory_give(core, CUZK_MEMORY_RESULT, job->result_held);
    cuzk_core_tree_remove(&core->by_number, &job->by_number);
    cuzk_core_tree_remove(&core->by_id, &job->by_id);
    for (uint32_t i = 0; i < job->partitions; i++)
        core->counters.parts[job->parts[i].state]--;
    core_key *key = job->key;
    cuzk_core_job_free(job);
    if (key) {
        key->users--;
        cuzk_core_key_drop(core, key);
    }
    return true;
}

void cuzk_core_history_trim(cuzk_core *core)
{
    const cuzk_core_config *config = &core->config;
    while (core->oldest && (core->history_jobs > config->history_jobs_max ||
                            (config->history_ns != CUZK_NEVER &&
                             core->now - core->oldest->ended >= config->history_ns)))
        cuzk_core_history_drop(core);
}
