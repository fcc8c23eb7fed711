/* What the engine says at its doors: requests of Filecoin's kinds that are none, cancels that come
 * too late. */
#define _GNU_SOURCE
#include "support/engine_folders.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const circuits[] = {"multiplier-bn128"};
static test_folders folders;

static int set_up(void **state)
{
    (void)state;
    test_folders_make(&folders, circuits, 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    test_folders_remove(&folders);
    return 0;
}

static cuzk_engine *open_engine(void)
{
    cuzk_engine_config config = test_engine_config(&folders);
    config.store_folder = folders.store;
    config.durability = CUZK_DURABLE_PROCESS;
    return test_engine_open(&config);
}

/* Bytes that no server made: the job fails where it is read. */
static void malformed_payloads_fail(void **state)
{
    (void)state;
    cuzk_engine *engine = open_engine();
    for (cuzk_kind kind = CUZK_KIND_POREP; kind <= CUZK_KIND_WINNING_POST; kind++) {
        const cuzk_job_request request = {.request_id = "sector",
                                          .kind = kind,
                                          .class_ = CUZK_CLASS_NORMAL,
                                          .payload = strdup("vanilla"),
                                          .payload_size = 7};
        assert_int_equal(test_submit_request(engine, &request).status, CUZK_OK);
        const test_answer a = test_await(engine, "sector", 0);
        assert_int_equal(a.state, CUZK_JOB_FAILED);
        assert_int_equal(a.status, CUZK_ERR_FORMAT);
        assert_non_null(strstr(a.message, "a stored request is malformed"));
    }
    cuzk_core_view view;
    test_view(engine, &view);
    assert_int_equal(view.memory_used, 0);
    cuzk_engine_close(engine);
}

/* A store may have such a job from a version that wrote it in another way. */
static void stored_ones_fail(void **state)
{
    (void)state;
    cuzk_error err = {0};
    cuzk_store *s;
    assert_int_equal(cuzk_store_open(&s, folders.store, CUZK_DURABLE_PROCESS, &err), CUZK_OK);
    const cuzk_store_job job = {.job = 1,
                                .request_id = "old",
                                .kind = CUZK_KIND_SNAP,
                                .class_ = CUZK_CLASS_NORMAL,
                                .state = CUZK_JOB_ACCEPTED,
                                .payload = "vanilla",
                                .payload_size = 7,
                                .error = ""};
    const cuzk_store_job *jobs[] = {&job};
    if (cuzk_store_add(s, jobs, 1, &err) != CUZK_OK)
        fail_msg("%s", err.message);
    cuzk_store_close(s);
    cuzk_engine *engine = open_engine();
    const test_answer a = test_await(engine, "old", 0);
    assert_int_equal(a.state, CUZK_JOB_FAILED);
    assert_int_equal(a.status, CUZK_ERR_FORMAT);
    cuzk_engine_close(engine);
}

static void cancels_say_what_was(void **state)
{
    (void)state;
    cuzk_engine *engine = open_engine();
    assert_false(test_cancel(engine, "unheard of").known);
    test_submit(engine, "good", circuits[0],
                test_data_path("circom/multiplier-bn128/witness.wtns"));
    test_answer a = test_await(engine, "good", 0);
    free(a.text);
    a = test_cancel(engine, "good");
    assert_true(a.known && !a.cancelled && !a.flag);
    assert_int_equal(a.state, CUZK_JOB_COMPLETED);
    test_submit(engine, "bad", circuits[0], test_data_path("circom/poseidon2-bn128/witness.wtns"));
    assert_int_equal(test_await(engine, "bad", 0).state, CUZK_JOB_FAILED);
    a = test_cancel(engine, "bad");
    assert_true(a.known && !a.cancelled);
    assert_int_equal(a.state, CUZK_JOB_FAILED);
    cuzk_engine_close(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(malformed_payloads_fail, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stored_ones_fail, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cancels_say_what_was, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
