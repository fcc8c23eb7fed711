/* Jobs of the same content under different ids: one of them leads and is computed, the others
 * follow it. They wait where they are, with their payloads, and get its proof when it completes;
 * when it ends in any other way each is a job like others again, so that nobody suffers from
 * another's cancellation, deadline or bad luck.
 *
 * A job follows only one that is at least as urgent: it never waits for work that it would have
 * gone before. */
#include "engine/core_state.h"

#include <string.h>

int cuzk_core_twin_content_order(const core_node *a, const core_node *b)
{
    const core_job *x = CORE_OF(a, core_job, by_content), *y = CORE_OF(b, core_job, by_content);
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    const int order = memcmp(x->digest, y->digest, sizeof x->digest);
    return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

static int follower_order(const core_node *a, const core_node *b)
{
    const core_job *x = CORE_OF(a, core_job, follows), *y = CORE_OF(b, core_job, follows);
    return (x->number > y->number) - (x->number < y->number);
}

/* The first job under way that this one may follow. */
static core_job *find_leader(const cuzk_core *core, const core_job *job)
{
    core_job probe = {.kind = job->kind}; /* number 0: before all of the content */
    memcpy(probe.digest, job->digest, sizeof probe.digest);
    core_node *node = &probe.by_content;
    while ((node = cuzk_core_tree_after(&core->by_content, node))) {
        core_job *other = CORE_OF(node, core_job, by_content);
        if (other->kind != job->kind || memcmp(other->digest, job->digest, sizeof job->digest) != 0)
            return NULL;
        if (other->rank <= job->rank && other->deadline <= job->deadline)
            return other;
    }
    return NULL;
}

void cuzk_core_twin_place(cuzk_core *core, core_job *job)
{
    core_job *leader = core->config.join_content ? find_leader(core, job) : NULL;
    if (leader) {
        job->leader = leader;
        leader->followers.order = follower_order;
        cuzk_core_tree_add(&leader->followers, &job->follows);
        cuzk_core_job_watch(core, leader);
        return;
    }
    cuzk_core_tree_add(&core->by_content, &job->by_content);
    cuzk_core_tree_add(&core->parse_queue, &job->queue);
}

void cuzk_core_twin_leave(cuzk_core *core, core_job *job)
{
    cuzk_core_tree_remove(&core->by_content, &job->by_content);
    core_job *leader = job->leader;
    if (!leader)
        return;
    cuzk_core_tree_remove(&leader->followers, &job->follows);
    job->leader = NULL;
    cuzk_core_job_watch(core, leader);
}

/* Room for the result there is at least where the payload was. */
static bool has_room(const cuzk_core *core, const core_job *job, uint64_t bytes)
{
    return bytes <= job->payload_held || bytes <= cuzk_core_memory_room(core, job->class_);
}

/* The follower ends with the leader's proof. */
static void share(cuzk_core *core, core_job *job, const core_job *leader)
{
    cuzk_core_job_payload_done(core, job);
    job->result_held = leader->result_held;
    cuzk_core_memory_take(core, CUZK_MEMORY_RESULT, job->result_held);
    core->counters.joined++;
    core->ops.share_result(core->context, job->number, leader->number);
    cuzk_core_job_end(core, job, CUZK_JOB_COMPLETED, NULL);
}

void cuzk_core_twin_ended(cuzk_core *core, core_job *leader)
{
    for (core_node *node; (node = cuzk_core_tree_first(&leader->followers));) {
        core_job *job = CORE_OF(node, core_job, follows);
        cuzk_core_twin_leave(core, job);
        if (leader->state == CUZK_JOB_COMPLETED && has_room(core, job, leader->result_held))
            share(core, job, leader);
        else
            cuzk_core_twin_place(core, job);
    }
}
