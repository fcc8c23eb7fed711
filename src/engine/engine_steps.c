/* Steps, and parsing, that of jobs. */
#include "engine/engine_internal.h"

#include "base/clock.h"
#include "engine/circuit_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void handle_done(void *owner, cuzk_message *message)
{
    cuzk_engine *engine = owner;
    cuzk_step *step = (cuzk_step *)(void *)((char *)message - offsetof(cuzk_step, message));
    step->under_way = false;
    engine->steps_under_way--;
    step->done(step, step->failed ? &step->failure : NULL);
}

static void work_on(cuzk_step *step)
{
    step->begun = cuzk_clock_ns();
    step->failed = step->work(step, &step->failure) != CUZK_OK;
    step->ended = cuzk_clock_ns();
}

static void run_step(cuzk_task *task)
{
    cuzk_step *step = (cuzk_step *)(void *)((char *)task - offsetof(cuzk_step, task));
    work_on(step);
    step->message.handle = handle_done;
    cuzk_inbox_post(&step->engine->inbox, &step->message);
}

void cuzk_step_post(cuzk_step *step, cuzk_engine *engine, cuzk_workers *workers, void *subject,
                    cuzk_status (*work)(cuzk_step *step, cuzk_failure *failure),
                    void (*done)(cuzk_step *step, const cuzk_failure *failure))
{
    CUZK_ASSERT(!step->under_way);
    step->engine = engine;
    step->subject = subject;
    step->work = work;
    step->done = done;
    step->posted = cuzk_clock_ns();
    if (workers == NULL) {
        work_on(step);
        done(step, step->failed ? &step->failure : NULL);
        return;
    }
    step->under_way = true;
    engine->steps_under_way++;
    step->task.run = run_step;
    cuzk_workers_post(workers, &step->task);
}

cuzk_status cuzk_step_fail(cuzk_failure *failure, cuzk_blame blame, const char *stage,
                           const cuzk_error *err)
{
    failure->blame = blame;
    failure->status = err->status;
    snprintf(failure->message, sizeof failure->message, "%s: %.400s", stage, err->message);
    return err->status;
}

/* A job restored from the store has no payload in memory. */
static cuzk_status fetch_payload(cuzk_engine *engine, cuzk_engine_job *job, cuzk_error *err)
{
    if (job->payload != NULL)
        return CUZK_OK;
    pthread_mutex_lock(&engine->store_lock);
    const cuzk_status status =
        cuzk_store_payload(engine->store, job->no, &job->payload, &job->payload_size, err);
    pthread_mutex_unlock(&engine->store_lock);
    return status;
}

static cuzk_status parse_job(cuzk_engine *engine, cuzk_engine_job *job, cuzk_error *err)
{
    CUZK_TRY(cuzk_engine_kind_check(job->kind, err));
    CUZK_TRY(fetch_payload(engine, job, err));
    CUZK_TRY(cuzk_circuit_job_open(job->payload, job->payload_size, &job->key, err));
    CUZK_TRY(cuzk_circuit_job_parse(&job->input, job->payload, job->payload_size, job->id, err));
    job->parsed.partitions = 1;
    job->parsed.input_bytes = job->input.n * sizeof(cuzk_scalar);
    job->parsed.result_bytes = 4096;
    CUZK_TRY(cuzk_engine_key_sizes(engine, job->key, &job->key_file, &job->parsed.key_bytes,
                                   &job->parsed.witness_bytes, err));
    job->parsed.buffer_bytes = job->parsed.witness_bytes; /* the assignment is the input */
    return CUZK_OK;
}

static cuzk_status parse_work(cuzk_step *step, cuzk_failure *failure)
{
    cuzk_error err = {0};
    const cuzk_status status = parse_job(step->engine, step->subject, &err);
    if (status == CUZK_OK)
        return CUZK_OK;
    const cuzk_blame blame =
        status == CUZK_ERR_IO || status == CUZK_ERR_MEMORY ? CUZK_BLAME_SYSTEM : CUZK_BLAME_INPUT;
    return cuzk_step_fail(failure, blame, "reading the request", &err);
}

/* The sizes of the job's key, if an earlier job has found them. */
static void recall_sizes(cuzk_engine *engine, cuzk_engine_job *job)
{
    const cuzk_engine_key *key =
        job->key == NULL ? NULL : cuzk_engine_key_current(engine, job->key);
    if (key == NULL)
        return;
    job->key_file = key->file;
    job->parsed.witness_bytes = key->work_bytes > 0 ? key->work_bytes : key->work_bound;
    job->parsed.key_bytes = key->bytes_bound; /* it may be loaded again */
}

static void parse_done(cuzk_step *step, const cuzk_failure *failure)
{
    cuzk_engine_job *job = step->subject;
    cuzk_engine *engine = step->engine;
    static const cuzk_failure no_memory = {.blame = CUZK_BLAME_SYSTEM,
                                           .status = CUZK_ERR_MEMORY,
                                           .message = "reading the request: no memory for a key"};
    if (failure == NULL) {
        const cuzk_engine_key *key = cuzk_engine_key_resolve(
            engine, job->key, &job->key_file, job->parsed.key_bytes, job->parsed.witness_bytes);
        snprintf(job->parsed.key, sizeof job->parsed.key, "%s", key == NULL ? "" : key->name);
        failure = key == NULL ? &no_memory : NULL;
    }
    cuzk_core_parsed_job(engine->core, cuzk_clock_ns(), job->no, &job->parsed, failure);
    cuzk_engine_act(engine);
    cuzk_engine_job_settle(engine, job);
}

void cuzk_engine_parse(cuzk_engine *engine, cuzk_engine_job *job)
{
    recall_sizes(engine, job);
    const bool quick = job->payload != NULL && job->payload_size <= CUZK_QUICK_BYTES &&
                       job->parsed.witness_bytes > 0; /* no file is asked */
    cuzk_step_post(&job->step, engine, quick ? NULL : engine->parse, job, parse_work, parse_done);
}
