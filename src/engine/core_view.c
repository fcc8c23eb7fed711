/* What is, for status and metrics. All of it is derived from the state when asked. */
#include "engine/core_state.h"

#include <string.h>

void cuzk_core_view_get(const cuzk_core *core, uint64_t now, cuzk_core_view *view)
{
    *view = core->counters;
    view->buffers_idle = core->buffers.n;
    view->now = now;
    view->started = core->started;
    view->memory_total = core->config.memory_total;
    view->memory_used = core->used;
    memcpy(view->memory, core->memory, sizeof view->memory);
    view->devices = core->config.devices;
    view->synth_slots = core->config.synth_slots;
    view->draining = core->draining;
}

static cuzk_job_state shown_state(const core_job *job)
{
    if (job->state == CUZK_JOB_COMPLETED && !job->announced)
        return CUZK_JOB_VERIFYING;
    if (job->state == CUZK_JOB_RUNNING && job->computed == job->partitions)
        return CUZK_JOB_VERIFYING;
    return job->state;
}

bool cuzk_core_view_job(const cuzk_core *core, uint64_t now, cuzk_job_no number,
                        cuzk_job_view *view)
{
    const core_job *job = cuzk_core_job_find(core, number);
    if (!job)
        return false;
    uint64_t until = job->ended ? job->ended : now;
    *view = (cuzk_job_view){
        .job = number,
        .request_id = job->request_id,
        .kind = job->kind,
        .class_ = job->class_,
        .rank = job->rank,
        .state = shown_state(job),
        .outcome = job->state,
        .key = job->key ? job->key->name : "",
        .follows = job->leader ? job->leader->number : 0,
        .partitions = job->partitions,
        .partitions_done = job->done,
        .submitted = job->submitted,
        .started = job->started,
        .ended = job->ended,
        .queue_ns = (job->started ? job->started : until) - job->submitted,
        .key_ns = job->key_ns + (job->key_since ? until - job->key_since : 0),
        .synth_ns = core_span_ns(&job->synth, now),
        .compute_ns = core_span_ns(&job->compute, now),
        .failure = job->failure,
    };
    return true;
}

bool cuzk_core_view_part(const cuzk_core *core, uint64_t now, cuzk_job_no number,
                         uint32_t partition, cuzk_part_view *view)
{
    const core_job *job = cuzk_core_job_find(core, number);
    if (!job || partition >= job->partitions)
        return false;
    const core_part *part = &job->parts[partition];
    *view = (cuzk_part_view){
        .state = part->state,
        .attempt = part->attempt,
        .device = part->device,
        .synth_ns = part->work == CORE_WORK_SYNTH ? now - part->synth_begin : part->synth_ns,
        .compute_ns =
            part->work == CORE_WORK_COMPUTE ? now - part->compute_begin : part->compute_ns,
    };
    return true;
}

static cuzk_attempt attempt_in(const core_part *part)
{
    return part ? cuzk_core_part_attempt(part) : (cuzk_attempt){0};
}

void cuzk_core_view_device(const cuzk_core *core, uint64_t now, unsigned index,
                           cuzk_device_view *view)
{
    CUZK_ASSERT(index < core->config.devices);
    const core_device *device = &core->devices[index];
    *view = (cuzk_device_view){
        .state = device->state,
        .computing = attempt_in(device->compute),
        .uploading = attempt_in(device->upload[0] ? device->upload[0] : device->upload[1]),
        .since = device->since,
        .partitions_done = device->parts_done,
        .faults = device->faults,
        .bad_proofs = device->bad_proofs,
        .quarantines = device->quarantines,
        .late_ops = device->late_ops,
        .late = device->lates,
        .quarantined = device->quarantined,
    };
    memcpy(view->ns, device->ns, sizeof view->ns);
    view->ns[device->state] += now - device->since;
}

cuzk_job_no cuzk_core_next_job(const cuzk_core *core, cuzk_job_no after)
{
    core_job probe = {.number = after};
    core_node *node = cuzk_core_tree_after(&core->by_number, &probe.by_number);
    return node ? CORE_OF(node, core_job, by_number)->number : 0;
}

typedef struct started_list {
    cuzk_job_no *jobs;
    size_t room, n;
} started_list;

/* Nodes are visited one after the other: a look-up for each would take most of the time. */
static void list_started(const core_node *node, started_list *list)
{
    for (; node != NULL; node = node->left) {
        list_started(node->right, list);
        const core_job *job = CORE_OF((core_node *)node, core_job, by_number);
        if (job->started == 0 || job->in_history)
            continue;
        if (list->n < list->room)
            list->jobs[list->n] = job->number;
        list->n++;
    }
}

size_t cuzk_core_started_jobs(const cuzk_core *core, cuzk_job_no *jobs, size_t room)
{
    started_list list = {.jobs = jobs, .room = room};
    list_started(core->by_number.root, &list);
    return list.n;
}

cuzk_job_no cuzk_core_ended_before(const cuzk_core *core, cuzk_job_no number)
{
    const core_job *job = number != 0 ? cuzk_core_job_find(core, number) : NULL;
    const core_job *before = number == 0 ? core->newest : job != NULL ? job->older : NULL;
    return before != NULL ? before->number : 0;
}

size_t cuzk_core_view_keys(const cuzk_core *core, cuzk_key_view *views, size_t room)
{
    size_t n = 0;
    for (core_node *node = cuzk_core_tree_first(&core->keys); node && n < room;
         node = cuzk_core_tree_after(&core->keys, node)) {
        const core_key *key = CORE_OF(node, core_key, by_name);
        if (key->state != CORE_KEY_LOADING && key->state != CORE_KEY_LOADED)
            continue;
        views[n++] = (cuzk_key_view){
            .key = key->name,
            .bytes = key->held,
            .refs = key->refs,
            .loading = key->state == CORE_KEY_LOADING,
            .pinned = key->pinned,
            .last_used = key->last_used,
        };
    }
    return n;
}
