/* kill -9 of the service itself at random moments, under load: the program with its store, asked
 * over HTTP as curl does. After each death it is started on the same store. In the end every job
 * that was ever acknowledged has completed with a true proof, and a request whose answer was cut
 * off can be made again.
 *
 * CUZK_KILLS: how often (default 8). CUZK_SEED: of the moments. CUZK_SERVICE: the program. */
#define _GNU_SOURCE
#include "support/engine_folders.h"
#include "support/http_client.h"
#include "support/test.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS_MAX = 200000, OUTSTANDING = 12 };

static test_folders folders;
static char config_path[128], address[128], log_path[128];
static unsigned submitted, acknowledged, verified, joined;
static bool acked[JOBS_MAX], done[JOBS_MAX];

typedef struct death {
    pid_t service;
    useconds_t after;
} death;

static void *kill_later(void *context)
{
    const death *d = context;
    usleep(d->after);
    kill(d->service, SIGKILL);
    return NULL;
}

static pid_t start_service(void)
{
    const char *program = getenv("CUZK_SERVICE") != NULL ? getenv("CUZK_SERVICE") : CUZK_SERVICE;
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const int log = open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (log >= 0) {
            dup2(log, STDOUT_FILENO);
            dup2(log, STDERR_FILENO);
        }
        execl(program, program, "serve", "--config", config_path, (char *)NULL);
        _exit(127);
    }
    return child;
}

/* false: the service has died before it was ready. */
static bool await_ready(pid_t service)
{
    for (;;) {
        char *answer = http_ask(address, "GET", "/readyz", "", NULL, 0);
        const int code = http_code(answer);
        free(answer);
        if (code == 200)
            return true;
        siginfo_t info = {0};
        if (waitid(P_PID, (id_t)service, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            info.si_pid == service)
            return false;
        usleep(2000);
    }
}

/* Job i, named kill-i. false: no answer. */
static bool submit(unsigned i)
{
    const char *circuit = test_small_circuits[i % TEST_SMALL_CIRCUITS];
    char target[256], path[256];
    size_t size;
    snprintf(target, sizeof target, "/v1/jobs?key=%s&id=kill-%u", circuit, i);
    snprintf(path, sizeof path, "circom/%s/witness.wtns", circuit);
    uint8_t *witness = test_read_file(test_data_path(path), &size);
    char *answer = http_ask(address, "POST", target, "Content-Type: application/octet-stream\r\n",
                            witness, size);
    const int code = http_code(answer);
    const bool whole = http_is_whole(answer);
    if (whole && code != 200 && code != 202)
        fail_msg("kill-%u: %s", i, answer);
    if (whole && strstr(http_body(answer), "\"joined\":true") != NULL)
        joined++;
    free(witness);
    free(answer);
    return whole;
}

/* Waits for job i. false: no answer. */
static bool verify(unsigned i)
{
    char target[64];
    snprintf(target, sizeof target, "/v1/jobs/kill-%u?wait_ms=15000", i);
    char *answer = http_ask(address, "GET", target, "", NULL, 0);
    const char *body = http_body(answer);
    const int code = http_code(answer);
    const bool whole = http_is_whole(answer);
    if (whole && code != 200)
        fail_msg("kill-%u: %s", i, answer);
    if (whole && strstr(body, "\"state\":\"completed\"") != NULL) {
        test_assert_proof(test_small_circuits[i % TEST_SMALL_CIRCUITS], body);
        done[i] = true;
        verified++;
    } else if (whole && strstr(body, "\"state\":\"failed\"") != NULL) {
        fail_msg("kill-%u: %s", i, body);
    }
    free(answer);
    return whole;
}

static unsigned oldest_open(void)
{
    unsigned i = 0;
    while (i < submitted && (!acked[i] || done[i]))
        i++;
    return i;
}

/* Hands in and verifies until the service dies, or, with no more to be handed in, until all is
 * verified. */
static void use_service(bool last)
{
    for (;;) {
        const unsigned open_job = oldest_open();
        if (!last && acknowledged < verified + OUTSTANDING) {
            assert_true(submitted < JOBS_MAX);
            if (!submit(submitted))
                return; /* the next life is asked for the same again */
            acked[submitted++] = true;
            acknowledged++;
        } else if (open_job == submitted || !verify(open_job)) {
            return;
        }
    }
}

static void one_life(test_rng *rng)
{
    death d = {.service = start_service(),
               .after = (useconds_t)(1000 * (1 + test_rng_below(rng, 600)))};
    pthread_t killer;
    assert_int_equal(pthread_create(&killer, NULL, kill_later, &d), 0);
    if (await_ready(d.service))
        use_service(false);
    pthread_join(killer, NULL);
    int status;
    assert_int_equal(waitpid(d.service, &status, 0), d.service);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
        fail_msg("the service ended by itself: %#x; its log: %s", (unsigned)status, log_path);
}

static void test_kills(void **state)
{
    (void)state;
    const char *text = getenv("CUZK_KILLS");
    const unsigned kills = text != NULL ? (unsigned)atoi(text) : 8;
    test_rng rng = test_rng_seeded(32);
    for (unsigned i = 0; i < kills; i++)
        one_life(&rng);

    const pid_t service = start_service();
    assert_true(await_ready(service));
    use_service(true);
    kill(service, SIGTERM);
    int status;
    assert_int_equal(waitpid(service, &status, 0), service);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    print_message("%u kills, %u jobs acknowledged, %u completed with true proofs, %u requests "
                  "joined what an earlier life had stored\n",
                  kills, acknowledged, verified, joined);
    assert_int_equal(acknowledged, verified);
}

static int set_up(void **state)
{
    (void)state;
    test_folders_make(&folders, test_small_circuits, TEST_SMALL_CIRCUITS);
    snprintf(config_path, sizeof config_path, "%s/cuzk.toml", folders.parent);
    snprintf(log_path, sizeof log_path, "%s/log", folders.parent);
    snprintf(address, sizeof address, "unix://%s/http", folders.parent);
    FILE *config = fopen(config_path, "w");
    if (config == NULL)
        return 1;
    fprintf(config,
            "daemon.listen = \"unix://%s/grpc\"\ndaemon.status_listen = \"%s\"\n"
            "keys.folder = \"%s\"\nstore.folder = \"%s\"\n",
            folders.parent, address, folders.keys, folders.store);
    return fclose(config);
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
