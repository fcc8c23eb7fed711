/* The steps of an attempt: its witness against the key, then the device's upload, compute, finish
 * and check. */
#include "engine/engine_internal.h"

#include "base/clock.h"
#include "engine/engine_timing.h"

#include <stdlib.h>
#include <string.h>

static bool same(cuzk_attempt a, cuzk_attempt b)
{
    return a.job == b.job && a.partition == b.partition && a.attempt == b.attempt;
}

static cuzk_engine_attempt **find(cuzk_engine_job *job, cuzk_attempt id)
{
    cuzk_engine_attempt **at = &job->attempts;
    while (*at != NULL && !same((*at)->id, id))
        at = &(*at)->next;
    return at;
}

/* No step is under way: what it holds goes back, also if it is still spoken of. */
static void rest(cuzk_engine *engine, cuzk_engine_attempt *attempt)
{
    cuzk_device *device = engine->device[attempt->device];
    device->ops->drop(device, &attempt->work);
    cuzk_buffers_give(engine->buffers, attempt->buffer);
    attempt->buffer = NULL;
}

static void free_attempt(cuzk_engine *engine, cuzk_engine_attempt *attempt)
{
    cuzk_engine_attempt **at = find(attempt->job, attempt->id);
    *at = attempt->next;
    rest(engine, attempt);
    free(attempt);
}

/* After a step, the core told: frees what was dropped meanwhile. */
static void settle(cuzk_engine *engine, cuzk_engine_attempt *attempt)
{
    cuzk_engine_job *job = attempt->job;
    cuzk_engine_attempt *outer =
        engine->settling; /* a step that is done at once ends within another */
    engine->settling = attempt;
    cuzk_engine_act(engine);
    engine->settling = outer;
    if (attempt->dropped)
        free_attempt(engine, attempt);
    cuzk_engine_job_settle(engine, job);
}

static cuzk_status fail(cuzk_failure *failure, const char *stage, const cuzk_error *err)
{
    cuzk_blame blame = CUZK_BLAME_INPUT;
    if (err->status == CUZK_ERR_DEVICE)
        blame = CUZK_BLAME_DEVICE;
    if (err->status == CUZK_ERR_MEMORY || err->status == CUZK_ERR_IO ||
        err->status == CUZK_ERR_RANDOM)
        blame = CUZK_BLAME_SYSTEM;
    return cuzk_step_fail(failure, blame, stage, err);
}

static void use_buffer(cuzk_engine_attempt *attempt, cuzk_buffer *buffer)
{
    attempt->buffer = buffer;
    attempt->work.scratch = buffer == NULL ? NULL : buffer->data;
    attempt->work.scratch_bytes = buffer == NULL ? 0 : buffer->bytes;
}

static bool make_buffer(cuzk_engine_attempt *attempt)
{
    use_buffer(attempt, cuzk_buffers_make(attempt->step.engine->buffers,
                                          (size_t)attempt->job->parsed.buffer_bytes));
    return attempt->buffer != NULL;
}

/* The witness of a circuit is in the request: what is left is whether it is the key's. */
static cuzk_status synthesise_work(cuzk_step *step, cuzk_failure *failure)
{
    cuzk_engine_attempt *attempt = step->subject;
    const cuzk_engine_job *job = attempt->job;
    const cuzk_job_input *input = &job->input;
    const cuzk_pk *pk = attempt->work.pk;
    const cuzk_device *device = step->engine->device[0];
    cuzk_error err = {0};
    attempt->work.assignment = (cuzk_assignment){.z = input->z, .n = input->n, .name = job->id};
    if (input->curve != pk->vk.curve)
        cuzk_fail(
            &err, CUZK_ERR_MISMATCH,
            "%s: a witness over %s; the key %s is over %s: use the key and the witness of one "
            "circuit",
            job->id, input->curve->full_name, job->key, pk->vk.curve->full_name);
    else if (input->n != pk->vars)
        cuzk_fail(&err, CUZK_ERR_MISMATCH,
                  "%s: a witness of %zu values; the circuit of the key %s has %zu: use the key and "
                  "the witness of one circuit",
                  job->id, input->n, job->key, pk->vars);
    else if (device->ops->work_bytes(device, pk) > job->parsed.buffer_bytes)
        cuzk_fail(&err, CUZK_ERR_MEMORY,
                  "%s: its proof needs %zu bytes of scratch, %llu were found from the head of the "
                  "key %s: has its file changed since? Submit it again",
                  job->id, device->ops->work_bytes(device, pk),
                  (unsigned long long)job->parsed.buffer_bytes, job->key);
    else if (attempt->buffer == NULL && !make_buffer(attempt))
        cuzk_fail(&err, CUZK_ERR_MEMORY, "%s: no memory for the %llu bytes that its proof needs",
                  job->id, (unsigned long long)job->parsed.buffer_bytes);
    else
        return CUZK_OK;
    return fail(failure, "witness", &err);
}

