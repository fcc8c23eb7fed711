/* The engine's life: opening with all threads, and the core thread's loop. */
#define _GNU_SOURCE
#include "engine/engine_internal.h"

#include "base/clock.h"
#include "base/cpu.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/thread.h"
#include "engine/engine_timing.h"
#include "engine/key_digests.h"

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
#define POOL_IDLE_MS   10000u
#define GAP_NS         UINT64_C(50000000)
#define MEMORY_LOOK_MS 100u
#define MEMORY_WAIT_MS 60000u /* less than what systemd gives a start */
#define QUARANTINE_MS  60000u
#define STEP_LIMIT_MS  600000u
#define CLOSE_WAIT_MS  10000u

static void set_defaults(cuzk_engine_config *c)
{
    if (c->limits_root == NULL)
        c->limits_root = "";
    if (c->result_hours == 0)
        c->result_hours = RESULT_HOURS;
    if (c->queue_jobs_max == 0)
        c->queue_jobs_max = QUEUE_JOBS;
    if (c->queue_bytes_max == 0)
        c->queue_bytes_max = QUEUE_BYTES;
    if (c->history_jobs_max == 0)
        c->history_jobs_max = HISTORY_JOBS;
    if (c->pool_idle_ms == 0)
        c->pool_idle_ms = POOL_IDLE_MS;
    if (c->inflight_bytes_max == 0)
        c->inflight_bytes_max = INFLIGHT_BYTES;
    if (c->quarantine_ms == 0)
        c->quarantine_ms = QUARANTINE_MS;
    if (c->step_limit_ms == 0)
        c->step_limit_ms = STEP_LIMIT_MS;
    if (c->close_wait_ms == 0)
        c->close_wait_ms = CLOSE_WAIT_MS;
}

