/* Storing jobs and results. What is due while the disk is busy is written together next: one sync
 * for all of it. An end that could not be stored is told nevertheless, and stored when the disk is
 * well again: else the job would run again after a restart, or be too late then. */
#define _GNU_SOURCE
#include "engine/engine_internal.h"

#include "base/clock.h"
#include "base/log.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_MAX    256
#define AGAIN_NS     UINT64_C(1000000000) /* doubled with each failure, up to: */
#define AGAIN_NS_MAX UINT64_C(60000000000)

static cuzk_store_job stored_form(const cuzk_engine_job *job, bool ended)
{
    cuzk_store_job form = {.job = job->no,
                           .request_id = job->id,
                           .kind = job->kind,
                           .class_ = job->class_,
                           .deadline_unix_ms = job->deadline_unix_ms,
                           .submitted_unix_ms = job->submitted_unix_ms,
                           .state = CUZK_JOB_ACCEPTED,
                           .error = ""};
    memcpy(form.digest, job->digest, sizeof form.digest);
    if (!ended) {
        form.payload = job->payload;
        form.payload_size = job->payload_size;
        return form;
    }
    form.ended_unix_ms = job->ended_unix_ms;
    form.state = job->end_state;
    form.proof = job->proof;
    form.proof_size = job->proof_size;
    form.error = job->end_message != NULL ? job->end_message : "";
    form.error_code = job->end_code;
    return form;
}

static cuzk_status write_batch(cuzk_step *step, cuzk_failure *failure)
{
    const cuzk_store_batch *batch = step->subject;
    cuzk_engine *engine = step->engine;
    cuzk_store_job form[BATCH_MAX];
    const cuzk_store_job *forms[BATCH_MAX];
    size_t n = 0;
    for (const cuzk_engine_job *job = batch->taken; job != NULL; job = job->next_stored, n++) {
        form[n] = stored_form(job, batch->ends);
        forms[n] = &form[n];
    }
    cuzk_error err = {0};
    pthread_mutex_lock(&engine->store_lock);
    const cuzk_status status = batch->ends ? cuzk_store_end(engine->store, forms, n, &err)
                                           : cuzk_store_add(engine->store, forms, n, &err);
    pthread_mutex_unlock(&engine->store_lock);
    if (status == CUZK_OK)
        return CUZK_OK;
    return cuzk_step_fail(failure, CUZK_BLAME_SYSTEM,
                          batch->ends ? "storing the result" : "storing the job", &err);
}

static void begin_batch(cuzk_engine *engine, cuzk_store_batch *batch);

/* Other errors than those of the disk would only come again. */
static void end_done(cuzk_engine *engine, cuzk_engine_job *job, const cuzk_failure *failure)
{
    const bool was_told = job->unsaved;
    job->unsaved = failure != NULL && failure->status == CUZK_ERR_IO;
    engine->unsaved += job->unsaved;
    engine->unsaved -= was_told;
    if (was_told && failure == NULL && engine->unsaved == 0)
        cuzk_log(CUZK_LOG_INFO, "all ends of jobs that could not be stored are stored now");
    if (!was_told)
        cuzk_core_result_stored(engine->core, cuzk_clock_ns(), job->no, failure);
}

/* When something could be written, at once; else later. */
static void plan_again(cuzk_engine *engine, bool ends, const cuzk_failure *failure)
{
    uint64_t wait = engine->save_wait;
    if (failure == NULL)
        wait = 0;
    else if (!ends)
        return;
    else
        wait = wait == 0 ? AGAIN_NS : 2 * wait > AGAIN_NS_MAX ? AGAIN_NS_MAX : 2 * wait;
    engine->save_wait = wait;
    engine->next_save = engine->unsaved == 0 || engine->stop ? CUZK_NEVER : cuzk_clock_ns() + wait;
}

static void batch_done(cuzk_step *step, const cuzk_failure *failure)
{
    cuzk_store_batch *batch = step->subject;
    cuzk_engine *engine = step->engine;
    cuzk_engine_job *job = batch->taken;
    batch->taken = NULL;
    if (failure != NULL)
        cuzk_log(CUZK_LOG_ERROR, "%s", failure->message);
    while (job != NULL) {
        cuzk_engine_job *next = job->next_stored;
        job->storing = false;
        if (batch->ends) {
            end_done(engine, job, failure);
        } else {
            job->stored = failure == NULL;
            cuzk_core_stored(engine->core, cuzk_clock_ns(), job->no, failure);
        }
        cuzk_engine_act(engine);
        cuzk_engine_job_settle(engine, job);
        job = next;
    }
    plan_again(engine, batch->ends, failure);
    begin_batch(engine, batch);
}

static void begin_batch(cuzk_engine *engine, cuzk_store_batch *batch)
{
    if (batch->step.under_way || batch->waiting == NULL || engine->stop)
        return;
    cuzk_engine_job **end = &batch->taken;
    for (unsigned n = 0; n < BATCH_MAX && batch->waiting != NULL; n++) {
        *end = batch->waiting;
        batch->waiting = batch->waiting->next_stored;
        end = &(*end)->next_stored;
    }
    *end = NULL;
    if (batch->waiting == NULL)
        batch->last = NULL;
    cuzk_step_post(&batch->step, engine, engine->io, batch, write_batch, batch_done);
}

static void append(cuzk_engine *engine, cuzk_store_batch *batch, cuzk_engine_job *job)
{
    job->storing = true;
    job->next_stored = NULL;
    if (batch->last == NULL)
        batch->waiting = job;
    else
        batch->last->next_stored = job;
    batch->last = job;
    begin_batch(engine, batch);
}

void cuzk_engine_store_job(cuzk_engine *engine, cuzk_engine_job *job)
{
    append(engine, &engine->adds, job);
}

/* What the core will say of the job once this is stored. */
static void note_end(cuzk_engine *engine, cuzk_engine_job *job)
{
    cuzk_job_view view;
    if (!cuzk_core_view_job(engine->core, cuzk_clock_ns(), job->no, &view))
        return;
    job->end_state = view.outcome;
    job->ended_unix_ms = cuzk_clock_unix_ms();
    free(job->end_message);
    job->end_message = view.failure != NULL ? strdup(view.failure->message) : NULL;
    job->end_code = view.failure != NULL ? (int)view.failure->status : 0;
}

void cuzk_engine_store_result(cuzk_engine *engine, cuzk_engine_job *job)
{
    note_end(engine, job);
    append(engine, &engine->ends, job);
}

static void save_again(const void *node, VISIT visit, void *context)
{
    cuzk_engine_job *job = *(cuzk_engine_job *const *)node;
    cuzk_engine *engine = context;
    if ((visit == postorder || visit == leaf) && job->unsaved && !job->storing)
        append(engine, &engine->ends, job);
}

void cuzk_engine_save_again(cuzk_engine *engine)
{
    engine->next_save = CUZK_NEVER;
    if (engine->unsaved > 0)
        twalk_r(engine->jobs, save_again, engine);
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
    if (failure != NULL) /* it comes back at the next start, and is forgotten then */
        cuzk_log(CUZK_LOG_WARN, "%s", failure->message);
    cuzk_engine_job_settle(step->engine, step->subject);
}

void cuzk_engine_forget_stored(cuzk_engine *engine, cuzk_engine_job *job)
{
    cuzk_step_post(&job->step, engine, engine->io, job, forget_work, forget_done);
}