static void synthesise_done(cuzk_step *step, const cuzk_failure *failure)
{
    cuzk_engine_attempt *attempt = step->subject;
    if (failure == NULL)
        cuzk_timing_synthesised(attempt);
    cuzk_core_synthesised(step->engine->core, cuzk_clock_ns(), attempt->id, failure);
    settle(step->engine, attempt);
}

/* The core's answer to an attempt that cannot even begin. */
static void refuse(cuzk_engine *engine, cuzk_attempt id, const char *message)
{
    cuzk_failure failure = {.blame = CUZK_BLAME_SYSTEM, .status = CUZK_ERR_MEMORY};
    for (size_t i = 0; message[i] != '\0' && i + 1 < sizeof failure.message; i++)
        failure.message[i] = message[i];
    cuzk_core_synthesised(engine->core, cuzk_clock_ns(), id, &failure);
    cuzk_engine_act(engine);
}

void cuzk_engine_synthesise(cuzk_engine *engine, cuzk_engine_job *job, cuzk_attempt id)
{
    cuzk_engine_attempt *attempt = calloc(1, sizeof *attempt);
    if (attempt == NULL) {
        refuse(engine, id, "witness: no memory for an attempt");
        return;
    }
    const cuzk_engine_key *key = cuzk_engine_key_get(engine, job->parsed.key);
    CUZK_ASSERT(key != NULL && key->key != NULL); /* the core holds a reference */
    attempt->id = id;
    attempt->job = job;
    attempt->work.pk = key->key->pk;
    attempt->work.cancelled = &attempt->cancelled;
    attempt->next = job->attempts;
    job->attempts = attempt;
    cuzk_timeline(engine, "SYNTH_START", job->id, "partition=%u", id.partition);
    use_buffer(attempt, cuzk_buffers_take(engine->buffers, (size_t)job->parsed.buffer_bytes));
    /* Two comparisons, so far; but to make a buffer takes its time, as will circuits that make
     * their witness here. */
    cuzk_step_post(&attempt->step, engine, attempt->buffer != NULL ? NULL : engine->synth, attempt,
                   synthesise_work, synthesise_done);
}

static bool came_late(cuzk_engine *engine, cuzk_engine_attempt *attempt)
{
    if (!cuzk_watch_end(engine, attempt))
        return false;
    settle(engine, attempt);
    return true;
}

static cuzk_status upload_work(cuzk_step *step, cuzk_failure *failure)
{
    cuzk_engine_attempt *attempt = step->subject;
    cuzk_device *device = step->engine->device[attempt->device];
    cuzk_error err = {0};
    cuzk_watch_enter(attempt);
    if (device->ops->upload(device, &attempt->work, &err) == CUZK_OK)
        return CUZK_OK;
    return fail(failure, "upload", &err);
}

static void upload_done(cuzk_step *step, const cuzk_failure *failure)
{
    cuzk_engine_attempt *attempt = step->subject;
    if (came_late(step->engine, attempt))
        return;
    if (failure == NULL)
        cuzk_timing_uploaded(attempt);
    cuzk_core_uploaded(step->engine->core, cuzk_clock_ns(), attempt->id, failure);
    settle(step->engine, attempt);
}

static cuzk_status compute_work(cuzk_step *step, cuzk_failure *failure)
{
    cuzk_engine_attempt *attempt = step->subject;
    cuzk_device *device = step->engine->device[attempt->device];
    cuzk_error err = {0};
    cuzk_watch_enter(attempt);
    if (device->ops->compute(device, &attempt->work, &err) == CUZK_OK)
        return CUZK_OK;
    return fail(failure, "compute", &err);
}

static void compute_done(cuzk_step *step, const cuzk_failure *failure)
{
    cuzk_engine_attempt *attempt = step->subject;
    if (came_late(step->engine, attempt))
        return;
    if (failure == NULL)
        cuzk_timing_computed(attempt);
    cuzk_core_computed(step->engine->core, cuzk_clock_ns(), attempt->id, failure);
    settle(step->engine, attempt);
}

