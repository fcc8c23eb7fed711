/* What must hold between calls. */
#include "engine/core_state.h"

#include <string.h>

typedef struct sums {
    uint64_t memory[CUZK_MEMORY_OWNERS], parts[CUZK_PART_STATES], class_jobs[CUZK_CLASSES];
    uint64_t live, started, unsettled, pending, working, parsing, storing, history, late;
} sums;

static void check_part(const cuzk_core *core, const core_part *part, sums *sum)
{
    const core_job *job = part->job;
    sum->parts[part->state]++;
    if (part->held) {
        sum->memory[CUZK_MEMORY_WITNESS] += job->witness_bytes;
        CUZK_ASSERT(job->key->state == CORE_KEY_LOADED && job->key->refs > 0);
    }
    if (part->work != CORE_WORK_NONE)
        CUZK_ASSERT(part->held && part->attempt > 0);
    bool over = part->state >= CUZK_PART_CHECKED, ready = part->state == CUZK_PART_READY;
    if (cuzk_job_state_is_terminal(job->state))
        CUZK_ASSERT(over);
    if (ready)
        CUZK_ASSERT(!part->held && part->work == CORE_WORK_NONE && cuzk_core_tree_has(&job->queue));
    if (over && part->work == CORE_WORK_NONE)
        CUZK_ASSERT(!part->held);
    if (!over && !ready)
        CUZK_ASSERT(part->held);
    if (part->state == CUZK_PART_SYNTH)
        CUZK_ASSERT(part->work == CORE_WORK_SYNTH);
    if (part->state == CUZK_PART_SYNTH || part->state == CUZK_PART_STAGED)
        CUZK_ASSERT(cuzk_core_tree_has(&part->node));
    if (part->state == CUZK_PART_COMPUTING)
        CUZK_ASSERT(core->devices[part->device].compute == part);
}

static void check_job(const cuzk_core *core, const core_job *job, sums *sum)
{
    bool over = cuzk_job_state_is_terminal(job->state);
    sum->live += !over;
    sum->class_jobs[job->class_] += !over;
    sum->started += !over && job->started;
    sum->unsettled += over && !job->settled;
    sum->pending += cuzk_core_tree_has(&job->pending);
    sum->history += job->in_history;
    sum->parsing += job->parsing;
    sum->working += job->working + job->parsing;
    sum->storing += (uint64_t)job->storing + job->storing_result;
    sum->memory[CUZK_MEMORY_PAYLOAD] += job->payload_held;
    sum->memory[CUZK_MEMORY_INPUT] += job->input_held;
    sum->memory[CUZK_MEMORY_RESULT] += job->result_held;
    sum->late += job->late;
    if (job->late > 0) {
        sum->memory[CUZK_MEMORY_WITNESS] += job->late * job->witness_bytes;
        CUZK_ASSERT(job->has_input && job->key->state == CORE_KEY_LOADED && job->key->refs > 0);
    }
    if (!over)
        CUZK_ASSERT(cuzk_core_tree_has(&job->pending) == !job->started);
    if (over)
        CUZK_ASSERT(!cuzk_core_tree_has(&job->queue) && !cuzk_core_tree_has(&job->deadline_timer) &&
                    !cuzk_core_tree_has(&job->orphan_timer) &&
                    !cuzk_core_tree_has(&job->age_timer));
    if (job->leader)
        CUZK_ASSERT(!over && job->state == CUZK_JOB_ACCEPTED && !cuzk_core_tree_has(&job->queue) &&
                    !cuzk_core_tree_has(&job->by_content) && !job->followers.root &&
                    cuzk_core_tree_has(&job->leader->by_content) &&
                    job->kind == job->leader->kind &&
                    memcmp(job->digest, job->leader->digest, sizeof job->digest) == 0);
    else
        CUZK_ASSERT(cuzk_core_tree_has(&job->by_content) ==
                    (!over && job->state != CUZK_JOB_RECEIVED));
    if (job->state == CUZK_JOB_ACCEPTED)
        CUZK_ASSERT(cuzk_core_tree_has(&job->queue) == (job->leader == NULL));
    if (job->in_history)
        CUZK_ASSERT(over && job->settled && job->working == 0 && job->late == 0 &&
                    !job->has_input && !job->has_payload && job->input_held == 0 &&
                    job->payload_held == 0);
    uint32_t done = 0, computed = 0, working = 0, ready = 0;
    for (uint32_t i = 0; i < job->partitions; i++) {
        const core_part *part = &job->parts[i];
        check_part(core, part, sum);
        done += part->state == CUZK_PART_CHECKED;
        computed += part->state == CUZK_PART_CHECKED || part->state == CUZK_PART_FINISHING;
        working += part->work != CORE_WORK_NONE;
        ready += part->state == CUZK_PART_READY;
    }
    CUZK_ASSERT(done == job->done && working == job->working);
    CUZK_ASSERT(over || computed == job->computed);
    if (job->key)
        CUZK_ASSERT(cuzk_core_tree_has(&job->queue) == (ready > 0));
    if (job->state == CUZK_JOB_COMPLETED && !job->restored)
        CUZK_ASSERT(done == job->partitions);
}

