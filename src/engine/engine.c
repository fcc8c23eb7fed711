/* The engine's life: opening with all threads, the core thread's loop, draining, closing. */
#define _GNU_SOURCE
#include "engine/engine_internal.h"

#include "base/clock.h"
#include "base/cpu.h"
#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PARSE_SLOTS    2u
#define SYNTH_SLOTS    2u
#define CHECK_SLOTS    2u
#define QUEUE_JOBS     10000u
#define QUEUE_BYTES    ((uint64_t)8 << 30)
#define HISTORY_JOBS   10000u
#define RESULT_HOURS   24u
#define INFLIGHT_BYTES ((uint64_t)1 << 30)
#define HOUR_NS        UINT64_C(3600000000000)
#define GAP_NS         UINT64_C(50000000)
#define QUARANTINE_NS  UINT64_C(60000000000)

static void set_defaults(cuzk_engine_config *c)
{
    if (c->result_hours == 0)
        c->result_hours = RESULT_HOURS;
    if (c->queue_jobs_max == 0)
        c->queue_jobs_max = QUEUE_JOBS;
    if (c->queue_bytes_max == 0)
        c->queue_bytes_max = QUEUE_BYTES;
    if (c->history_jobs_max == 0)
        c->history_jobs_max = HISTORY_JOBS;
    if (c->inflight_bytes_max == 0)
        c->inflight_bytes_max = INFLIGHT_BYTES;
}

static void note_start(cuzk_engine *engine)
{
    struct timespec now;
    struct tm utc;
    char seconds[20];
    engine->started = cuzk_clock_ns();
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    strftime(seconds, sizeof seconds, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(engine->started_iso, sizeof engine->started_iso, "%s.%06ldZ", seconds,
             now.tv_nsec / 1000);
}

static cuzk_status find_memory(cuzk_engine *engine, cuzk_error *err)
{
    const cuzk_engine_config *c = &engine->config;
    return cuzk_memory_limit_find(&engine->limit, "", c->memory_total, c->memory_margin, err);
}

static cuzk_status open_devices(cuzk_engine *engine, cuzk_error *err)
{
    CUZK_TRY(cuzk_cpu_check(err));
    engine->pool = cuzk_pool_new(engine->config.threads);
    if (engine->pool == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "the worker threads cannot be started");
    const unsigned n = engine->config.fake == NULL ? 1 : engine->config.fake_devices;
    if (n == 0 || n > CUZK_DEVICES_MAX)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%u devices; 1 to %u are possible", n,
                         CUZK_DEVICES_MAX);
    for (unsigned d = 0; d < n; d++) {
        CUZK_TRY(engine->config.fake == NULL
                     ? cuzk_device_cpu_open(&engine->device[d], engine->pool, err)
                     : cuzk_device_fake_open(&engine->device[d], d, engine->config.fake, err));
        engine->device_name[d] = engine->device[d]->name;
        engine->devices++;
    }
    return CUZK_OK;
}

static cuzk_status start_workers(cuzk_engine *engine, cuzk_error *err)
{
    struct {
        cuzk_workers **workers;
        unsigned threads;
        const char *name;
    } groups[] = {{&engine->parse, PARSE_SLOTS + 1, "cuzk-parse"},
                  {&engine->synth, SYNTH_SLOTS + 1, "cuzk-synth"},
                  {&engine->check, CHECK_SLOTS + 1, "cuzk-check"},
                  {&engine->io, 1, "cuzk-io"},
                  {&engine->keys_load, 2, "cuzk-keys"},
                  {&engine->slow_free, 1, "cuzk-free"}};
    bool started = true;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        started &=
            (*groups[i].workers = cuzk_workers_new(groups[i].threads, groups[i].name)) != NULL;
    for (unsigned d = 0; d < engine->devices; d++) {
        started &= (engine->upload[d] = cuzk_workers_new(1, "cuzk-upload")) != NULL;
        started &= (engine->compute[d] = cuzk_workers_new(1, "cuzk-compute")) != NULL;
        started &= (engine->finish[d] = cuzk_workers_new(1, "cuzk-finish")) != NULL;
    }
    if (!started)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "the engine's threads cannot be started");
    return CUZK_OK;
}

