/* The service itself, as test_kill_service has it, on a disk that fails under it and gets well
 * again while it runs, and kill -9 at random moments of that. Whoever was told that a job was taken
 * gets its true proof; a job that could not be stored was refused in words that say so; the service
 * lives on when the disk is well again. It may end only at its start, and says why.
 *
 * CUZK_KILLS: how often each test kills (default 4). CUZK_SERVICE: the program. */
#define _GNU_SOURCE
#include "support/faulty_disk.h"
#include "support/http_client.h"
#include "support/service_process.h"
#include "support/test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 3 };

static test_service service;
static faulty_disk *disk;
static char control[128];

static void join_disk(const test_service *s)
{
    faulty_disk_prepare(control, s->folders.store);
}

static bool names_the_disk(const char *answer)
{
    const char *body = http_body(answer);
    return http_code(answer) == 500 && strstr(body, "\"code\":\"IO\"") != NULL &&
           strstr(body, service.folders.store) != NULL;
}

static uint64_t failures(void)
{
    return disk->full + disk->failed_syncs + disk->failed_changes;
}

/* --- how it fails --- */

typedef void worsen(test_rng *rng);

/* Soon, or at once. */
static void fill(test_rng *rng)
{
    disk->room = (int64_t)(test_rng_below(rng, 2) * test_rng_below(rng, 100000));
}

static void err(test_rng *rng)
{
    static const unsigned syncs[] = {0, 100, 300, 1000}, changes[] = {0, 0, 30, 300};
    disk->syncs_fail = syncs[test_rng_below(rng, 4)];
    disk->changes_fail = changes[test_rng_below(rng, 4)];
}

/* --- random moments --- */

typedef struct life {
    test_rng rng;
    worsen *worsen;
} life;

static void *fail_and_kill(void *context)
{
    life *l = context;
    useconds_t left = (useconds_t)(1000 * (1 + test_rng_below(&l->rng, 1000)));
    for (bool fine = test_rng_below(&l->rng, 4) > 0; left > 0; fine = !fine) {
        if (fine)
            faulty_disk_is_fine(disk);
        else
            l->worsen(&l->rng);
        useconds_t step = (useconds_t)(1000 * (1 + test_rng_below(&l->rng, 100)));
        step = step < left ? step : left;
        usleep(step);
        left -= step;
    }
    kill(service.pid, SIGKILL);
    return NULL;
}

/* What has been logged from `at` on, a string to be freed; *size: of the whole log. */
static char *read_log(size_t at)
{
    size_t size;
    char *log = (char *)test_read_file(service.log, &size);
    memmove(log, log + at, size - at + 1);
    return log;
}

static size_t log_size(void)
{
    size_t size = 0;
    if (access(service.log, F_OK) == 0)
        free(test_read_file(service.log, &size));
    return size;
}

/* It has not begun to serve, as its store could not be opened, and its last line says so. */
static void assert_refused_to_start(int status, size_t log_before)
{
    char *log = read_log(log_before);
    const char *why = strstr(log, "cuzk: ");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != CUZK_ERR_IO || why == NULL ||
        strstr(why, service.folders.store) == NULL || strstr(log, ", pid ") != NULL)
        fail_msg("the service ended by itself: %#x; its log: %s", (unsigned)status, log);
    free(log);
}

static void run_lives(const char *prefix, worsen *how)
{
    static test_service_jobs jobs;
    static life l;
    const char *text = getenv("CUZK_KILLS");
    const unsigned kills = text != NULL ? (unsigned)atoi(text) : 4;
    unsigned killed = 0, ended = 0;
    l = (life){.rng = test_rng_seeded(48), .worsen = how};
    jobs = (test_service_jobs){.prefix = prefix, .may_refuse = names_the_disk};
    while (killed < kills) {
        const uint64_t before = failures();
        const size_t logged = log_size();
        const int status = test_service_live(&service, &jobs, fail_and_kill, &l);
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
            killed++;
            continue;
        }
        assert_refused_to_start(status, logged);
        assert_true(failures() > before);
        ended++;
    }
    faulty_disk_is_fine(disk);
    const unsigned early = jobs.verified;
    jobs.may_refuse = NULL;
    memset(jobs.done, 0, sizeof jobs.done); /* all are asked for again */
    jobs.verified = 0;
    test_service_finish(&service, &jobs);
    print_message("%u kills, %u starts refused; %u jobs acknowledged, %u tries refused, %u joined; "
                  "%u completed before the last start, %u with it, with true proofs\n",
                  killed, ended, jobs.acknowledged, jobs.refused, jobs.joined, early,
                  jobs.verified);
    print_message("the disk: %llu operations, %llu without room, %llu syncs and %llu "
                  "others failed\n",
                  (unsigned long long)disk->operations, (unsigned long long)disk->full,
                  (unsigned long long)disk->failed_syncs, (unsigned long long)disk->failed_changes);
    assert_int_equal(jobs.acknowledged, jobs.verified);
    assert_true(disk->operations > 0);
}

static void test_full_disk(void **state)
{
    (void)state;
    run_lives("full", fill);
}

static void test_disk_errors(void **state)
{
    (void)state;
    run_lives("error", err);
}

/* --- one thing after the other --- */

static void no_room(void)
{
    disk->room = 0;
}

static void no_syncs(void)
{
    disk->syncs_fail = 1000;
}

