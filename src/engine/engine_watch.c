/* Steps of devices that do not return in time. No thread can be stopped from outside: the step is
 * given up, the device gets no more work, and what the step works with stays until it returns. */
#include "engine/engine_internal.h"

#include "base/clock.h"
#include "base/log.h"

#include <stdio.h>

void cuzk_watch_begin(cuzk_engine *engine, cuzk_engine_attempt *attempt, const char *stage)
{
    cuzk_watch *watch = &attempt->watch;
    watch->stage = stage;
    atomic_store(&watch->begun, 0);
    watch->before = NULL;
    watch->after = engine->first_watched;
    if (engine->first_watched != NULL)
        engine->first_watched->watch.before = attempt;
    engine->first_watched = attempt;
    engine->watched++;
    if (engine->next_look == CUZK_NEVER && engine->step_limit_ns != CUZK_NEVER)
        engine->next_look = cuzk_clock_ns() + engine->step_limit_ns;
}

void cuzk_watch_enter(cuzk_engine_attempt *attempt)
{
    atomic_store(&attempt->watch.begun, cuzk_clock_ns());
}

static double seconds_since(const cuzk_watch *watch, uint64_t now)
{
    return (double)(now - atomic_load(&watch->begun)) / 1e9;
}

static void give_up(cuzk_engine *engine, cuzk_engine_attempt *attempt, uint64_t now)
{
    cuzk_watch *watch = &attempt->watch;
    const unsigned d = attempt->device;
    cuzk_failure failure = {.blame = CUZK_BLAME_DEVICE, .status = CUZK_ERR_DEVICE};
    if (atomic_load(&watch->begun) == 0)
        snprintf(failure.message, sizeof failure.message,
                 "%s: device %u (%.100s) could not begin: the step before it does not return",
                 watch->stage, d, engine->device_name[d]);
    else
        snprintf(failure.message, sizeof failure.message,
                 "%s: device %u (%.100s) has not returned for %.1f s: it hangs, or the step is too "
                 "large for device.step_limit, %.1f s; look for the device in the system's log; if "
                 "it does not come back, restart the service",
                 watch->stage, d, engine->device_name[d], seconds_since(watch, now),
                 (double)engine->step_limit_ns / 1e9);
    cuzk_log(CUZK_LOG_ERROR, "job %s partition %u: %s", attempt->job->id, attempt->id.partition,
             failure.message);
    watch->late = true;
    engine->late++;
    atomic_store(&attempt->cancelled, true);
    if (engine->late_of[d]++ == 0)
        cuzk_core_device_lost(engine->core, now, d, &failure);
    cuzk_core_late(engine->core, now, attempt->id, &failure);
    cuzk_engine_act(engine);
}

static bool is_over_time(const cuzk_engine *engine, const cuzk_watch *watch, uint64_t now)
{
    const uint64_t begun = atomic_load(&watch->begun);
    return begun != 0 && begun < now && now - begun >= engine->step_limit_ns;
}

/* Whether it waits for the thread that a late step of the device is on. */
static bool is_behind_late(const cuzk_engine *engine, const cuzk_engine_attempt *attempt)
{
    if (atomic_load(&attempt->watch.begun) != 0 || engine->late_of[attempt->device] == 0)
        return false;
    for (const cuzk_engine_attempt *a = engine->first_watched; a != NULL; a = a->watch.after)
        if (a->watch.late && a->device == attempt->device && a->watch.stage == attempt->watch.stage)
            return true;
    return false;
}

/* Steps that begin meanwhile stand before the first and are not looked at. */
void cuzk_watch_look(cuzk_engine *engine)
{
    engine->next_look = CUZK_NEVER;
    uint64_t next = CUZK_NEVER;
    for (cuzk_engine_attempt *a = engine->first_watched; a != NULL; a = a->watch.after)
        if (!a->watch.late && is_over_time(engine, &a->watch, cuzk_clock_ns()))
            give_up(engine, a, cuzk_clock_ns());
    for (cuzk_engine_attempt *a = engine->first_watched; a != NULL; a = a->watch.after) {
        if (a->watch.late)
            continue;
        const uint64_t now = cuzk_clock_ns(), begun = atomic_load(&a->watch.begun);
        if (is_behind_late(engine, a)) {
            give_up(engine, a, now);
            continue;
        }
        const uint64_t until = (begun != 0 ? begun : now) + engine->step_limit_ns;
        next = until < next ? until : next;
    }
    if (next < engine->next_look)
        engine->next_look = next;
}

static void unlink_watch(cuzk_engine *engine, cuzk_watch *watch)
{
    if (watch->before != NULL)
        watch->before->watch.after = watch->after;
    else
        engine->first_watched = watch->after;
    if (watch->after != NULL)
        watch->after->watch.before = watch->before;
    engine->watched--;
}

bool cuzk_watch_end(cuzk_engine *engine, cuzk_engine_attempt *attempt)
{
    cuzk_watch *watch = &attempt->watch;
    const unsigned d = attempt->device;
    unlink_watch(engine, watch);
    if (!watch->late)
        return false;
    const uint64_t now = cuzk_clock_ns();
    watch->late = false;
    engine->late--;
    cuzk_log(CUZK_LOG_WARN, "job %s partition %u: %s: device %u (%s) has returned after %.1f s",
             attempt->job->id, attempt->id.partition, watch->stage, d, engine->device_name[d],
             seconds_since(watch, now));
    cuzk_core_returned(engine->core, now, d, attempt->id);
    if (--engine->late_of[d] == 0)
        cuzk_core_device_back(engine->core, now, d);
    return true;
}

void cuzk_watch_log_left(const cuzk_engine *engine)
{
    const uint64_t now = cuzk_clock_ns();
    for (const cuzk_engine_attempt *a = engine->first_watched; a != NULL; a = a->watch.after)
        if (atomic_load(&a->watch.begun) != 0)
            cuzk_log(CUZK_LOG_ERROR,
                     "job %s partition %u: %s: device %u (%s) has not returned for %.1f s: its "
                     "thread and what it works with are left behind",
                     a->job->id, a->id.partition, a->watch.stage, a->device,
                     engine->device_name[a->device], seconds_since(&a->watch, now));
}