static cuzk_status make_core(cuzk_engine *engine, cuzk_error *err)
{
    const cuzk_engine_config *c = &engine->config;
    const cuzk_core_config config = {.memory_total = engine->limit.bytes,
                                     .critical_reserve = engine->limit.bytes / 16,
                                     .devices = engine->devices,
                                     .parse_slots = PARSE_SLOTS,
                                     .synth_slots = SYNTH_SLOTS,
                                     .check_slots = CHECK_SLOTS,
                                     .staged_per_device = 2,
                                     .queue_jobs_max = c->queue_jobs_max,
                                     .queue_bytes_max = c->queue_bytes_max,
                                     .attempts_max = 3,
                                     .device_faults_max = 3,
                                     .quarantine_ns = QUARANTINE_NS,
                                     .orphan_grace_ns = c->orphan_grace_ms >= CUZK_NEVER / 1000000
                                                            ? CUZK_NEVER
                                                            : c->orphan_grace_ms * 1000000,
                                     .history_jobs_max = c->history_jobs_max,
                                     .history_ns = c->result_hours * HOUR_NS,
                                     .gap_ns = GAP_NS,
                                     .store = engine->store != NULL};
    engine->core = cuzk_core_new(&config, &cuzk_engine_ops, engine, cuzk_clock_ns());
    if (engine->core == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the engine's core");
    return CUZK_OK;
}

/* --- what the store kept --- */

static uint64_t deadline_of(const cuzk_store_job *stored, uint64_t now)
{
    if (stored->deadline_unix_ms == 0)
        return CUZK_NEVER;
    const int64_t left = stored->deadline_unix_ms - cuzk_clock_unix_ms();
    return left <= 0 ? now : now + (uint64_t)left * 1000000;
}

static bool restore(void *context, const cuzk_store_job *stored)
{
    cuzk_engine *engine = context;
    cuzk_engine_job *job = cuzk_engine_job_add(engine, stored->job);
    if (job == NULL || (job->id = strdup(stored->request_id)) == NULL) {
        engine->restore_failed = true;
        return false;
    }
    const uint64_t now = cuzk_clock_ns();
    job->kind = stored->kind;
    job->class_ = stored->class_;
    memcpy(job->digest, stored->digest, sizeof job->digest);
    job->submitted_unix_ms = stored->submitted_unix_ms;
    job->deadline_unix_ms = stored->deadline_unix_ms;
    job->stored = true;
    job->end_state = stored->state;
    cuzk_request request = {.request_id = job->id,
                            .kind = job->kind,
                            .class_ = job->class_,
                            .deadline = deadline_of(stored, now),
                            .payload_bytes = stored->payload_size,
                            .parse_bytes = 2 * (uint64_t)stored->payload_size};
    memcpy(request.digest, job->digest, sizeof request.digest);
    bool restored;
    if (cuzk_job_state_is_terminal(stored->state)) {
        job->ended = job->payload_done = true;
        if (stored->error[0] != '\0')
            job->end_message = strdup(stored->error);
        job->end_code = stored->error_code;
        restored = cuzk_core_restore_ended(engine->core, now, job->no, &request, stored->state);
    } else {
        restored = cuzk_core_restore(engine->core, now, job->no, &request);
    }
    engine->restore_failed |= !restored;
    return restored;
}

static cuzk_status open_store(cuzk_engine *engine, cuzk_error *err)
{
    const cuzk_engine_config *c = &engine->config;
    if (c->store_folder == NULL)
        return CUZK_OK;
    return cuzk_store_open(&engine->store, c->store_folder, c->durability, err);
}

static cuzk_status restore_all(cuzk_engine *engine, cuzk_error *err)
{
    if (engine->store == NULL)
        return CUZK_OK;
    cuzk_job_no last;
    CUZK_TRY(cuzk_store_last_job(engine->store, &last, err));
    cuzk_core_set_next_job(engine->core, last + 1);
    CUZK_TRY(cuzk_store_each(engine->store, restore, engine, err));
    if (engine->restore_failed)
        return cuzk_fail(
            err, CUZK_ERR_MEMORY,
            "%s: no memory to take up the jobs that are stored there: give the service "
            "more, nothing is lost",
            engine->config.store_folder);
    return CUZK_OK;
}

/* --- the core thread --- */

static void handle_messages(cuzk_engine *engine, cuzk_message *message)
{
    while (message != NULL) {
        cuzk_message *next = message->next;
        message->handle(engine, message);
        message = next;
    }
}

static void *run_core(void *context)
{
    cuzk_engine *engine = context;
    (void)pthread_setname_np(pthread_self(), "cuzk-core");
    cuzk_engine_act(engine); /* what restoring has started */
    while (!engine->stop || engine->steps_under_way > 0) {
        const uint64_t timer = cuzk_core_next_timer(engine->core);
        const uint64_t until = timer < engine->next_timeout ? timer : engine->next_timeout;
        handle_messages(engine, cuzk_inbox_take(&engine->inbox, until));
        const uint64_t now = cuzk_clock_ns();
        if (cuzk_core_next_timer(engine->core) <= now) {
            cuzk_core_tick(engine->core, now);
            cuzk_engine_act(engine);
        }
        cuzk_engine_time_out(engine, now);
    }
    handle_messages(engine, cuzk_inbox_take(&engine->inbox, 0)); /* those who came too late */
    return NULL;
}

static cuzk_status open_all(cuzk_engine *engine, cuzk_error *err)
{
    CUZK_TRY(find_memory(engine, err));
    CUZK_TRY(open_devices(engine, err));
    CUZK_TRY(start_workers(engine, err));
    CUZK_TRY(open_store(engine, err));
    CUZK_TRY(make_core(engine, err));
    CUZK_TRY(restore_all(engine, err));
    if (pthread_create(&engine->thread, NULL, run_core, engine) != 0)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "the engine's core thread cannot be started");
    engine->thread_runs = true;
    atomic_store(&engine->ready, true);
    return CUZK_OK;
}

