/* The engine's threads when a device does not return: other devices go on, what its step reads
 * stays, jobs that only it can do wait, and the engine closes all the same. */
#define _GNU_SOURCE
#include "support/engine_client.h"
#include "support/test.h"
#include "support/tricks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* So long that no step reaches it that does not hang; and should one, a test takes longer, that is
 * all. */
#define LIMIT_MS 1500u

static const char *const circuits[] = {"multiplier-bn128"};
static char keys[64], parent[64], store[80], wtns[256];
static test_tricks tricks;

static int set_up(void **state)
{
    (void)state;
    snprintf(keys, sizeof keys, "%s", test_keys_folder(circuits, 1));
    snprintf(wtns, sizeof wtns, "%s", test_data_path("circom/multiplier-bn128/witness.wtns"));
    strcpy(parent, "/tmp/cuzk-hang-XXXXXX");
    if (mkdtemp(parent) == NULL)
        return 1;
    snprintf(store, sizeof store, "%s/store", parent);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    test_remove_folder(keys);
    test_remove_folder(parent);
    return 0;
}

static cuzk_engine *open_engine(unsigned devices, const char *store_folder, uint64_t limit_ms)
{
    static const cuzk_fake_script script = {.compute_us = 100};
    const cuzk_engine_config config = {.memory_total = (uint64_t)1 << 30,
                                       .threads = 1,
                                       .fake = &script,
                                       .fake_devices = devices,
                                       .wrap = test_tricks_wrap,
                                       .wrap_context = &tricks,
                                       .keys_folder = keys,
                                       .store_folder = store_folder,
                                       .durability = CUZK_DURABLE_PROCESS,
                                       .orphan_grace_ms = CUZK_NEVER,
                                       .step_limit_ms = limit_ms,
                                       .close_wait_ms = 50};
    cuzk_engine *engine;
    cuzk_error err = {0};
    if (cuzk_engine_open(&engine, &config, &err) != CUZK_OK)
        fail_msg("%s", err.message);
    return engine;
}

static void submit(cuzk_engine *engine, const char *name, unsigned i)
{
    char id[64];
    snprintf(id, sizeof id, "%s %u", name, i);
    const test_answer a = test_submit(engine, id, circuits[0], wtns);
    assert_int_equal(a.status, CUZK_OK);
    assert_int_equal(a.submitted.verdict, CUZK_VERDICT_NEW);
}

static void expect(cuzk_engine *engine, const char *name, unsigned i, cuzk_job_state state)
{
    char id[64];
    snprintf(id, sizeof id, "%s %u", name, i);
    const test_answer a = test_await(engine, id, 0);
    if (a.state != state)
        fail_msg("%s: %s: %s", id, cuzk_job_state_name(a.state), a.message);
    free(a.text);
}

static cuzk_device_view device_of(cuzk_engine *engine, unsigned device)
{
    cuzk_device_view view;
    test_view_device(engine, device, &view);
    return view;
}

static void await_late(cuzk_engine *engine, unsigned device, unsigned late)
{
    while (device_of(engine, device).late != late)
        usleep(2000);
}

/* Two devices, one hangs: every job is done by the other one, and the hung step keeps its memory
 * and its key until it returns; then the device works again. */
static void test_other_device_goes_on(void **state)
{
    (void)state;
    enum { JOBS = 20 };
    cuzk_core_view core;
    test_tricks_init(&tricks);
    test_tricks_plan(&tricks, 0, TRICK_HANG_COMPUTE, 1);
    cuzk_engine *engine = open_engine(2, NULL, LIMIT_MS);
    for (unsigned i = 0; i < JOBS; i++)
        submit(engine, "first", i);
    test_tricks_await_hanging(&tricks, 1);
    for (unsigned i = 0; i < JOBS; i++)
        expect(engine, "first", i, CUZK_JOB_COMPLETED);
    cuzk_device_view device = device_of(engine, 0);
    test_view(engine, &core);
    assert_true(device.quarantined && device.late == 1 && device.quarantines >= 1);
    assert_int_equal(device.state, CUZK_IDLE_FAULT);
    assert_true(core.memory[CUZK_MEMORY_WITNESS] > 0 && core.memory[CUZK_MEMORY_INPUT] > 0);
    assert_true(core.retries >= 1);
    assert_true(cuzk_engine_is_ready(engine));
    assert_int_equal(test_evict(engine, circuits[0]).status, CUZK_ERR_ARGUMENT);
    test_tricks_release(&tricks);
    await_late(engine, 0, 0);
    test_view(engine, &core);
    assert_int_equal(core.memory[CUZK_MEMORY_WITNESS], 0);
    assert_int_equal(core.memory[CUZK_MEMORY_INPUT], 0);
    for (unsigned i = 0; i < JOBS; i++)
        submit(engine, "second", i);
    for (unsigned i = 0; i < JOBS; i++)
        expect(engine, "second", i, CUZK_JOB_COMPLETED);
    assert_true(device_of(engine, 0).partitions_done > 0);
    cuzk_engine_close(engine);
    test_tricks_await_closed(&tricks);
}

