/* Partitions and their attempts: the table of states, and the one way out of every state. */
#include "engine/core_state.h"

#define TO(state) (1u << CUZK_PART_##state)
#define ENDS      (TO(FAILED) | TO(CANCELLED))
/* A retry, or a device that went away. */
#define AGAIN (TO(READY) | ENDS)

/* Where each state may lead. */
static const unsigned allowed[CUZK_PART_STATES] = {
    [CUZK_PART_WAIT_INPUT] = TO(READY) | ENDS,
    [CUZK_PART_READY] = TO(ADMITTED) | ENDS,
    [CUZK_PART_ADMITTED] = TO(SYNTH) | AGAIN,
    [CUZK_PART_SYNTH] = TO(STAGED) | AGAIN,
    [CUZK_PART_STAGED] = TO(UPLOADING) | AGAIN,
    [CUZK_PART_UPLOADING] = TO(COMPUTING) | AGAIN,
    [CUZK_PART_COMPUTING] = TO(FINISHING) | AGAIN,
    [CUZK_PART_FINISHING] = TO(CHECKED) | AGAIN,
    [CUZK_PART_CHECKED] = 0,
    [CUZK_PART_FAILED] = 0,
    [CUZK_PART_CANCELLED] = 0,
};

static bool is_over(cuzk_part_state state)
{
    return state >= CUZK_PART_CHECKED;
}

