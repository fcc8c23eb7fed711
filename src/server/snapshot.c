#include "server/snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HISTORY_LOOKED_AT 1000u /* ended jobs, for failures among them */

cuzk_snapshot *cuzk_snapshot_new(void)
{
    return calloc(1, sizeof(cuzk_snapshot));
}

static void copy_text(char *to, size_t room, const char *from)
{
    snprintf(to, room, "%s", from != NULL ? from : "");
}

static void take_devices(cuzk_snapshot *s, const cuzk_engine_view *view)
{
    for (unsigned i = 0; i < s->core.devices; i++) {
        cuzk_snapshot_device *device = &s->devices[i];
        cuzk_core_view_device(view->core, view->now, i, &device->view);
        copy_text(device->name, sizeof device->name, view->device_names[i]);
        cuzk_job_view job;
        device->job_id[0] = '\0';
        if (device->view.computing.job != 0 &&
            cuzk_core_view_job(view->core, view->now, device->view.computing.job, &job)) {
            copy_text(device->job_id, sizeof device->job_id, job.request_id);
            device->kind = job.kind;
        }
    }
}

static void take_keys(cuzk_snapshot *s, const cuzk_engine_view *view)
{
    cuzk_key_view keys[CUZK_SNAPSHOT_KEYS + 1];
    size_t found = cuzk_core_view_keys(view->core, keys, CUZK_SNAPSHOT_KEYS + 1);
    s->more_keys = found > CUZK_SNAPSHOT_KEYS;
    s->keys = s->more_keys ? CUZK_SNAPSHOT_KEYS : found;
    for (size_t i = 0; i < s->keys; i++) {
        s->key[i].view = keys[i];
        copy_text(s->key[i].key, sizeof s->key[i].key, keys[i].key);
        s->key[i].view.key = NULL;
    }
}

static void take_job(cuzk_snapshot_job *to, const cuzk_engine_view *view, cuzk_job_no job,
                     uint32_t parts)
{
    cuzk_core_view_job(view->core, view->now, job, &to->view);
    copy_text(to->request_id, sizeof to->request_id, to->view.request_id);
    copy_text(to->key, sizeof to->key, to->view.key);
    to->failed = to->view.failure != NULL;
    if (to->failed)
        to->failure = *to->view.failure;
    to->view.request_id = to->view.key = NULL;
    to->view.failure = NULL;
    uint32_t shown = to->view.partitions < parts ? to->view.partitions : parts;
    to->parts_shown = 0;
    while (to->parts_shown < shown &&
           cuzk_core_view_part(view->core, view->now, job, to->parts_shown,
                               &to->parts[to->parts_shown]))
        to->parts_shown++;
}

/* Numbers of jobs, newest first. */
typedef struct job_list {
    cuzk_job_no job[CUZK_SNAPSHOT_JOBS];
    size_t n, total, room;
} job_list;

static void note(job_list *list, cuzk_job_no job)
{
    if (list->n < list->room)
        list->job[list->n++] = job;
    list->total++;
}

/* Those that ended of late, and those that failed, as far as it is worth while to look. */
static void find_ended(const cuzk_engine_view *view, job_list *ended, job_list *failed)
{
    cuzk_job_no no = 0;
    for (unsigned i = 0; i < HISTORY_LOOKED_AT; i++) {
        cuzk_job_view job;
        no = cuzk_core_ended_before(view->core, no);
        if (no == 0 || !cuzk_core_view_job(view->core, view->now, no, &job))
            return;
        if (view->now - job.ended <= CUZK_SNAPSHOT_ENDED_NS)
            note(ended, no);
        if (job.state == CUZK_JOB_FAILED || job.state == CUZK_JOB_EXPIRED)
            note(failed, no);
    }
}

static void take_jobs(cuzk_snapshot *s, const cuzk_engine_view *view)
{
    job_list running, ended = {.n = 0}, failed = {.room = CUZK_SNAPSHOT_FAILURES};
    running.total = cuzk_core_started_jobs(view->core, running.job, CUZK_SNAPSHOT_JOBS);
    running.n = running.total < CUZK_SNAPSHOT_JOBS ? running.total : CUZK_SNAPSHOT_JOBS;
    ended.room = CUZK_SNAPSHOT_JOBS - running.n;
    if (ended.room > CUZK_SNAPSHOT_ENDED)
        ended.room = CUZK_SNAPSHOT_ENDED;
    find_ended(view, &ended, &failed);

    s->jobs = running.n + ended.n;
    s->jobs_left_out = running.total + ended.total - s->jobs;
    for (size_t i = 0; i < running.n; i++)
        take_job(&s->job[i], view, running.job[i], CUZK_SNAPSHOT_PARTS);
    for (size_t i = 0; i < ended.n; i++)
        take_job(&s->job[running.n + i], view, ended.job[i], CUZK_SNAPSHOT_PARTS);
    s->failures = failed.n;
    for (size_t i = 0; i < s->failures; i++)
        take_job(&s->failure[i], view, failed.job[i], 0);
}

void cuzk_snapshot_take(cuzk_snapshot *s, const cuzk_engine_view *view, cuzk_snapshot_scope scope)
{
    cuzk_core_view_get(view->core, view->now, &s->core);
    s->limit = *view->limit;
    s->inflight_bytes = view->inflight_bytes;
    s->resident_bytes = view->resident_bytes;
    s->allow_test_params = view->allow_test_params;
    copy_text(s->started_iso, sizeof s->started_iso, view->started_iso);
    take_devices(s, view);
    take_keys(s, view);
    s->jobs = s->jobs_left_out = s->failures = 0;
    if (scope == CUZK_SNAPSHOT_WITH_JOBS)
        take_jobs(s, view);
}
