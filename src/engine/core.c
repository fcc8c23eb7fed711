/* The core's frame: making it, the pass that follows every call, timers. */
#include "engine/core_state.h"

#include <stdlib.h>

const uint64_t cuzk_duration_ms[CUZK_DURATION_BUCKETS - 1] = {
    50, 100, 250, 500, 1000, 2500, 5000, 10000, 30000, 60000, 120000, 300000, 900000};

static int number_order(const core_node *a, const core_node *b)
{
    const core_job *x = CORE_OF(a, core_job, by_number), *y = CORE_OF(b, core_job, by_number);
    return (x->number > y->number) - (x->number < y->number);
}

static int pending_order(const core_node *a, const core_node *b)
{
    return cuzk_core_job_order(CORE_OF(a, core_job, pending), CORE_OF(b, core_job, pending));
}

static int queue_order(const core_node *a, const core_node *b)
{
    return cuzk_core_job_order(CORE_OF(a, core_job, queue), CORE_OF(b, core_job, queue));
}

static int time_order(uint64_t at, cuzk_job_no job, uint64_t other_at, cuzk_job_no other)
{
    return at != other_at ? (at < other_at ? -1 : 1) : (job > other) - (job < other);
}

static int deadline_order(const core_node *a, const core_node *b)
{
    const core_job *x = CORE_OF(a, core_job, deadline_timer);
    const core_job *y = CORE_OF(b, core_job, deadline_timer);
    return time_order(x->deadline, x->number, y->deadline, y->number);
}

static int orphan_order(const core_node *a, const core_node *b)
{
    const core_job *x = CORE_OF(a, core_job, orphan_timer);
    const core_job *y = CORE_OF(b, core_job, orphan_timer);
    return time_order(x->orphan_at, x->number, y->orphan_at, y->number);
}

static void make_trees(cuzk_core *core)
{
    core->by_number.order = number_order;
    core->by_id.order = cuzk_core_job_id_order;
    core->by_content.order = cuzk_core_twin_content_order;
    core->pending.order = pending_order;
    core->parse_queue.order = queue_order;
    core->deadlines.order = deadline_order;
    core->orphans.order = orphan_order;
    core->ages.order = cuzk_core_age_order;
    core->keys.order = cuzk_core_key_name_order;
    core->wanted.order = cuzk_core_key_wanted_order;
    core->idle_keys.order = cuzk_core_key_idle_order;
    core->preloads.order = cuzk_core_key_preload_order;
    core->synth.order = core->staged.order = core->checks.order = cuzk_core_part_node_order;
}

static void check_config(const cuzk_core_config *config, const cuzk_core_ops *ops)
{
    CUZK_ASSERT(config->devices > 0 && config->devices <= CUZK_DEVICES_MAX);
    CUZK_ASSERT(config->critical_reserve <= config->memory_total);
    CUZK_ASSERT(config->parse_slots > 0 && config->synth_slots > 0 && config->check_slots > 0);
    CUZK_ASSERT(config->attempts_max > 0 && config->device_faults_max > 0);
    CUZK_ASSERT(ops->store_job && ops->parse && ops->load_key && ops->free_key && ops->synthesise);
    CUZK_ASSERT(ops->upload && ops->compute && ops->finish && ops->check && ops->store_result);
    CUZK_ASSERT(ops->payload_done && ops->drop_attempt && ops->cancel_attempt && ops->accepted);
    CUZK_ASSERT(ops->share_result);
    CUZK_ASSERT(ops->drop_input && ops->ended && ops->forget && ops->gap && ops->quarantined);
    CUZK_ASSERT(ops->drained && ops->free_buffer && ops->warm_buffer);
}

cuzk_core *cuzk_core_new(const cuzk_core_config *config, const cuzk_core_ops *ops, void *context,
                         uint64_t now)
{
    check_config(config, ops);
    cuzk_core *core = calloc(1, sizeof *core);
    if (!core)
        return NULL;
    core->config = *config;
    core->ops = *ops;
    core->context = context;
    core->started = core->now = now;
    core->next_job = 1;
    core->well = config->devices;
    make_trees(core);
    for (unsigned i = 0; i < config->devices; i++) {
        core_device *device = &core->devices[i];
        device->state = CUZK_IDLE_NO_JOB;
        device->since = device->gap_begin = now;
        device->quarantine_end = CUZK_NEVER;
    }
    return core;
}