static uint64_t count_ready(const core_key *key)
{
    uint64_t ready = 0;
    for (core_node *node = cuzk_core_tree_first(&key->waiting); node;
         node = cuzk_core_tree_after(&key->waiting, node)) {
        const core_job *job = CORE_OF(node, core_job, queue);
        for (uint32_t i = 0; i < job->partitions; i++)
            ready += job->parts[i].state == CUZK_PART_READY;
    }
    return ready;
}

static void check_keys(const cuzk_core *core, sums *sum)
{
    uint64_t freeing = 0;
    uint32_t loads = 0, frees = 0;
    for (core_node *node = cuzk_core_tree_first(&core->keys); node;
         node = cuzk_core_tree_after(&core->keys, node)) {
        const core_key *key = CORE_OF(node, core_key, by_name);
        sum->memory[CUZK_MEMORY_KEY] += key->held;
        freeing += key->state == CORE_KEY_FREEING ? key->held : 0;
        frees += key->state == CORE_KEY_FREEING;
        loads += key->state == CORE_KEY_LOADING;
        CUZK_ASSERT(key->state == CORE_KEY_LOADED || key->refs == 0);
        CUZK_ASSERT(key->state != CORE_KEY_ABSENT || key->held == 0);
        CUZK_ASSERT(cuzk_core_tree_has(&key->idle) ==
                    (key->state == CORE_KEY_LOADED && key->refs == 0));
        CUZK_ASSERT(count_ready(key) == key->ready);
        CUZK_ASSERT(cuzk_core_tree_has(&key->wanted) == (cuzk_core_tree_size(&key->waiting) > 0));
    }
    CUZK_ASSERT(freeing == core->freeing && loads == core->loads && frees == core->frees);
}

static void check_devices(const cuzk_core *core, const sums *sum)
{
    uint32_t well = 0, late = 0;
    for (unsigned i = 0; i < core->config.devices; i++) {
        const core_device *device = &core->devices[i];
        well += !device->quarantined;
        late += device->lates;
        CUZK_ASSERT(device->lates == 0 || device->lost);
        uint64_t total = 0;
        for (unsigned state = 0; state < CUZK_DEVICE_STATES; state++)
            total += device->ns[state];
        CUZK_ASSERT(total == device->since - core->started);
        const core_part *slots[] = {device->upload[0], device->upload[1], device->compute,
                                    device->finish};
        for (unsigned s = 0; s < sizeof slots / sizeof *slots; s++)
            CUZK_ASSERT(!slots[s] || (slots[s]->device == (int)i && slots[s]->held));
    }
    CUZK_ASSERT(well == core->well && late == core->late && late == sum->late);
}

static void check_buffers(const cuzk_core *core, sums *sum)
{
    const core_buffers *b = &core->buffers;
    uint64_t idle = 0, since = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        CUZK_ASSERT(b->idle[i].bytes > 0 && b->idle[i].since >= since);
        since = b->idle[i].since;
        idle += b->idle[i].bytes;
    }
    CUZK_ASSERT(idle == b->idle_bytes && (b->frees > 0) == (b->freeing > 0) &&
                (b->warms > 0) == (b->warming > 0));
    sum->memory[CUZK_MEMORY_POOL] = idle + b->freeing + b->warming;
}

void cuzk_core_check(const cuzk_core *core)
{
    sums found;
    memset(&found, 0, sizeof found);
    for (core_node *node = cuzk_core_tree_first(&core->by_number); node;
         node = cuzk_core_tree_after(&core->by_number, node))
        check_job(core, CORE_OF(node, core_job, by_number), &found);
    check_keys(core, &found);
    check_devices(core, &found);
    check_buffers(core, &found);
    uint64_t used = 0;
    for (unsigned i = 0; i < CUZK_MEMORY_OWNERS; i++) {
        CUZK_ASSERT(core->memory[i] == found.memory[i]);
        used += core->memory[i];
    }
    CUZK_ASSERT(used == core->used && used <= core->config.memory_total);
    for (unsigned i = 0; i < CUZK_PART_STATES; i++)
        CUZK_ASSERT(core->counters.parts[i] == found.parts[i]);
    for (unsigned i = 0; i < CUZK_CLASSES; i++)
        CUZK_ASSERT(core->class_jobs[i] == found.class_jobs[i]);
    CUZK_ASSERT(core->jobs_live == found.live && core->jobs_started == found.started);
    CUZK_ASSERT(core->jobs_unsettled == found.unsettled);
    CUZK_ASSERT(cuzk_core_tree_size(&core->pending) == found.pending);
    CUZK_ASSERT(core->working == found.working && core->parses == found.parsing);
    CUZK_ASSERT(core->storings == found.storing && core->history_jobs == found.history);
}
