/* The kernel says that memory is short: keys that idle are freed, work goes on. */
#define _GNU_SOURCE
#include "support/engine_client.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *const circuits[] = {"multiplier-bn128", "poseidon2-bn128"};
static char keys[64], root[64];

static void put(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s%s", root, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
    (void)state;
    char path[128];
    static const char *const folders[] = {"/proc", "/proc/pressure"};
    snprintf(keys, sizeof keys, "%s", test_keys_folder(circuits, 2));
    strcpy(root, "/tmp/cuzk-pressure-XXXXXX");
    if (mkdtemp(root) == NULL)
        return 1;
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s%s", root, folders[i]);
        if (mkdir(path, 0700) != 0)
            return 1;
    }
    put("/proc/meminfo", "MemAvailable: 8388608 kB\n");
    put("/proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    test_remove_folder(keys);
    test_remove_folder(root);
    return 0;
}

static void run_job(cuzk_engine *engine, const char *id)
{
    test_submit(engine, id, circuits[0], test_data_path("circom/multiplier-bn128/witness.wtns"));
    const test_answer a = test_await(engine, id, 0);
    assert_int_equal(a.state, CUZK_JOB_COMPLETED);
    test_assert_proof(circuits[0], a.text);
    free(a.text);
}

static void idle_keys_are_freed(void **state)
{
    (void)state;
    const cuzk_engine_config config = {.memory_total = (uint64_t)1 << 30,
                                       .limits_root = root,
                                       .threads = 1,
                                       .keys_folder = keys,
                                       .orphan_grace_ms = CUZK_NEVER};
    cuzk_engine *engine;
    cuzk_core_view before, view;
    cuzk_error err = {0};
    if (cuzk_engine_open(&engine, &config, &err) != CUZK_OK)
        fail_msg("%s", err.message);
    const test_answer pinned = test_preload(engine, circuits[1]);
    assert_int_equal(pinned.status, CUZK_OK);
    run_job(engine, "before");
    test_view(engine, &before);
    assert_int_equal(before.key_evictions, 0);
    assert_true(before.memory[CUZK_MEMORY_KEY] > pinned.bytes);
    put("/proc/pressure/memory", "some avg10=55.00 avg60=9.00 avg300=1.00 total=77\n");
    do { /* it looks every second */
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        test_view(engine, &view);
    } while (view.memory[CUZK_MEMORY_KEY] != pinned.bytes);
    assert_int_equal(view.key_evictions, 1);
    assert_int_equal(view.memory[CUZK_MEMORY_POOL], 0);
    run_job(engine, "after");
    test_view(engine, &view);
    assert_int_equal(view.key_loads, before.key_loads + 1);
    cuzk_engine_close(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(idle_keys_are_freed, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
