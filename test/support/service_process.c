#define _GNU_SOURCE
#include "support/service_process.h"

#include "support/http_client.h"
#include "support/test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

void test_service_make(test_service *s)
{
    test_folders_make(&s->folders, test_small_circuits, TEST_SMALL_CIRCUITS);
    snprintf(s->config, sizeof s->config, "%s/cuzk.toml", s->folders.parent);
    snprintf(s->log, sizeof s->log, "%s/log", s->folders.parent);
    snprintf(s->address, sizeof s->address, "unix://%s/http", s->folders.parent);
    FILE *config = fopen(s->config, "w");
    assert_non_null(config);
    fprintf(config,
            "daemon.listen = \"unix://%s/grpc\"\ndaemon.status_listen = \"%s\"\n"
            "keys.folder = \"%s\"\nstore.folder = \"%s\"\n",
            s->folders.parent, s->address, s->folders.keys, s->folders.store);
    assert_int_equal(fclose(config), 0);
}

void test_service_remove(test_service *s)
{
    if (s->fated)
        pthread_join(s->fate, NULL);
    if (s->runs) {
        kill(s->pid, SIGKILL);
        (void)test_service_wait(s);
    }
    test_folders_remove(&s->folders);
}

/* --- the process --- */

void test_service_start(test_service *s)
{
    const char *program = getenv("CUZK_SERVICE") != NULL ? getenv("CUZK_SERVICE") : CUZK_SERVICE;
    fflush(NULL);
    s->pid = fork();
    assert_true(s->pid >= 0);
    s->runs = true;
    if (s->pid > 0)
        return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int log = open(s->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log >= 0) {
        dup2(log, STDOUT_FILENO);
        dup2(log, STDERR_FILENO);
    }
    if (s->prepare != NULL)
        s->prepare(s);
    execl(program, program, "serve", "--config", s->config, (char *)NULL);
    _exit(127);
}

bool test_service_await_ready(const test_service *s)
{
    for (;;) {
        char *answer = http_ask(s->address, "GET", "/readyz", "", NULL, 0);
        const int code = http_code(answer);
        free(answer);
        if (code == 200)
            return true;
        siginfo_t info = {0};
        if (waitid(P_PID, (id_t)s->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            info.si_pid == s->pid)
            return false;
        usleep(2000);
    }
}

int test_service_wait(test_service *s)
{
    int status;
    assert_int_equal(waitpid(s->pid, &status, 0), s->pid);
    s->runs = false;
    return status;
}

/* --- its jobs --- */

bool test_service_submit(const test_service *s, test_service_jobs *jobs, bool *refused)
{
    const unsigned i = jobs->acknowledged;
    const char *circuit = test_small_circuits[i % TEST_SMALL_CIRCUITS];
    char target[256], path[256];
    size_t size;
    assert_true(i < TEST_SERVICE_JOBS_MAX);
    snprintf(target, sizeof target, "/v1/jobs?key=%s&id=%s-%u", circuit, jobs->prefix, i);
    snprintf(path, sizeof path, "circom/%s/witness.wtns", circuit);
    uint8_t *witness = test_read_file(test_data_path(path), &size);
    char *answer = http_ask(s->address, "POST", target,
                            "Content-Type: application/octet-stream\r\n", witness, size);
    const int code = http_code(answer);
    const bool whole = http_is_whole(answer), taken = whole && (code == 200 || code == 202);
    *refused = whole && !taken;
    if (*refused && (jobs->may_refuse == NULL || !jobs->may_refuse(answer)))
        fail_msg("%s-%u: %s", jobs->prefix, i, answer);
    jobs->acknowledged += taken;
    jobs->joined += taken && strstr(http_body(answer), "\"joined\":true") != NULL;
    jobs->refused += *refused;
    free(witness);
    free(answer);
    return taken;
}

bool test_service_verify(const test_service *s, test_service_jobs *jobs, unsigned i)
{
    char target[128];
    snprintf(target, sizeof target, "/v1/jobs/%s-%u?wait_ms=15000", jobs->prefix, i);
    char *answer = http_ask(s->address, "GET", target, "", NULL, 0);
    const char *body = http_body(answer);
    const int code = http_code(answer);
    const bool whole = http_is_whole(answer);
    if (whole && code != 200)
        fail_msg("%s-%u: %s", jobs->prefix, i, answer);
    if (whole && strstr(body, "\"state\":\"completed\"") != NULL) {
        test_assert_proof(test_small_circuits[i % TEST_SMALL_CIRCUITS], body);
        jobs->verified += !jobs->done[i];
        jobs->done[i] = true;
    } else if (whole && strstr(body, "\"state\":\"failed\"") != NULL) {
        fail_msg("%s-%u: %s", jobs->prefix, i, body);
    }
    free(answer);
    return whole;
}

static unsigned oldest_open(const test_service_jobs *jobs)
{
    unsigned i = 0;
    while (i < jobs->acknowledged && jobs->done[i])
        i++;
    return i;
}

void test_service_use(const test_service *s, test_service_jobs *jobs, bool last)
{
    for (;;) {
        const bool hands_in =
            !last && jobs->acknowledged < jobs->verified + TEST_SERVICE_OUTSTANDING;
        bool refused = false;
        if (hands_in && !test_service_submit(s, jobs, &refused) && !refused)
            return; /* the next life is asked for the same again */
        if (hands_in && !refused)
            continue;
        const unsigned open_job = oldest_open(jobs);
        if (open_job < jobs->acknowledged && !test_service_verify(s, jobs, open_job))
            return;
        if (open_job == jobs->acknowledged && !refused)
            return;
    }
}

int test_service_live(test_service *s, test_service_jobs *jobs, void *(*fate)(void *),
                      void *context)
{
    test_service_start(s);
    assert_int_equal(pthread_create(&s->fate, NULL, fate, context), 0);
    s->fated = true;
    if (test_service_await_ready(s))
        test_service_use(s, jobs, false);
    pthread_join(s->fate, NULL);
    s->fated = false;
    return test_service_wait(s);
}

void test_service_finish(test_service *s, test_service_jobs *jobs)
{
    test_service_start(s);
    assert_true(test_service_await_ready(s));
    test_service_use(s, jobs, true);
    kill(s->pid, SIGTERM);
    const int status = test_service_wait(s);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
