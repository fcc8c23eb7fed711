/* Devices: three slots each (upload, compute, finish), and which of them are trusted. */
#include "engine/core_state.h"

static unsigned uploads_of(const core_device *device)
{
    return (device->upload[0] ? 1u : 0u) + (device->upload[1] ? 1u : 0u);
}

/* The slot for an upload, or NULL. The second is for CRITICAL. */
static core_part **free_slot(core_device *device, cuzk_class class_)
{
    if (!device->upload[0])
        return &device->upload[0];
    return class_ == CUZK_CLASS_CRITICAL && !device->upload[1] ? &device->upload[1] : NULL;
}

/* Devices to keep away from: those on which it failed, unless there is no other. */
static uint64_t avoided(const cuzk_core *core, const core_part *part)
{
    for (unsigned i = 0; i < core->config.devices; i++)
        if (!core->devices[i].quarantined && !(part->avoid >> i & 1))
            return part->avoid;
    return 0;
}

/* The least loaded device that can take the partition; among equals the one that had fewest. */
static core_device *choose_device(cuzk_core *core, const core_part *part)
{
    uint64_t avoid = avoided(core, part);
    core_device *best = NULL;
    unsigned best_load = 0;
    for (unsigned i = 0; i < core->config.devices; i++) {
        core_device *device = &core->devices[i];
        if (device->quarantined || (avoid >> i & 1) || !free_slot(device, part->job->class_))
            continue;
        unsigned load = uploads_of(device) + (device->compute ? 1u : 0u);
        if (!best || load < best_load || (load == best_load && device->assigned < best->assigned)) {
            best = device;
            best_load = load;
        }
    }
    return best;
}

static void start_uploads(cuzk_core *core)
{
    for (core_node *node = cuzk_core_tree_first(&core->staged), *next; node; node = next) {
        next = cuzk_core_tree_after(&core->staged, node);
        core_part *part = CORE_OF(node, core_part, node);
        core_device *device = choose_device(core, part);
        if (!device && !part->avoid)
            return; /* no slot is free for its class, so none for those behind */
        if (!device)
            continue;
        part->device = (int)(device - core->devices);
        *free_slot(device, part->job->class_) = part;
        device->assigned++;
        if (cuzk_core_part_move(core, part, CUZK_PART_UPLOADING))
            cuzk_core_part_work(core, part, CORE_WORK_UPLOAD);
    }
}

static void start_finish(cuzk_core *core, core_device *device)
{
    core_part *part = device->compute;
    if (!part || part->work != CORE_WORK_NONE || device->finish)
        return;
    device->compute = NULL;
    device->finish = part;
    if (cuzk_core_part_move(core, part, CUZK_PART_FINISHING))
        cuzk_core_part_work(core, part, CORE_WORK_FINISH);
}

static void start_compute(cuzk_core *core, core_device *device)
{
    core_part **best = NULL;
    for (unsigned i = 0; i < CORE_UPLOADS; i++) {
        core_part *part = device->upload[i];
        if (part && part->work == CORE_WORK_NONE &&
            (!best || cuzk_core_part_node_order(&part->node, &(*best)->node) < 0))
            best = &device->upload[i];
    }
    if (device->compute || !best)
        return;
    core_part *part = *best;
    *best = NULL;
    device->compute = part;
    if (cuzk_core_part_move(core, part, CUZK_PART_COMPUTING))
        cuzk_core_part_work(core, part, CORE_WORK_COMPUTE);
}

void cuzk_core_device_run(cuzk_core *core)
{
    for (unsigned i = 0; i < core->config.devices; i++) {
        start_finish(core, &core->devices[i]);
        start_compute(core, &core->devices[i]);
    }
    start_uploads(core);
}

static void requeue_waiting(cuzk_core *core, core_part *part)
{
    if (part && part->work == CORE_WORK_NONE)
        cuzk_core_part_requeue(core, part);
}

/* Takes no more work; what was uploaded and waits goes elsewhere. */
static void quarantine(cuzk_core *core, core_device *device, uint64_t end)
{
    device->quarantine_end = end;
    if (!device->quarantined) {
        device->quarantined = true;
        device->quarantines++;
        core->well--;
        core->ops.quarantined(core->context, (unsigned)(device - core->devices), true);
    }
    for (unsigned i = 0; i < CORE_UPLOADS; i++)
        requeue_waiting(core, device->upload[i]);
    if (device->lost)
        requeue_waiting(core, device->compute);
}

static void release(cuzk_core *core, core_device *device)
{
    device->quarantined = device->lost = false;
    device->quarantine_end = CUZK_NEVER;
    device->faults_in_row = 0;
    core->well++;
    core->ops.quarantined(core->context, (unsigned)(device - core->devices), false);
}

void cuzk_core_device_fault(cuzk_core *core, unsigned index, bool bad_proof)
{
    core_device *device = &core->devices[index];
    if (bad_proof)
        device->bad_proofs++;
    else if (!device->lost) /* which was counted once */
        device->faults++;
    device->faults_in_row++;
    const cuzk_core_config *config = &core->config;
    if (device->quarantined || device->faults_in_row < config->device_faults_max)
        return;
    if (config->quarantine_ns == CUZK_NEVER && core->well == 1)
        return;
    quarantine(core, device,
               config->quarantine_ns == CUZK_NEVER ? CUZK_NEVER
                                                   : core->now + config->quarantine_ns);
}

void cuzk_core_device_well(cuzk_core *core, unsigned index)
{
    core->devices[index].faults_in_row = 0;
    core->devices[index].parts_done++;
}

void cuzk_core_device_tick(cuzk_core *core)
{
    for (unsigned i = 0; i < core->config.devices; i++) {
        core_device *device = &core->devices[i];
        if (device->quarantined && !device->lost && device->quarantine_end <= core->now)
            release(core, device);
    }
}

void cuzk_core_device_lost(cuzk_core *core, uint64_t now, unsigned index,
                           const cuzk_failure *failure)
{
    (void)failure;
    cuzk_core_enter(core, now);
    CUZK_ASSERT(index < core->config.devices);
    core->devices[index].lost = true;
    core->devices[index].faults++;
    quarantine(core, &core->devices[index], CUZK_NEVER);
    cuzk_core_settle(core);
}

void cuzk_core_device_back(cuzk_core *core, uint64_t now, unsigned index)
{
    cuzk_core_enter(core, now);
    CUZK_ASSERT(index < core->config.devices);
    CUZK_ASSERT(core->devices[index].lates == 0);
    if (core->devices[index].quarantined)
        release(core, &core->devices[index]);
    cuzk_core_settle(core);
}
