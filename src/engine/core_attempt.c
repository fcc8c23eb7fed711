/* What becomes of an attempt when an op on it ends. */
#include "engine/core_state.h"

/* The attempt that an answer is about, its op ended and counted. */
static core_part *take_answer(cuzk_core *core, cuzk_attempt a, core_work work)
{
    core_job *job = cuzk_core_job_find(core, a.job);
    CUZK_ASSERT(job && a.partition < job->partitions);
    core_part *part = &job->parts[a.partition];
    CUZK_ASSERT(part->work == work && part->attempt == a.attempt);
    part->work = CORE_WORK_NONE;
    job->working--;
    core->working--;
    if (work == CORE_WORK_SYNTH) {
        core->synths--;
        part->synth_ns = core->now - part->synth_begin;
        core_span_end(&job->synth, core->now);
    } else if (work == CORE_WORK_COMPUTE) {
        part->compute_ns = core->now - part->compute_begin;
        core_span_end(&job->compute, core->now);
    } else if (work == CORE_WORK_CHECK) {
        core->checking--;
    }
    return part;
}

static void fail_attempt(cuzk_core *core, core_part *part, core_work work,
                         const cuzk_failure *failure)
{
    bool of_device = failure->blame == CUZK_BLAME_DEVICE;
    int device = part->device;
    cuzk_core_part_unlink(core, part);
    cuzk_core_part_release(core, part);
    if (of_device && device >= 0) {
        part->avoid |= UINT64_C(1) << device;
        cuzk_core_device_fault(core, (unsigned)device, work == CORE_WORK_CHECK);
    }
    if (of_device && ++part->failures < core->config.attempts_max) {
        core->counters.retries++;
        part->device = -1;
        cuzk_core_part_ready(core, part);
        return;
    }
    cuzk_core_part_move(core, part, CUZK_PART_FAILED);
    cuzk_core_job_end(core, part->job, CUZK_JOB_FAILED, failure);
}

/* Whether the attempt goes on; else all that follows from its end is done. */
static bool goes_on(cuzk_core *core, core_part *part, core_work work, const cuzk_failure *failure)
{
    core_job *job = part->job;
    if (cuzk_job_state_is_terminal(job->state)) {
        cuzk_core_part_unlink(core, part);
        cuzk_core_part_release(core, part);
        cuzk_core_job_rest(core, job);
        return false;
    }
    if (failure) {
        fail_attempt(core, part, work, failure);
        return false;
    }
    return true;
}

void cuzk_core_synthesised(cuzk_core *core, uint64_t now, cuzk_attempt a,
                           const cuzk_failure *failure)
{
    cuzk_core_enter(core, now);
    core_part *part = take_answer(core, a, CORE_WORK_SYNTH);
    core->synth_mean = core_mean(core->synth_mean, part->synth_ns);
    if (goes_on(core, part, CORE_WORK_SYNTH, failure))
        (void)cuzk_core_part_move(core, part, CUZK_PART_STAGED);
    cuzk_core_settle(core);
}

void cuzk_core_uploaded(cuzk_core *core, uint64_t now, cuzk_attempt a, const cuzk_failure *failure)
{
    cuzk_core_enter(core, now);
    core_part *part = take_answer(core, a, CORE_WORK_UPLOAD);
    if (goes_on(core, part, CORE_WORK_UPLOAD, failure) && core->devices[part->device].quarantined)
        cuzk_core_part_requeue(core, part);
    cuzk_core_settle(core);
}

void cuzk_core_computed(cuzk_core *core, uint64_t now, cuzk_attempt a, const cuzk_failure *failure)
{
    cuzk_core_enter(core, now);
    core_part *part = take_answer(core, a, CORE_WORK_COMPUTE);
    core->compute_mean = core_mean(core->compute_mean, part->compute_ns);
    if (goes_on(core, part, CORE_WORK_COMPUTE, failure) && core->devices[part->device].lost)
        cuzk_core_part_requeue(core, part);
    cuzk_core_settle(core);
}

void cuzk_core_finished(cuzk_core *core, uint64_t now, cuzk_attempt a, const cuzk_failure *failure)
{
    cuzk_core_enter(core, now);
    core_part *part = take_answer(core, a, CORE_WORK_FINISH);
    if (goes_on(core, part, CORE_WORK_FINISH, failure)) {
        cuzk_core_part_unlink(core, part);
        cuzk_core_part_list(core, part);
    }
    cuzk_core_settle(core);
}

void cuzk_core_checked(cuzk_core *core, uint64_t now, cuzk_attempt a, const cuzk_failure *failure)
{
    cuzk_core_enter(core, now);
    core_part *part = take_answer(core, a, CORE_WORK_CHECK);
    if (goes_on(core, part, CORE_WORK_CHECK, failure) &&
        cuzk_core_part_move(core, part, CUZK_PART_CHECKED)) {
        cuzk_core_part_release(core, part);
        cuzk_core_device_well(core, (unsigned)part->device);
        if (++part->job->done == part->job->partitions)
            cuzk_core_job_end(core, part->job, CUZK_JOB_COMPLETED, NULL);
    }
    cuzk_core_settle(core);
}

/* What the attempt holds becomes the device's, until it returns. */
static void keep_late(cuzk_core *core, core_part *part)
{
    core_device *device = &core->devices[part->device];
    unsigned slot = 0;
    while (slot < CORE_UPLOADS + 2 && device->late[slot].job != 0)
        slot++;
    CUZK_ASSERT(device->lost && slot < CORE_UPLOADS + 2);
    device->late[slot] = cuzk_core_part_attempt(part);
    device->lates++;
    device->late_ops++;
    core->late++;
    part->job->late++;
    part->held = false;
}

void cuzk_core_late(cuzk_core *core, uint64_t now, cuzk_attempt a, const cuzk_failure *failure)
{
    cuzk_core_enter(core, now);
    const core_job *job = cuzk_core_job_find(core, a.job);
    CUZK_ASSERT(failure && job && a.partition < job->partitions);
    core_work work = job->parts[a.partition].work;
    CUZK_ASSERT(work == CORE_WORK_UPLOAD || work == CORE_WORK_COMPUTE || work == CORE_WORK_FINISH);
    core_part *part = take_answer(core, a, work);
    keep_late(core, part);
    (void)goes_on(core, part, work, failure);
    cuzk_core_settle(core);
}

static bool is_same(cuzk_attempt a, cuzk_attempt b)
{
    return a.job == b.job && a.partition == b.partition && a.attempt == b.attempt;
}

void cuzk_core_returned(cuzk_core *core, uint64_t now, unsigned index, cuzk_attempt a)
{
    cuzk_core_enter(core, now);
    CUZK_ASSERT(index < core->config.devices);
    core_device *device = &core->devices[index];
    core_job *job = cuzk_core_job_find(core, a.job);
    unsigned slot = 0;
    while (slot < CORE_UPLOADS + 2 && !is_same(device->late[slot], a))
        slot++;
    CUZK_ASSERT(job && slot < CORE_UPLOADS + 2);
    device->late[slot] = (cuzk_attempt){0};
    device->lates--;
    core->late--;
    job->late--;
    core->ops.drop_attempt(core->context, a);
    cuzk_core_buffers_drop(core, job);
    cuzk_core_key_unref(core, job->key);
    cuzk_core_job_rest(core, job);
    cuzk_core_settle(core);
}
