/* The ops that the core calls: noted, and what they mean for what is held. */
#include "support/world.h"

#include <stdlib.h>
#include <string.h>

static void note(world *w, world_event event)
{
    if (w->n_notes == w->room_notes) {
        w->room_notes = w->room_notes ? 2 * w->room_notes : 64;
        w->notes = realloc(w->notes, w->room_notes * sizeof *w->notes);
        HOLDS(w->notes);
    }
    w->notes[w->n_notes++] = event;
    const uint64_t words[] = {(uint64_t)event.op,
                              event.device,
                              event.attempt.job,
                              event.attempt.partition,
                              event.attempt.attempt,
                              event.argument,
                              w->now};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        w->trace = (w->trace ^ words[i]) * UINT64_C(0x100000001b3);
}

#define JOB_OP(name, op_)                                                                          \
    static void name(void *context, cuzk_job_no job)                                               \
    {                                                                                              \
        note(context, (world_event){.op = op_, .attempt = {.job = job}});                          \
    }
JOB_OP(store_job, WORLD_STORE_JOB)
JOB_OP(parse, WORLD_PARSE)
JOB_OP(store_result, WORLD_STORE_RESULT)

#define DEVICE_OP(name, op_)                                                                       \
    static void name(void *context, unsigned device, cuzk_attempt a)                               \
    {                                                                                              \
        note(context, (world_event){.op = op_, .device = device, .attempt = a});                   \
    }
DEVICE_OP(upload, WORLD_UPLOAD)
DEVICE_OP(compute, WORLD_COMPUTE)
DEVICE_OP(finish, WORLD_FINISH)
DEVICE_OP(check, WORLD_CHECK)

world_key *world_key_find(world *w, const char *name)
{
    for (unsigned i = 0; i < WORLD_KEYS; i++)
        if (strcmp(w->keys[i].name, name) == 0)
            return &w->keys[i];
    world_fail(name, __FILE__, __LINE__);
}

static void load_key(void *context, const char *key)
{
    note(context, (world_event){.op = WORLD_LOAD_KEY, .key = world_key_find(context, key)});
}

static void free_key(void *context, const char *key)
{
    world_key *found = world_key_find(context, key);
    HOLDS(found->loaded && found->users == 0);
    found->loaded = false;
    note(context, (world_event){.op = WORLD_FREE_KEY, .key = found});
}

void world_buffer_add(world *w, uint64_t bytes)
{
    if (w->n_buffers == w->room_buffers) {
        w->room_buffers = w->room_buffers ? 2 * w->room_buffers : 64;
        w->buffers = realloc(w->buffers, w->room_buffers * sizeof *w->buffers);
        HOLDS(w->buffers);
    }
    w->buffers[w->n_buffers++] = bytes;
}

bool world_buffer_take(world *w, uint64_t bytes)
{
    for (size_t i = 0; i < w->n_buffers; i++)
        if (w->buffers[i] == bytes) {
            w->buffers[i] = w->buffers[--w->n_buffers];
            return true;
        }
    return false;
}

static void free_buffer(void *context, uint64_t bytes)
{
    note(context, (world_event){.op = WORLD_FREE_BUFFER, .argument = bytes});
    HOLDS(world_buffer_take(context, bytes));
}

static void warm_buffer(void *context, uint64_t bytes)
{
    note(context, (world_event){.op = WORLD_WARM_BUFFER, .argument = bytes});
    ((world *)context)->pool_bytes += bytes;
}

static void synthesise(void *context, cuzk_attempt a)
{
    note(context, (world_event){.op = WORLD_SYNTH, .attempt = a});
    world *w = context;
    world_job *job = world_find(w, a.job);
    world_key *key = world_key_find(w, job->parsed.key);
    HOLDS(key->loaded && job->has_input && !job->parts[a.partition].alive);
    key->users++;
    if (job->parsed.buffer_bytes > 0 && world_buffer_take(w, job->parsed.buffer_bytes))
        w->pool_bytes -= job->parsed.buffer_bytes;
    w->witness_bytes += job->parsed.witness_bytes;
    job->parts[a.partition] =
        (world_part){.attempt = a.attempt, .alive = true, .device = -1, .synth_at = w->events_done};
}

static void drop_attempt(void *context, cuzk_attempt a)
{
    note(context, (world_event){.op = WORLD_NO_ANSWER, .attempt = a, .argument = 1});
    world *w = context;
    world_job *job = world_find(w, a.job);
    world_part *part = &job->parts[a.partition];
    if (w->returning.job != 0) {
        HOLDS(w->returning.job == a.job && w->returning.partition == a.partition);
        HOLDS(w->returning.attempt == a.attempt);
        w->returning.job = 0;
    } else {
        HOLDS(part->alive && !part->under_way && part->attempt == a.attempt);
        part->alive = false;
    }
    world_key_find(w, job->parsed.key)->users--;
    w->witness_bytes -= job->parsed.witness_bytes;
    if (job->parsed.buffer_bytes > 0) {
        world_buffer_add(w, job->parsed.buffer_bytes);
        w->pool_bytes += job->parsed.buffer_bytes;
    }
}

