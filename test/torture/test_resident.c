/* The memory of the real engine, as the kernel counts it: with real keys and real proofs, under a
 * budget in which few partitions fit.
 *
 * CUZK_MEMORY_JOBS: how many over several keys, and an eighth of that, 40 at most, on the slow
 * device (default 64). */
#include "support/crowd.h"
#include "support/engine_folders.h"
#include "support/resident.h"
#include "support/slow_device.h"
#include "support/test.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MIB ((uint64_t)1 << 20)
/* What the engine may hold beyond its budget, in percent. */
#define OVER 2u
/* Between two looks at the same idle engine: pages of heaps with a few small pieces in them, and
 * the kernel's counters, which lag by up to 64 pages a thread. A key is as large. */
#define NOISE      (2 * MIB)
#define SLOPE_FROM 500u

static const char *const large[] = {"merkle20-bn128"};
static const char *const names[] = {"key-0", "key-1", "key-2", "key-3", "key-4"};
#define KEYS (sizeof names / sizeof *names)

static test_folders folders;

static unsigned jobs_wanted(void)
{
    const char *text = getenv("CUZK_MEMORY_JOBS");
    return text != NULL ? (unsigned)atoi(text) : 64;
}

static double mib(uint64_t bytes)
{
    return (double)bytes / (double)MIB;
}

static cuzk_engine_config config_of(uint64_t budget)
{
    cuzk_engine_config config = test_engine_config(&folders);
    config.memory_total = budget;
    config.history_jobs_max = 16;
    config.pool_idle_ms = 200;
    return config;
}

/* Until it holds nothing but results: keys evicted, idle buffers gone, the heap trimmed. */
static uint64_t come_to_rest(cuzk_engine *engine)
{
    cuzk_core_view view;
    for (size_t i = 0; i < KEYS; i++)
        test_evict(engine, names[i]);
    do {
        usleep(20000);
        test_view(engine, &view);
    } while (view.memory_used > view.memory[CUZK_MEMORY_RESULT]);
    malloc_trim(0);
    return resident_now();
}

/* The level to which it must come back: after one proof with each key, so that code, tables and
 * stacks are there. */
static uint64_t warm_up(cuzk_engine *engine, size_t keys)
{
    test_crowd crowd;
    test_crowd_init(&crowd, engine);
    for (size_t i = 0; i < keys; i++) {
        test_crowd_submit(&crowd, large[0], names[i]);
        test_crowd_wait(&crowd, (unsigned)i + 1);
    }
    test_crowd_release(&crowd);
    return come_to_rest(engine);
}

static void skip_if_meaningless(void)
{
    if (!resident_is_meant()) {
        print_message("resident memory says nothing under a sanitizer\n");
        skip();
    }
    if (!resident_reset_peak()) {
        print_message("the kernel does not let the peak be reset\n");
        skip();
    }
}

static void expect_within(const char *what, uint64_t idle, uint64_t peak, uint64_t budget)
{
    const uint64_t held = peak > idle ? peak - idle : 0;
    print_message("%s: idle %.1f MiB, at most %.1f MiB above it, budget %.0f MiB\n", what,
                  mib(idle), mib(held), mib(budget));
    if (held > budget + budget * OVER / 100)
        fail_msg("%.2f MiB were resident, the budget is %.2f", mib(held), mib(budget));
}

static void expect_rest(cuzk_engine *engine, uint64_t idle)
{
    const uint64_t rest = come_to_rest(engine);
    print_message("afterwards %.1f MiB\n", mib(rest));
    if (rest > idle + NOISE)
        fail_msg("it was %.2f MiB when idle before, and is %.2f now", mib(idle), mib(rest));
}

/* One circuit, more jobs than fit, on a device that has become slow. */
static void budget_holds_when_the_device_is_slow(void **state)
{
    (void)state;
    skip_if_meaningless();
    const uint64_t budget = 48 * MIB;
    cuzk_engine_config config = config_of(budget);
    config.wrap = test_slow_wrap;
    cuzk_engine *engine = test_engine_open(&config);
    const uint64_t idle = warm_up(engine, 1);
    const unsigned jobs = jobs_wanted() / 8 < 40 ? jobs_wanted() / 8 : 40;
    uint64_t used = 0;
    assert_true(resident_reset_peak());
    test_crowd crowd;
    test_crowd_init(&crowd, engine);
    for (unsigned i = 0; i < jobs; i++) {
        cuzk_core_view view;
        test_crowd_submit(&crowd, large[0], names[0]);
        test_view(engine, &view);
        used = view.memory_used > used ? view.memory_used : used;
    }
    test_crowd_release(&crowd);
    print_message("%u jobs on a slow device, handed in again %u times, ledger up to %.1f MiB\n",
                  jobs, atomic_load(&crowd.refused), mib(used));
    expect_within("slow device", idle, resident_peak(), budget);
    expect_rest(engine, idle);
    cuzk_engine_close(engine);
}

/* Circuits in turn, whose keys do not fit together. */
static void keys_do_not_thrash(void **state)
{
    (void)state;
    skip_if_meaningless();
    const uint64_t budget = 24 * MIB;
    const cuzk_engine_config config = config_of(budget);
    cuzk_engine *engine = test_engine_open(&config);
    const uint64_t idle = warm_up(engine, KEYS);
    const unsigned jobs = jobs_wanted();
    uint64_t most[4] = {0};
    cuzk_core_view before, after;
    test_view(engine, &before);
    assert_true(resident_reset_peak());
    test_crowd crowd;
    test_crowd_init(&crowd, engine);
    for (unsigned i = 0; i < jobs; i++) {
        test_crowd_submit(&crowd, large[0], names[i % KEYS]);
        const uint64_t now = resident_now();
        uint64_t *quarter = &most[4 * i / jobs];
        *quarter = now > *quarter ? now : *quarter;
    }
    test_crowd_release(&crowd);
    test_view(engine, &after);
    const uint64_t loads = after.key_loads - before.key_loads;
    print_message("%u jobs over %zu keys: %llu loads, %llu buffers made, %llu used again, %u times "
                  "handed in again\n",
                  jobs, KEYS, (unsigned long long)loads,
                  (unsigned long long)(after.buffers_made - before.buffers_made),
                  (unsigned long long)(after.buffers_used_again - before.buffers_used_again),
                  atomic_load(&crowd.refused));
    print_message("most resident in each quarter: %.1f, %.1f, %.1f, %.1f MiB\n", mib(most[0]),
                  mib(most[1]), mib(most[2]), mib(most[3]));
    expect_within("keys in turn", idle, resident_peak(), budget);
    /* Of few jobs the first half only fills the queue. */
    if (jobs >= SLOPE_FROM && most[3] > most[1] + NOISE)
        fail_msg("it grew by %.2f MiB from the second quarter to the last", mib(most[3] - most[1]));
    if (loads > 2 * KEYS + jobs / 3)
        fail_msg("%llu loads of keys for %u jobs", (unsigned long long)loads, jobs);
    expect_rest(engine, idle);
    cuzk_engine_close(engine);
}

static int set_up(void **state)
{
    (void)state;
    test_folders_make(&folders, large, 1);
    for (size_t i = 0; i < KEYS; i++)
        test_folders_add_key(&folders, large[0], names[i]);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    test_crowd_forget_witnesses();
    test_folders_remove(&folders);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(budget_holds_when_the_device_is_slow),
        cmocka_unit_test(keys_do_not_thrash),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
