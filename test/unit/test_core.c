/* The engine's core by scenario: faults, urgency, memory, keys, devices; what was reported from the
 * field and each promise by itself. Times are those of world_config: a synthesis takes 20 ms, a
 * slice of a device 100 ms, a key 1 s. */
#include "support/scenario.h"

#include <string.h>

#define MS UINT64_C(1000000)

/* --- faults --- */

/* A2: one failure, whichever it is, costs no later job. */
static void test_a2_no_failure_poisons(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 16; n++) {
        world w;
        cuzk_core_config config = world_config();
        scenario_fault fault = {.n = n, .outcome = WORLD_BAD_DEVICE, .only = WORLD_NO_ANSWER};
        config.store = true;
        world_open(&w, &config, n);
        w.decide = scenario_fail_nth;
        w.script = &fault;
        world_job *first = scenario_submit(&w, CUZK_CLASS_NORMAL, 1);
        world_run(&w);
        assert_int_equal(first->ended, 1);
        bool hit = fault.count > n;
        world_job *second = scenario_submit(&w, CUZK_CLASS_NORMAL, 1);
        world_run(&w);
        if (hit)
            assert_int_equal(world_state(&w, second), CUZK_JOB_COMPLETED);
        if (scenario_view(&w, first).outcome == CUZK_JOB_FAILED)
            assert_non_null(scenario_view(&w, first).failure);
        world_check_rest(&w);
        world_close(&w);
    }
}

static void test_retry_prefers_another_device(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    scenario_fault fault = {.n = 0, .outcome = WORLD_BAD_DEVICE, .only = WORLD_CHECK};
    config.devices = 2;
    world_open(&w, &config, 1);
    w.decide = scenario_fail_nth;
    w.script = &fault;
    world_job *job = scenario_submit(&w, CUZK_CLASS_NORMAL, 1);
    world_run(&w);
    assert_int_equal(world_state(&w, job), CUZK_JOB_COMPLETED);
    cuzk_part_view part;
    assert_true(cuzk_core_view_part(w.core, w.now, job->number, 0, &part));
    assert_int_equal(part.attempt, 2);
    assert_int_equal(part.device, 1);
    cuzk_device_view device;
    cuzk_core_view_device(w.core, w.now, 0, &device);
    assert_int_equal(device.bad_proofs, 1);
    assert_int_equal(scenario_view_all(&w).retries, 1);
    world_check_rest(&w);
    world_close(&w);
}

static world_outcome always_wrong(world *w, const world_event *event)
{
    (void)w;
    return event->op == WORLD_CHECK ? WORLD_BAD_DEVICE : WORLD_GOOD;
}

/* Bad proofs: attempts_max, then the job fails; device_faults_max in a row, then quarantine; and
 * back. */
static void test_quarantine(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    world_open(&w, &config, 1);
    w.decide = always_wrong;
    world_job *job = scenario_submit(&w, CUZK_CLASS_NORMAL, 1);
    world_run(&w);
    assert_int_equal(world_state(&w, job), CUZK_JOB_FAILED);
    assert_int_equal(scenario_view(&w, job).failure->blame, CUZK_BLAME_DEVICE);
    assert_int_equal(w.computes, 3);
    assert_true(w.quarantined[0]);
    cuzk_submitted refused;
    world_job request = world_request(&w);
    assert_null(world_submit(&w, &request, &refused));
    assert_int_equal(refused.verdict, CUZK_VERDICT_NO_DEVICE);
    assert_int_equal(scenario_view_all(&w).refused_no_device, 1);
    w.decide = NULL;
    world_run_until(&w, w.now + config.quarantine_ns + 1);
    assert_false(w.quarantined[0]);
    world_job *next = scenario_submit(&w, CUZK_CLASS_NORMAL, 1);
    world_run(&w);
    assert_int_equal(world_state(&w, next), CUZK_JOB_COMPLETED);
    world_check_rest(&w);
    world_close(&w);
}

static world_outcome first_device_hangs(world *w, const world_event *event)
{
    (void)w;
    return event->op == WORLD_COMPUTE && event->device == 0 ? WORLD_HANG : WORLD_GOOD;
}

/* A device that hangs is lost; its work is done elsewhere. */
static void test_lost_device(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    config.devices = 2;
    world_open(&w, &config, 1);
    w.decide = first_device_hangs;
    world_job *job = scenario_submit(&w, CUZK_CLASS_NORMAL, 6);
    world_run_until(&w, 2000 * MS);
    assert_int_equal(world_state(&w, job), CUZK_JOB_RUNNING);
    world_lose_device(&w, 0);
    world_run(&w);
    assert_int_equal(world_state(&w, job), CUZK_JOB_COMPLETED);
    world_return_device(&w, 0);
    world_check_rest(&w);
    world_close(&w);
}