static void cancel_attempt(void *context, cuzk_attempt a)
{
    note(context, (world_event){.op = WORLD_NO_ANSWER, .attempt = a, .argument = 2});
    world *w = context;
    const world_part *part = &world_find(w, a.job)->parts[a.partition];
    HOLDS(part->alive && part->under_way && part->attempt == a.attempt);
}

static void payload_done(void *context, cuzk_job_no number)
{
    note(context, (world_event){.op = WORLD_NO_ANSWER, .attempt = {.job = number}, .argument = 3});
    world *w = context;
    world_job *job = world_find(w, number);
    HOLDS(job->has_payload && !job->storing && !job->parsing);
    job->has_payload = false;
    w->payload_bytes -= job->request.payload_bytes;
}

static void drop_input(void *context, cuzk_job_no number)
{
    note(context, (world_event){.op = WORLD_NO_ANSWER, .attempt = {.job = number}, .argument = 4});
    world_job *job = world_find(context, number);
    HOLDS(job->has_input && !job->parsing && job->late == 0);
    for (uint32_t i = 0; i < job->parsed.partitions; i++)
        HOLDS(!job->parts[i].under_way);
    job->has_input = false;
}

static void accepted(void *context, cuzk_job_no number)
{
    note(context, (world_event){.op = WORLD_NO_ANSWER, .attempt = {.job = number}, .argument = 5});
}

static void ended(void *context, cuzk_job_no number)
{
    note(context, (world_event){.op = WORLD_NO_ANSWER, .attempt = {.job = number}, .argument = 6});
    world *w = context;
    world_job *job = world_find(w, number);
    HOLDS(job->ended == 0 && !job->forgotten);
    job->ended++;
    cuzk_job_view view;
    HOLDS(cuzk_core_view_job(w->core, w->now, number, &view));
    if (job->shared)
        HOLDS(view.outcome == CUZK_JOB_COMPLETED && view.started == 0 && view.partitions == 0);
    else if (view.outcome == CUZK_JOB_COMPLETED)
        HOLDS(view.partitions > 0 && view.partitions_done == view.partitions);
    HOLDS(!view.failure || !strstr(view.failure->message, "a bug of cuzk"));
    job->end_time = w->now;
    w->ended++;
}

static void share_result(void *context, cuzk_job_no number, cuzk_job_no from)
{
    note(context, (world_event){.op = WORLD_NO_ANSWER, .attempt = {.job = number}, .argument = 8});
    world *w = context;
    world_job *job = world_find(w, number), *other = world_find(w, from);
    cuzk_job_view view;
    HOLDS(w->config.join_content && job != other && job->request.kind == other->request.kind);
    HOLDS(memcmp(job->request.digest, other->request.digest, sizeof job->request.digest) == 0);
    HOLDS(cuzk_core_view_job(w->core, w->now, from, &view) && view.outcome == CUZK_JOB_COMPLETED);
    HOLDS(job->ended == 0 && !job->shared && !job->parsing && !job->has_input);
    job->shared = true;
    w->shared++;
}

static void forget(void *context, cuzk_job_no number)
{
    note(context, (world_event){.op = WORLD_NO_ANSWER, .attempt = {.job = number}, .argument = 7});
    world_job *job = world_find(context, number);
    HOLDS((job->ended == 1 || job->is_restored) && job->forgotten == 0 && job->late == 0);
    HOLDS(!job->has_payload && !job->has_input && !job->storing && !job->storing_result);
    job->forgotten++;
}

static void gap(void *context, unsigned device, cuzk_device_state cause, uint64_t begin,
                uint64_t end, const cuzk_attempt *waited_for, cuzk_part_state its_state)
{
    (void)waited_for;
    (void)its_state;
    world *w = context;
    HOLDS(cause != CUZK_DEVICE_BUSY && begin < end && end == w->now);
    HOLDS(device < w->config.devices && end - begin > w->config.gap_ns);
    w->gaps++;
    w->gap_ns += end - begin;
}

static void quarantined(void *context, unsigned device, bool in)
{
    world *w = context;
    HOLDS(w->quarantined[device] != in);
    w->quarantined[device] = in;
}

static void drained(void *context)
{
    ((world *)context)->drained++;
}

const cuzk_core_ops world_ops = {
    .store_job = store_job,
    .parse = parse,
    .load_key = load_key,
    .free_key = free_key,
    .free_buffer = free_buffer,
    .warm_buffer = warm_buffer,
    .synthesise = synthesise,
    .upload = upload,
    .compute = compute,
    .finish = finish,
    .check = check,
    .store_result = store_result,
    .payload_done = payload_done,
    .drop_attempt = drop_attempt,
    .cancel_attempt = cancel_attempt,
    .drop_input = drop_input,
    .accepted = accepted,
    .ended = ended,
    .share_result = share_result,
    .forget = forget,
    .gap = gap,
    .quarantined = quarantined,
    .drained = drained,
};
