/* The idle ledger: every device is in one state at every moment, and an idle one says what it waits
 * for, named after the partition that is furthest on its way to it. */
#include "engine/core_state.h"

#include <string.h>

typedef struct cause {
    cuzk_device_state state;
    const core_part *part; /* NULL: none, or a job that has no partitions yet */
    const core_job *job;
} cause;

static const core_part *first_part(const core_tree *tree)
{
    core_node *node = cuzk_core_tree_first(tree);
    return node ? CORE_OF(node, core_part, node) : NULL;
}

static cause of_job(cuzk_device_state state, core_job *job)
{
    return (cause){state, job->key ? cuzk_core_part_next_ready(job) : NULL, job};
}

/* What all devices wait for that have nothing of their own. */
static cause shared_cause(const cuzk_core *core)
{
    const core_part *part = first_part(&core->staged);
    if (part)
        return (cause){CUZK_IDLE_WAIT_UPLOAD, part, part->job};
    part = first_part(&core->synth);
    if (part)
        return (cause){CUZK_IDLE_WAIT_SYNTH, part, part->job};
    if (core->blocked)
        return of_job(core->blocked_by, core->blocked);
    core_node *node = cuzk_core_tree_first(&core->wanted);
    if (node)
        return of_job(CUZK_IDLE_WAIT_SYNTH, cuzk_core_key_first(CORE_OF(node, core_key, wanted)));
    if (core->parse_blocked && core->parses == 0)
        return of_job(CUZK_IDLE_WAIT_BUDGET, core->parse_blocked);
    bool queued = core->parse_queue.root && (!core->draining || core->drain_all);
    if (core->parses > 0 || queued)
        return (cause){CUZK_IDLE_WAIT_PARSE, NULL, NULL};
    return (cause){core->draining ? CUZK_IDLE_DRAIN : CUZK_IDLE_NO_JOB, NULL, NULL};
}

static cause cause_of(const core_device *device, const cause *shared)
{
    const core_part *part = device->compute;
    if (part && part->work == CORE_WORK_COMPUTE)
        return (cause){CUZK_DEVICE_BUSY, NULL, NULL};
    if (device->quarantined)
        return (cause){CUZK_IDLE_FAULT, NULL, NULL};
    if (part)
        return (cause){CUZK_IDLE_HOST_GAP, part, part->job};
    part = device->upload[0] ? device->upload[0] : device->upload[1];
    if (part)
        return (cause){CUZK_IDLE_WAIT_UPLOAD, part, part->job};
    return *shared;
}

static void report_gap(cuzk_core *core, core_device *device)
{
    if (core->now - device->gap_begin <= core->config.gap_ns)
        return;
    unsigned most = CUZK_IDLE_NO_JOB;
    for (unsigned i = 0; i < CUZK_DEVICE_STATES; i++)
        if (device->gap_ns[i] > device->gap_ns[most])
            most = i;
    bool known = device->waited_for[most].known;
    core->ops.gap(core->context, (unsigned)(device - core->devices), (cuzk_device_state)most,
                  device->gap_begin, core->now, known ? &device->waited_for[most].attempt : NULL,
                  known ? device->waited_for[most].state : CUZK_PART_WAIT_INPUT);
}

static void change(cuzk_core *core, core_device *device, const cause *to)
{
    uint64_t passed = core->now - device->since;
    device->ns[device->state] += passed;
    device->since = core->now;
    if (device->state == CUZK_DEVICE_BUSY) {
        memset(device->gap_ns, 0, sizeof device->gap_ns);
        memset(device->waited_for, 0, sizeof device->waited_for);
        device->gap_begin = core->now;
    } else {
        device->gap_ns[device->state] += passed;
        if (to->state == CUZK_DEVICE_BUSY)
            report_gap(core, device);
    }
    device->state = to->state;
    if (to->state == CUZK_DEVICE_BUSY || device->waited_for[to->state].known || !to->job)
        return;
    device->waited_for[to->state].known = true;
    device->waited_for[to->state].state = to->part ? to->part->state : CUZK_PART_WAIT_INPUT;
    device->waited_for[to->state].attempt =
        to->part ? cuzk_core_part_attempt(to->part) : (cuzk_attempt){to->job->number, 0, 0};
}

void cuzk_core_idle_note(cuzk_core *core)
{
    cause shared = shared_cause(core);
    for (unsigned i = 0; i < core->config.devices; i++) {
        core_device *device = &core->devices[i];
        cause now = cause_of(device, &shared);
        if (now.state != device->state)
            change(core, device, &now);
    }
}