/* The step itself does not come back: what it holds stays charged, its job goes on without it, and
 * the device is well again when it returns. */
static void test_late_step(void **state)
{
    (void)state;
    for (unsigned devices = 1; devices <= 2; devices++) {
        world w;
        cuzk_core_config config = world_config();
        config.devices = devices;
        world_open(&w, &config, 1);
        w.decide = first_device_hangs;
        w.watchdog = 5000 * MS;
        w.late_ns = 20000 * MS;
        world_job *job = scenario_submit(&w, CUZK_CLASS_NORMAL, 1);
        world_run_until(&w, 10000 * MS);
        cuzk_core_view view;
        cuzk_device_view device;
        cuzk_core_view_get(w.core, w.now, &view);
        cuzk_core_view_device(w.core, w.now, 0, &device);
        assert_int_equal(w.lates, 1);
        assert_int_equal(device.late, 1);
        assert_int_equal(device.quarantines, 1);
        assert_int_equal(device.faults, 1);
        assert_true(device.quarantined && device.state == CUZK_IDLE_FAULT);
        assert_int_equal(view.memory[CUZK_MEMORY_WITNESS], 10);
        assert_int_equal(view.memory[CUZK_MEMORY_INPUT], 10);
        assert_int_equal(view.memory[CUZK_MEMORY_KEY], 10);
        assert_int_equal(world_state(&w, job),
                         devices == 1 ? CUZK_JOB_RUNNING : CUZK_JOB_COMPLETED);
        if (devices == 2) { /* which a drain does not wait for */
            cuzk_core_drain(w.core, w.now, true);
            world_settle(&w);
            assert_int_equal(w.drained, 1);
        }
        w.decide = NULL;
        world_run(&w);
        cuzk_core_view_device(w.core, w.now, 0, &device);
        assert_true(device.late == 0 && device.late_ops == 1 && !device.quarantined);
        assert_int_equal(world_state(&w, job), CUZK_JOB_COMPLETED);
        world_check_rest(&w);
        world_close(&w);
    }
}

/* --- urgency --- */

static uint64_t slice_end(const world *w)
{
    for (size_t i = 0; i < w->n_events; i++)
        if (w->events[i].op == WORLD_COMPUTE && !w->events[i].call)
            return w->events[i].time;
    return w->now;
}

/* A8: 20 bulk jobs, then urgent ones: each is on the device after the slice that is under way when
 * its witness is there. */
static void test_a8_urgent_behind_bulk(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    world_open(&w, &config, 1);
    for (int i = 0; i < 20; i++)
        assert_non_null(scenario_submit(&w, CUZK_CLASS_LOW, 10));
    world_run_until(&w, 3000 * MS);
    world_job *urgent = scenario_submit(&w, CUZK_CLASS_CRITICAL, 1);
    uint64_t submitted = w.now;
    world_run_until(&w, w.now + w.ns[WORLD_PARSE] + w.ns[WORLD_SYNTH] + w.ns[WORLD_UPLOAD]);
    uint64_t bound = slice_end(&w);
    world_job *high = scenario_submit(&w, CUZK_CLASS_HIGH, 1);
    world_run(&w);
    assert_true(urgent->first_compute <= bound);
    assert_true(urgent->first_compute - submitted <= 200 * MS);
    /* HIGH has no lane: also what is uploaded goes before. */
    assert_true(high->first_compute - submitted <= 500 * MS);
    assert_int_equal(scenario_view_all(&w).ended[CUZK_KIND_CIRCUIT][CUZK_JOB_COMPLETED], 22);
    world_check_rest(&w);
    world_close(&w);
}

/* The lane holds against memory too: bulk work that fills the budget leaves the reserve. */
static void test_critical_reserve(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    config.memory_total = 1000;
    config.critical_reserve = 200;
    config.synth_slots = 8;
    config.staged_per_device = 8;
    world_open(&w, &config, 1);
    for (int i = 0; i < 4; i++) {
        world_job job = world_request(&w);
        job.parsed.partitions = 8;
        job.parsed.witness_bytes = 100;
        assert_non_null(world_submit(&w, &job, NULL));
    }
    world_run_until(&w, 2000 * MS);
    assert_true(scenario_view_all(&w).memory_used > 700);
    world_job *urgent = scenario_submit(&w, CUZK_CLASS_CRITICAL, 1);
    uint64_t submitted = w.now;
    world_run(&w);
    assert_true(urgent->first_compute - submitted <= 200 * MS);
    world_check_rest(&w);
    world_close(&w);
}

