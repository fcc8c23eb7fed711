#include "engine/engine_timing.h"

#include "base/clock.h"
#include "base/log.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TRIM_EVERY_NS UINT64_C(2000000000)

static unsigned long long ms(uint64_t begin, uint64_t end)
{
    return end > begin ? (unsigned long long)((end - begin) / 1000000) : 0;
}

/* Text as a field of a CSV file; control characters become spaces. */
static void quote(char *out, size_t room, const char *text)
{
    const bool plain = strpbrk(text, ",\"") == NULL;
    size_t n = 0;
    if (!plain)
        out[n++] = '"';
    for (; *text != '\0' && n + 4 < room; text++) {
        if (*text == '"')
            out[n++] = '"';
        out[n++] = (unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text;
    }
    if (!plain)
        out[n++] = '"';
    out[n] = '\0';
}

void cuzk_timeline(const cuzk_engine *engine, const char *event, const char *job_id,
                   const char *format, ...)
{
    if (!cuzk_log_wants(CUZK_LOG_INFO))
        return;
    char id[2 * CUZK_REQUEST_ID_MAX + 8], detail[128], line[sizeof id + sizeof detail + 64];
    quote(id, sizeof id, job_id);
    va_list args;
    va_start(args, format);
    vsnprintf(detail, sizeof detail, format, args);
    va_end(args);
    const int length = snprintf(line, sizeof line, "TIMELINE,%llu,%s,%s,%s\n",
                                ms(engine->started, cuzk_clock_ns()), event, id, detail);
    if (cuzk_log_is_json()) {
        cuzk_log(CUZK_LOG_INFO, "%.*s", length - 1, line);
        return;
    }
    /* There is nowhere to report that the log cannot be written. */
    const ssize_t ignored = write(STDERR_FILENO, line, (size_t)length);
    (void)ignored;
}

#define JOB_FIELDS(a) (a)->device, (a)->id.partition, (a)->job->id, cuzk_kind_name((a)->job->kind)
#define JOB_FORMAT    "worker_id=%u partition=Some(%u) job_id=%s proof_kind=%s"

void cuzk_timing_synthesised(const cuzk_engine_attempt *a)
{
    const cuzk_engine *e = a->step.engine;
    cuzk_timeline(e, "SYNTH_END", a->job->id, "partition=%u,synth_ms=%llu", a->id.partition,
                  ms(a->step.begun, a->step.ended));
    cuzk_timeline(e, "GPU_QUEUE", a->job->id, "partition=%u", a->id.partition);
}

void cuzk_timing_uploaded(const cuzk_engine_attempt *a)
{
    cuzk_timeline(a->step.engine, "GPU_PICKUP", a->job->id, "worker=%u,partition=%u", a->device,
                  a->id.partition);
    cuzk_log(CUZK_LOG_INFO,
             "GPU_TIMING hot_path pre-prove overhead " JOB_FORMAT
             " status_ms=0 fail_check_ms=0 mark_busy_ms=0 total_overhead_ms=%llu",
             JOB_FIELDS(a), ms(a->step.begun, a->step.ended));
}

void cuzk_timing_computed(const cuzk_engine_attempt *a)
{
    const unsigned long long wall = ms(a->step.begun, a->step.ended);
    const unsigned long long enter = ms(a->step.posted, a->step.begun);
    cuzk_log(CUZK_LOG_INFO,
             "GPU_TIMING spawn_blocking prove_start " JOB_FORMAT
             " spawn_to_enter_ms=%llu prove_start_ms=%llu",
             JOB_FIELDS(a), enter, wall);
    cuzk_log(CUZK_LOG_INFO,
             "GPU_TIMING prove_start returned " JOB_FORMAT
             " total_pre_prove_ms=%llu spawn_blocking_wall_ms=%llu",
             JOB_FIELDS(a), enter, enter + wall);
    cuzk_timeline(a->step.engine, "GPU_END", a->job->id, "worker=%u,partition=%u,gpu_ms=%llu",
                  a->device, a->id.partition, wall);
}

void cuzk_timing_finished(cuzk_engine_attempt *a)
{
    a->finish_ms = ms(a->step.begun, a->step.ended);
}

void cuzk_timing_checked(const cuzk_engine_attempt *a)
{
    const unsigned long long process = ms(a->step.begun, a->step.ended);
    cuzk_log(CUZK_LOG_INFO,
             "FIN_TIMING finalizer partition " JOB_FORMAT
             " finish_ms=%llu drop_res_ms=0 lock_wait_ms=0 process_ms=%llu total_ms=%llu",
             JOB_FIELDS(a), (unsigned long long)a->finish_ms, process,
             (unsigned long long)a->finish_ms + process);
}

void cuzk_timing_accepted(const cuzk_engine_job *job)
{
    cuzk_log(CUZK_LOG_INFO, "job enqueued job_id=%s proof_kind=%s priority=%s", job->id,
             cuzk_kind_name(job->kind), cuzk_class_name(job->class_));
}

void cuzk_timing_ended(const cuzk_engine_job *job, const cuzk_await_reply *reply)
{
    if (reply->state == CUZK_JOB_COMPLETED)
        cuzk_log(
            CUZK_LOG_INFO,
            "proof assembled job_id=%s proof_kind=%s proof_len=%zu total_ms=%llu queue_ms=%llu "
            "key_ms=%llu synth_ms=%llu gpu_ms=%llu",
            job->id, cuzk_kind_name(job->kind), reply->proof_size,
            (unsigned long long)reply->total_ms, (unsigned long long)reply->queue_ms,
            (unsigned long long)reply->key_ms, (unsigned long long)reply->synth_ms,
            (unsigned long long)reply->compute_ms);
    else
        cuzk_log(CUZK_LOG_WARN, "job ended job_id=%s proof_kind=%s state=%s code=%s error=%s",
                 job->id, cuzk_kind_name(job->kind), cuzk_job_state_name(reply->state),
                 cuzk_status_name(reply->status), reply->message);
}

static cuzk_status trim_work(cuzk_step *step, cuzk_failure *failure)
{
    (void)step;
    (void)failure;
    malloc_trim(0);
    return CUZK_OK;
}

static void trim_done(cuzk_step *step, const cuzk_failure *failure)
{
    (void)failure;
    /* For the whole heap, not for one partition. */
    cuzk_log(CUZK_LOG_INFO,
             "FIN_TIMING malloc_trim (success path) job_id=%s partition=None malloc_trim_ms=%llu",
             step->engine->trimmed_for, ms(step->begun, step->ended));
}

void cuzk_engine_trim(cuzk_engine *engine, const char *job_id)
{
    const uint64_t now = cuzk_clock_ns();
    if (!engine->trim.under_way)
        snprintf(engine->trimmed_for, sizeof engine->trimmed_for, "%s", job_id);
    if (engine->trim_at == CUZK_NEVER)
        engine->trim_at = engine->next_trim > now ? engine->next_trim : now;
    cuzk_engine_trim_if_due(engine, now);
}

void cuzk_engine_trim_if_due(cuzk_engine *engine, uint64_t now)
{
    if (engine->stop)
        engine->trim_at = CUZK_NEVER;
    if (engine->trim.under_way || engine->trim_at > now)
        return;
    engine->trim_at = CUZK_NEVER;
    engine->next_trim = now + TRIM_EVERY_NS;
    cuzk_step_post(&engine->trim, engine, engine->slow_free, engine, trim_work, trim_done);
}
