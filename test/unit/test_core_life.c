/* The engine's core by scenario: how jobs come, end and survive. Times are those of world_config: a
 * synthesis takes 20 ms, a slice of a device 100 ms, a key 1 s. */
#include "support/scenario.h"

#define MS UINT64_C(1000000)

/* --- the same request again --- */

/* A9: ten callers, one computation. */
static void test_a9_identical(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    world_open(&w, &config, 1);
    world_job request = world_request(&w);
    world_job *job = world_submit(&w, &request, NULL);
    for (int i = 0; i < 9; i++) {
        cuzk_submitted submitted;
        assert_null(world_submit(&w, &request, &submitted));
        assert_int_equal(submitted.verdict, CUZK_VERDICT_JOINED);
        assert_int_equal(submitted.job, job->number);
    }
    world_run(&w);
    assert_int_equal(w.computes, 1);
    assert_int_equal(scenario_view_all(&w).joined, 9);
    cuzk_submitted submitted;
    assert_null(world_submit(&w, &request, &submitted));
    assert_int_equal(submitted.verdict, CUZK_VERDICT_DONE);
    assert_int_equal(cuzk_core_find(w.core, request.id), job->number);
    world_check_rest(&w);
    world_close(&w);
}

/* A10: one id, two contents. Refused while the first is under way; a job of its own afterwards. */
static void test_a10_conflict(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    world_open(&w, &config, 1);
    world_job request = world_request(&w), other = request;
    other.request.digest[31] ^= 1;
    world_job *job = world_submit(&w, &request, NULL);
    cuzk_submitted submitted;
    assert_null(world_submit(&w, &other, &submitted));
    assert_int_equal(submitted.verdict, CUZK_VERDICT_CONFLICT);
    assert_int_equal(submitted.job, job->number);
    world_run(&w);
    assert_int_equal(world_state(&w, job), CUZK_JOB_COMPLETED);
    world_job *second = world_submit(&w, &other, &submitted);
    assert_non_null(second);
    world_run(&w);
    assert_int_equal(world_state(&w, second), CUZK_JOB_COMPLETED);
    assert_int_equal(cuzk_core_find(w.core, request.id), second->number);
    assert_int_equal(scenario_view_all(&w).conflicts, 1);
    world_check_rest(&w);
    world_close(&w);
}

/* A job that failed runs again as a new one. */
static void test_failed_runs_again(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    scenario_fault fault = {.n = 0, .outcome = WORLD_BAD_INPUT, .only = WORLD_PARSE};
    world_open(&w, &config, 1);
    w.decide = scenario_fail_nth;
    w.script = &fault;
    world_job request = world_request(&w);
    world_job *job = world_submit(&w, &request, NULL);
    world_run(&w);
    assert_int_equal(world_state(&w, job), CUZK_JOB_FAILED);
    world_job *again = world_submit(&w, &request, NULL);
    assert_non_null(again);
    assert_true(again->number != job->number);
    world_run(&w);
    assert_int_equal(world_state(&w, again), CUZK_JOB_COMPLETED);
    world_check_rest(&w);
    world_close(&w);
}

/* --- ends --- */

/* Every moment of a job's life: cancelled there, it ends once, at once, and leaves nothing. */
static void test_cancel_at_every_moment(void **state)
{
    (void)state;
    unsigned seen = 0;
    for (uint64_t at = 0; at < 1500; at += at < 10 || at > 1000 ? 1 : 90) {
        world w;
        cuzk_core_config config = world_config();
        config.store = true;
        config.parse_slots = 1;
        world_open(&w, &config, 1);
        assert_non_null(scenario_submit(&w, CUZK_CLASS_NORMAL, 1));
        world_job *job = scenario_submit(&w, CUZK_CLASS_NORMAL, 2);
        world_run_until(&w, 1000 + at * MS);
        cuzk_job_state before = world_state(&w, job);
        bool terminal = cuzk_job_state_is_terminal(scenario_view(&w, job).outcome), running;
        assert_int_equal(cuzk_core_cancel(w.core, w.now, job->number, &running), !terminal);
        world_settle(&w);
        seen |= 1u << before;
        assert_int_equal(scenario_view(&w, job).outcome,
                         terminal ? CUZK_JOB_COMPLETED : CUZK_JOB_CANCELLED);
        assert_true(!running || before == CUZK_JOB_RUNNING || before == CUZK_JOB_VERIFYING);
        world_run(&w);
        assert_int_equal(job->ended, 1);
        world_check_rest(&w);
        world_close(&w);
    }
    assert_int_equal(seen & (1u << CUZK_JOB_FAILED), 0);
    for (unsigned s = CUZK_JOB_RECEIVED; s <= CUZK_JOB_COMPLETED; s++)
        assert_true(seen >> s & 1);
}