/* LOW work under more urgent work than the device can do: it gets its turn with age. */
static void submit_high(world *w, uint64_t left)
{
    assert_non_null(scenario_submit(w, CUZK_CLASS_HIGH, 2));
    if (left > 0)
        world_at(w, w->now + 150 * MS, submit_high, left - 1);
}

static void test_low_ages(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    config.history_jobs_max = 5;
    world_open(&w, &config, 1);
    submit_high(&w, 10000); /* 1,500 s, a third more than it can do */
    world_run_until(&w, 2000 * MS);
    world_job *low = scenario_submit(&w, CUZK_CLASS_LOW, 1);
    w.checked = false; /* the queue grows long */
    world_run_until(&w, 1190000 * MS);
    assert_int_equal(low->ended, 0);
    world_run_until(&w, 1210000 * MS);
    assert_int_equal(low->ended, 1);
    world_run(&w);
    world_close(&w);
}

/* --- memory --- */

/* A13: the device ten times slower, 30 jobs, a small budget. The world checks it at each event. */
static void test_a13_slow_device(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    config.memory_total = 4000;
    config.synth_slots = 8;
    world_open(&w, &config, 1);
    w.slow[0] = 10;
    for (int i = 0; i < 30; i++) {
        world_job job = world_request(&w);
        job.parsed.partitions = 4;
        job.parsed.witness_bytes = 900;
        assert_non_null(world_submit(&w, &job, NULL));
    }
    world_run(&w);
    assert_true(w.peak <= config.memory_total);
    assert_int_equal(w.computes, 120);
    cuzk_device_view device;
    cuzk_core_view_device(w.core, w.now, 0, &device);
    uint64_t idle = w.now - device.ns[CUZK_DEVICE_BUSY];
    assert_true(idle < (w.now / 50)); /* two in a hundred, for the key and the first witness */
    world_check_rest(&w);
    world_close(&w);
}

/* A19: five keys of which two fit, a thousand jobs that take them in turns. */
static void test_a19_keys_do_not_thrash(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    config.memory_total = 100000;
    config.history_jobs_max = 10;
    world_open(&w, &config, 1);
    for (unsigned i = 0; i < 5; i++)
        w.keys[i].bytes = w.keys[i].load_bytes = 40000;
    for (unsigned i = 0; i < 1000; i++) {
        world_job job = world_request(&w);
        scenario_use_key(&w, &job, i % 5);
        assert_non_null(world_submit(&w, &job, NULL));
    }
    world_run(&w);
    cuzk_core_view view = scenario_view_all(&w);
    print_message("1,000 jobs over 5 keys: %u loads\n", (unsigned)view.key_loads);
    assert_int_equal(view.ended[CUZK_KIND_CIRCUIT][CUZK_JOB_COMPLETED], 1000);
    assert_true(view.key_loads <= 5 + 1000 / 32);
    world_check_rest(&w);
    world_close(&w);
}

static void test_too_large(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    world_open(&w, &config, 1);
    world_job job = world_request(&w);
    cuzk_submitted submitted;
    job.request.payload_bytes = config.memory_total;
    assert_null(world_submit(&w, &job, &submitted));
    assert_int_equal(submitted.verdict, CUZK_VERDICT_TOO_LARGE);
    assert_int_equal(submitted.need, config.memory_total + 20);
    assert_int_equal(submitted.have, config.memory_total - config.critical_reserve);
    job.request.payload_bytes = 10;
    job.parsed.witness_bytes = config.memory_total;
    world_job *accepted = world_submit(&w, &job, &submitted);
    world_run(&w);
    assert_int_equal(world_state(&w, accepted), CUZK_JOB_FAILED);
    assert_int_equal(scenario_view(&w, accepted).failure->status, CUZK_ERR_MEMORY);
    assert_non_null(strstr(scenario_view(&w, accepted).failure->message, "needs 1000021 bytes"));
    world_check_rest(&w);
    world_close(&w);
}

