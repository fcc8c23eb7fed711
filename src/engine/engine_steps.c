/* Steps, and those of jobs: storing, parsing, storing the result. */
#include "engine/engine_internal.h"

#include "base/clock.h"
#include "base/random.h"
#include "engine/circuit_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void handle_done(void *owner, cuzk_message *message)
{
    cuzk_engine *engine = owner;
    cuzk_step *step = (cuzk_step *)(void *)((char *)message - offsetof(cuzk_step, message));
    step->under_way = false;
    engine->steps_under_way--;
    step->done(step, step->failed ? &step->failure : NULL);
}

static void run_step(cuzk_task *task)
{
    cuzk_step *step = (cuzk_step *)(void *)((char *)task - offsetof(cuzk_step, task));
    step->begun = cuzk_clock_ns();
    step->failed = step->work(step, &step->failure) != CUZK_OK;
    step->ended = cuzk_clock_ns();
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
    step->under_way = true;
    step->posted = cuzk_clock_ns();
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

static cuzk_store_job stored_form(const cuzk_engine_job *job)
{
    return (cuzk_store_job){.job = job->no,
                            .request_id = job->id,
                            .kind = job->kind,
                            .class_ = job->class_,
                            .deadline_unix_ms = job->deadline_unix_ms,
                            .submitted_unix_ms = job->submitted_unix_ms,
                            .state = CUZK_JOB_ACCEPTED,
                            .payload = job->payload,
                            .payload_size = job->payload_size,
                            .error = ""};
}

static cuzk_status store_work(cuzk_step *step, cuzk_failure *failure)
{
    const cuzk_engine_job *job = step->subject;
    cuzk_store_job form = stored_form(job);
    memcpy(form.digest, job->digest, sizeof form.digest);
    const cuzk_store_job *forms[] = {&form};
    cuzk_error err = {0};
    pthread_mutex_lock(&step->engine->store_lock);
    const cuzk_status status = cuzk_store_add(step->engine->store, forms, 1, &err);
    pthread_mutex_unlock(&step->engine->store_lock);
    return status == CUZK_OK ? CUZK_OK
                             : cuzk_step_fail(failure, CUZK_BLAME_SYSTEM, "storing the job", &err);
}

static void store_done(cuzk_step *step, const cuzk_failure *failure)
{
    cuzk_engine_job *job = step->subject;
    job->stored = failure == NULL;
    cuzk_core_stored(step->engine->core, cuzk_clock_ns(), job->no, failure);
    cuzk_engine_act(step->engine);
    cuzk_engine_job_settle(step->engine, job);
}

void cuzk_engine_store_job(cuzk_engine *engine, cuzk_engine_job *job)
{
    cuzk_step_post(&job->step, engine, engine->io, job, store_work, store_done);
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
    CUZK_TRY(fetch_payload(engine, job, err));
    if (job->kind != CUZK_KIND_CIRCUIT)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "%s proofs: this program has no circuits of Filecoin; only kind %d, any "
                         "Groth16 circuit with its key, is served",
                         cuzk_kind_name(job->kind), CUZK_KIND_CIRCUIT);
    CUZK_TRY(cuzk_circuit_job_open(job->payload, job->payload_size, &job->key, err));
    CUZK_TRY(cuzk_circuit_job_parse(&job->input, job->payload, job->payload_size, job->id, err));
    job->parsed = (cuzk_parsed){
        .partitions = 1, .input_bytes = job->input.n * sizeof(cuzk_scalar), .result_bytes = 4096};
    snprintf(job->parsed.key, sizeof job->parsed.key, "%s", job->key);
    return cuzk_engine_key_sizes(engine, job->key, &job->parsed.key_bytes,
                                 &job->parsed.witness_bytes, err);
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

static void parse_done(cuzk_step *step, const cuzk_failure *failure)
{
    cuzk_engine_job *job = step->subject;
    cuzk_engine *engine = step->engine;
    const cuzk_engine_key *key =
        failure == NULL ? cuzk_engine_key_get(engine, job->parsed.key) : NULL;
    if (key != NULL && key->work_bytes > 0) { /* known exactly by now */
        job->parsed.witness_bytes = key->work_bytes;
        job->parsed.key_bytes = key->bytes;
    }
    cuzk_core_parsed_job(engine->core, cuzk_clock_ns(), job->no, &job->parsed, failure);
    cuzk_engine_act(engine);
    cuzk_engine_job_settle(engine, job);
}

void cuzk_engine_parse(cuzk_engine *engine, cuzk_engine_job *job)
{
    cuzk_step_post(&job->step, engine, engine->parse, job, parse_work, parse_done);
}

static int64_t unix_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static cuzk_status store_end_work(cuzk_step *step, cuzk_failure *failure)
{
    const cuzk_engine_job *job = step->subject;
    cuzk_store_job form = stored_form(job);
    form.ended_unix_ms = unix_ms();
    form.state = job->end_state;
    form.proof = job->proof;
    form.proof_size = job->proof_size;
    form.error = job->end_message != NULL ? job->end_message : "";
    const cuzk_store_job *forms[] = {&form};
    cuzk_error err = {0};
    pthread_mutex_lock(&step->engine->store_lock);
    const cuzk_status status = cuzk_store_end(step->engine->store, forms, 1, &err);
    pthread_mutex_unlock(&step->engine->store_lock);
    return status == CUZK_OK
               ? CUZK_OK
               : cuzk_step_fail(failure, CUZK_BLAME_SYSTEM, "storing the result", &err);
}

static void store_end_done(cuzk_step *step, const cuzk_failure *failure)
{
    cuzk_engine_job *job = step->subject;
    cuzk_core_result_stored(step->engine->core, cuzk_clock_ns(), job->no, failure);
    cuzk_engine_act(step->engine);
    cuzk_engine_job_settle(step->engine, job);
}

void cuzk_engine_store_result(cuzk_engine *engine, cuzk_engine_job *job)
{
    cuzk_job_view view;
    if (cuzk_core_view_job(engine->core, cuzk_clock_ns(), job->no, &view)) {
        job->end_state = view.failure == NULL ? CUZK_JOB_COMPLETED : view.state;
        if (cuzk_job_state_is_terminal(view.state))
            job->end_state = view.state;
        free(job->end_message);
        job->end_message = view.failure != NULL ? strdup(view.failure->message) : NULL;
    }
    cuzk_step_post(&job->step, engine, engine->io, job, store_end_work, store_end_done);
}

static cuzk_status forget_work(cuzk_step *step, cuzk_failure *failure)
{
    const cuzk_engine_job *job = step->subject;
    cuzk_error err = {0};
    pthread_mutex_lock(&step->engine->store_lock);
    const cuzk_status status = cuzk_store_forget(step->engine->store, job->no, &err);
    pthread_mutex_unlock(&step->engine->store_lock);
    return status == CUZK_OK ? CUZK_OK
                             : cuzk_step_fail(failure, CUZK_BLAME_SYSTEM, "forgetting a job", &err);
}

static void forget_done(cuzk_step *step, const cuzk_failure *failure)
{
    (void)failure; /* the store sweeps it at the next start */
    cuzk_engine_job_settle(step->engine, step->subject);
}

void cuzk_engine_forget_stored(cuzk_engine *engine, cuzk_engine_job *job)
{
    cuzk_step_post(&job->step, engine, engine->io, job, forget_work, forget_done);
}
