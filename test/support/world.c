#include "support/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void world_fail(const char *what, const char *file, int line)
{
    (void)fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

/* --- events --- */

static bool is_before(const world_event *a, const world_event *b)
{
    return a->time != b->time ? a->time < b->time : a->sequence < b->sequence;
}

static void swap(world_event *a, world_event *b)
{
    world_event other = *a;
    *a = *b;
    *b = other;
}

static void sift_up(world *w, size_t i)
{
    for (; i > 0 && is_before(&w->events[i], &w->events[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&w->events[i], &w->events[(i - 1) / 2]);
}

static void sift_down(world *w, size_t i)
{
    for (;;) {
        size_t least = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < w->n_events; child++)
            if (is_before(&w->events[child], &w->events[least]))
                least = child;
        if (least == i)
            return;
        swap(&w->events[i], &w->events[least]);
        i = least;
    }
}

static void push(world *w, world_event event)
{
    if (w->n_events == w->room_events) {
        w->room_events = w->room_events ? 2 * w->room_events : 64;
        w->events = realloc(w->events, w->room_events * sizeof *w->events);
        HOLDS(w->events);
    }
    event.sequence = w->sequence++;
    w->events[w->n_events] = event;
    sift_up(w, w->n_events++);
}

static world_event pop(world *w)
{
    world_event first = w->events[0];
    w->events[0] = w->events[--w->n_events];
    sift_down(w, 0);
    return first;
}

/* What is under way and matches ends now, with this outcome. */
static void hasten(world *w, world_event *event, world_outcome outcome)
{
    event->time = w->now;
    event->outcome = outcome;
    sift_up(w, (size_t)(event - w->events));
}

void world_at(world *w, uint64_t time, void (*call)(world *, uint64_t), uint64_t argument)
{
    push(w, (world_event){.time = time, .call = call, .argument = argument});
}

/* --- doing what the core asked for --- */

static void begin_attempt(world *w, const world_event *event)
{
    world_job *job = world_find(w, event->attempt.job);
    world_part *part = &job->parts[event->attempt.partition];
    HOLDS(part->alive && !part->under_way && part->attempt == event->attempt.attempt);
    HOLDS(world_key_find(w, job->parsed.key)->loaded);
    part->under_way = true;
    unsigned device = event->device;
    switch (event->op) {
    case WORLD_UPLOAD:
        HOLDS(part->staged && !w->lost[device] && !w->quarantined[device]);
        part->device = (int)device;
        w->uploading[device]++;
        break;
    case WORLD_COMPUTE:
        HOLDS(part->uploaded && part->device == (int)device);
        part->compute_at = w->events_done;
        if (!job->first_compute)
            job->first_compute = w->now;
        w->computing[device]++;
        w->computes++;
        break;
    case WORLD_FINISH:
        HOLDS(part->computed && part->device == (int)device);
        w->finishing[device]++;
        break;
    case WORLD_CHECK:
        HOLDS(part->finished && part->device == (int)device);
        break;
    default:
        break;
    }
}

static void begin_job(world *w, const world_event *event)
{
    world_job *job = world_find(w, event->attempt.job);
    if (event->op == WORLD_STORE_JOB) {
        HOLDS(!job->storing && !job->stored && job->has_payload);
        job->storing = true;
    } else if (event->op == WORLD_PARSE) {
        HOLDS(!job->parsing && !job->has_input);
        job->parsing = true;
        if (!job->has_payload) {
            HOLDS(job->is_restored);
            job->has_payload = true;
            w->payload_bytes += job->request.payload_bytes;
        }
    } else if (event->op == WORLD_STORE_RESULT) {
        HOLDS(!job->storing_result && job->stored && job->ended == 0);
        job->storing_result = true;
    }
}

static uint64_t duration(world *w, const world_event *event)
{
    uint64_t ns = w->ns[event->op];
    if (w->jitter)
        ns += test_rng_below(&w->rng, ns + 1);
    if (event->op >= WORLD_UPLOAD && event->op <= WORLD_FINISH && w->slow[event->device])
        ns *= w->slow[event->device];
    return ns;
}

static void begin(world *w, world_event event)
{
    if (event.op == WORLD_FREE_BUFFER || event.op == WORLD_WARM_BUFFER) {
        /* Charged until it is gone, and from before it is there. */
    } else if (event.key && event.op == WORLD_LOAD_KEY) {
        HOLDS(!event.key->charged);
        event.key->charged = true;
        event.key->loads++;
        w->key_bytes += event.key->load_bytes;
    } else if (!event.key && event.op >= WORLD_SYNTH && event.op <= WORLD_CHECK) {
        begin_attempt(w, &event);
    } else if (!event.key) {
        begin_job(w, &event);
    }
    w->running[event.op]++;
    event.outcome = w->decide ? w->decide(w, &event) : WORLD_GOOD;
    event.time = w->now + (event.outcome == WORLD_HANG ? w->watchdog : duration(w, &event));
    push(w, event);
}

/* Cancelled work ends at once if it hangs. */
static void cancel_noted(world *w, const cuzk_attempt *a)
{
    for (size_t i = 0; i < w->n_events; i++) {
        world_event *event = &w->events[i];
        if (!event->call && event->outcome == WORLD_HANG && event->attempt.job == a->job &&
            event->attempt.partition == a->partition && event->attempt.attempt == a->attempt) {
            hasten(w, event, WORLD_BAD_SYSTEM);
            return;
        }
    }
}

void world_settle(world *w)
{
    for (size_t i = 0; i < w->n_notes; i++) {
        world_event event = w->notes[i];
        if (event.op != WORLD_NO_ANSWER)
            begin(w, event);
        else if (event.argument == 2)
            cancel_noted(w, &event.attempt);
        else if (event.argument == 5)
            world_find(w, event.attempt.job)->accepted++;
    }
    w->n_notes = 0;
    if (w->checked)
        world_check(w);
}

/* --- answers --- */

static const cuzk_failure *failure_of(const world_event *event, cuzk_failure *room)
{
    if (event->outcome == WORLD_GOOD)
        return NULL;
    memset(room, 0, sizeof *room);
    room->blame = event->outcome == WORLD_BAD_INPUT    ? CUZK_BLAME_INPUT
                  : event->outcome == WORLD_BAD_SYSTEM ? CUZK_BLAME_SYSTEM
                                                       : CUZK_BLAME_DEVICE;
    room->status = CUZK_ERR_DEVICE;
    (void)snprintf(room->message, sizeof room->message, "op %d failed by script", (int)event->op);
    return room;
}

static void end_attempt(world *w, const world_event *event, const cuzk_failure *failure)
{
    world_job *job = world_find(w, event->attempt.job);
    world_part *part = &job->parts[event->attempt.partition];
    HOLDS(part->under_way);
    part->under_way = false;
    bool good = !failure;
    switch (event->op) {
    case WORLD_SYNTH:
        part->staged = good;
        cuzk_core_synthesised(w->core, w->now, event->attempt, failure);
        break;
    case WORLD_UPLOAD:
        w->uploading[event->device]--;
        part->staged = false;
        part->uploaded = good;
        part->uploaded_at = w->events_done;
        cuzk_core_uploaded(w->core, w->now, event->attempt, failure);
        break;
    case WORLD_COMPUTE:
        w->computing[event->device]--;
        part->uploaded = false;
        part->computed = good;
        cuzk_core_computed(w->core, w->now, event->attempt, failure);
        break;
    case WORLD_FINISH:
        w->finishing[event->device]--;
        part->computed = false;
        part->finished = good;
        cuzk_core_finished(w->core, w->now, event->attempt, failure);
        break;
    default:
        cuzk_core_checked(w->core, w->now, event->attempt, failure);
        break;
    }
}

static void end_job_op(world *w, const world_event *event, const cuzk_failure *failure)
{
    world_job *job = world_find(w, event->attempt.job);
    if (event->op == WORLD_STORE_JOB) {
        job->storing = false;
        job->stored = !failure;
        cuzk_core_stored(w->core, w->now, job->number, failure);
    } else if (event->op == WORLD_PARSE) {
        job->parsing = false;
        job->has_input = !failure;
        cuzk_core_parsed_job(w->core, w->now, job->number, failure ? NULL : &job->parsed, failure);
    } else {
        cuzk_job_view view;
        HOLDS(cuzk_core_view_job(w->core, w->now, job->number, &view));
        HOLDS(cuzk_job_state_is_terminal(view.outcome));
        job->storing_result = false;
        job->stored_end = !failure;
        job->state = view.outcome;
        cuzk_core_result_stored(w->core, w->now, job->number, failure);
    }
}

static void take_back(world *w, unsigned device)
{
    if (w->late[device] > 0 || w->lost_by_script[device])
        return;
    w->lost[device] = false;
    cuzk_core_device_back(w->core, w->now, device);
}

/* An op that is given up holds what it held until it returns. */
static void give_up(world *w, world_event event, const cuzk_failure *failure)
{
    unsigned device = event.device;
    world_job *job = world_find(w, event.attempt.job);
    world_part *part = &job->parts[event.attempt.partition];
    bool was_lost = w->lost[device];
    w->lost[device] = true;
    if (!was_lost)
        cuzk_core_device_lost(w->core, w->now, device, failure);
    world_settle(w);
    w->events_done++; /* each call of the core is an event */
    HOLDS(part->under_way && part->attempt == event.attempt.attempt);
    part->under_way = part->alive = false;
    w->uploading[device] -= event.op == WORLD_UPLOAD;
    w->computing[device] -= event.op == WORLD_COMPUTE;
    w->finishing[device] -= event.op == WORLD_FINISH;
    w->late[device]++;
    w->lates++;
    job->late++;
    cuzk_core_late(w->core, w->now, event.attempt, failure);
    event.late = true;
    event.outcome = WORLD_GOOD;
    event.time = w->now + w->late_ns;
    push(w, event);
    world_settle(w);
}

static void return_late(world *w, const world_event *event)
{
    world_find(w, event->attempt.job)->late--;
    w->late[event->device]--;
    w->returning = event->attempt;
    cuzk_core_returned(w->core, w->now, event->device, event->attempt);
    HOLDS(w->returning.job == 0);
    world_settle(w);
    w->events_done++;
    take_back(w, event->device);
    world_settle(w);
}

static void answer(world *w, const world_event *event)
{
    cuzk_failure room;
    const cuzk_failure *failure = failure_of(event, &room);
    if (event->late) {
        return_late(w, event);
        return;
    }
    w->running[event->op]--;
    if (event->outcome == WORLD_HANG && w->late_ns > 0 && event->op >= WORLD_UPLOAD &&
        event->op <= WORLD_FINISH) {
        give_up(w, *event, failure);
        return;
    }
    if (event->op == WORLD_LOAD_KEY) {
        event->key->loaded = !failure;
        if (failure) {
            event->key->charged = false;
            w->key_bytes -= event->key->load_bytes;
        } else {
            w->key_bytes -= event->key->load_bytes - event->key->bytes;
        }
        cuzk_core_key_loaded(w->core, w->now, event->key->name, event->key->bytes, failure);
    } else if (event->op == WORLD_FREE_KEY) {
        event->key->charged = false;
        w->key_bytes -= event->key->bytes;
        cuzk_core_key_freed(w->core, w->now, event->key->name);
    } else if (event->op == WORLD_FREE_BUFFER) {
        w->pool_bytes -= event->argument;
        cuzk_core_buffer_freed(w->core, w->now, event->argument);
    } else if (event->op == WORLD_WARM_BUFFER) {
        world_buffer_add(w, event->argument);
        cuzk_core_buffer_warm(w->core, w->now, event->argument);
    } else if (event->op >= WORLD_SYNTH && event->op <= WORLD_CHECK) {
        end_attempt(w, event, failure);
    } else {
        end_job_op(w, event, failure);
    }
    world_settle(w);
}

bool world_step(world *w)
{
    uint64_t timer = cuzk_core_next_timer(w->core);
    if (w->n_events == 0 || timer < w->events[0].time) {
        if (timer == CUZK_NEVER)
            return false;
        w->now = timer > w->now ? timer : w->now;
        w->events_done++; /* or what was done before would count as done by it */
        cuzk_core_tick(w->core, w->now);
        world_settle(w);
        return true;
    }
    world_event event = pop(w);
    w->now = event.time;
    w->events_done++;
    if (event.call)
        event.call(w, event.argument);
    else
        answer(w, &event);
    return true;
}

void world_run(world *w)
{
    while (w->n_events > 0)
        world_step(w);
}

static void nothing(world *w, uint64_t argument)
{
    (void)w;
    (void)argument;
}

void world_run_until(world *w, uint64_t time)
{
    world_at(w, time, nothing, 0);
    while (w->now < time)
        world_step(w);
}

void world_lose_device(world *w, unsigned device)
{
    if (w->lost_by_script[device])
        return;
    w->lost_by_script[device] = true;
    for (size_t i = 0; i < w->n_events; i++) {
        world_event *event = &w->events[i];
        if (event->call || event->late || event->op < WORLD_UPLOAD || event->op > WORLD_FINISH ||
            event->device != device || event->time == w->now)
            continue;
        hasten(w, event, WORLD_BAD_DEVICE);
        i = (size_t)-1; /* the heap has moved */
    }
    const cuzk_failure failure = {CUZK_BLAME_DEVICE, CUZK_ERR_DEVICE, "lost by script"};
    if (!w->lost[device])
        cuzk_core_device_lost(w->core, w->now, device, &failure);
    w->lost[device] = true;
    world_settle(w);
}

void world_return_device(world *w, unsigned device)
{
    if (!w->lost_by_script[device])
        return;
    w->lost_by_script[device] = false;
    take_back(w, device);
    world_settle(w);
}