int cuzk_core_part_node_order(const core_node *a, const core_node *b)
{
    const core_part *x = CORE_OF(a, core_part, node), *y = CORE_OF(b, core_part, node);
    int order = x->job == y->job ? 0 : cuzk_core_job_order(x->job, y->job);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

cuzk_attempt cuzk_core_part_attempt(const core_part *part)
{
    return (cuzk_attempt){part->job->number, part->index, part->attempt};
}

/* The list of a state whose partitions are in one; of the FINISHING only those that are finished
 * are in theirs. */
static core_tree *list_of(cuzk_core *core, cuzk_part_state state)
{
    return state == CUZK_PART_SYNTH       ? &core->synth
           : state == CUZK_PART_STAGED    ? &core->staged
           : state == CUZK_PART_FINISHING ? &core->checks
                                          : NULL;
}

static uint32_t *count_of(cuzk_core *core, const core_part *part)
{
    cuzk_class rank = part->job->rank;
    return part->state == CUZK_PART_SYNTH    ? &core->synth_of[rank]
           : part->state == CUZK_PART_STAGED ? &core->staged_of[rank]
                                             : NULL;
}

void cuzk_core_part_list(cuzk_core *core, core_part *part)
{
    uint32_t *count = count_of(core, part);
    cuzk_core_tree_add(list_of(core, part->state), &part->node);
    if (count)
        ++*count;
}

bool cuzk_core_part_unlist(cuzk_core *core, core_part *part)
{
    if (!cuzk_core_tree_has(&part->node))
        return false;
    uint32_t *count = count_of(core, part);
    cuzk_core_tree_remove(list_of(core, part->state), &part->node);
    if (count)
        --*count;
    return true;
}

bool cuzk_core_part_move(cuzk_core *core, core_part *part, cuzk_part_state state)
{
    if (!(allowed[part->state] & (1u << state))) {
        if (!cuzk_job_state_is_terminal(part->job->state))
            cuzk_core_job_fail(
                core, part->job, CUZK_JOB_FAILED, CUZK_BLAME_SYSTEM, CUZK_ERR_ARGUMENT,
                "partition %u cannot go from %s to %s: a bug of cuzk, please report it",
                part->index, cuzk_part_state_name(part->state), cuzk_part_state_name(state));
        return false;
    }
    (void)cuzk_core_part_unlist(core, part);
    core->counters.parts[part->state]--;
    core->counters.parts[state]++;
    core_key *key = part->job->key;
    key->ready += state == CUZK_PART_READY;
    key->ready -= part->state == CUZK_PART_READY;
    core->ready_of[part->job->class_] += state == CUZK_PART_READY;
    core->ready_of[part->job->class_] -= part->state == CUZK_PART_READY;
    if (state == CUZK_PART_FINISHING)
        part->job->computed++;
    else if (part->state == CUZK_PART_FINISHING && state != CUZK_PART_CHECKED)
        part->job->computed--;
    part->state = state;
    if (state == CUZK_PART_SYNTH || state == CUZK_PART_STAGED)
        cuzk_core_part_list(core, part);
    return true;
}

void cuzk_core_part_ready(cuzk_core *core, core_part *part)
{
    core_job *job = part->job;
    if (!cuzk_core_part_move(core, part, CUZK_PART_READY))
        return;
    if (part->index < job->fresh) {
        part->next_retry = NULL;
        if (job->retry_last)
            job->retry_last->next_retry = part;
        else
            job->retry_first = part;
        job->retry_last = part;
    }
    cuzk_core_key_wait(core, job);
}

core_part *cuzk_core_part_next_ready(core_job *job)
{
    if (job->retry_first)
        return job->retry_first;
    return job->fresh < job->partitions ? &job->parts[job->fresh] : NULL;
}

static void take_ready(core_job *job, core_part *part)
{
    if (part != job->retry_first) {
        job->fresh++;
        return;
    }
    job->retry_first = part->next_retry;
    if (!job->retry_first)
        job->retry_last = NULL;
    part->next_retry = NULL;
}

void cuzk_core_part_admit(cuzk_core *core, core_job *job)
{
    core_part *part = cuzk_core_part_next_ready(job);
    take_ready(job, part);
    if (!cuzk_core_part_next_ready(job))
        cuzk_core_key_unwait(core, job);
    cuzk_core_buffers_admit(core, job);
    cuzk_core_key_ref(core, job->key);
    job->overtaken = 0;
    part->held = true;
    part->attempt++;
    part->device = -1;
    if (cuzk_core_part_move(core, part, CUZK_PART_ADMITTED) &&
        cuzk_core_part_move(core, part, CUZK_PART_SYNTH))
        cuzk_core_part_work(core, part, CORE_WORK_SYNTH);
}

void cuzk_core_part_work(cuzk_core *core, core_part *part, core_work work)
{
    cuzk_attempt attempt = cuzk_core_part_attempt(part);
    unsigned device = (unsigned)part->device;
    part->work = work;
    part->job->working++;
    core->working++;
    switch (work) {
    case CORE_WORK_SYNTH:
        core->synths++;
        part->synth_begin = core->now;
        core_span_begin(&part->job->synth, core->now);
        core->ops.synthesise(core->context, attempt);
        break;
    case CORE_WORK_UPLOAD:
        core->ops.upload(core->context, device, attempt);
        break;
    case CORE_WORK_COMPUTE:
        part->compute_begin = core->now;
        core_span_begin(&part->job->compute, core->now);
        core->ops.compute(core->context, device, attempt);
        break;
    case CORE_WORK_FINISH:
        core->ops.finish(core->context, device, attempt);
        break;
    case CORE_WORK_CHECK:
        core->checking++;
        core->ops.check(core->context, device, attempt);
        break;
    case CORE_WORK_NONE:
        break;
    }
}

void cuzk_core_part_release(cuzk_core *core, core_part *part)
{
    if (!part->held)
        return;
    part->held = false;
    core->ops.drop_attempt(core->context, cuzk_core_part_attempt(part));
    cuzk_core_buffers_drop(core, part->job);
    cuzk_core_key_unref(core, part->job->key);
}

void cuzk_core_part_unlink(cuzk_core *core, core_part *part)
{
    (void)cuzk_core_part_unlist(core, part);
    if (part->device < 0)
        return;
    core_device *device = &core->devices[part->device];
    for (unsigned i = 0; i < CORE_UPLOADS; i++)
        if (device->upload[i] == part)
            device->upload[i] = NULL;
    if (device->compute == part)
        device->compute = NULL;
    if (device->finish == part)
        device->finish = NULL;
}

void cuzk_core_part_cancel(cuzk_core *core, core_part *part)
{
    if (is_over(part->state))
        return;
    if (part->work != CORE_WORK_NONE) {
        core->ops.cancel_attempt(core->context, cuzk_core_part_attempt(part));
    } else {
        cuzk_core_part_unlink(core, part);
        cuzk_core_part_release(core, part);
    }
    (void)cuzk_core_part_move(core, part, CUZK_PART_CANCELLED);
}

void cuzk_core_part_requeue(cuzk_core *core, core_part *part)
{
    cuzk_core_part_unlink(core, part);
    cuzk_core_part_release(core, part);
    part->device = -1;
    cuzk_core_part_ready(core, part);
}
