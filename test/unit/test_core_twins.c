/* The same content under different ids, in the simulated world: computed once, and each job keeps a
 * life of its own. A synthesis takes 20 ms, a slice of a device 100 ms, a key 1 s. */
#include "support/scenario.h"

#include <stdio.h>
#include <string.h>

#define MS UINT64_C(1000000)

static void open_world(world *w, bool store)
{
    cuzk_core_config config = world_config();
    config.join_content = true;
    config.store = store;
    world_open(w, &config, 1);
}

/* A request of the one content. */
static world_job twin(world *w, cuzk_class class_)
{
    world_job request = world_request(w);
    request.request.class_ = class_;
    request.parsed.partitions = 3;
    memset(request.request.digest, 7, sizeof request.request.digest);
    return request;
}

static world_job *submit_twin(world *w, cuzk_class class_)
{
    const world_job request = twin(w, class_);
    world_job *job = world_submit(w, &request, NULL);
    assert_non_null(job);
    return job;
}

/* A9: ten callers with ten ids, one computation. */
static void one_computation(void **state)
{
    (void)state;
    for (int store = 0; store < 2; store++) {
        world w;
        world_job *jobs[10];
        open_world(&w, store != 0);
        for (int i = 0; i < 10; i++) {
            jobs[i] = submit_twin(&w, CUZK_CLASS_NORMAL);
            world_run_until(&w, w.now + (uint64_t)i * 25 * MS); /* in all states of the first */
        }
        world_run(&w);
        for (int i = 0; i < 10; i++) {
            assert_int_equal(world_state(&w, jobs[i]), CUZK_JOB_COMPLETED);
            assert_int_equal(jobs[i]->ended, 1);
        }
        assert_int_equal(w.computes, 3); /* the partitions */
        assert_int_equal(w.shared, 9);
        assert_int_equal(scenario_view_all(&w).joined, 9);
        /* Another content, another kind: nothing to share. */
        world_job other = twin(&w, CUZK_CLASS_NORMAL);
        other.request.kind = CUZK_KIND_SNAP;
        assert_non_null(world_submit(&w, &other, NULL));
        assert_non_null(scenario_submit(&w, CUZK_CLASS_NORMAL, 3));
        submit_twin(&w, CUZK_CLASS_NORMAL); /* what is done is not handed out under a new id */
        world_run(&w);
        assert_int_equal(w.computes, 12);
        world_check_rest(&w);
        world_close(&w);
    }
}

/* At every moment the first is cancelled: the others go on, and only one of them is computed. */
static void cancelling_one(void **state)
{
    (void)state;
    for (uint64_t at = 0; at < 1500; at += 23) {
        world w;
        bool running;
        open_world(&w, at % 2 == 0);
        world_job *first = submit_twin(&w, CUZK_CLASS_NORMAL);
        world_job *second = submit_twin(&w, CUZK_CLASS_NORMAL);
        world_job *third = submit_twin(&w, CUZK_CLASS_NORMAL);
        world_run_until(&w, 1000 + at * MS);
        const bool cancelled = cuzk_core_cancel(w.core, w.now, first->number, &running);
        world_settle(&w);
        const uint64_t before = w.computes;
        world_run(&w);
        assert_int_equal(world_state(&w, first),
                         cancelled ? CUZK_JOB_CANCELLED : CUZK_JOB_COMPLETED);
        assert_int_equal(world_state(&w, second), CUZK_JOB_COMPLETED);
        assert_int_equal(world_state(&w, third), CUZK_JOB_COMPLETED);
        assert_true(w.computes - before <= 3);
        assert_int_equal(w.shared, cancelled ? 1 : 2);
        world_check_rest(&w);
        world_close(&w);
    }
}

