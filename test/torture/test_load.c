/* The engine under load: what it adds to each partition, how much of the time its devices are busy,
 * and how soon an urgent job starts behind bulk work. It prints figures, and fails only where a job
 * is lost or an account does not add up.
 *
 * CUZK_LOAD_JOBS: jobs of the overhead run (default 2,000); CUZK_BUSY_JOBS: of the run on the CPU
 * (default 24). */
#define _GNU_SOURCE
#include "support/engine_client.h"
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

static char keys[64];
static void *wtns[CIRCUITS];
static size_t wtns_size[CIRCUITS];

static int set_up(void **state)
{
    (void)state;
    snprintf(keys, sizeof keys, "%s", test_keys_folder(circuits, CIRCUITS));
    for (size_t i = 0; i < CIRCUITS; i++) {
        char name[256];
        snprintf(name, sizeof name, "circom/%s/witness.wtns", circuits[i]);
        FILE *file = fopen(test_data_path(name), "rb");
        wtns[i] = malloc(1 << 20);
        if (file == NULL || wtns[i] == NULL)
            return 1;
        wtns_size[i] = fread(wtns[i], 1, 1 << 20, file);
        fclose(file);
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (size_t i = 0; i < CIRCUITS; i++)
        free(wtns[i]);
    test_remove_folder(keys);
    return 0;
}

static cuzk_engine *open_engine(const cuzk_fake_script *fake, unsigned devices)
{
    const cuzk_engine_config config = {.memory_total = (uint64_t)2 << 30,
                                       .threads = 2,
                                       .fake = fake,
                                       .fake_devices = devices,
                                       .keys_folder = keys,
                                       .queue_jobs_max = 1000000,
                                       .history_jobs_max = 1000000,
                                       .orphan_grace_ms = CUZK_NEVER};
    cuzk_engine *engine;
    cuzk_error err = {0};
    if (cuzk_engine_open(&engine, &config, &err) != CUZK_OK)
        fail_msg("%s", err.message);
    return engine;
}

/* Jobs handed in without waiting; counts those that have ended well. */
typedef struct crowd {
    cuzk_engine *engine;
    atomic_uint accepted, ended, bad;
    unsigned n;
    pthread_mutex_t lock;
    pthread_cond_t all;
} crowd;

static void crowd_ended(void *context, const cuzk_await_reply *reply)
{
    crowd *c = context;
    if (!reply->known || reply->state != CUZK_JOB_COMPLETED)
        atomic_fetch_add(&c->bad, 1);
    if (atomic_fetch_add(&c->ended, 1) + 1 == c->n) {
        pthread_mutex_lock(&c->lock);
        pthread_cond_signal(&c->all);
        pthread_mutex_unlock(&c->lock);
    }
}

static void crowd_accepted(void *context, const cuzk_submit_reply *reply)
{
    crowd *c = context;
    if (reply->status != CUZK_OK || reply->submitted.verdict != CUZK_VERDICT_NEW)
        atomic_fetch_add(&c->bad, 1);
    atomic_fetch_add(&c->accepted, 1);
    cuzk_engine_await(c->engine, reply->job_id, 0, crowd_ended, c);
}

static void hand_in(crowd *c, size_t circuit, cuzk_class class_)
{
    void *payload = malloc(wtns_size[circuit]);
    assert_non_null(payload);
    memcpy(payload, wtns[circuit], wtns_size[circuit]);
    const cuzk_job_request request = {.request_id = "",
                                      .kind = CUZK_KIND_CIRCUIT,
                                      .class_ = class_,
                                      .key = circuits[circuit],
                                      .payload = payload,
                                      .payload_size = wtns_size[circuit]};
    cuzk_engine_submit(c->engine, &request, crowd_accepted, c);
}

static void begin(crowd *c, cuzk_engine *engine, unsigned n)
{
    memset(c, 0, sizeof *c);
    c->engine = engine;
    c->n = n;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->all, NULL);
}

static void wait_all(crowd *c)
{
    pthread_mutex_lock(&c->lock);
    while (atomic_load(&c->ended) < c->n)
        pthread_cond_wait(&c->all, &c->lock);
    pthread_mutex_unlock(&c->lock);
    assert_int_equal(atomic_load(&c->bad), 0);
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
    crowd c;
    begin(&c, engine, jobs);
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
    crowd c;
    begin(&c, engine, jobs);
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
    crowd c;
    begin(&c, engine, 20);
    for (unsigned i = 0; i < 20; i++)
        hand_in(&c, 0, CUZK_CLASS_NORMAL);
    while (atomic_load(&c.accepted) < 20)
        usleep(100);
    void *payload = malloc(wtns_size[0]);
    memcpy(payload, wtns[0], wtns_size[0]);
    const cuzk_job_request request = {.request_id = "urgent",
                                      .kind = CUZK_KIND_CIRCUIT,
                                      .class_ = CUZK_CLASS_CRITICAL,
                                      .key = circuits[0],
                                      .payload = payload,
                                      .payload_size = wtns_size[0]};
    crowd u;
    begin(&u, engine, 1);
    const uint64_t start = cuzk_clock_ns();
    cuzk_engine_submit(engine, &request, crowd_accepted, &u);
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
