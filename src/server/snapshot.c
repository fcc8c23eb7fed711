#include "server/snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The newest numbers of a series: older ones are overwritten. */
typedef struct newest {
    cuzk_job_no job[CUZK_SNAPSHOT_JOBS];
    size_t room, total;
} newest;

static void note(newest *list, cuzk_job_no job)
{
    list->job[list->total++ % list->room] = job;
}

static size_t kept(const newest *list)
{
    return list->total < list->room ? list->total : list->room;
}

/* The i-th newest, i < kept. */
static cuzk_job_no newest_at(const newest *list, size_t i)
{
    return list->job[(list->total - 1 - i) % list->room];
}

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

/* Sorts all jobs into those that run, those that ended of late, and those that failed. */
static void find_jobs(const cuzk_engine_view *view, newest *running, newest *ended, newest *failed)
{
    cuzk_job_no no = 0;
    while ((no = cuzk_core_next_job(view->core, no)) != 0) {
        cuzk_job_view job;
        if (!cuzk_core_view_job(view->core, view->now, no, &job))
            continue;
        if (!cuzk_job_state_is_terminal(job.state)) {
            if (job.state >= CUZK_JOB_PARSING)
                note(running, no);
            continue;
        }
        if (view->now - job.ended <= CUZK_SNAPSHOT_ENDED_NS)
            note(ended, no);
        if (job.state == CUZK_JOB_FAILED || job.state == CUZK_JOB_EXPIRED)
            note(failed, no);
    }
}

static void take_jobs(cuzk_snapshot *s, const cuzk_engine_view *view)
{
    newest running = {.room = CUZK_SNAPSHOT_JOBS}, ended = {.room = CUZK_SNAPSHOT_JOBS};
    newest failed = {.room = CUZK_SNAPSHOT_FAILURES};
    find_jobs(view, &running, &ended, &failed);

    size_t r = 0, e = 0, running_kept = kept(&running), ended_kept = kept(&ended);
    if (ended_kept > CUZK_SNAPSHOT_JOBS - running_kept)
        ended_kept = CUZK_SNAPSHOT_JOBS - running_kept;
    s->jobs = running_kept + ended_kept;
    s->jobs_left_out = running.total + ended.total - s->jobs;
    for (size_t i = 0; i < s->jobs; i++) {
        bool from_running =
            e == ended_kept || (r < running_kept && newest_at(&running, r) > newest_at(&ended, e));
        cuzk_job_no job = from_running ? newest_at(&running, r++) : newest_at(&ended, e++);
        take_job(&s->job[i], view, job, CUZK_SNAPSHOT_PARTS);
    }
    s->failures = kept(&failed);
    for (size_t i = 0; i < s->failures; i++)
        take_job(&s->failure[i], view, newest_at(&failed, i), 0);
}

void cuzk_snapshot_take(cuzk_snapshot *s, const cuzk_engine_view *view, cuzk_snapshot_scope scope)
{
    cuzk_core_view_get(view->core, view->now, &s->core);
    s->limit = *view->limit;
    s->inflight_bytes = view->inflight_bytes;
    s->resident_bytes = view->resident_bytes;
    copy_text(s->started_iso, sizeof s->started_iso, view->started_iso);
    take_devices(s, view);
    take_keys(s, view);
    s->jobs = s->jobs_left_out = s->failures = 0;
    if (scope == CUZK_SNAPSHOT_WITH_JOBS)
        take_jobs(s, view);
}
