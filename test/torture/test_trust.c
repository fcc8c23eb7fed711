/* Real proofs on devices that spoil them: no false proof is handed out, none is lost, and the
 * device is counted, left out and taken back. */
#define _GNU_SOURCE
#include "support/engine_client.h"
#include "support/test.h"
#include "support/tricks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const circuits[] = {"poseidon2-bn128", "rangecheck-bls12381"};
#define CIRCUITS (sizeof circuits / sizeof *circuits)

static char keys[64];
static test_tricks tricks;

static int set_up(void **state)
{
    (void)state;
    snprintf(keys, sizeof keys, "%s", test_keys_folder(circuits, CIRCUITS));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    test_remove_folder(keys);
    return 0;
}

static cuzk_engine *open_engine(unsigned devices, uint64_t quarantine_ms)
{
    const cuzk_engine_config config = {.memory_total = (uint64_t)1 << 30,
                                       .threads = 2,
                                       .fake_devices = devices,
                                       .wrap = test_tricks_wrap,
                                       .wrap_context = &tricks,
                                       .keys_folder = keys,
                                       .orphan_grace_ms = CUZK_NEVER,
                                       .quarantine_ms = quarantine_ms};
    cuzk_engine *engine;
    cuzk_error err = {0};
    if (cuzk_engine_open(&engine, &config, &err) != CUZK_OK)
        fail_msg("%s", err.message);
    return engine;
}

static void submit(cuzk_engine *engine, const char *id, const char *circuit)
{
    char name[256];
    snprintf(name, sizeof name, "circom/%s/witness.wtns", circuit);
    const test_answer a = test_submit(engine, id, circuit, test_data_path(name));
    assert_int_equal(a.status, CUZK_OK);
    assert_int_equal(a.submitted.verdict, CUZK_VERDICT_NEW);
}

static void expect_proof(cuzk_engine *engine, const char *id, const char *circuit)
{
    const test_answer a = test_await(engine, id, 0);
    if (a.state != CUZK_JOB_COMPLETED)
        fail_msg("%s: %s: %s", id, cuzk_job_state_name(a.state), a.message);
    test_assert_proof(circuit, a.text);
    free(a.text);
}

static cuzk_device_view device_of(cuzk_engine *engine, unsigned device)
{
    cuzk_device_view view;
    test_view_device(engine, device, &view);
    return view;
}

/* Once, at either place: the other try is handed out. */
static void test_spoiled_once(void **state)
{
    (void)state;
    for (unsigned trick = TRICK_SPOIL_SUMS; trick <= TRICK_SPOIL_PROOF; trick++)
        for (size_t c = 0; c < CIRCUITS; c++) {
            cuzk_core_view core;
            test_tricks_init(&tricks);
            test_tricks_plan(&tricks, 0, (test_trick)trick, 1);
            cuzk_engine *engine = open_engine(1, 0);
            submit(engine, "once", circuits[c]);
            expect_proof(engine, "once", circuits[c]);
            test_view(engine, &core);
            const cuzk_device_view device = device_of(engine, 0);
            assert_int_equal(core.retries, 1);
            assert_int_equal(device.bad_proofs, 1);
            assert_int_equal(device.faults, 0);
            assert_int_equal(device.partitions_done, 1);
            assert_false(device.quarantined);
            cuzk_engine_close(engine);
        }
}

/* One of two devices spoils all: every job gets its proof, by the other one. */
static void test_one_of_two_spoils(void **state)
{
    (void)state;
    enum { JOBS = 16 };
    char id[32];
    for (unsigned trick = TRICK_SPOIL_SUMS; trick <= TRICK_SPOIL_PROOF; trick++) {
        test_tricks_init(&tricks);
        test_tricks_plan(&tricks, 0, (test_trick)trick, 1000000);
        cuzk_engine *engine = open_engine(2, CUZK_NEVER);
        for (unsigned i = 0; i < JOBS; i++) {
            snprintf(id, sizeof id, "job %u", i);
            submit(engine, id, circuits[i % CIRCUITS]);
        }
        for (unsigned i = 0; i < JOBS; i++) {
            snprintf(id, sizeof id, "job %u", i);
            expect_proof(engine, id, circuits[i % CIRCUITS]);
        }
        const cuzk_device_view bad = device_of(engine, 0), good = device_of(engine, 1);
        assert_int_equal(bad.partitions_done, 0);
        assert_true(bad.bad_proofs >= 3 && bad.quarantined && bad.quarantines == 1);
        assert_int_equal(bad.state, CUZK_IDLE_FAULT);
        assert_int_equal(good.partitions_done, JOBS);
        assert_int_equal(good.bad_proofs, 0);
        assert_true(cuzk_engine_is_ready(engine));
        cuzk_engine_close(engine);
    }
}

/* The only device spoils three in a row: the job fails, without a proof, the device is left out,
 * and after that time the next job is fine. */
static void test_only_device_recovers(void **state)
{
    (void)state;
    cuzk_core_view core;
    test_tricks_init(&tricks);
    test_tricks_plan(&tricks, 0, TRICK_SPOIL_SUMS, 3);
    cuzk_engine *engine = open_engine(1, 2000);
    submit(engine, "spoiled", circuits[0]);
    const test_answer a = test_await(engine, "spoiled", 0);
    assert_int_equal(a.state, CUZK_JOB_FAILED);
    assert_int_equal(a.status, CUZK_ERR_DEVICE);
    assert_null(a.text);
    if (strstr(a.message, "verification") == NULL || strstr(a.message, "test its memory") == NULL)
        fail_msg("\"%s\" does not say where and what to do", a.message);
    test_view(engine, &core);
    assert_int_equal(core.ended[CUZK_KIND_CIRCUIT][CUZK_JOB_COMPLETED], 0);
    assert_int_equal(core.retries, 2);
    while (!cuzk_engine_is_ready(engine))
        usleep(5000);
    submit(engine, "after", circuits[0]);
    expect_proof(engine, "after", circuits[0]);
    const cuzk_device_view device = device_of(engine, 0);
    assert_int_equal(device.bad_proofs, 3);
    assert_int_equal(device.quarantines, 1);
    assert_int_equal(device.partitions_done, 1);
    assert_false(device.quarantined);
    cuzk_engine_close(engine);
}

/* Left out for ever is said at the door. */
static void test_not_ready_without_device(void **state)
{
    (void)state;
    test_tricks_init(&tricks);
    test_tricks_plan(&tricks, 0, TRICK_SPOIL_PROOF, 3);
    cuzk_engine *engine = open_engine(1, 3600000);
    assert_true(cuzk_engine_is_ready(engine));
    submit(engine, "spoiled", circuits[0]);
    assert_int_equal(test_await(engine, "spoiled", 0).state, CUZK_JOB_FAILED);
    assert_true(device_of(engine, 0).quarantined);
    assert_false(cuzk_engine_is_ready(engine));
    const test_answer a = test_submit(engine, "late", circuits[0],
                                      test_data_path("circom/poseidon2-bn128/witness.wtns"));
    assert_int_equal(a.submitted.verdict, CUZK_VERDICT_NO_DEVICE);
    cuzk_engine_close(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spoiled_once),
        cmocka_unit_test(test_one_of_two_spoils),
        cmocka_unit_test(test_only_device_recovers),
        cmocka_unit_test(test_not_ready_without_device),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