static cuzk_status copy_texts(cuzk_engine *engine, cuzk_error *err)
{
    if (engine->config.keys_folder == NULL)
        return CUZK_OK;
    engine->keys_folder = strdup(engine->config.keys_folder);
    return engine->keys_folder != NULL ? CUZK_OK
                                       : cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a path");
}

cuzk_status cuzk_engine_open(cuzk_engine **engine, const cuzk_engine_config *config,
                             cuzk_error *err)
{
    cuzk_engine *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the engine");
    made->config = *config;
    set_defaults(&made->config);
    note_start(made);
    cuzk_inbox_init(&made->inbox);
    pthread_mutex_init(&made->store_lock, NULL);
    pthread_mutex_init(&made->waiters_lock, NULL);
    made->next_timeout = CUZK_NEVER;
    made->ends.ends = true;
    cuzk_status status = copy_texts(made, err);
    if (status == CUZK_OK)
        status = open_all(made, err);
    if (status != CUZK_OK) {
        cuzk_engine_close(made);
        return status;
    }
    *engine = made;
    return CUZK_OK;
}

/* --- draining and closing --- */

typedef struct drain_call {
    cuzk_message message;
    void (*fn)(void *context);
    void *context;
} drain_call;

static void handle_drain(void *owner, cuzk_message *message)
{
    cuzk_engine *engine = owner;
    drain_call *call = (drain_call *)(void *)message;
    atomic_store(&engine->ready, false);
    engine->drained = call->fn;
    engine->drained_context = call->context;
    cuzk_core_drain(engine->core, cuzk_clock_ns(), engine->store == NULL);
    cuzk_engine_act(engine);
    free(call);
}

void cuzk_engine_drain(cuzk_engine *engine, void (*fn)(void *context), void *context)
{
    drain_call *call = calloc(1, sizeof *call);
    CUZK_ASSERT(call != NULL); /* tens of bytes */
    call->message.handle = handle_drain;
    call->fn = fn;
    call->context = context;
    cuzk_inbox_post(&engine->inbox, &call->message);
}

/* Work under way is cancelled and waited for; nothing new begins, as the core's ops are not done.
 */
static void handle_stop(void *owner, cuzk_message *message)
{
    cuzk_engine *engine = owner;
    (void)message;
    atomic_store(&engine->ready, false);
    engine->stop = true;
    engine->acting = true;
    cuzk_engine_cancel_attempts(engine);
    cuzk_engine_tell_closed(engine);
}

static void stop_core(cuzk_engine *engine)
{
    if (!engine->thread_runs)
        return;
    cuzk_message stop = {.handle = handle_stop};
    cuzk_inbox_post(&engine->inbox, &stop);
    pthread_join(engine->thread, NULL);
}

static void free_workers(cuzk_engine *engine)
{
    cuzk_workers_free(engine->parse);
    cuzk_workers_free(engine->synth);
    cuzk_workers_free(engine->check);
    cuzk_workers_free(engine->io);
    cuzk_workers_free(engine->keys_load);
    cuzk_workers_free(engine->slow_free);
    for (unsigned d = 0; d < engine->devices; d++) {
        cuzk_workers_free(engine->upload[d]);
        cuzk_workers_free(engine->compute[d]);
        cuzk_workers_free(engine->finish[d]);
    }
}

void cuzk_engine_close(cuzk_engine *engine)
{
    if (engine == NULL)
        return;
    stop_core(engine);
    free_workers(engine);
    cuzk_engine_jobs_free(engine);
    cuzk_engine_keys_free(engine);
    for (unsigned d = 0; d < engine->devices; d++)
        engine->device[d]->ops->close(engine->device[d]);
    if (engine->core != NULL)
        cuzk_core_free(engine->core);
    if (engine->store != NULL)
        cuzk_store_close(engine->store);
    cuzk_pool_free(engine->pool);
    cuzk_inbox_release(&engine->inbox);
    pthread_mutex_destroy(&engine->store_lock);
    pthread_mutex_destroy(&engine->waiters_lock);
    free(engine->keys_folder);
    free(engine->actions);
    free(engine);
}

bool cuzk_engine_is_ready(cuzk_engine *engine)
{
    return atomic_load(&engine->ready);
}
