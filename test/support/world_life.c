/* The world's beginning, its requests, its restarts and its end. */
#include "support/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS 1000000u

cuzk_core_config world_config(void)
{
    return (cuzk_core_config){
        .memory_total = 1000000,
        .critical_reserve = 1000,
        .devices = 1,
        .parse_slots = 2,
        .synth_slots = 2,
        .check_slots = 2,
        .staged_per_device = 1,
        .queue_jobs_max = 1000000,
        .queue_bytes_max = 1000000000,
        .attempts_max = 3,
        .device_faults_max = 3,
        .pool_idle_ns = 10000ull * MS,
        .quarantine_ns = 60000ull * MS,
        .orphan_grace_ns = CUZK_NEVER,
        .history_jobs_max = 1000000,
        .history_ns = 3600000ull * MS,
        .gap_ns = 50 * MS,
    };
}

void world_open(world *w, const cuzk_core_config *config, uint64_t seed)
{
    memset(w, 0, sizeof *w);
    w->config = *config;
    w->now = 1000;
    w->next_job = 1;
    w->rng.state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
    w->checked = true;
    w->watchdog = 30000ull * MS;
    for (unsigned op = 0; op < WORLD_OPS; op++)
        w->ns[op] = 1 * MS;
    w->ns[WORLD_LOAD_KEY] = 1000 * MS;
    w->ns[WORLD_SYNTH] = 20 * MS;
    w->ns[WORLD_COMPUTE] = 100 * MS;
    for (unsigned i = 0; i < WORLD_KEYS; i++) {
        (void)snprintf(w->keys[i].name, sizeof w->keys[i].name, "key-%u", i);
        w->keys[i].bytes = w->keys[i].load_bytes = 10;
    }
    w->core = cuzk_core_new(config, &world_ops, w, w->now);
    HOLDS(w->core);
}

static void free_job(world_job *job)
{
    free(job->parts);
    free(job);
}

void world_close(world *w)
{
    cuzk_core_free(w->core);
    for (size_t i = 0; i < w->n_jobs; i++)
        if (w->jobs[i])
            free_job(w->jobs[i]);
    free(w->jobs);
    free(w->events);
    free(w->notes);
    free(w->buffers);
}

world_job *world_find(world *w, cuzk_job_no number)
{
    HOLDS(number < w->n_jobs && w->jobs[number]);
    return w->jobs[number];
}

cuzk_job_state world_state(world *w, const world_job *job)
{
    cuzk_job_view view;
    return cuzk_core_view_job(w->core, w->now, job->number, &view) ? view.state : job->state;
}

world_job world_request(world *w)
{
    world_job job;
    memset(&job, 0, sizeof job);
    (void)snprintf(job.id, sizeof job.id, "request-%llu", (unsigned long long)w->requests);
    job.request = (cuzk_request){.kind = CUZK_KIND_CIRCUIT,
                                 .class_ = CUZK_CLASS_NORMAL,
                                 .deadline = CUZK_NEVER,
                                 .payload_bytes = 10,
                                 .parse_bytes = 20};
    memcpy(job.request.digest, &w->requests, sizeof w->requests);
    w->requests++;
    job.parsed = (cuzk_parsed){.partitions = 1,
                               .key_bytes = w->keys[0].load_bytes,
                               .input_bytes = 10,
                               .witness_bytes = 10,
                               .result_bytes = 1};
    memcpy(job.parsed.key, w->keys[0].name, sizeof w->keys[0].name);
    return job;
}

static world_job *keep(world *w, const world_job *request)
{
    cuzk_job_no number = w->next_job;
    if (number >= w->n_jobs) {
        size_t room = 2 * (number + 32);
        w->jobs = realloc(w->jobs, room * sizeof(world_job *));
        HOLDS(w->jobs);
        memset(w->jobs + w->n_jobs, 0, (room - w->n_jobs) * sizeof(world_job *));
        w->n_jobs = room;
    }
    world_job *job = malloc(sizeof *job);
    HOLDS(job);
    *job = *request;
    job->number = number;
    job->request.request_id = job->id;
    job->has_payload = true;
    job->parts = calloc(job->parsed.partitions + 1u, sizeof *job->parts);
    HOLDS(job->parts);
    w->payload_bytes += job->request.payload_bytes;
    w->jobs[number] = job;
    return job;
}

