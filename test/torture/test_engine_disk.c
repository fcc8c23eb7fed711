/* An engine whose disk fails while it takes jobs and stores results: errors, once or lasting, a
 * full disk, writes that fail and arrive all the same. What was refused says so and can be handed
 * in again; what was acknowledged completes with a true proof, in this process or after the next
 * start.
 *
 * CUZK_ROUNDS: how many engines (default 24). */
#define _GNU_SOURCE
#include "support/engine_folders.h"
#include "support/fault_disk.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOBS = 5, ROUNDS_MAX = 10000 };

static test_folders folders;
static bool acknowledged[ROUNDS_MAX * JOBS];

static cuzk_engine *open_engine(void)
{
    cuzk_engine_config config = test_engine_config(&folders);
    config.store_folder = folders.store;
    config.durability = CUZK_DURABLE_FULL;
    return test_engine_open(&config);
}

/* Hands in jobs while the disk fails; then the others again. */
static unsigned run_round(unsigned round, test_rng *rng)
{
    cuzk_engine *engine = open_engine();
    unsigned refused = 0;
    test_disk_arm((size_t)(1 + test_rng_below(rng, 60)), round % 2 == 1,
                  (test_disk_fault)(round / 2 % 3));
    for (unsigned i = round * JOBS; i < (round + 1) * JOBS; i++) {
        const test_answer a = test_small_submit(engine, "disk", i);
        acknowledged[i] = a.status == CUZK_OK;
        refused += a.status != CUZK_OK;
        if (a.status != CUZK_OK &&
            (a.status != CUZK_ERR_IO || strstr(a.message, folders.store) == NULL))
            fail_msg("a refusal says %s: %s", cuzk_status_name(a.status), a.message);
    }
    /* Some have no result yet when the engine stops, or one that could not be stored. */
    for (unsigned i = round * JOBS; i < (round + 1) * JOBS; i++)
        if (acknowledged[i] && test_rng_below(rng, 2) == 0)
            test_small_verify(engine, "disk", i);
    test_disk_arm(0, false, TEST_DISK_EIO);
    for (unsigned i = round * JOBS; i < (round + 1) * JOBS; i++) {
        if (acknowledged[i])
            continue;
        const test_answer a = test_small_submit(engine, "disk", i);
        if (a.status != CUZK_OK)
            fail_msg("after the failure: %s", a.message);
        acknowledged[i] = true;
    }
    cuzk_engine_close(engine);
    return refused;
}

static void no_accepted_job_is_lost(void **state)
{
    (void)state;
    const char *text = getenv("CUZK_ROUNDS");
    unsigned rounds = text != NULL ? (unsigned)atoi(text) : 24, refused = 0;
    assert_in_range(rounds, 1, ROUNDS_MAX);
    test_rng rng = test_rng_seeded(47);
    for (unsigned round = 0; round < rounds; round++)
        refused += run_round(round, &rng);
    cuzk_engine *engine = open_engine();
    for (unsigned i = 0; i < rounds * JOBS; i++)
        test_small_verify(engine, "disk", i);
    cuzk_engine_close(engine);
    print_message("%u jobs over %u failing disks, %u refused at first, none lost\n", rounds * JOBS,
                  rounds, refused);
    assert_true(refused > 0);
}

static int set_up(void **state)
{
    (void)state;
    test_folders_make(&folders, test_small_circuits, TEST_SMALL_CIRCUITS);
    test_disk_install();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    test_folders_remove(&folders);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_accepted_job_is_lost)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
