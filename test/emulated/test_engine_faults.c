/* The engine on the emulated card when that is too small, and when each of its calls fails once: a
 * job ends with a true proof or a reason, the next one is proved, and nothing is left behind. */
#define _GNU_SOURCE
#include "emulated.h"
#include "support/engine_folders.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* For small_cards' key, which needs 4.4 MB with its proof, and not for two. */
#define ROOM_FOR_ONE ((size_t)5 << 20)

static test_folders folders;

static int set_up(void **state)
{
    (void)state;
    test_folders_make(&folders, test_small_circuits, 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    test_folders_remove(&folders);
    return 0;
}

static cuzk_engine_config on_gpu(void)
{
    cuzk_engine_config config = test_engine_config(&folders);
    config.gpus = (cuzk_gpu_choice){.n = 1, .number = {0}};
    config.quarantine_ms = 50;
    return config;
}

/* The n-th job of this name; they are all of one circuit. */
static test_answer await(cuzk_engine *engine, const char *name, uint64_t n)
{
    char prefix[32], id[40];
    snprintf(prefix, sizeof prefix, "%s%u", name, (unsigned)n);
    snprintf(id, sizeof id, "%s-0", prefix);
    assert_int_equal(test_small_submit(engine, prefix, 0).status, CUZK_OK);
    return test_await(engine, id, 0);
}

static void prove(cuzk_engine *engine, const char *name, uint64_t n)
{
    const test_answer a = await(engine, name, n);
    if (a.state != CUZK_JOB_COMPLETED)
        fail_msg("%s %u: %s: %s", name, (unsigned)n, cuzk_job_state_name(a.state), a.message);
    test_assert_proof(test_small_circuits[0], a.text);
    free(a.text);
}

/* Keys are freed, and attempts dropped, soon after the answer. */
static void await_live(size_t expected)
{
    for (unsigned i = 0; cuzk_emulated_live() != expected; i++) {
        if (i == 20000)
            fail_msg("%zu things live, not %zu", cuzk_emulated_live(), expected);
        usleep(1000);
    }
}

static void evict(cuzk_engine *engine)
{
    while (test_evict(engine, test_small_circuits[0]).status != CUZK_OK)
        usleep(1000); /* it is in use still */
}

static void small_cards(void **state)
{
    (void)state;
    static const size_t sizes[] = {1 << 10, 1 << 14};
    const cuzk_engine_config config = on_gpu();
    cuzk_engine *engine = test_engine_open(&config);
    const size_t live = cuzk_emulated_live();
    for (unsigned i = 0; i < 2; i++) {
        cuzk_emulated_devices(1, sizes[i]);
        const test_answer a = await(engine, "small", i);
        assert_int_equal(a.state, CUZK_JOB_FAILED);
        if (a.status != CUZK_ERR_MEMORY || strstr(a.message, "bytes") == NULL)
            fail_msg("%s", a.message);
        await_live(live);
    }
    cuzk_emulated_devices(1, (size_t)4 << 30);
    prove(engine, "large", 0);
    cuzk_engine_close(engine);
    assert_int_equal(cuzk_emulated_live(), live);
}

/* Two keys, of which the card has room for one: none of their jobs fails for that. */
static void keys_take_turns(void **state)
{
    (void)state;
    enum { JOBS = 6 };
    const cuzk_engine_config config = on_gpu();
    const char *const keys[] = {test_small_circuits[0], "other"};
    const char *witness = test_data_path("circom/multiplier-bn128/witness.wtns");
    const size_t live = cuzk_emulated_live();
    char id[32];
    test_folders_add_key(&folders, test_small_circuits[0], "other");
    cuzk_emulated_devices(1, ROOM_FOR_ONE);
    cuzk_engine *engine = test_engine_open(&config);
    for (unsigned i = 0; i < JOBS; i++) {
        snprintf(id, sizeof id, "turn-%u", i);
        assert_int_equal(test_submit(engine, id, keys[i % 2], witness).status, CUZK_OK);
    }
    for (unsigned i = 0; i < JOBS; i++) {
        snprintf(id, sizeof id, "turn-%u", i);
        const test_answer a = test_await(engine, id, 0);
        if (a.state != CUZK_JOB_COMPLETED)
            fail_msg("%s: %s: %s", id, cuzk_job_state_name(a.state), a.message);
        free(a.text);
    }
    cuzk_core_view view;
    test_view(engine, &view);
    assert_true(view.key_evictions > 0);
    cuzk_engine_close(engine);
    cuzk_emulated_devices(1, (size_t)4 << 30);
    assert_int_equal(cuzk_emulated_live(), live);
}

/* A job while the n-th call fails; *completed: it was proved all the same. Returns whether there
 * was such a call. */
static bool fail_once(cuzk_engine *engine, uint64_t n, bool *completed)
{
    cuzk_emulated_fail_at(n);
    const test_answer a = await(engine, "fault", n);
    const bool reached = cuzk_emulated_calls() >= n;
    cuzk_emulated_fail_at(0);
    *completed = a.state == CUZK_JOB_COMPLETED;
    if (*completed)
        test_assert_proof(test_small_circuits[0], a.text);
    else if (a.state != CUZK_JOB_FAILED || a.message[0] == '\0')
        fail_msg("call %u: %s: %s", (unsigned)n, cuzk_job_state_name(a.state), a.message);
    free(a.text);
    return reached;
}

/* Up to the call from which on the key is there, so that the job is made again and completes. */
static void loading_fails(void **state)
{
    (void)state;
    const cuzk_engine_config config = on_gpu();
    const size_t before = cuzk_emulated_live();
    cuzk_engine *engine = test_engine_open(&config);
    bool completed = false;
    unsigned n = 0;
    while (!completed) {
        assert_true(fail_once(engine, ++n, &completed));
        if (!completed)
            await_live(before);
        prove(engine, "after", n);
        evict(engine);
        await_live(before);
    }
    print_message("%u calls make a key\n", n - 1);
    assert_true(n > 20);
    cuzk_engine_close(engine);
    assert_int_equal(cuzk_emulated_live(), before);
}

static void proving_fails(void **state)
{
    (void)state;
    const cuzk_engine_config config = on_gpu();
    const size_t before = cuzk_emulated_live();
    cuzk_engine *engine = test_engine_open(&config);
    bool reached = true, completed;
    unsigned n = 0;
    cuzk_device_view device;
    prove(engine, "first", 0);
    const size_t live = cuzk_emulated_live();
    while (reached) {
        reached = fail_once(engine, ++n, &completed);
        assert_true(completed); /* it is made again */
        prove(engine, "after", n);
        assert_int_equal(cuzk_emulated_live(), live);
    }
    print_message("%u calls make a proof\n", n - 1);
    assert_true(n > 20);
    test_view_device(engine, 0, &device);
    assert_int_equal(device.faults, n - 1);
    assert_int_equal(device.quarantines, 0);
    cuzk_engine_close(engine);
    assert_int_equal(cuzk_emulated_live(), before);
}

static void opening_fails(void **state)
{
    (void)state;
    const cuzk_engine_config config = on_gpu();
    const size_t before = cuzk_emulated_live();
    cuzk_engine *engine = NULL;
    cuzk_error err;
    unsigned n = 1;
    cuzk_emulated_fail_at(n);
    while (cuzk_engine_open(&engine, &config, &err) != CUZK_OK) {
        assert_null(engine);
        assert_int_equal(cuzk_emulated_live(), before);
        cuzk_emulated_fail_at(++n);
    }
    cuzk_emulated_fail_at(0);
    assert_true(n > 1);
    prove(engine, "opened", 0);
    cuzk_engine_close(engine);
    assert_int_equal(cuzk_emulated_live(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_cards),   cmocka_unit_test(keys_take_turns),
        cmocka_unit_test(opening_fails), cmocka_unit_test(loading_fails),
        cmocka_unit_test(proving_fails),
    };
    return cmocka_run_group_tests_name("engine faults", tests, set_up, tear_down);
}
