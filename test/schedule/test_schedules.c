/* Seeded random schedules through the simulated world, which checks its promises after every event.
 * CUZK_SCHEDULES: how many (2000). CUZK_SCHEDULE_SEED: from this one on; alone, this one only, to
 * repeat a failure. */
#include "support/world.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MS          UINT64_C(1000000)
#define SPAN        (60000 * MS) /* in which requests come */
#define EVENTS_MAX  200000u
#define PERMILLE(x) (test_rng_below(&w->rng, 1000) < (x))

/* What may go wrong in a schedule, in permille of the ops. */
typedef struct script {
    unsigned device_faults, bad_proofs, system_faults, input_faults, hangs, store_faults;
    unsigned bad_device; /* this device fails ten times as often; devices: none */
    uint64_t events, new_jobs, lates, conflicts, joined, done, shared, refused, buffers;
} script;

static char replay_text[96];

/* A failure aborts: say first how to repeat it. */
static void say_seed(int signal_number)
{
    (void)!write(STDERR_FILENO, replay_text, strlen(replay_text));
    (void)signal(signal_number, SIG_DFL);
    (void)raise(signal_number);
}

static uint64_t between(world *w, uint64_t low, uint64_t high)
{
    return low + test_rng_below(&w->rng, high - low + 1);
}

static world_outcome decide(world *w, const world_event *event)
{
    const script *s = w->script;
    switch (event->op) {
    case WORLD_STORE_JOB:
    case WORLD_STORE_RESULT:
        return PERMILLE(s->store_faults) ? WORLD_BAD_SYSTEM : WORLD_GOOD;
    case WORLD_FREE_KEY:
    case WORLD_FREE_BUFFER:
    case WORLD_WARM_BUFFER:
        return WORLD_GOOD;
    case WORLD_PARSE:
        return PERMILLE(s->input_faults) ? WORLD_BAD_INPUT : WORLD_GOOD;
    case WORLD_LOAD_KEY:
        return PERMILLE(s->system_faults) ? WORLD_BAD_SYSTEM : WORLD_GOOD;
    default:
        break;
    }
    unsigned factor = event->op != WORLD_SYNTH && event->device == s->bad_device ? 10 : 1;
    if (PERMILLE(s->hangs))
        return WORLD_HANG;
    if (PERMILLE(s->system_faults))
        return WORLD_BAD_SYSTEM;
    if (event->op == WORLD_CHECK)
        return PERMILLE(s->bad_proofs * factor) ? WORLD_BAD_DEVICE : WORLD_GOOD;
    return PERMILLE(s->device_faults * factor) ? WORLD_BAD_DEVICE : WORLD_GOOD;
}

static cuzk_core_config random_config(world *w)
{
    cuzk_core_config config = world_config();
    config.memory_total = between(w, 2000, 20000);
    config.critical_reserve = PERMILLE(500) ? config.memory_total / between(w, 8, 32) : 0;
    config.devices = (unsigned)between(w, 1, PERMILLE(500) ? 1 : 4);
    config.parse_slots = (unsigned)between(w, 1, 3);
    config.synth_slots = (unsigned)between(w, 1, 4);
    config.check_slots = (unsigned)between(w, 1, 2);
    config.staged_per_device = (unsigned)between(w, 0, 3);
    config.queue_jobs_max = between(w, 3, 60);
    config.queue_bytes_max = between(w, 500, 10000);
    config.attempts_max = (unsigned)between(w, 1, 4);
    config.device_faults_max = (unsigned)between(w, 1, 4);
    config.quarantine_ns = between(w, 100, 20000) * MS;
    config.orphan_grace_ns = PERMILLE(500) ? CUZK_NEVER : between(w, 1, 2000) * MS;
    config.history_jobs_max = between(w, 1, 100);
    config.history_ns = between(w, 1000, 100000) * MS;
    config.gap_ns = between(w, 0, 100) * MS;
    config.pool_idle_ns = between(w, 0, 1000) * between(w, 0, 20) * MS;
    config.store = PERMILLE(500);
    config.join_content = PERMILLE(700);
    return config;
}