/* The same with a deadline, which needs no call. */
static void test_deadline_at_every_moment(void **state)
{
    (void)state;
    for (uint64_t at = 0; at < 1300; at += 3) {
        world w;
        cuzk_core_config config = world_config();
        config.store = true;
        world_open(&w, &config, 1);
        world_job request = world_request(&w);
        request.parsed.partitions = 2;
        request.request.deadline = 1000 + at * MS + 1;
        world_job *job = world_submit(&w, &request, NULL);
        world_run_until(&w, 5000 * MS);
        cuzk_job_view view = scenario_view(&w, job);
        assert_true(view.state == CUZK_JOB_COMPLETED || view.state == CUZK_JOB_EXPIRED);
        if (view.state == CUZK_JOB_EXPIRED)
            assert_true(view.ended == request.request.deadline && view.failure);
        else
            assert_true(view.ended < request.request.deadline);
        world_check_rest(&w);
        world_close(&w);
    }
}

static void test_orphans(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    config.orphan_grace_ns = 200 * MS;
    world_open(&w, &config, 1);
    world_job request = world_request(&w);
    request.request.waited = true;
    world_job *job = world_submit(&w, &request, NULL);
    cuzk_core_wait(w.core, w.now, job->number);
    world_job *collected = scenario_submit(&w, CUZK_CLASS_NORMAL, 1);
    world_run_until(&w, 500 * MS);
    assert_int_equal(world_state(&w, job), CUZK_JOB_RUNNING);
    cuzk_core_leave(w.core, w.now, job->number);
    world_run_until(&w, 699 * MS);
    assert_int_equal(world_state(&w, job), CUZK_JOB_RUNNING);
    world_run_until(&w, 701 * MS);
    assert_int_equal(world_state(&w, job), CUZK_JOB_CANCELLED);
    world_run(&w);
    assert_int_equal(world_state(&w, collected), CUZK_JOB_COMPLETED);
    world_check_rest(&w);
    world_close(&w);
}

static void test_history_is_bounded(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    config.history_jobs_max = 3;
    world_open(&w, &config, 1);
    for (int i = 0; i < 10; i++)
        assert_non_null(scenario_submit(&w, CUZK_CLASS_NORMAL, 1));
    world_run(&w);
    unsigned known = 0;
    for (cuzk_job_no no = 0; (no = cuzk_core_next_job(w.core, no));)
        known++;
    assert_int_equal(known, 3);
    assert_int_equal(scenario_view_all(&w).memory[CUZK_MEMORY_RESULT], 3);
    world_check_rest(&w);
    world_close(&w);
}

/* --- drain, store, restart --- */

static void test_drain(void **state)
{
    (void)state;
    for (int all = 0; all < 2; all++) {
        world w;
        cuzk_core_config config = world_config();
        config.parse_slots = 1;
        config.store = true;
        world_open(&w, &config, 1);
        world_job *first = scenario_submit(&w, CUZK_CLASS_NORMAL, 3);
        world_run_until(&w, 3 * MS);
        world_job *queued = scenario_submit(&w, CUZK_CLASS_NORMAL, 1);
        cuzk_core_drain(w.core, w.now, all);
        world_settle(&w);
        assert_int_equal(w.drained, 0);
        cuzk_submitted submitted;
        world_job late = world_request(&w);
        assert_null(world_submit(&w, &late, &submitted));
        assert_int_equal(submitted.verdict, CUZK_VERDICT_DRAINING);
        assert_int_equal(scenario_view_all(&w).refused_draining, 1);
        world_run(&w);
        assert_int_equal(w.drained, 1);
        assert_int_equal(world_state(&w, first), CUZK_JOB_COMPLETED);
        assert_int_equal(world_state(&w, queued), all ? CUZK_JOB_COMPLETED : CUZK_JOB_ACCEPTED);
        world_close(&w);
    }
}

