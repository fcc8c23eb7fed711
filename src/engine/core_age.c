/* Ageing: a job that waits rises in the order, whatever it is in. */
#include "engine/core_state.h"

int cuzk_core_age_order(const core_node *a, const core_node *b)
{
    const core_job *x = CORE_OF(a, core_job, age_timer), *y = CORE_OF(b, core_job, age_timer);
    if (x->age_at != y->age_at)
        return x->age_at < y->age_at ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

void cuzk_core_age_begin(cuzk_core *core, core_job *job)
{
    if (job->rank <= CUZK_CLASS_HIGH)
        return;
    job->age_at = core->now + CORE_AGE_NS;
    cuzk_core_tree_add(&core->ages, &job->age_timer);
}

/* The trees are ordered by rank, so a job leaves all of them while its rank changes. */
static void raise_rank(cuzk_core *core, core_job *job)
{
    bool pending = cuzk_core_tree_has(&job->pending), queued = cuzk_core_tree_has(&job->queue);
    cuzk_core_tree_remove(&core->pending, &job->pending);
    if (job->key)
        cuzk_core_key_unwait(core, job);
    else
        cuzk_core_tree_remove(&core->parse_queue, &job->queue);
    for (uint32_t i = 0; i < job->partitions; i++)
        job->parts[i].was_listed = cuzk_core_part_unlist(core, &job->parts[i]);
    job->rank--;
    for (uint32_t i = 0; i < job->partitions; i++)
        if (job->parts[i].was_listed)
            cuzk_core_part_list(core, &job->parts[i]);
    if (pending)
        cuzk_core_tree_add(&core->pending, &job->pending);
    if (queued && job->key)
        cuzk_core_key_wait(core, job);
    else if (queued)
        cuzk_core_tree_add(&core->parse_queue, &job->queue);
}

void cuzk_core_age_tick(cuzk_core *core)
{
    for (core_node *node; (node = cuzk_core_tree_first(&core->ages));) {
        core_job *job = CORE_OF(node, core_job, age_timer);
        if (job->age_at > core->now)
            return;
        cuzk_core_tree_remove(&core->ages, node);
        raise_rank(core, job);
        cuzk_core_age_begin(core, job);
    }
}