/* A follower that is cancelled or expires leaves the others alone. */
static void cancelling_a_follower(void **state)
{
    (void)state;
    world w;
    bool running = true;
    open_world(&w, false);
    world_job *first = submit_twin(&w, CUZK_CLASS_NORMAL);
    world_job late = twin(&w, CUZK_CLASS_NORMAL);
    world_job *second = submit_twin(&w, CUZK_CLASS_NORMAL);
    late.request.deadline = 700 * MS;
    world_job *third = world_submit(&w, &late, NULL);
    assert_int_equal(scenario_view(&w, second).follows, first->number);
    assert_int_equal(scenario_view(&w, third).follows, 0); /* it has less time than the first */
    world_run_until(&w, 500 * MS);
    assert_true(cuzk_core_cancel(w.core, w.now, second->number, &running));
    assert_false(running);
    world_settle(&w);
    world_run(&w);
    assert_int_equal(world_state(&w, first), CUZK_JOB_COMPLETED);
    assert_int_equal(world_state(&w, second), CUZK_JOB_CANCELLED);
    assert_int_equal(world_state(&w, third), CUZK_JOB_EXPIRED);
    assert_int_equal(w.computes, 3);
    world_check_rest(&w);
    world_close(&w);
}

/* Whatever step of the first fails for good: the second is tried on its own, and done. */
static void failures_are_not_shared(void **state)
{
    (void)state;
    static const world_op ops[] = {WORLD_PARSE,   WORLD_LOAD_KEY, WORLD_SYNTH, WORLD_UPLOAD,
                                   WORLD_COMPUTE, WORLD_FINISH,   WORLD_CHECK};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        world w;
        scenario_fault fault = {.n = 0, .outcome = WORLD_BAD_SYSTEM, .only = ops[i]};
        open_world(&w, false);
        w.decide = scenario_fail_nth;
        w.script = &fault;
        world_job *first = submit_twin(&w, CUZK_CLASS_NORMAL);
        world_job *second = submit_twin(&w, CUZK_CLASS_NORMAL);
        world_job *third = submit_twin(&w, CUZK_CLASS_NORMAL);
        world_run(&w);
        assert_int_equal(world_state(&w, first), CUZK_JOB_FAILED);
        assert_int_equal(world_state(&w, second), CUZK_JOB_COMPLETED);
        assert_int_equal(world_state(&w, third), CUZK_JOB_COMPLETED);
        assert_int_equal(w.shared, 1);
        world_check_rest(&w);
        world_close(&w);
    }
}

/* An urgent request does not wait for one that is less so; the other way round it may. */
static void urgency(void **state)
{
    (void)state;
    world w;
    open_world(&w, false);
    world_job *bulk = submit_twin(&w, CUZK_CLASS_LOW);
    world_job *urgent = submit_twin(&w, CUZK_CLASS_CRITICAL);
    world_job *late = submit_twin(&w, CUZK_CLASS_NORMAL);
    assert_int_equal(scenario_view(&w, urgent).follows, 0);
    assert_int_equal(scenario_view(&w, late).follows, urgent->number);
    world_run(&w);
    assert_int_equal(world_state(&w, bulk), CUZK_JOB_COMPLETED);
    assert_int_equal(world_state(&w, urgent), CUZK_JOB_COMPLETED);
    assert_int_equal(world_state(&w, late), CUZK_JOB_COMPLETED);
    assert_true(scenario_view(&w, urgent).ended < scenario_view(&w, bulk).ended);
    assert_int_equal(w.computes, 6);
    world_check_rest(&w);
    world_close(&w);
}