/* The only device hangs, in each of its steps: what it has waits, nothing new is taken, and all
 * goes on when it is back. A job that is cancelled meanwhile does not wait. */
static void test_only_device_comes_back(void **state)
{
    (void)state;
    test_tricks_init(&tricks);
    cuzk_engine *engine = open_engine(1, NULL, LIMIT_MS);
    for (unsigned trick = TRICK_HANG_UPLOAD; trick <= TRICK_HANG_FINISH; trick++) {
        char waits[32], cancelled[32];
        snprintf(waits, sizeof waits, "waits %u", trick);
        snprintf(cancelled, sizeof cancelled, "cancelled %u", trick);
        assert_true(cuzk_engine_is_ready(engine));
        test_tricks_plan(&tricks, 0, (test_trick)trick, 1);
        submit(engine, "waits", trick);
        submit(engine, "cancelled", trick);
        test_tricks_await_hanging(&tricks, 1);
        await_late(engine, 0, 1);
        assert_false(cuzk_engine_is_ready(engine));
        const test_answer refused = test_submit(engine, "refused", circuits[0], wtns);
        assert_int_equal(refused.submitted.verdict, CUZK_VERDICT_NO_DEVICE);
        assert_true(test_await(engine, waits, 20).timeout);
        assert_true(test_cancel(engine, cancelled).known);
        expect(engine, "cancelled", trick, CUZK_JOB_CANCELLED);
        test_tricks_release(&tricks);
        expect(engine, "waits", trick, CUZK_JOB_COMPLETED);
        await_late(engine, 0, 0);
    }
    cuzk_engine_close(engine);
    test_tricks_await_closed(&tricks);
}

/* A job whose every attempt hangs fails, and says what happened. */
static void test_job_that_hangs_all(void **state)
{
    (void)state;
    test_tricks_init(&tricks);
    cuzk_engine *engine = open_engine(3, NULL, LIMIT_MS);
    for (unsigned d = 0; d < 3; d++)
        test_tricks_plan(&tricks, d, TRICK_HANG_COMPUTE, 1);
    submit(engine, "poison", 0);
    const test_answer a = test_await(engine, "poison 0", 0);
    assert_int_equal(a.state, CUZK_JOB_FAILED);
    assert_null(a.text);
    assert_int_equal(a.status, CUZK_ERR_DEVICE);
    const char *const words[] = {"compute",
                                 "device ",
                                 "fake ",
                                 "has not returned for ",
                                 "device.step_limit",
                                 "restart the service"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(a.message, words[i]) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", a.message, words[i]);
    test_tricks_await_hanging(&tricks, 3);
    assert_false(cuzk_engine_is_ready(engine));
    test_drain(engine); /* which does not wait for them: the job has ended */
    test_tricks_release(&tricks);
    for (unsigned d = 0; d < 3; d++)
        await_late(engine, d, 0);
    cuzk_engine_close(engine);
    test_tricks_await_closed(&tricks);
}

/* With the limit off, a step may take for ever. */
static void test_without_limit(void **state)
{
    (void)state;
    test_tricks_init(&tricks);
    test_tricks_plan(&tricks, 0, TRICK_HANG_COMPUTE, 1);
    cuzk_engine *engine = open_engine(1, NULL, CUZK_NEVER);
    submit(engine, "slow", 0);
    test_tricks_await_hanging(&tricks, 1);
    usleep(100000);
    assert_int_equal(device_of(engine, 0).late_ops, 0);
    assert_true(cuzk_engine_is_ready(engine));
    test_tricks_release(&tricks);
    expect(engine, "slow", 0, CUZK_JOB_COMPLETED);
    assert_int_equal(device_of(engine, 0).late_ops, 0);
    cuzk_engine_close(engine);
    test_tricks_await_closed(&tricks);
}

/* Closed while a step hangs, given up or not: the store is free for the next engine, which does the
 * job, and what was left is freed when the step returns. */
static void test_closes(void **state)
{
    (void)state;
    for (unsigned given_up = 0; given_up < 2; given_up++) {
        test_tricks_init(&tricks);
        test_tricks_plan(&tricks, 0, TRICK_HANG_COMPUTE, 1);
        cuzk_engine *engine = open_engine(1, store, given_up ? LIMIT_MS : CUZK_NEVER);
        submit(engine, "kept", given_up);
        test_tricks_await_hanging(&tricks, 1);
        if (given_up)
            await_late(engine, 0, 1);
        cuzk_engine_close(engine);
        assert_int_equal(tricks.open, 1);
        engine = open_engine(1, store, LIMIT_MS);
        expect(engine, "kept", given_up, CUZK_JOB_COMPLETED);
        test_tricks_release(&tricks);
        cuzk_engine_close(engine);
        test_tricks_await_closed(&tricks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_device_goes_on),
        cmocka_unit_test(test_only_device_comes_back),
        cmocka_unit_test(test_job_that_hangs_all),
        cmocka_unit_test(test_without_limit),
        cmocka_unit_test(test_closes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