static void no_changes(void)
{
    disk->changes_fail = 1000;
}

/* A refused job is taken as soon as the disk is well, and completes though it fails again, so that
 * the result cannot be stored. */
static void fail_once(test_service_jobs *jobs, void (*how)(void))
{
    bool refused;
    how();
    assert_false(test_service_submit(&service, jobs, &refused));
    assert_true(refused);
    faulty_disk_is_fine(disk);
    assert_true(test_service_submit(&service, jobs, &refused));
    how();
    const unsigned last = jobs->acknowledged - 1;
    while (!jobs->done[last])
        assert_true(test_service_verify(&service, jobs, last));
    faulty_disk_is_fine(disk);
}

static void verify_all(test_service_jobs *jobs)
{
    memset(jobs->done, 0, sizeof jobs->done);
    jobs->verified = 0;
    test_service_use(&service, jobs, true);
    assert_int_equal(jobs->verified, jobs->acknowledged);
}

static void end_service(int signal)
{
    kill(service.pid, signal);
    const int status = test_service_wait(&service);
    assert_true(signal == SIGKILL ? WIFSIGNALED(status)
                                  : WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void test_lives_on(void **state)
{
    (void)state;
    static void (*const ways[])(void) = {no_room, no_syncs, no_changes};
    static test_service_jobs jobs = {.prefix = "on", .may_refuse = names_the_disk};
    test_service_start(&service);
    assert_true(test_service_await_ready(&service));
    for (unsigned i = 0; i < ROUNDS * 3; i++)
        fail_once(&jobs, ways[i % 3]);
    verify_all(&jobs);
    end_service(SIGKILL);

    test_service_start(&service);
    assert_true(test_service_await_ready(&service));
    verify_all(&jobs);
    no_room();
    end_service(SIGTERM);

    const size_t logged = log_size();
    test_service_start(&service);
    assert_false(test_service_await_ready(&service));
    assert_refused_to_start(test_service_wait(&service), logged);
    faulty_disk_is_fine(disk);
    test_service_finish(&service, &jobs);
}

/* --- results that could not be stored --- */

/* From the proof on, to be freed. */
static char *proof_of(const test_service_jobs *jobs, unsigned i)
{
    char target[128];
    snprintf(target, sizeof target, "/v1/jobs/%s-%u?wait_ms=15000", jobs->prefix, i);
    char *answer = http_ask(service.address, "GET", target, "", NULL, 0);
    const char *proof = strstr(http_body(answer), "\"proof\":");
    if (proof == NULL)
        fail_msg("%s: %s", target, answer);
    char *copy = strdup(proof);
    free(answer);
    return copy;
}

/* Hands in jobs until the end of one comes when it cannot be stored; which one. */
static unsigned complete_unsaved(test_service_jobs *jobs)
{
    bool refused;
    uint64_t before;
    do {
        faulty_disk_is_fine(disk);
        assert_true(test_service_submit(&service, jobs, &refused));
        before = disk->failed_syncs;
        no_syncs();
        while (!jobs->done[jobs->acknowledged - 1])
            assert_true(test_service_verify(&service, jobs, jobs->acknowledged - 1));
    } while (disk->failed_syncs == before);
    return jobs->acknowledged - 1;
}

static void saved_with_the_next(test_service_jobs *jobs)
{
    bool refused;
    assert_true(test_service_submit(&service, jobs, &refused));
    while (!jobs->done[jobs->acknowledged - 1])
        assert_true(test_service_verify(&service, jobs, jobs->acknowledged - 1));
    end_service(SIGKILL);
}

static void saved_in_time(test_service_jobs *jobs)
{
    (void)jobs;
    const size_t before = log_size();
    for (bool saved = false; !saved; usleep(10000)) {
        char *log = read_log(before);
        saved = strstr(log, "all ends of jobs that could not be stored are stored now") != NULL;
        free(log);
    }
    end_service(SIGKILL);
}

static void saved_at_the_end(test_service_jobs *jobs)
{
    (void)jobs;
    end_service(SIGTERM);
}

/* After a restart it is the same proof, not another: the job has not run again. */
static void test_results_are_saved(void **state)
{
    (void)state;
    static void (*const ways[])(test_service_jobs *) = {saved_with_the_next, saved_in_time,
                                                        saved_at_the_end};
    static test_service_jobs jobs = {.prefix = "saved"};
    for (unsigned i = 0; i < 3; i++) {
        test_service_start(&service);
        assert_true(test_service_await_ready(&service));
        const unsigned job = complete_unsaved(&jobs);
        char *proof = proof_of(&jobs, job);
        faulty_disk_is_fine(disk);
        ways[i](&jobs);
        test_service_start(&service);
        assert_true(test_service_await_ready(&service));
        char *again = proof_of(&jobs, job);
        assert_string_equal(again, proof);
        free(again);
        free(proof);
        end_service(SIGTERM);
    }
}

static int set_up(void **state)
{
    (void)state;
    test_service_make(&service);
    snprintf(control, sizeof control, "%s/disk", service.folders.parent);
    test_rng rng = test_rng_seeded(49);
    disk = faulty_disk_make(control, test_rng_next(&rng));
    service.prepare = join_disk;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    test_service_remove(&service);
    return 0;
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_lives_on), TEST(test_results_are_saved),
                                       TEST(test_full_disk), TEST(test_disk_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
