/* A core whose views are what the test says. It DEFINES functions of engine/core.h: the test
 * program that includes it has them itself, so the real ones are not linked. Include it in one file
 * of a program. */
#ifndef CUZK_TEST_FAKE_CORE_H
#define CUZK_TEST_FAKE_CORE_H

#include "engine/engine.h"

#include <string.h>

typedef struct fake_job {
    cuzk_job_view view;
    cuzk_part_view parts[64];
} fake_job;

static struct fake_core {
    cuzk_core_view view;
    fake_job *jobs; /* by rising number */
    size_t n_jobs;
    cuzk_device_view devices[CUZK_DEVICES_MAX];
    cuzk_key_view keys[300];
    size_t n_keys;
} fake_core;

const uint64_t cuzk_duration_ms[CUZK_DURATION_BUCKETS - 1] = {
    1, 5, 25, 100, 250, 500, 1000, 2500, 5000, 10000, 30000, 120000, 600000};

static fake_job *fake_job_at(cuzk_job_no job)
{
    for (size_t i = 0; i < fake_core.n_jobs; i++)
        if (fake_core.jobs[i].view.job == job)
            return &fake_core.jobs[i];
    return NULL;
}

void cuzk_core_view_get(const cuzk_core *core, uint64_t now, cuzk_core_view *view)
{
    (void)core;
    *view = fake_core.view;
    view->now = now;
}

bool cuzk_core_view_job(const cuzk_core *core, uint64_t now, cuzk_job_no job, cuzk_job_view *view)
{
    (void)core;
    (void)now;
    const fake_job *found = fake_job_at(job);
    if (found != NULL)
        *view = found->view;
    return found != NULL;
}

bool cuzk_core_view_part(const cuzk_core *core, uint64_t now, cuzk_job_no job, uint32_t partition,
                         cuzk_part_view *view)
{
    (void)core;
    (void)now;
    const fake_job *found = fake_job_at(job);
    if (found == NULL || partition >= found->view.partitions)
        return false;
    *view = found->parts[partition % 64];
    return true;
}

void cuzk_core_view_device(const cuzk_core *core, uint64_t now, unsigned device,
                           cuzk_device_view *view)
{
    (void)core;
    (void)now;
    *view = fake_core.devices[device];
}

size_t cuzk_core_started_jobs(const cuzk_core *core, cuzk_job_no *jobs, size_t room)
{
    (void)core;
    size_t n = 0;
    for (size_t i = fake_core.n_jobs; i-- > 0;) {
        const cuzk_job_view *view = &fake_core.jobs[i].view;
        if (view->state < CUZK_JOB_PARSING || cuzk_job_state_is_terminal(view->state))
            continue;
        if (n++ < room)
            jobs[n - 1] = view->job;
    }
    return n;
}

/* They ended in the order of their numbers. */
cuzk_job_no cuzk_core_ended_before(const cuzk_core *core, cuzk_job_no job)
{
    (void)core;
    for (size_t i = fake_core.n_jobs; i-- > 0;)
        if (cuzk_job_state_is_terminal(fake_core.jobs[i].view.state) &&
            (job == 0 || fake_core.jobs[i].view.job < job))
            return fake_core.jobs[i].view.job;
    return 0;
}

size_t cuzk_core_view_keys(const cuzk_core *core, cuzk_key_view *views, size_t room)
{
    (void)core;
    size_t n = fake_core.n_keys < room ? fake_core.n_keys : room;
    memcpy(views, fake_core.keys, n * sizeof *views);
    return n;
}

/* A view of it, `now` nanoseconds after a fixed start. */
static cuzk_engine_view fake_view(uint64_t now)
{
    static const cuzk_memory_limit limit = {.bytes = 8u << 20, .source = "configured \"8 MiB\""};
    static const char *const names[CUZK_DEVICES_MAX] = {"cpu \"0\" \\ \n", "fake"};
    return (cuzk_engine_view){.core = NULL,
                              .now = now,
                              .limit = &limit,
                              .inflight_bytes = 77,
                              .resident_bytes = 1234567,
                              .device_names = names,
                              .started_iso = "2026-01-31T12:00:00.123456Z"};
}

#endif
