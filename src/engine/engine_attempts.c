/* The steps of an attempt: its witness against the key, then the device's upload, compute, finish
 * and check. */
#include "engine/engine_internal.h"

#include "base/clock.h"
#include "engine/engine_timing.h"
#include "engine/filecoin_job.h"

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
    cuzk_circuit_witness_free(attempt->witness);
    attempt->witness = NULL;
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
static cuzk_status use_witness(cuzk_engine_attempt *attempt, cuzk_error *err)
{
    const cuzk_engine_job *job = attempt->job;
    const cuzk_job_input *input = &job->input;
    const cuzk_pk *pk = attempt->work.pk;
    attempt->work.assignment = (cuzk_assignment){.z = input->z, .n = input->n, .name = job->id};
    if (pk->rows != 0)
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%s: the key %s is of a circuit of Filecoin: send vanilla proofs, as a "
                         "request of its kind",
                         job->id, job->key);
    if (input->curve != pk->vk.curve)
        return cuzk_fail(
            err, CUZK_ERR_MISMATCH,
            "%s: a witness over %s; the key %s is over %s: use the key and the witness of one "
            "circuit",
            job->id, input->curve->full_name, job->key, pk->vk.curve->full_name);
    if (input->n != pk->vars)
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%s: a witness of %zu values; the circuit of the key %s has %zu: use the "
                         "key and the witness of one circuit",
                         job->id, input->n, job->key, pk->vars);
    return CUZK_OK;
}

static cuzk_status make_witness(cuzk_engine_attempt *attempt, cuzk_error *err)
{
    const cuzk_engine_job *job = attempt->job;
    const cuzk_fil_request *request = job->input.filecoin;
    const cuzk_compiled *compiled = attempt->key->compiled;
    const size_t need = cuzk_filecoin_job_witness_bytes(cuzk_fil_request_proof(request), compiled);
    const uint64_t granted = job->parsed.witness_bytes - job->parsed.buffer_bytes;
    if (need > granted)
        return cuzk_fail(err, CUZK_ERR_MEMORY,
                         "%s: its witness needs %zu bytes, %llu were expected from the head of the "
                         "key %s: submit it again",
                         job->id, need, (unsigned long long)granted, job->key);
    CUZK_TRY(cuzk_filecoin_job_witness(&attempt->witness, request, attempt->id.partition, compiled,
                                       job->id, err));
    attempt->work.assignment = cuzk_circuit_witness_assign(attempt->witness, job->id);
    return CUZK_OK;
}

static cuzk_status find_scratch(cuzk_engine_attempt *attempt, cuzk_error *err)
{
    const cuzk_engine_job *job = attempt->job;
    const cuzk_device *device = attempt->step.engine->device[0];
    const size_t need = device->ops->work_bytes(device, attempt->work.pk);
    if (need > job->parsed.buffer_bytes)
        return cuzk_fail(err, CUZK_ERR_MEMORY,
                         "%s: its proof needs %zu bytes of scratch, %llu were found from the head "
                         "of the key %s: has its file changed since? Submit it again",
                         job->id, need, (unsigned long long)job->parsed.buffer_bytes, job->key);
    if (attempt->buffer == NULL && !make_buffer(attempt))
        return cuzk_fail(err, CUZK_ERR_MEMORY,
                         "%s: no memory for the %llu bytes that its proof needs", job->id,
                         (unsigned long long)job->parsed.buffer_bytes);
    return CUZK_OK;
}

static cuzk_status synthesise_work(cuzk_step *step, cuzk_failure *failure)
{
    cuzk_engine_attempt *attempt = step->subject;
    cuzk_error err = {0};
    cuzk_status status = attempt->job->input.filecoin == NULL ? use_witness(attempt, &err)
                                                              : make_witness(attempt, &err);
    if (status == CUZK_OK)
        status = find_scratch(attempt, &err);
    return status == CUZK_OK ? CUZK_OK : fail(failure, "witness", &err);
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
    attempt->key = key->key;
    attempt->work.pk = key->key->pk;
    attempt->work.key = key->on_device;
    attempt->work.cancelled = &attempt->cancelled;
    attempt->next = job->attempts;
    job->attempts = attempt;
    cuzk_timeline(engine, "SYNTH_START", job->id, "partition=%u", id.partition);
    use_buffer(attempt, cuzk_buffers_take(engine->buffers, (size_t)job->parsed.buffer_bytes));
    /* A few comparisons; but to make a buffer or a witness takes its time. */
    const bool quick = attempt->buffer != NULL && job->input.filecoin == NULL;
    cuzk_step_post(&attempt->step, engine, quick ? NULL : engine->synth, attempt, synthesise_work,
                   synthesise_done);
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

/* The one proof of a circuit's job, as text; or a partition's, among those of its job. */
static cuzk_status keep_proof(cuzk_device *device, const cuzk_engine_attempt *attempt,
                              cuzk_error *err)
{
    cuzk_engine_job *job = attempt->job;
    if (job->kind != CUZK_KIND_CIRCUIT) {
        if (job->proof == NULL)
            return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the job's proofs");
        device->ops->encode(device, &attempt->work,
                            (uint8_t *)job->proof + attempt->id.partition * CUZK_PROOF_BYTES);
        return CUZK_OK;
    }
    char *text;
    CUZK_TRY(device->ops->answer(device, &attempt->work, &text, err));
    free(job->proof);
    job->proof = text;
    job->proof_size = strlen(text);
    return CUZK_OK;
}

/* Before the first of its partitions is checked; those write at the same time. */
static void make_proofs(cuzk_engine_job *job)
{
    if (job->kind == CUZK_KIND_CIRCUIT || job->proof != NULL)
        return;
    job->proof = calloc(job->parsed.partitions, CUZK_PROOF_BYTES);
    job->proof_size = job->proof == NULL ? 0 : (size_t)job->parsed.partitions * CUZK_PROOF_BYTES;
}

/* Verifies, and keeps the proof. */
static cuzk_status check_work(cuzk_step *step, cuzk_failure *failure)
{
    cuzk_engine_attempt *attempt = step->subject;
    cuzk_device *device = step->engine->device[attempt->device];
    cuzk_error err = {0};
    if (device->ops->check(device, &attempt->work, &err) != CUZK_OK)
        return fail(failure, "verification", &err);
    if (keep_proof(device, attempt, &err) != CUZK_OK)
        return fail(failure, "writing the proof", &err);
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
        make_proofs(job);
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