/* The record is there before the call, whose ops may speak of it. */
world_job *world_submit(world *w, const world_job *request, cuzk_submitted *submitted)
{
    cuzk_submitted room;
    if (!submitted)
        submitted = &room;
    world_job *job = keep(w, request);
    cuzk_core_submit(w->core, w->now, &job->request, submitted);
    if (submitted->verdict == CUZK_VERDICT_NEW) {
        HOLDS(submitted->job == job->number);
        w->next_job++;
    } else {
        w->payload_bytes -= job->request.payload_bytes;
        w->jobs[job->number] = NULL;
        free_job(job);
        job = NULL;
    }
    world_settle(w);
    return job;
}

/* What the process held is gone; what was never stored and not announced is lost, as it may be. */
static void forget_process(world *w)
{
    size_t kept = 0;
    for (size_t i = 0; i < w->n_events; i++)
        if (w->events[i].call)
            w->events[kept++] = w->events[i];
    w->n_events = 0;
    for (size_t i = 0; i < kept; i++)
        world_at(w, w->events[i].time, w->events[i].call, w->events[i].argument);
    w->n_notes = 0;
    memset(w->running, 0, sizeof w->running);
    memset(w->computing, 0, sizeof w->computing);
    memset(w->uploading, 0, sizeof w->uploading);
    memset(w->finishing, 0, sizeof w->finishing);
    memset(w->lost, 0, sizeof w->lost);
    memset(w->lost_by_script, 0, sizeof w->lost_by_script);
    memset(w->late, 0, sizeof w->late);
    memset(w->quarantined, 0, sizeof w->quarantined);
    w->payload_bytes = w->witness_bytes = w->key_bytes = w->pool_bytes = 0;
    w->n_buffers = 0;
    for (unsigned i = 0; i < WORLD_KEYS; i++)
        w->keys[i].charged = w->keys[i].loaded = false, w->keys[i].users = 0;
}

static void restore_job(world *w, world_job *job)
{
    job->has_payload = job->has_input = job->storing = job->parsing = job->storing_result = false;
    job->shared = false;
    job->late = 0;
    memset(job->parts, 0, (job->parsed.partitions + 1u) * sizeof *job->parts);
    if (!job->stored) {
        job->forgotten = 1;
        return;
    }
    job->is_restored = true;
    if (job->stored_end) {
        HOLDS(cuzk_core_restore_ended(w->core, w->now, job->number, &job->request, job->state));
    } else {
        job->ended = 0; /* it was told, perhaps, but could not be stored: it runs again */
        job->shared = false;
        HOLDS(cuzk_core_restore(w->core, w->now, job->number, &job->request));
    }
}

void world_restart(world *w)
{
    HOLDS(w->config.store);
    cuzk_core_free(w->core);
    forget_process(w);
    w->core = cuzk_core_new(&w->config, &world_ops, w, w->now);
    HOLDS(w->core);
    for (cuzk_job_no i = 1; i < w->next_job; i++)
        if (w->jobs[i] && !w->jobs[i]->forgotten)
            restore_job(w, w->jobs[i]);
    cuzk_core_set_next_job(w->core, w->next_job);
    world_settle(w);
}

void world_check_rest(world *w)
{
    cuzk_core_view view;
    if (w->config.history_ns != CUZK_NEVER)
        world_run_until(w, w->now + w->config.history_ns + 1);
    /* Twice: a preload that is taken back may let another begin. */
    for (unsigned i = 0; i < 2 * WORLD_KEYS; i++) {
        uint64_t bytes;
        (void)cuzk_core_evict(w->core, w->now, w->keys[i % WORLD_KEYS].name, &bytes);
        world_settle(w);
        world_run(w);
    }
    world_run_until(w, w->now + w->config.pool_idle_ns);
    world_run(w);
    cuzk_core_view_get(w->core, w->now, &view);
    HOLDS(view.memory_used == 0);
    while (world_step(w)) /* quarantines end */
        ;
    HOLDS(cuzk_core_next_job(w->core, 0) == 0);
    for (cuzk_job_no i = 1; i < w->next_job; i++) {
        const world_job *job = w->jobs[i];
        HOLDS(job->forgotten == 1);
        HOLDS(job->ended == 1 || job->is_restored || !job->stored);
    }
}
