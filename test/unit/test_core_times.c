/* A job's times are intervals of the clock, not sums over its partitions: compared, to the
 * nanosecond, with what the simulated world did. */
#include "support/scenario.h"

#include <stdlib.h>
#include <string.h>

#define MS UINT64_C(1000000)

typedef struct interval {
    cuzk_job_no job;
    world_op op;
    uint64_t begin, end;
} interval;

typedef struct record {
    interval list[2000];
    size_t n;
} record;

/* Durations are fixed: an op ends so long after it has begun. Keys are nobody's. */
static world_outcome note(world *w, const world_event *event)
{
    record *r = w->script;
    assert_true(r->n < sizeof r->list / sizeof *r->list);
    const bool of_key = event->op == WORLD_LOAD_KEY || event->op == WORLD_FREE_KEY;
    r->list[r->n++] = (interval){.job = of_key ? 0 : event->attempt.job,
                                 .op = event->op,
                                 .begin = w->now,
                                 .end = w->now + w->ns[event->op]};
    return WORLD_GOOD;
}

static int by_begin(const void *a, const void *b)
{
    const interval *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* The time in which at least one op of the job was under way, up to `until`; *sum: of all. */
static uint64_t covered(const record *r, cuzk_job_no job, world_op op, uint64_t until,
                        uint64_t *sum)
{
    record *mine = calloc(1, sizeof *mine);
    assert_non_null(mine);
    for (size_t i = 0; i < r->n; i++)
        if (r->list[i].job == job && r->list[i].op == op)
            mine->list[mine->n++] = r->list[i];
    qsort(mine->list, mine->n, sizeof *mine->list, by_begin);
    uint64_t time = 0, up_to = 0;
    *sum = 0;
    for (size_t i = 0; i < mine->n; i++) {
        const uint64_t end = mine->list[i].end < until ? mine->list[i].end : until;
        const uint64_t begin = mine->list[i].begin > up_to ? mine->list[i].begin : up_to;
        *sum += mine->list[i].end - mine->list[i].begin;
        if (end > begin)
            time += end - begin;
        if (end > up_to)
            up_to = end;
    }
    free(mine);
    return time;
}

static uint64_t first_begin(const record *r, cuzk_job_no job, world_op op)
{
    uint64_t first = CUZK_NEVER;
    for (size_t i = 0; i < r->n; i++)
        if (r->list[i].job == job && r->list[i].op == op && r->list[i].begin < first)
            first = r->list[i].begin;
    return first;
}

/* Compares; tells how much larger the sums over partitions would have been. */
static uint64_t check_times(world *w, const record *r, const world_job *job, uint64_t loaded)
{
    const cuzk_job_view view = scenario_view(w, job);
    uint64_t synth_sum, compute_sum;
    const uint64_t parse = first_begin(r, job->number, WORLD_PARSE);
    const uint64_t synth = covered(r, job->number, WORLD_SYNTH, view.ended, &synth_sum);
    const uint64_t compute = covered(r, job->number, WORLD_COMPUTE, view.ended, &compute_sum);
    const uint64_t parsed = parse + w->ns[WORLD_PARSE];
    const uint64_t total = view.ended - view.submitted;
    assert_int_equal(view.queue_ns, parse - view.submitted);
    const uint64_t key_end = loaded < view.ended ? loaded : view.ended;
    assert_int_equal(view.key_ns, key_end > parsed ? key_end - parsed : 0);
    assert_int_equal(view.synth_ns, synth);
    assert_int_equal(view.compute_ns, compute);
    assert_true(synth <= synth_sum && compute <= compute_sum);
    assert_true(view.queue_ns <= total && view.key_ns <= total);
    assert_true(view.synth_ns <= total && view.compute_ns <= total);
    return synth_sum - synth + compute_sum - compute;
}

/* Three jobs of many partitions that overlap on two devices, one more once the key is there. */
static void times_are_intervals(void **state)
{
    (void)state;
    world w;
    record *r = calloc(1, sizeof *r);
    assert_non_null(r);
    cuzk_core_config config = world_config();
    config.devices = 2;
    config.synth_slots = 4;
    config.staged_per_device = 4;
    world_open(&w, &config, 1);
    w.decide = note;
    w.script = r;
    world_job *jobs[4];
    for (uint32_t i = 0; i < 3; i++)
        jobs[i] = scenario_submit(&w, CUZK_CLASS_NORMAL, 5 + i);
    world_run_until(&w, 1500 * MS);
    jobs[3] = scenario_submit(&w, CUZK_CLASS_NORMAL, 7);
    world_run(&w);
    uint64_t sum, overlap = 0;
    const uint64_t loaded = first_begin(r, 0, WORLD_LOAD_KEY) + w.ns[WORLD_LOAD_KEY];
    assert_int_equal(covered(r, 0, WORLD_LOAD_KEY, CUZK_NEVER, &sum), w.ns[WORLD_LOAD_KEY]);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(world_state(&w, jobs[i]), CUZK_JOB_COMPLETED);
        overlap += check_times(&w, r, jobs[i], loaded);
    }
    assert_true(overlap > 500 * MS); /* or sums would have passed as well */
    assert_true(scenario_view(&w, jobs[0]).key_ns > 900 * MS);
    assert_int_equal(scenario_view(&w, jobs[3]).key_ns, 0);
    world_check_rest(&w);
    world_close(&w);
    free(r);
}

/* Work that goes on after a job was cancelled is not the job's time any more. */
static void they_end_with_the_job(void **state)
{
    (void)state;
    for (uint64_t at = 1000; at < 1400; at += 7) {
        world w;
        record *r = calloc(1, sizeof *r);
        assert_non_null(r);
        cuzk_core_config config = world_config();
        config.devices = 2;
        world_open(&w, &config, 1);
        w.decide = note;
        w.script = r;
        w.ns[WORLD_SYNTH] = 300 * MS;
        world_job *job = scenario_submit(&w, CUZK_CLASS_NORMAL, 6);
        world_run_until(&w, at * MS);
        bool running;
        assert_true(cuzk_core_cancel(w.core, w.now, job->number, &running));
        world_settle(&w);
        const cuzk_job_view then = scenario_view(&w, job);
        world_run_until(&w, 2000 * MS);
        const cuzk_job_view later = scenario_view(&w, job);
        assert_int_equal(then.synth_ns, later.synth_ns);
        assert_int_equal(then.compute_ns, later.compute_ns);
        const uint64_t loaded = first_begin(r, 0, WORLD_LOAD_KEY) + w.ns[WORLD_LOAD_KEY];
        (void)check_times(&w, r, job, loaded);
        world_close(&w);
        free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_intervals),
        cmocka_unit_test(they_end_with_the_job),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