static script random_script(world *w)
{
    script s = {.bad_device = CUZK_DEVICES_MAX};
    if (PERMILLE(300))
        return s;
    s.device_faults = (unsigned)between(w, 0, 30);
    s.bad_proofs = (unsigned)between(w, 0, 30);
    s.system_faults = (unsigned)between(w, 0, 10);
    s.input_faults = (unsigned)between(w, 0, 50);
    s.hangs = (unsigned)between(w, 0, 10);
    s.store_faults = (unsigned)between(w, 0, 50);
    if (PERMILLE(300))
        s.bad_device = (unsigned)between(w, 0, w->config.devices - 1);
    return s;
}

static void random_durations(world *w)
{
    w->jitter = PERMILLE(800);
    w->watchdog = between(w, 1000, 30000) * MS;
    w->late_ns = PERMILLE(500) ? between(w, 0, 30000) * MS : 0;
    w->ns[WORLD_LOAD_KEY] = between(w, 0, 3000) * MS;
    w->ns[WORLD_SYNTH] = between(w, 0, 500) * MS;
    w->ns[WORLD_COMPUTE] = between(w, 1, 300) * MS;
    w->ns[WORLD_UPLOAD] = between(w, 0, 20) * MS;
    w->ns[WORLD_FINISH] = between(w, 0, 200) * MS;
    w->ns[WORLD_CHECK] = between(w, 0, 20) * MS;
    w->ns[WORLD_FREE_BUFFER] = between(w, 0, 20) * MS;
    w->ns[WORLD_WARM_BUFFER] = between(w, 0, 500) * MS;
    w->ns[WORLD_PARSE] = between(w, 0, 100) * MS;
    w->ns[WORLD_STORE_JOB] = w->ns[WORLD_STORE_RESULT] = between(w, 0, 10) * MS;
    w->slow[0] = PERMILLE(100) ? 10 : 1;
    for (unsigned i = 0; i < WORLD_KEYS; i++) {
        w->keys[i].load_bytes = between(w, 10, w->config.memory_total / (PERMILLE(100) ? 1 : 3));
        w->keys[i].bytes =
            PERMILLE(500) ? w->keys[i].load_bytes : between(w, 5, w->keys[i].load_bytes);
    }
}

/* A few sizes, so that buffers are used again: all of a witness, or the larger part of it. */
static uint64_t random_buffer(world *w, uint64_t witness_bytes)
{
    uint64_t size = 1;
    while (2 * size <= witness_bytes)
        size *= 2;
    return PERMILLE(300) ? 0 : PERMILLE(300) ? witness_bytes : size;
}

static world_job random_request(world *w)
{
    static const cuzk_class classes[] = {CUZK_CLASS_CRITICAL, CUZK_CLASS_HIGH, CUZK_CLASS_NORMAL,
                                         CUZK_CLASS_NORMAL, CUZK_CLASS_LOW};
    uint64_t total = w->config.memory_total, share = total / 16;
    world_job job = world_request(w);
    if (PERMILLE(50)) /* large, perhaps impossible */
        share = total;
    job.request.kind = (cuzk_kind)between(w, 1, CUZK_KINDS - 1);
    job.request.class_ = classes[test_rng_below(&w->rng, sizeof classes / sizeof *classes)];
    job.request.payload_bytes = between(w, 0, share / 2);
    job.request.parse_bytes = between(w, 0, share);
    job.request.waited = PERMILLE(300);
    if (PERMILLE(200))
        job.request.deadline = w->now + between(w, 0, 30000) * MS;
    unsigned key = (unsigned)test_rng_below(&w->rng, PERMILLE(500) ? 2 : WORLD_KEYS);
    job.parsed.partitions = (uint32_t)between(w, 1, PERMILLE(300) ? 10 : 2);
    job.parsed.key_bytes = w->keys[key].load_bytes;
    memcpy(job.parsed.key, w->keys[key].name, sizeof w->keys[key].name);
    job.parsed.input_bytes = between(w, 0, job.request.parse_bytes);
    job.parsed.witness_bytes = between(w, 1, share * 2);
    job.parsed.buffer_bytes = random_buffer(w, job.parsed.witness_bytes);
    job.parsed.result_bytes = between(w, 0, 4);
    if (PERMILLE(300)) /* an id that others use too, and sometimes the same content */
        (void)snprintf(job.id, sizeof job.id, "shared-%" PRIu64, between(w, 0, 5));
    else if (PERMILLE(200)) /* a content that others bring too, under an id of its own */
        memset(job.request.digest, (int)between(w, 1, 3), sizeof job.request.digest);
    if (job.id[0] == 's')
        memset(job.request.digest, PERMILLE(500) ? 1 : 2, sizeof job.request.digest);
    return job;
}