/* Nobody hears of a job before it is stored, or of its end. */
static void test_stored_before_told(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    config.store = true;
    world_open(&w, &config, 1);
    w.ns[WORLD_STORE_JOB] = w.ns[WORLD_STORE_RESULT] = 500 * MS;
    world_job *job = scenario_submit(&w, CUZK_CLASS_NORMAL, 1);
    world_run_until(&w, 400 * MS);
    assert_int_equal(job->accepted, 0);
    assert_int_equal(world_state(&w, job), CUZK_JOB_RECEIVED);
    world_run_until(&w, 600 * MS);
    assert_int_equal(job->accepted, 1);
    world_run_until(&w, 2000 * MS);
    assert_int_equal(scenario_view(&w, job).outcome, CUZK_JOB_COMPLETED);
    assert_int_equal(world_state(&w, job), CUZK_JOB_VERIFYING);
    assert_int_equal(job->ended, 0);
    world_job again = *job;
    cuzk_submitted submitted;
    assert_null(world_submit(&w, &again, &submitted));
    assert_int_equal(submitted.verdict, CUZK_VERDICT_JOINED); /* not DONE: nobody was told yet */
    world_run(&w);
    assert_int_equal(job->ended, 1);
    assert_int_equal(world_state(&w, job), CUZK_JOB_COMPLETED);
    world_check_rest(&w);
    world_close(&w);
}

static void test_store_fails(void **state)
{
    (void)state;
    static const world_op ops[] = {WORLD_STORE_JOB, WORLD_STORE_RESULT};
    for (int i = 0; i < 2; i++) {
        world w;
        cuzk_core_config config = world_config();
        scenario_fault fault = {.n = 0, .outcome = WORLD_BAD_SYSTEM, .only = ops[i]};
        config.store = true;
        world_open(&w, &config, 1);
        w.decide = scenario_fail_nth;
        w.script = &fault;
        world_job *job = scenario_submit(&w, CUZK_CLASS_NORMAL, 1);
        world_run(&w);
        assert_int_equal(job->ended, 1);
        assert_int_equal(job->accepted, i);
        assert_int_equal(world_state(&w, job), i ? CUZK_JOB_COMPLETED : CUZK_JOB_FAILED);
        assert_non_null(scenario_view(&w, job).failure);
        world_check_rest(&w);
        world_close(&w);
    }
}

/* At every moment of three jobs: the process dies and comes back, and no accepted job is lost. */
static void test_restart_at_every_moment(void **state)
{
    (void)state;
    for (uint64_t at = 0; at < 1500; at += 7) {
        world w;
        cuzk_core_config config = world_config();
        config.store = true;
        world_open(&w, &config, 1);
        world_job *jobs[3];
        for (int i = 0; i < 3; i++)
            jobs[i] = scenario_submit(&w, CUZK_CLASS_NORMAL, 1);
        world_run_until(&w, 1000 + at * MS);
        unsigned accepted[3];
        for (int i = 0; i < 3; i++)
            accepted[i] = jobs[i]->accepted;
        world_restart(&w);
        world_run(&w);
        for (int i = 0; i < 3; i++)
            if (accepted[i])
                assert_int_equal(world_state(&w, jobs[i]), CUZK_JOB_COMPLETED);
        world_job *next = scenario_submit(&w, CUZK_CLASS_NORMAL, 1);
        assert_int_equal(next->number, 4); /* numbers are never used again */
        world_run(&w);
        world_check_rest(&w);
        world_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a9_identical),
        cmocka_unit_test(test_a10_conflict),
        cmocka_unit_test(test_failed_runs_again),
        cmocka_unit_test(test_cancel_at_every_moment),
        cmocka_unit_test(test_deadline_at_every_moment),
        cmocka_unit_test(test_orphans),
        cmocka_unit_test(test_history_is_bounded),
        cmocka_unit_test(test_drain),
        cmocka_unit_test(test_stored_before_told),
        cmocka_unit_test(test_store_fails),
        cmocka_unit_test(test_restart_at_every_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
