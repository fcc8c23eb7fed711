/* The last resort when jobs are left and nothing moves: every byte that is missing is held by jobs
 * that themselves wait. The rules of core_memory.c keep it from happening to jobs whose needs are
 * known when they come; a request tells how large its key and witness are only when it is parsed.
 * Results are never given up for it: they are small, and a job that waits can be submitted again.
 */
#include "engine/core_state.h"

static bool is_still(const cuzk_core *core)
{
    return core->working == 0 && core->late == 0 && core->loads == 0 && core->frees == 0 &&
           core->buffers.frees == 0 && core->buffers.warms == 0 && core->storings == 0 &&
           !core->staged.root && !core->checks.root && core->well > 0 &&
           (core->blocked || core->parse_blocked);
}

static bool free_keys(cuzk_core *core)
{
    const core_key *keep = core->blocked ? core->blocked->key : NULL;
    bool any = false;
    for (core_node *node = cuzk_core_tree_first(&core->idle_keys), *next; node; node = next) {
        core_key *key = CORE_OF(node, core_key, idle);
        next = cuzk_core_tree_after(&core->idle_keys, node);
        if (key == keep)
            continue;
        cuzk_core_key_free(core, key);
        any = true;
    }
    return any;
}

static core_job *later(core_job *a, core_job *b)
{
    if (!a || !b)
        return a ? a : b;
    return cuzk_core_job_order(a, b) > 0 ? a : b;
}

/* The last in order of those that hold memory. */
static core_job *choose_victim(const cuzk_core *core)
{
    core_job *victim = NULL;
    core_node *node = cuzk_core_tree_last(&core->parse_queue);
    if (node)
        victim = CORE_OF(node, core_job, queue);
    for (node = cuzk_core_tree_first(&core->wanted); node;
         node = cuzk_core_tree_after(&core->wanted, node)) {
        const core_key *key = CORE_OF(node, core_key, wanted);
        core_node *last = cuzk_core_tree_last(&key->waiting);
        victim = later(victim, CORE_OF(last, core_job, queue));
    }
    /* Its followers hold their payloads. */
    node = victim ? cuzk_core_tree_last(&victim->followers) : NULL;
    return node ? CORE_OF(node, core_job, follows) : victim;
}

bool cuzk_core_sched_unblock(cuzk_core *core)
{
    if (!is_still(core))
        return false;
    if (cuzk_core_buffers_free(core, UINT64_MAX) > 0 || free_keys(core))
        return true;
    core_job *victim = choose_victim(core);
    unsigned long long need = victim->key ? cuzk_core_sched_need(victim) : victim->parse_bytes;
    cuzk_core_job_fail(
        core, victim, CUZK_JOB_FAILED, CUZK_BLAME_SYSTEM, CUZK_ERR_MEMORY,
        "admission: %llu more bytes are needed; requests and results that wait hold "
        "%llu of %llu, and no job can go on beside them; submit it again later or raise "
        "the memory budget",
        need, (unsigned long long)cuzk_core_memory_backlog(core),
        (unsigned long long)core->config.memory_total);
    return true;
}