static cuzk_status finish_work(cuzk_step *step, cuzk_failure *failure)
{
    cuzk_engine_attempt *attempt = step->subject;
    cuzk_device *device = step->engine->device[attempt->device];
    cuzk_error err = {0};
    cuzk_watch_enter(attempt);
    if (device->ops->finish(device, &attempt->work, &err) == CUZK_OK)
        return CUZK_OK;
    return fail(failure, "finish", &err);
}

static void finish_done(cuzk_step *step, const cuzk_failure *failure)
{
    cuzk_engine_attempt *attempt = step->subject;
    if (came_late(step->engine, attempt))
        return;
    if (failure == NULL)
        cuzk_timing_finished(attempt);
    cuzk_core_finished(step->engine->core, cuzk_clock_ns(), attempt->id, failure);
    settle(step->engine, attempt);
}

/* Verifies, and writes the answer: the one proof of a circuit's job. */
static cuzk_status check_work(cuzk_step *step, cuzk_failure *failure)
{
    cuzk_engine_attempt *attempt = step->subject;
    cuzk_device *device = step->engine->device[attempt->device];
    cuzk_error err = {0};
    if (device->ops->check(device, &attempt->work, &err) != CUZK_OK)
        return fail(failure, "verification", &err);
    char *text;
    if (device->ops->answer(device, &attempt->work, &text, &err) != CUZK_OK)
        return fail(failure, "writing the proof", &err);
    free(attempt->job->proof);
    attempt->job->proof = text;
    attempt->job->proof_size = strlen(text);
    return CUZK_OK;
}

static void check_done(cuzk_step *step, const cuzk_failure *failure)
{
    cuzk_engine_attempt *attempt = step->subject;
    if (failure == NULL)
        cuzk_timing_checked(attempt);
    cuzk_core_checked(step->engine->core, cuzk_clock_ns(), attempt->id, failure);
    settle(step->engine, attempt);
}

static void post(cuzk_engine *engine, cuzk_engine_attempt *attempt, cuzk_workers *workers,
                 const char *stage, cuzk_status (*work)(cuzk_step *step, cuzk_failure *failure),
                 void (*done)(cuzk_step *step, const cuzk_failure *failure))
{
    cuzk_watch_begin(engine, attempt, stage);
    cuzk_step_post(&attempt->step, engine, workers, attempt, work, done);
}

void cuzk_engine_advance(cuzk_engine *engine, cuzk_engine_job *job, const cuzk_action *action)
{
    cuzk_engine_attempt *attempt = *find(job, action->attempt);
    CUZK_ASSERT(attempt != NULL);
    const unsigned d = action->device;
    switch (action->kind) {
    case CUZK_ACTION_UPLOAD:
        attempt->device = d;
        post(engine, attempt, engine->device[d]->quick_upload ? NULL : engine->upload[d], "upload",
             upload_work, upload_done);
        break;
    case CUZK_ACTION_COMPUTE:
        cuzk_timeline(engine, "GPU_START", job->id, "worker=%u,partition=%u", d,
                      action->attempt.partition);
        post(engine, attempt, engine->compute[d], "compute", compute_work, compute_done);
        break;
    case CUZK_ACTION_FINISH:
        post(engine, attempt, engine->finish[d], "finish", finish_work, finish_done);
        break;
    case CUZK_ACTION_CHECK:
        cuzk_step_post(&attempt->step, engine, engine->check, attempt, check_work, check_done);
        break;
    default:
        atomic_store(&attempt->cancelled, true);
        break;
    }
}

void cuzk_engine_drop_attempt(cuzk_engine *engine, cuzk_engine_job *job, cuzk_attempt id)
{
    cuzk_engine_attempt *attempt = *find(job, id);
    if (attempt == NULL)
        return; /* it could not begin */
    CUZK_ASSERT(!attempt->step.under_way);
    if (engine->settling != attempt) {
        free_attempt(engine, attempt);
        return;
    }
    rest(engine, attempt); /* now: the core may give its buffer to the next */
    attempt->dropped = true;
}

void cuzk_engine_free_attempts(cuzk_engine *engine, cuzk_engine_job *job)
{
    while (job->attempts != NULL)
        free_attempt(engine, job->attempts);
}

void cuzk_engine_cancel_attempts(cuzk_engine *engine)
{
    for (cuzk_job_no no = cuzk_core_next_job(engine->core, 0); no != 0;
         no = cuzk_core_next_job(engine->core, no)) {
        const cuzk_engine_job *job = cuzk_engine_job_find(engine, no);
        for (cuzk_engine_attempt *a = job == NULL ? NULL : job->attempts; a != NULL; a = a->next)
            atomic_store(&a->cancelled, true);
    }
}