void cuzk_core_free(cuzk_core *core)
{
    if (!core)
        return;
    for (core_node *node; (node = cuzk_core_tree_first(&core->by_number));) {
        cuzk_core_tree_remove(&core->by_number, node);
        cuzk_core_job_free(CORE_OF(node, core_job, by_number));
    }
    for (core_node *node; (node = cuzk_core_tree_first(&core->keys));) {
        cuzk_core_tree_remove(&core->keys, node);
        free(CORE_OF(node, core_key, by_name));
    }
    free(core);
}

void cuzk_core_enter(cuzk_core *core, uint64_t now)
{
    CUZK_ASSERT(now >= core->now);
    core->now = now;
}

static void check_drained(cuzk_core *core)
{
    if (!core->draining || core->drained || core->jobs_unsettled > 0)
        return;
    uint64_t left = core->drain_all ? core->jobs_live : core->jobs_started + core->storings;
    if (left > 0)
        return;
    core->drained = true;
    core->ops.drained(core->context);
}

void cuzk_core_settle(cuzk_core *core)
{
    do {
        cuzk_core_history_trim(core);
        cuzk_core_buffers_yield(core);
        cuzk_core_device_run(core);
        cuzk_core_sched_check(core);
        cuzk_core_sched_parse(core);
        /* A device that has nothing to do gets what can be made with the keys that are there
         * before the next key takes the room for that. */
        if (!cuzk_core_sched_is_hungry(core))
            cuzk_core_sched_load(core);
        cuzk_core_sched_admit(core);
        /* What was admitted needs nothing set aside any more. */
        cuzk_core_sched_load(core);
    } while (cuzk_core_sched_unblock(core));
    cuzk_core_idle_note(core);
    check_drained(core);
}

void cuzk_core_drain(cuzk_core *core, uint64_t now, bool all)
{
    cuzk_core_enter(core, now);
    core->draining = true;
    if (all && !core->drain_all) {
        core->drain_all = true;
        core->drained = false;
    }
    cuzk_core_settle(core);
}

static uint64_t history_timer(const cuzk_core *core)
{
    if (!core->oldest || core->config.history_ns == CUZK_NEVER)
        return CUZK_NEVER;
    return core->oldest->ended + core->config.history_ns;
}

uint64_t cuzk_core_next_timer(const cuzk_core *core)
{
    uint64_t next = history_timer(core), buffers = cuzk_core_buffers_timer(core);
    if (buffers < next)
        next = buffers;
    core_node *node = cuzk_core_tree_first(&core->deadlines);
    if (node && CORE_OF(node, core_job, deadline_timer)->deadline < next)
        next = CORE_OF(node, core_job, deadline_timer)->deadline;
    node = cuzk_core_tree_first(&core->orphans);
    if (node && CORE_OF(node, core_job, orphan_timer)->orphan_at < next)
        next = CORE_OF(node, core_job, orphan_timer)->orphan_at;
    node = cuzk_core_tree_first(&core->ages);
    if (node && CORE_OF(node, core_job, age_timer)->age_at < next)
        next = CORE_OF(node, core_job, age_timer)->age_at;
    for (unsigned i = 0; i < core->config.devices; i++)
        if (core->devices[i].quarantined && core->devices[i].quarantine_end < next)
            next = core->devices[i].quarantine_end;
    return next;
}

static void expire(cuzk_core *core)
{
    for (core_node *node; (node = cuzk_core_tree_first(&core->deadlines));) {
        core_job *job = CORE_OF(node, core_job, deadline_timer);
        if (job->deadline > core->now)
            return;
        cuzk_core_job_fail(core, job, CUZK_JOB_EXPIRED, CUZK_BLAME_INPUT, CUZK_ERR_CANCELLED,
                           "the deadline passed in state %s, %llu ms after it was submitted",
                           cuzk_job_state_name(job->state),
                           (unsigned long long)((core->now - job->submitted) / 1000000));
    }
}

static void cancel_orphans(cuzk_core *core)
{
    for (core_node *node; (node = cuzk_core_tree_first(&core->orphans));) {
        core_job *job = CORE_OF(node, core_job, orphan_timer);
        if (job->orphan_at > core->now)
            return;
        cuzk_core_job_fail(core, job, CUZK_JOB_CANCELLED, CUZK_BLAME_INPUT, CUZK_ERR_CANCELLED,
                           "cancelled in state %s: all callers that waited for it are gone",
                           cuzk_job_state_name(job->state));
    }
}

void cuzk_core_tick(cuzk_core *core, uint64_t now)
{
    cuzk_core_enter(core, now);
    expire(core);
    cancel_orphans(core);
    cuzk_core_age_tick(core);
    cuzk_core_device_tick(core);
    cuzk_core_buffers_tick(core);
    cuzk_core_settle(core);
}
