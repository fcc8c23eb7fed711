/* Steps, and parsing, that of jobs. */
#include "engine/engine_internal.h"

#include "base/clock.h"
#include "engine/circuit_job.h"
#include "engine/filecoin_job.h"

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

static cuzk_status parse_circuit(cuzk_engine_job *job, cuzk_error *err)
{
    CUZK_TRY(cuzk_circuit_job_open(job->payload, job->payload_size, &job->key, err));
    CUZK_TRY(cuzk_circuit_job_parse(&job->input, job->payload, job->payload_size, job->id, err));
    job->parsed.partitions = 1;
    job->parsed.input_bytes = job->input.n * sizeof(cuzk_scalar);
    job->parsed.result_bytes = 4096;
    return CUZK_OK;
}

static cuzk_status parse_filecoin(cuzk_engine *engine, cuzk_engine_job *job, cuzk_error *err)
{
    CUZK_TRY(cuzk_filecoin_job_parse(&job->input.filecoin, job->payload, job->payload_size,
                                     engine->pool, err));
    const cuzk_fil_request *request = job->input.filecoin;
    const cuzk_fil_proof *proof = cuzk_fil_request_proof(request);
    if ((unsigned)proof->kind != (unsigned)job->kind)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "a stored request of kind %u among those of kind %u",
                         (unsigned)proof->kind, (unsigned)job->kind);
    free(job->key);
    job->key = strdup(proof->circuit);
    if (job->key == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a key's name");
    job->parsed.partitions = (uint32_t)cuzk_fil_request_partitions(request);
    job->parsed.input_bytes = cuzk_fil_request_bytes(request);
    job->parsed.result_bytes = (uint64_t)job->parsed.partitions * CUZK_PROOF_BYTES;
    return CUZK_OK;
}

static cuzk_status parse_job(cuzk_engine *engine, cuzk_engine_job *job, cuzk_error *err)
{
    CUZK_TRY(fetch_payload(engine, job, err));
    CUZK_TRY(job->kind == CUZK_KIND_CIRCUIT ? parse_circuit(job, err)
                                            : parse_filecoin(engine, job, err));
    return cuzk_engine_key_sizes(engine, job->key, &job->sizes, err);
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
    job->sizes = key->sizes; /* with that of the key: it may be loaded again */
}

/* key NULL: no memory for it. */
static void use_key(cuzk_engine_job *job, const cuzk_engine_key *key)
{
    const cuzk_key_sizes *sizes = key == NULL ? &job->sizes : &key->sizes;
    snprintf(job->parsed.key, sizeof job->parsed.key, "%s", key == NULL ? "" : key->name);
    job->parsed.key_bytes = sizes->key;
    job->parsed.buffer_bytes = sizes->buffer;
    job->parsed.witness_bytes = sizes->buffer + sizes->witness;
}

static void parse_done(cuzk_step *step, const cuzk_failure *failure)
{
    cuzk_engine_job *job = step->subject;
    cuzk_engine *engine = step->engine;
    static const cuzk_failure no_memory = {.blame = CUZK_BLAME_SYSTEM,
                                           .status = CUZK_ERR_MEMORY,
                                           .message = "reading the request: no memory for a key"};
    if (failure == NULL) {
        const cuzk_engine_key *key = cuzk_engine_key_resolve(engine, job->key, &job->sizes);
        use_key(job, key);
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
                       job->sizes.buffer > 0; /* no file is asked */
    cuzk_step_post(&job->step, engine, quick ? NULL : engine->parse, job, parse_work, parse_done);
}