/* A caller that gave up and asked again under another id: its first job is no orphan. */
static void a_caller_that_asks_again(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    config.join_content = true;
    config.orphan_grace_ns = 200 * MS;
    world_open(&w, &config, 1);
    world_job request = twin(&w, CUZK_CLASS_NORMAL);
    request.request.waited = true;
    world_job *first = world_submit(&w, &request, NULL);
    cuzk_core_wait(w.core, w.now, first->number);
    world_run_until(&w, 100 * MS);
    cuzk_core_leave(w.core, w.now, first->number);
    world_job again = twin(&w, CUZK_CLASS_NORMAL);
    again.request.waited = true;
    world_job *second = world_submit(&w, &again, NULL);
    cuzk_core_wait(w.core, w.now, second->number);
    world_run(&w);
    assert_int_equal(world_state(&w, first), CUZK_JOB_COMPLETED);
    assert_int_equal(world_state(&w, second), CUZK_JOB_COMPLETED);
    assert_int_equal(w.computes, 3);
    /* When that one leaves too, both are. */
    world_job *third = world_submit(&w, &request, NULL);
    assert_null(third); /* DONE: the first is */
    memset(request.request.digest, 8, sizeof request.request.digest);
    memset(again.request.digest, 8, sizeof again.request.digest);
    (void)snprintf(request.id, sizeof request.id, "third");
    (void)snprintf(again.id, sizeof again.id, "fourth");
    request.parsed.partitions = again.parsed.partitions = 30;
    third = world_submit(&w, &request, NULL);
    world_job *fourth = world_submit(&w, &again, NULL);
    cuzk_core_wait(w.core, w.now, fourth->number);
    world_run_until(&w, w.now + 500 * MS);
    assert_int_equal(world_state(&w, third), CUZK_JOB_RUNNING);
    cuzk_core_leave(w.core, w.now, fourth->number);
    world_run_until(&w, w.now + 500 * MS);
    assert_int_equal(world_state(&w, fourth), CUZK_JOB_CANCELLED);
    assert_int_equal(world_state(&w, third), CUZK_JOB_CANCELLED);
    world_check_rest(&w);
    world_close(&w);
}

/* At every moment the process dies: all are done, whichever of them leads then. */
static void restarts(void **state)
{
    (void)state;
    for (uint64_t at = 0; at < 1500; at += 11) {
        world w;
        open_world(&w, true);
        world_job *jobs[3];
        for (int i = 0; i < 3; i++)
            jobs[i] = submit_twin(&w, CUZK_CLASS_NORMAL);
        world_run_until(&w, 1000 + at * MS);
        unsigned accepted[3];
        for (int i = 0; i < 3; i++)
            accepted[i] = jobs[i]->accepted;
        const uint64_t before = w.computes;
        world_restart(&w);
        world_run(&w);
        assert_true(w.computes - before <= 3);
        for (int i = 0; i < 3; i++)
            if (accepted[i])
                assert_int_equal(world_state(&w, jobs[i]), CUZK_JOB_COMPLETED);
        world_check_rest(&w);
        world_close(&w);
    }
}

/* Memory that followers' payloads hold, and that the leader needs, is not waited for for ever. */
static void payloads_of_followers(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    config.join_content = true;
    config.memory_total = 1000;
    config.critical_reserve = 0;
    world_open(&w, &config, 1);
    world_job *jobs[10];
    unsigned n = 0, done = 0;
    for (int i = 0; i < 10; i++) {
        world_job request = twin(&w, CUZK_CLASS_NORMAL);
        request.request.payload_bytes = 60;
        request.request.parse_bytes = 120;
        request.parsed.input_bytes = 100;
        request.parsed.witness_bytes = 700;
        world_job *job = world_submit(&w, &request, NULL);
        if (job)
            jobs[n++] = job;
    }
    world_run(&w);
    assert_true(n >= 2);
    for (unsigned i = 0; i < n; i++) {
        assert_true(cuzk_job_state_is_terminal(world_state(&w, jobs[i])));
        done += world_state(&w, jobs[i]) == CUZK_JOB_COMPLETED;
    }
    assert_true(done >= 1);
    world_check_rest(&w);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_computation),
        cmocka_unit_test(cancelling_one),
        cmocka_unit_test(cancelling_a_follower),
        cmocka_unit_test(failures_are_not_shared),
        cmocka_unit_test(urgency),
        cmocka_unit_test(a_caller_that_asks_again),
        cmocka_unit_test(restarts),
        cmocka_unit_test(payloads_of_followers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