static void test_queue_is_bounded(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    config.queue_jobs_max = 3;
    world_open(&w, &config, 1);
    for (int i = 0; i < 3; i++)
        assert_non_null(scenario_submit(&w, CUZK_CLASS_NORMAL, 1));
    world_job job = world_request(&w);
    cuzk_submitted submitted;
    assert_null(world_submit(&w, &job, &submitted));
    assert_int_equal(submitted.verdict, CUZK_VERDICT_FULL);
    assert_true(submitted.retry_ms > 0);
    assert_int_equal(submitted.have, 3);
    assert_non_null(scenario_submit(&w, CUZK_CLASS_HIGH, 1)); /* bounds are per class */
    world_run(&w);
    world_check_rest(&w);
    world_close(&w);
}

/* --- keys --- */

static void test_preload_and_evict(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    world_open(&w, &config, 1);
    uint64_t bytes;
    assert_false(cuzk_core_preload(w.core, w.now, "key-0", 10));
    world_settle(&w);
    assert_false(cuzk_core_evict(w.core, w.now, "key-0", &bytes)); /* it loads */
    world_run(&w);
    assert_true(cuzk_core_preload(w.core, w.now, "key-0", 10));
    cuzk_key_view keys[4];
    assert_int_equal(cuzk_core_view_keys(w.core, keys, 4), 1);
    assert_true(keys[0].pinned && !keys[0].loading && keys[0].bytes == 10);
    assert_non_null(scenario_submit(&w, CUZK_CLASS_NORMAL, 1));
    world_run_until(&w, w.now + 50 * MS);
    assert_false(cuzk_core_evict(w.core, w.now, "key-0", &bytes)); /* in use */
    world_run(&w);
    assert_true(cuzk_core_evict(w.core, w.now, "key-0", &bytes));
    assert_int_equal(bytes, 10);
    world_settle(&w);
    world_run(&w);
    assert_int_equal(cuzk_core_view_keys(w.core, keys, 4), 0);
    assert_int_equal(w.keys[0].loads, 1);
    world_check_rest(&w);
    world_close(&w);
}

/* A key that cannot be loaded fails those who wait for it; the next request tries again. */
static void test_key_fails(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    scenario_fault fault = {.n = 0, .outcome = WORLD_BAD_SYSTEM, .only = WORLD_LOAD_KEY};
    world_open(&w, &config, 1);
    w.decide = scenario_fail_nth;
    w.script = &fault;
    world_job *a = scenario_submit(&w, CUZK_CLASS_NORMAL, 2),
              *b = scenario_submit(&w, CUZK_CLASS_NORMAL, 2);
    world_run(&w);
    assert_int_equal(world_state(&w, a), CUZK_JOB_FAILED);
    assert_int_equal(world_state(&w, b), CUZK_JOB_FAILED);
    assert_int_equal(w.keys[0].loads, 1);
    world_job *c = scenario_submit(&w, CUZK_CLASS_NORMAL, 2);
    world_run(&w);
    assert_int_equal(world_state(&w, c), CUZK_JOB_COMPLETED);
    world_check_rest(&w);
    world_close(&w);
}

/* --- devices --- */

/* 200 jobs of mixed size on two devices: each is busy 98 % of the time, and has half of the work.
 */
static void test_devices_are_busy(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    config.devices = 2;
    config.synth_slots = 4;
    world_open(&w, &config, 1);
    w.jitter = true;
    for (unsigned i = 0; i < 200; i++)
        assert_non_null(scenario_submit(&w, (cuzk_class)(1 + i % 3), 1 + i % 10));
    world_run(&w);
    for (unsigned i = 0; i < 2; i++) {
        cuzk_device_view device;
        cuzk_core_view_device(w.core, w.now, i, &device);
        uint64_t wall = w.now - 1000;
        print_message("device %u: %.2f %% busy, %u partitions\n", i,
                      100.0 * (double)device.ns[CUZK_DEVICE_BUSY] / (double)wall,
                      (unsigned)device.partitions_done);
        assert_true(device.ns[CUZK_DEVICE_BUSY] * 100 >= wall * 98);
        assert_in_range(device.partitions_done, 495, 605);
    }
    world_check_rest(&w);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a2_no_failure_poisons),
        cmocka_unit_test(test_retry_prefers_another_device),
        cmocka_unit_test(test_quarantine),
        cmocka_unit_test(test_lost_device),
        cmocka_unit_test(test_late_step),
        cmocka_unit_test(test_a8_urgent_behind_bulk),
        cmocka_unit_test(test_critical_reserve),
        cmocka_unit_test(test_low_ages),
        cmocka_unit_test(test_a13_slow_device),
        cmocka_unit_test(test_a19_keys_do_not_thrash),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_queue_is_bounded),
        cmocka_unit_test(test_preload_and_evict),
        cmocka_unit_test(test_key_fails),
        cmocka_unit_test(test_devices_are_busy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
