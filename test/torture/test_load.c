/* The engine under load: what it adds to each partition, how much of the time its devices are busy,
 * and how soon an urgent job starts behind bulk work. It prints figures, and fails only where a job
 * is lost or an account does not add up.
 *
 * CUZK_LOAD_JOBS: jobs of the overhead run (default 2,000); CUZK_BUSY_JOBS: of the run on the CPU
 * (default 24). */
#define _GNU_SOURCE
#include "support/crowd.h"
#include "support/engine_folders.h"
#include "support/test.h"

#include "base/clock.h"
#include "engine/device.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const circuits[] = {"multiplier-bn128", "poseidon2-bn128", "merkle20-bn128"};
#define CIRCUITS (sizeof circuits / sizeof *circuits)

static test_folders folders;

static int set_up(void **state)
{
    (void)state;
    test_folders_make(&folders, circuits, CIRCUITS);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    test_crowd_forget_witnesses();
    test_folders_remove(&folders);
    return 0;
}

static cuzk_engine *open_engine(const cuzk_fake_script *fake, unsigned devices)
{
    cuzk_engine_config config = test_engine_config(&folders);
    config.memory_total = (uint64_t)2 << 30;
    config.fake = fake;
    config.fake_devices = devices;
    config.queue_jobs_max = config.history_jobs_max = 1000000;
    return test_engine_open(&config);
}

static void hand_in(test_crowd *c, size_t circuit, cuzk_class class_)
{
    test_crowd_hand_in(c, circuits[circuit], circuits[circuit], class_);
}

/* Until all have ended, none of them refused. */
static void wait_all(test_crowd *c)
{
    test_crowd_release(c);
    assert_int_equal(atomic_load(&c->refused), 0);
}

typedef struct device_times {
    uint64_t ns[CUZK_DEVICE_STATES], total;
    atomic_bool told;
} device_times;

static void read_times(void *context, const cuzk_engine_view *view)
{
    device_times *t = context;
    cuzk_device_view device;
    cuzk_core_view core;
    cuzk_core_view_device(view->core, view->now, 0, &device);
    cuzk_core_view_get(view->core, view->now, &core);
    memcpy(t->ns, device.ns, sizeof t->ns);
    t->total = core.now - core.started;
    atomic_store(&t->told, true);
}

static device_times times_of(cuzk_engine *engine)
{
    device_times t = {0};
    cuzk_engine_view_get(engine, read_times, &t);
    while (!atomic_load(&t.told))
        usleep(100);
    uint64_t sum = 0;
    for (unsigned i = 0; i < CUZK_DEVICE_STATES; i++)
        sum += t.ns[i];
    assert_int_equal(sum, t.total);
    return t;
}

static void test_overhead(void **state)
{
    (void)state;
    const char *text = getenv("CUZK_LOAD_JOBS");
    const unsigned jobs = text != NULL ? (unsigned)atoi(text) : 2000;
    const cuzk_fake_script script = {0};
    cuzk_engine *engine = open_engine(&script, 1);
    test_preload(engine, circuits[0]);
    test_crowd c;
    test_crowd_init(&c, engine);
    const uint64_t start = cuzk_clock_ns();
    for (unsigned i = 0; i < jobs; i++) {
        while (i - atomic_load(&c.ended) > 2000)
            usleep(50);
        hand_in(&c, 0, CUZK_CLASS_NORMAL);
    }
    wait_all(&c);
    print_message(
        "overhead: %.1f us per partition over %u partitions, all threads on this machine\n",
        (double)(cuzk_clock_ns() - start) / 1e3 / jobs, jobs);
    cuzk_engine_close(engine);
}

static void busy_share(const char *name, const cuzk_fake_script *script, unsigned jobs)
{
    cuzk_engine *engine = open_engine(script, 1);
    for (size_t i = 0; i < CIRCUITS; i++)
        assert_int_equal(test_preload(engine, circuits[i]).status, CUZK_OK);
    test_crowd c;
    test_crowd_init(&c, engine);
    const device_times before = times_of(engine);
    for (unsigned i = 0; i < jobs; i++)
        hand_in(&c, i % CIRCUITS, CUZK_CLASS_NORMAL);
    wait_all(&c);
    const device_times after = times_of(engine);
    const double wall = (double)(after.total - before.total);
    print_message("%s: %u jobs in %.2f s, device busy %.2f %%", name, jobs, wall / 1e9,
                  100 * (double)(after.ns[CUZK_DEVICE_BUSY] - before.ns[CUZK_DEVICE_BUSY]) / wall);
    for (unsigned s = 1; s < CUZK_DEVICE_STATES; s++)
        if (after.ns[s] > before.ns[s])
            print_message(", %s %.2f %%", cuzk_device_state_name((cuzk_device_state)s),
                          100 * (double)(after.ns[s] - before.ns[s]) / wall);
    print_message("\n");
    cuzk_engine_close(engine);
}

static void test_busy(void **state)
{
    (void)state;
    const cuzk_fake_script script = {.upload_us = 500, .compute_us = 5000, .finish_us = 1000};
    busy_share("fake, 5 ms each", &script, 200);
    const char *text = getenv("CUZK_BUSY_JOBS");
    busy_share("cpu", NULL, text != NULL ? (unsigned)atoi(text) : 24);
}

/* One urgent job behind 20 of bulk, each 20 ms on the device. */
static void test_urgent(void **state)
{
    (void)state;
    const cuzk_fake_script script = {.compute_us = 20000};
    cuzk_engine *engine = open_engine(&script, 1);
    test_preload(engine, circuits[0]);
    test_crowd c;
    test_crowd_init(&c, engine);
    for (unsigned i = 0; i < 20; i++)
        hand_in(&c, 0, CUZK_CLASS_NORMAL);
    while (atomic_load(&c.accepted) < 20)
        usleep(100);
    test_crowd u;
    test_crowd_init(&u, engine);
    const uint64_t start = cuzk_clock_ns();
    hand_in(&u, 0, CUZK_CLASS_CRITICAL);
    wait_all(&u);
    const unsigned before = atomic_load(&c.ended);
    print_message("urgent behind 20 jobs of 20 ms: done after %.1f ms, %u of the 20 before it\n",
                  (double)(cuzk_clock_ns() - start) / 1e6, before);
    wait_all(&c);
    assert_true(before < 20);
    cuzk_engine_close(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overhead),
        cmocka_unit_test(test_busy),
        cmocka_unit_test(test_urgent),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
