/* kill -9 of the service itself at random moments, under load: the program with its store, asked
 * over HTTP as curl does. After each death it is started on the same store. In the end every job
 * that was ever acknowledged has completed with a true proof, and a request whose answer was cut
 * off can be made again.
 *
 * CUZK_KILLS: how often (default 8). CUZK_SERVICE: the program. */
#define _GNU_SOURCE
#include "support/service_process.h"
#include "support/test.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static test_service service;
static test_service_jobs jobs = {.prefix = "kill"};

static void *kill_later(void *context)
{
    usleep(*(const useconds_t *)context);
    kill(service.pid, SIGKILL);
    return NULL;
}

static void test_kills(void **state)
{
    (void)state;
    const char *text = getenv("CUZK_KILLS");
    const unsigned kills = text != NULL ? (unsigned)atoi(text) : 8;
    static useconds_t after;
    test_rng rng = test_rng_seeded(32);
    for (unsigned i = 0; i < kills; i++) {
        after = (useconds_t)(1000 * (1 + test_rng_below(&rng, 600)));
        const int status = test_service_live(&service, &jobs, kill_later, &after);
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
            fail_msg("the service ended by itself: %#x; its log: %s", (unsigned)status,
                     service.log);
    }
    test_service_finish(&service, &jobs);
    print_message("%u kills, %u jobs acknowledged, %u completed with true proofs, %u requests "
                  "joined what an earlier life had stored\n",
                  kills, jobs.acknowledged, jobs.verified, jobs.joined);
    assert_int_equal(jobs.acknowledged, jobs.verified);
}

static int set_up(void **state)
{
    (void)state;
    test_service_make(&service);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    test_service_remove(&service);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kills)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