static uint64_t ns_of(uint64_t ms)
{
    return ms >= CUZK_NEVER / 1000000 ? CUZK_NEVER : ms * 1000000;
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

static bool pause_for_memory(void *context, const cuzk_memory_limit *found)
{
    unsigned *looks = context;
    if (++*looks == 2) /* it rose at least once */
        cuzk_log(CUZK_LOG_INFO, "memory is being freed on this machine: %llu MiB so far; waiting",
                 (unsigned long long)(found->bytes >> 20));
    nanosleep(&(struct timespec){.tv_nsec = MEMORY_LOOK_MS * 1000000}, NULL);
    return *looks * MEMORY_LOOK_MS <= MEMORY_WAIT_MS;
}

static cuzk_status find_memory(cuzk_engine *engine, cuzk_error *err)
{
    const cuzk_engine_config *c = &engine->config;
    unsigned looks = 0;
    return cuzk_memory_limit_settle(&engine->limit, c->limits_root, c->memory_total,
                                    c->memory_margin, pause_for_memory, &looks, err);
}

static cuzk_status open_device(cuzk_engine *engine, unsigned d, cuzk_error *err)
{
    const cuzk_engine_config *c = &engine->config;
    cuzk_device **device = &engine->device[d];
    if (c->fake != NULL)
        return cuzk_device_fake_open(device, d, c->fake, err);
    if (c->fake_devices > 0)
        return cuzk_device_cpu_open(device, engine->pool, err);
    return cuzk_device_choose(device, &c->gpus, engine->pool, err);
}

static cuzk_status open_devices(cuzk_engine *engine, cuzk_error *err)
{
    CUZK_TRY(cuzk_cpu_check(err));
    engine->pool = cuzk_pool_new(engine->config.threads);
    if (engine->pool == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "the worker threads cannot be started");
    const cuzk_engine_config *c = &engine->config;
    const unsigned n = c->fake == NULL && c->fake_devices == 0 ? 1 : c->fake_devices;
    if (n == 0 || n > CUZK_DEVICES_MAX)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%u devices; 1 to %u are possible", n,
                         CUZK_DEVICES_MAX);
    for (unsigned d = 0; d < n; d++) {
        CUZK_TRY(open_device(engine, d, err));
        if (c->wrap != NULL)
            engine->device[d] = c->wrap(c->wrap_context, d, engine->device[d]);
        engine->device_name[d] = engine->device[d]->name;
        engine->devices++;
    }
    atomic_store(&engine->well, engine->devices);
    const cuzk_buffer_source *source = engine->device[0]->buffers;
    engine->buffers = cuzk_buffers_new(source == NULL ? &cuzk_buffer_pages : source);
    return engine->buffers != NULL ? CUZK_OK
                                   : cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for buffers");
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
                                     .pool_idle_ns = c->pool_idle_ms * 1000000,
                                     .quarantine_ns = ns_of(c->quarantine_ms),
                                     .orphan_grace_ns = ns_of(c->orphan_grace_ms),
                                     .history_jobs_max = c->history_jobs_max,
                                     .history_ns = c->result_hours * HOUR_NS,
                                     .gap_ns = GAP_NS,
                                     .join_content = c->join_identical,
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

void cuzk_engine_handle(cuzk_engine *engine, uint64_t until)
{
    cuzk_message *message = cuzk_inbox_take(&engine->inbox, until);
    while (message != NULL) {
        cuzk_message *next = message->next;
        message->handle(engine, message);
        message = next;
    }
}

static uint64_t next_wake(const cuzk_engine *engine)
{
    uint64_t next = cuzk_core_next_timer(engine->core);
    if (engine->next_timeout < next)
        next = engine->next_timeout;
    if (engine->next_look < next)
        next = engine->next_look;
    if (!engine->trim.under_way && engine->trim_at < next)
        next = engine->trim_at;
    if (engine->next_pressure < next)
        next = engine->next_pressure;
    if (engine->next_save < next)
        next = engine->next_save;
    if (engine->stop && engine->steps_under_way == engine->watched && engine->close_by < next)
        next = engine->close_by;
    return next;
}

static void *run_core(void *context)
{
    cuzk_engine *engine = context;
    (void)pthread_setname_np(pthread_self(), "cuzk-core");
    cuzk_thread_be_prompt();
    cuzk_engine_act(engine); /* what restoring has started */
    while (!cuzk_engine_may_end(engine)) {
        cuzk_engine_handle(engine, next_wake(engine));
        const uint64_t now = cuzk_clock_ns();
        if (cuzk_core_next_timer(engine->core) <= now) {
            cuzk_core_tick(engine->core, now);
            cuzk_engine_act(engine);
        }
        cuzk_engine_time_out(engine, now);
        cuzk_engine_trim_if_due(engine, now);
        cuzk_engine_make_room(engine);
        if (engine->next_look <= now)
            cuzk_watch_look(engine);
        if (engine->next_pressure <= now && !engine->stop)
            cuzk_engine_look_at_pressure(engine);
        if (engine->next_save <= now && !engine->stop)
            cuzk_engine_save_again(engine);
    }
    cuzk_engine_handle(engine, 0); /* those who came too late */
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

static cuzk_status copy_text(char **to, const char *from, cuzk_error *err)
{
    if (from == NULL || (*to = strdup(from)) != NULL)
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a path");
}

static cuzk_status copy_texts(cuzk_engine *engine, cuzk_error *err)
{
    const cuzk_engine_config *c = &engine->config;
    if (c->keys_digests != NULL)
        CUZK_TRY(cuzk_key_digests_read(&engine->key_digests, c->keys_digests, err));
    CUZK_TRY(copy_text(&engine->params_folder, c->params_folder, err));
    CUZK_TRY(copy_text(&engine->circuits_folder, c->circuits_folder, err));
    return copy_text(&engine->keys_folder, c->keys_folder, err);
}

static void warn_of_tests(const cuzk_engine *engine)
{
    if (engine->config.allow_test_params)
        cuzk_log(CUZK_LOG_WARN,
                 "keys.allow_test_params: Filecoin parameters that were NOT published are taken, "
                 "for tests: no chain takes proofs made with them");
}

cuzk_status cuzk_engine_open(cuzk_engine **engine, const cuzk_engine_config *config,
                             cuzk_error *err)
{
    cuzk_engine *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the engine");
    made->config = *config;
    cuzk_memory_return_freed();
    set_defaults(&made->config);
    note_start(made);
    cuzk_inbox_init(&made->inbox);
    pthread_mutex_init(&made->store_lock, NULL);
    pthread_mutex_init(&made->waiters_lock, NULL);
    made->next_timeout = made->next_look = made->trim_at = made->next_save = CUZK_NEVER;
    made->step_limit_ns = ns_of(made->config.step_limit_ms);
    made->ends.ends = true;
    warn_of_tests(made);
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

bool cuzk_engine_is_ready(cuzk_engine *engine)
{
    return atomic_load(&engine->ready) && atomic_load(&engine->well) > 0;
}