/* --- what happens --- */

static void submit_some(world *w, uint64_t argument)
{
    (void)argument;
    script *s = w->script;
    for (uint64_t n = PERMILLE(200) ? between(w, 2, 10) : 1; n > 0; n--) {
        world_job job = random_request(w);
        cuzk_submitted submitted;
        (void)world_submit(w, &job, &submitted);
        s->conflicts += submitted.verdict == CUZK_VERDICT_CONFLICT;
        s->joined += submitted.verdict == CUZK_VERDICT_JOINED;
        s->done += submitted.verdict == CUZK_VERDICT_DONE;
        s->refused += submitted.verdict > CUZK_VERDICT_CONFLICT;
        if (submitted.verdict == CUZK_VERDICT_NEW && job.request.waited && PERMILLE(700))
            cuzk_core_wait(w->core, w->now, submitted.job);
        world_settle(w);
    }
}

static cuzk_job_no any_job(world *w)
{
    return between(w, 1, w->next_job);
}

static void cancel_one(world *w, uint64_t argument)
{
    (void)argument;
    bool running;
    (void)cuzk_core_cancel(w->core, w->now, any_job(w), &running);
    world_settle(w);
}

static void leave_one(world *w, uint64_t argument)
{
    (void)argument;
    cuzk_core_leave(w->core, w->now, any_job(w));
    world_settle(w);
}

static void touch_key(world *w, uint64_t argument)
{
    (void)argument;
    const world_key *key = &w->keys[test_rng_below(&w->rng, WORLD_KEYS)];
    uint64_t bytes;
    if (PERMILLE(500))
        (void)cuzk_core_preload(w->core, w->now, key->name, key->load_bytes);
    else
        (void)cuzk_core_evict(w->core, w->now, key->name, &bytes);
    world_settle(w);
}

static void relieve(world *w, uint64_t argument)
{
    (void)argument;
    cuzk_core_relieve(w->core, w->now);
    world_settle(w);
}

static void return_device(world *w, uint64_t device)
{
    world_return_device(w, (unsigned)device);
}

static void lose_one(world *w, uint64_t argument)
{
    (void)argument;
    unsigned device = (unsigned)test_rng_below(&w->rng, w->config.devices);
    world_lose_device(w, device);
    world_at(w, w->now + between(w, 1, 10000) * MS, return_device, device);
}

static void restart(world *w, uint64_t argument)
{
    (void)argument;
    world_restart(w);
}

static void drain(world *w, uint64_t all)
{
    cuzk_core_drain(w->core, w->now, all != 0);
    world_settle(w);
}

