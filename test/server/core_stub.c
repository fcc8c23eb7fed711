/* The core's views of the stub engine: one device, one key, totals. */
#include "server/engine_stub.h"

#include <string.h>

const uint64_t cuzk_duration_ms[CUZK_DURATION_BUCKETS - 1] = {1,   2,   4,   8,    16,   32,  64,
                                                              128, 256, 512, 1024, 2048, 4096};

void cuzk_core_view_get(const cuzk_core *core, uint64_t now, cuzk_core_view *view)
{
    (void)now;
    *view = core->view;
}

bool cuzk_core_view_job(const cuzk_core *core, uint64_t now, cuzk_job_no number,
                        cuzk_job_view *view)
{
    (void)now;
    *view = (cuzk_job_view){.job = number,
                            .request_id = core->computing,
                            .kind = CUZK_KIND_CIRCUIT,
                            .state = CUZK_JOB_RUNNING,
                            .key = ""};
    return number == 1 && core->computing[0] != '\0';
}

bool cuzk_core_view_part(const cuzk_core *core, uint64_t now, cuzk_job_no number,
                         uint32_t partition, cuzk_part_view *view)
{
    (void)core, (void)now, (void)number, (void)partition, (void)view;
    return false;
}

void cuzk_core_view_device(const cuzk_core *core, uint64_t now, unsigned device,
                           cuzk_device_view *view)
{
    (void)now, (void)device;
    bool busy = core->computing[0] != '\0';
    *view = (cuzk_device_view){.state = busy ? CUZK_DEVICE_BUSY : CUZK_IDLE_NO_JOB,
                               .computing = {.job = busy ? 1 : 0, .partition = 3},
                               .partitions_done = 11,
                               .faults = 2,
                               .bad_proofs = 1,
                               .quarantines = 4,
                               .late_ops = 6,
                               .late = 5,
                               .quarantined = true};
    view->ns[CUZK_DEVICE_BUSY] = 2000000000;
    view->ns[CUZK_IDLE_NO_JOB] = 1000000000;
}

size_t cuzk_core_started_jobs(const cuzk_core *core, cuzk_job_no *jobs, size_t room)
{
    (void)core, (void)jobs, (void)room;
    return 0;
}

cuzk_job_no cuzk_core_ended_before(const cuzk_core *core, cuzk_job_no job)
{
    (void)core, (void)job;
    return 0;
}

size_t cuzk_core_view_keys(const cuzk_core *core, cuzk_key_view *views, size_t room)
{
    bool loaded = core->view.memory[CUZK_MEMORY_KEY] > 0;
    if (loaded && room > 0)
        views[0] = (cuzk_key_view){.key = "porep-32g", .bytes = 4096, .refs = 2, .pinned = true};
    return loaded ? 1 : 0;
}
