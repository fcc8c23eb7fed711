/* Identical requests under different ids, with a real engine and real proofs: computed once, the
 * same bytes for all, also after a restart. The first one's computation is held until the others
 * are there. */
#define _GNU_SOURCE
#include "support/engine_folders.h"
#include "support/test.h"
#include "support/tricks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const circuits[] = {"multiplier-bn128"};
#define CLIENTS 10

static test_folders folders;
static test_tricks tricks;

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
    config.threads = 1;
    config.join_identical = true;
    config.wrap = test_tricks_wrap;
    config.wrap_context = &tricks;
    test_tricks_init(&tricks);
    return test_engine_open(&config);
}

static void submit_all(cuzk_engine *engine)
{
    char id[32];
    for (int i = 0; i < CLIENTS; i++) {
        snprintf(id, sizeof id, "client %d", i);
        const test_answer a = test_submit(engine, id, circuits[0],
                                          test_data_path("circom/multiplier-bn128/witness.wtns"));
        assert_int_equal(a.status, CUZK_OK);
        assert_int_equal(a.submitted.verdict, CUZK_VERDICT_NEW);
        assert_string_equal(a.job_id, id);
        if (i == 0)
            test_tricks_await_hanging(&tricks, 1);
    }
}

/* All but the one given completed, with one proof, which is true. */
static void expect_one_proof(cuzk_engine *engine, int except)
{
    char id[32], *first = NULL;
    for (int i = 0; i < CLIENTS; i++) {
        if (i == except)
            continue;
        snprintf(id, sizeof id, "client %d", i);
        const test_answer a = test_await(engine, id, 0);
        if (a.state != CUZK_JOB_COMPLETED)
            fail_msg("%s: %s", id, a.message);
        if (first == NULL) {
            test_assert_proof(circuits[0], a.text);
            first = a.text;
            continue;
        }
        assert_string_equal(a.text, first);
        free(a.text);
    }
    free(first);
}

static void one_proof_for_all(void **state)
{
    (void)state;
    cuzk_engine *engine = open_engine();
    test_tricks_plan(&tricks, 0, TRICK_HANG_COMPUTE, 1);
    submit_all(engine);
    test_tricks_release(&tricks);
    expect_one_proof(engine, -1);
    cuzk_core_view view;
    test_view(engine, &view);
    assert_int_equal(view.joined, CLIENTS - 1);
    assert_int_equal(view.submitted[CUZK_KIND_CIRCUIT], CLIENTS);
    assert_int_equal(view.ended[CUZK_KIND_CIRCUIT][CUZK_JOB_COMPLETED], CLIENTS);
    assert_int_equal(view.parts[CUZK_PART_CHECKED], 1);
    assert_int_equal(view.memory[CUZK_MEMORY_PAYLOAD], 0);
    assert_int_equal(view.memory[CUZK_MEMORY_INPUT], 0);
    cuzk_engine_close(engine);
    engine = open_engine(); /* from the store now */
    expect_one_proof(engine, -1);
    cuzk_engine_close(engine);
}

/* The one that is computed is cancelled: it is, and one of the others is computed. */
static void cancelling_the_first(void **state)
{
    (void)state;
    cuzk_engine *engine = open_engine();
    test_tricks_plan(&tricks, 0, TRICK_HANG_COMPUTE, 1);
    submit_all(engine);
    assert_true(test_cancel(engine, "client 0").cancelled);
    assert_int_equal(test_await(engine, "client 0", 0).state, CUZK_JOB_CANCELLED);
    test_tricks_release(&tricks);
    expect_one_proof(engine, 0);
    cuzk_core_view view;
    test_view(engine, &view);
    assert_int_equal(view.joined, CLIENTS - 2);
    cuzk_engine_close(engine);
}

/* The process ends before the proof is there: they are one work after it as well. */
static void after_a_restart(void **state)
{
    (void)state;
    cuzk_engine *engine = open_engine();
    test_tricks_plan(&tricks, 0, TRICK_HANG_COMPUTE, 1);
    submit_all(engine);
    test_tricks_release(&tricks); /* what it makes may or may not get to its end */
    cuzk_engine_close(engine);
    engine = open_engine();
    expect_one_proof(engine, -1);
    cuzk_core_view view;
    test_view(engine, &view);
    assert_true(view.joined == CLIENTS - 1 || view.joined == 0); /* 0: it did */
    assert_true(view.parts[CUZK_PART_CHECKED] <= 1);
    cuzk_engine_close(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_proof_for_all, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cancelling_the_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(after_a_restart, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
