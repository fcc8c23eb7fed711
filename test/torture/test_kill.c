/* kill -9 at random moments, under load: an engine with a store, real keys and real proofs in a
 * process of its own takes jobs until it is killed; the next one goes on with its store. In the end
 * every job that was ever acknowledged has completed with a true proof.
 *
 * CUZK_KILLS: how often (default 8). CUZK_SEED: of the moments. */
#define _GNU_SOURCE
#include "support/engine_folders.h"
#include "support/test.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS_MAX = 200000, OUTSTANDING = 12 };

/* Between the processes: what was acknowledged and what was seen to be done. */
typedef struct record {
    atomic_uint submitted, acknowledged, verified;
    atomic_uchar acked[JOBS_MAX], done[JOBS_MAX];
} record;

static test_folders folders;
static record *shared;

static cuzk_engine *open_engine(void)
{
    cuzk_engine_config config = test_engine_config(&folders);
    config.store_folder = folders.store;
    config.durability = CUZK_DURABLE_PROCESS;
    config.history_jobs_max = JOBS_MAX;
    return test_engine_open(&config);
}

static void verify(cuzk_engine *engine, unsigned i)
{
    test_small_verify(engine, "kill", i);
    if (atomic_exchange(&shared->done[i], 1) == 0)
        atomic_fetch_add(&shared->verified, 1);
}

static void submit_one(cuzk_engine *engine)
{
    const unsigned i = atomic_fetch_add(&shared->submitted, 1);
    if (i >= JOBS_MAX)
        _exit(5);
    const test_answer a = test_small_submit(engine, "kill", i);
    if (a.status != CUZK_OK || a.submitted.verdict != CUZK_VERDICT_NEW) {
        fprintf(stderr, "kill-%u: verdict %d: %s\n", i, (int)a.submitted.verdict, a.message);
        _exit(6);
    }
    atomic_store(&shared->acked[i], 1);
    atomic_fetch_add(&shared->acknowledged, 1);
}

/* Verifies what is acknowledged and not seen done, oldest first, while it hands in more. */
static void serve(bool last)
{
    cuzk_engine *engine = open_engine();
    unsigned at = 0;
    while (true) {
        if (!last &&
            atomic_load(&shared->acknowledged) < atomic_load(&shared->verified) + OUTSTANDING) {
            submit_one(engine);
            continue;
        }
        while (at < JOBS_MAX &&
               (!atomic_load(&shared->acked[at]) || atomic_load(&shared->done[at])))
            at++;
        if (at == JOBS_MAX)
            break;
        verify(engine, at);
        if (!last)
            at = 0;
    }
    cuzk_engine_close(engine);
    _exit(0);
}

static pid_t start(bool last)
{
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        serve(last);
    return child;
}

static void test_kills(void **state)
{
    (void)state;
    const char *kills_text = getenv("CUZK_KILLS");
    const unsigned kills = kills_text != NULL ? (unsigned)atoi(kills_text) : 8;
    test_rng rng = test_rng_seeded(31);
    for (unsigned i = 0; i < kills; i++) {
        const pid_t child = start(false);
        usleep((useconds_t)(1000 * (1 + test_rng_below(&rng, 400))));
        int status;
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, &status, 0), child);
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
            fail_msg("the engine ended by itself: %#x", (unsigned)status);
    }
    int status;
    const pid_t child = start(true);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    const unsigned acknowledged = atomic_load(&shared->acknowledged);
    print_message("%u kills, %u jobs acknowledged, %u completed with true proofs\n", kills,
                  acknowledged, atomic_load(&shared->verified));
    for (unsigned i = 0; i < JOBS_MAX; i++)
        assert_true(!shared->acked[i] || shared->done[i]);
}

static int set_up(void **state)
{
    (void)state;
    test_folders_make(&folders, test_small_circuits, TEST_SMALL_CIRCUITS);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return shared == MAP_FAILED;
}

static int tear_down(void **state)
{
    (void)state;
    test_folders_remove(&folders);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kills)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