static void plan(world *w)
{
    struct {
        void (*call)(world *w, uint64_t argument);
        uint64_t count;
    } acts[] = {
        {submit_some, between(w, 3, 40)},
        {cancel_one, PERMILLE(500) ? between(w, 0, 10) : 0},
        {leave_one, PERMILLE(500) ? between(w, 0, 10) : 0},
        {touch_key, PERMILLE(300) ? between(w, 0, 6) : 0},
        {lose_one, PERMILLE(200) ? between(w, 0, 3) : 0},
        {relieve, PERMILLE(200) ? between(w, 1, 5) : 0},
        {restart, w->config.store && PERMILLE(400) ? between(w, 1, 3) : 0},
    };
    uint64_t span = PERMILLE(500) ? SPAN : SPAN / 20;
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        for (uint64_t n = 0; n < acts[i].count; n++)
            world_at(w, w->now + test_rng_below(&w->rng, span), acts[i].call, 0);
    if (PERMILLE(100))
        world_at(w, w->now + test_rng_below(&w->rng, 2 * span), drain, PERMILLE(500));
}

/* Until nothing is left to do; what is queued while it drains stays, as it should. */
static void run_out(world *w)
{
    for (uint64_t n = 0; n < EVENTS_MAX; n++) {
        cuzk_core_view view;
        cuzk_core_view_get(w->core, w->now, &view);
        uint64_t left = 0;
        for (unsigned kind = 0; kind < CUZK_KINDS; kind++)
            left += view.in_progress[kind] + (view.draining ? 0 : view.pending[kind]);
        if (w->n_events == 0 && left == 0) {
            HOLDS(!view.draining || w->drained > 0);
            return;
        }
        HOLDS(world_step(w));
    }
    world_fail("it comes to an end", __FILE__, __LINE__);
}

static uint64_t run_schedule(uint64_t seed, script *total)
{
    world w, dice = {.rng.state = (seed + 77) * UINT64_C(0xd1342543de82ef95)};
    cuzk_core_config config = random_config(&dice);
    world_open(&w, &config, seed);
    script s = random_script(&w);
    w.script = &s;
    w.decide = decide;
    random_durations(&w);
    plan(&w);
    run_out(&w);
    drain(&w, 1); /* what an earlier drain left queued runs too */
    run_out(&w);
    world_check_rest(&w);
    total->events += w.events_done;
    total->new_jobs += w.next_job - 1;
    total->lates += w.lates;
    total->conflicts += s.conflicts;
    total->joined += s.joined;
    total->done += s.done;
    total->refused += s.refused;
    total->shared += w.shared;
    cuzk_core_view view;
    cuzk_core_view_get(w.core, w.now, &view); /* since its last restart */
    total->buffers += view.buffers_used_again;
    uint64_t trace = w.trace ^ w.events_done;
    world_close(&w);
    return trace;
}

static uint64_t number_from(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

static void test_schedules(void **state)
{
    (void)state;
    bool replay = getenv("CUZK_SCHEDULE_SEED") != NULL;
    uint64_t first = number_from("CUZK_SCHEDULE_SEED", 0);
    uint64_t count = number_from("CUZK_SCHEDULES", replay ? 1 : TEST_SANITIZED ? 400 : 2000);
    script total = {0};
    (void)signal(SIGABRT, say_seed);
    for (uint64_t seed = first; seed < first + count; seed++) {
        (void)snprintf(replay_text, sizeof replay_text,
                       "to repeat: CUZK_SCHEDULE_SEED=%" PRIu64 " test_schedules\n", seed);
        uint64_t trace = run_schedule(seed, &total);
        if (seed % 16 == 0) /* the same calls, the same decisions */
            HOLDS(run_schedule(seed, &total) == trace);
    }
    (void)signal(SIGABRT, SIG_DFL);
    print_message("%" PRIu64 " schedules, %" PRIu64 " events, %" PRIu64 " jobs, %" PRIu64
                  " late steps, %" PRIu64 " buffers used again; requests refused %" PRIu64
                  ", joined %" PRIu64 ", done %" PRIu64 ", proofs shared %" PRIu64
                  ", conflicting %" PRIu64 "\n",
                  count, total.events, total.new_jobs, total.lates, total.buffers, total.refused,
                  total.joined, total.done, total.shared, total.conflicts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_schedules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
