#define _GNU_SOURCE
#include "engine/store.h"
#include "support/store_jobs.h"
#include "support/test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char parent[64], folder[80];
static test_presences found;

static int make_folder(void **state)
{
    (void)state;
    strcpy(parent, "/tmp/cuzk-store-XXXXXX");
    if (mkdtemp(parent) == NULL)
        return 1;
    snprintf(folder, sizeof folder, "%s/store", parent);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    test_store_remove(parent);
    return 0;
}

static cuzk_store *open_store(cuzk_durability durability)
{
    cuzk_store *store = NULL;
    cuzk_error err = {0};
    if (cuzk_store_open(&store, folder, durability, &err) != CUZK_OK)
        fail_msg("%s", err.message);
    return store;
}

static void expect_open_fails(cuzk_status status, const char *word)
{
    cuzk_store *store = NULL;
    cuzk_error err = {0};
    assert_int_equal(cuzk_store_open(&store, folder, CUZK_DURABLE_PROCESS, &err), status);
    assert_null(store);
    if (strstr(err.message, word) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", err.message, word);
}

static unsigned count_payloads(void)
{
    char path[128];
    snprintf(path, sizeof path, "%s/payloads", folder);
    DIR *dir = opendir(path);
    assert_non_null(dir);
    unsigned count = 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

static void write_file(const char *name, const char *text)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void run_sql(const char *sql)
{
    char path[128];
    snprintf(path, sizeof path, "%s/cuzk.db", folder);
    sqlite3 *database = NULL;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}

static void keeps_what_it_is_given(void **state)
{
    (void)state;
    cuzk_store *store = open_store(CUZK_DURABLE_FULL);
    test_job jobs[40];
    const cuzk_store_job *list[40];
    for (unsigned i = 0; i < 40; i++) {
        test_job_init(&jobs[i], 40 - i);
        list[i] = &jobs[i].job;
    }
    assert_int_equal(cuzk_store_add(store, list, 40, NULL), CUZK_OK);
    for (unsigned i = 0; i < 20; i++) {
        test_job_init_ended(&jobs[i], 1 + i);
        list[i] = &jobs[i].job;
    }
    assert_int_equal(cuzk_store_end(store, list, 20, NULL), CUZK_OK);
    for (unsigned reopened = 0; reopened < 2; reopened++) {
        assert_true(test_store_read(store, &found));
        assert_int_equal(found.total, 40);
        for (unsigned i = 1; i <= 40; i++)
            assert_int_equal(found.of[i], i <= 20 ? TEST_JOB_ENDED : TEST_JOB_WAITS);
        assert_int_equal(count_payloads(), 20);
        cuzk_store_close(store);
        store = open_store(CUZK_DURABLE_PROCESS);
    }
    struct stat info;
    assert_int_equal(stat(folder, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    cuzk_store_close(store);
}

static bool stop_at_second(void *context, const cuzk_store_job *job)
{
    assert_true(job->job <= 2);
    ++*(unsigned *)context;
    return job->job < 2;
}

static void each_can_be_ended(void **state)
{
    (void)state;
    cuzk_store *store = open_store(CUZK_DURABLE_PROCESS);
    for (cuzk_job_no i = 1; i <= 3; i++)
        assert_int_equal(test_job_add(store, i, NULL), CUZK_OK);
    for (unsigned again = 0; again < 2; again++) {
        unsigned calls = 0;
        assert_int_equal(cuzk_store_each(store, stop_at_second, &calls, NULL), CUZK_OK);
        assert_int_equal(calls, 2);
    }
    cuzk_store_close(store);
}

static void numbers_are_never_used_again(void **state)
{
    (void)state;
    cuzk_store *store = open_store(CUZK_DURABLE_PROCESS);
    cuzk_job_no last = 77;
    assert_int_equal(cuzk_store_last_job(store, &last, NULL), CUZK_OK);
    assert_int_equal(last, 0);
    assert_int_equal(test_job_add(store, 9, NULL), CUZK_OK);
    assert_int_equal(test_job_add(store, 4, NULL), CUZK_OK);
    assert_int_equal(cuzk_store_forget(store, 9, NULL), CUZK_OK);
    assert_int_equal(count_payloads(), 1);
    cuzk_store_close(store);
    store = open_store(CUZK_DURABLE_PROCESS);
    assert_int_equal(cuzk_store_last_job(store, &last, NULL), CUZK_OK);
    assert_int_equal(last, 9);
    assert_true(test_store_read(store, &found));
    assert_int_equal(found.total, 1);
    assert_int_equal(found.of[4], TEST_JOB_WAITS);
    cuzk_store_close(store);
}

static void groups_are_all_or_none(void **state)
{
    (void)state;
    cuzk_store *store = open_store(CUZK_DURABLE_PROCESS);
    cuzk_error err;
    assert_int_equal(test_job_add(store, 2, NULL), CUZK_OK);
    test_job jobs[3];
    const cuzk_store_job *list[3];
    for (unsigned i = 0; i < 3; i++) {
        test_job_init(&jobs[i], 3 - i);
        list[i] = &jobs[i].job;
    }
    assert_int_equal(cuzk_store_add(store, list, 3, &err), CUZK_ERR_ARGUMENT);
    assert_true(test_store_read(store, &found));
    assert_int_equal(found.total, 1);
    assert_int_equal(count_payloads(), 1);
    for (unsigned i = 0; i < 2; i++)
        test_job_init_ended(&jobs[i], 2 + i);
    assert_int_equal(cuzk_store_end(store, list, 2, &err), CUZK_ERR_ARGUMENT);
    assert_true(test_store_read(store, &found));
    assert_int_equal(found.of[2], TEST_JOB_WAITS);
    cuzk_store_close(store);
}

static void refuses_what_is_no_job(void **state)
{
    (void)state;
    cuzk_store *store = open_store(CUZK_DURABLE_PROCESS);
    cuzk_error err;
    void *bytes = NULL;
    size_t size = 0;
    assert_int_equal(test_job_add(store, 0, &err), CUZK_ERR_ARGUMENT);
    assert_int_equal(test_job_add(store, UINT64_MAX, &err), CUZK_ERR_ARGUMENT);
    assert_int_equal(test_job_add(store, 1, &err), CUZK_OK);
    test_job job;
    test_job_init(&job, 1);
    const cuzk_store_job *one = &job.job;
    assert_int_equal(cuzk_store_end(store, &one, 1, &err), CUZK_ERR_ARGUMENT);
    assert_int_equal(cuzk_store_payload(store, 5, &bytes, &size, &err), CUZK_ERR_ARGUMENT);
    assert_int_equal(cuzk_store_proof(store, 5, &bytes, &size, &err), CUZK_ERR_ARGUMENT);
    assert_int_equal(cuzk_store_proof(store, 1, &bytes, &size, &err), CUZK_ERR_ARGUMENT);
    assert_int_equal(test_job_end(store, 1, &err), CUZK_OK);
    assert_int_equal(cuzk_store_payload(store, 1, &bytes, &size, &err), CUZK_ERR_ARGUMENT);
    assert_int_equal(cuzk_store_forget(store, 5, &err), CUZK_OK);
    cuzk_store_close(store);
}

static void damaged_payload_is_named(void **state)
{
    (void)state;
    cuzk_store *store = open_store(CUZK_DURABLE_PROCESS);
    cuzk_error err;
    void *bytes = NULL;
    size_t size = 0;
    char path[128];
    for (cuzk_job_no i = 1; i <= 3; i++)
        assert_int_equal(test_job_add(store, i, NULL), CUZK_OK);
    snprintf(path, sizeof path, "%s/payloads/1.payload", folder);
    int fd = open(path, O_RDWR);
    uint8_t byte;
    assert_int_equal(pread(fd, &byte, 1, 500), 1);
    byte ^= 1;
    assert_int_equal(pwrite(fd, &byte, 1, 500), 1);
    close(fd);
    assert_int_equal(cuzk_store_payload(store, 1, &bytes, &size, &err), CUZK_ERR_FORMAT);
    assert_non_null(strstr(err.message, "1.payload"));
    assert_int_equal(truncate(path, 500), 0);
    assert_int_equal(cuzk_store_payload(store, 1, &bytes, &size, &err), CUZK_ERR_FORMAT);
    snprintf(path, sizeof path, "%s/payloads/2.payload", folder);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(cuzk_store_payload(store, 2, &bytes, &size, &err), CUZK_ERR_FORMAT);
    assert_null(bytes);
    assert_int_equal(cuzk_store_payload(store, 3, &bytes, &size, &err), CUZK_OK);
    free(bytes);
    cuzk_store_close(store);
}

static void sweeps_orphans(void **state)
{
    (void)state;
    cuzk_store *store = open_store(CUZK_DURABLE_PROCESS);
    for (cuzk_job_no i = 1; i <= 5; i++)
        assert_int_equal(test_job_add(store, i, NULL), CUZK_OK);
    assert_int_equal(test_job_end(store, 2, NULL), CUZK_OK);
    cuzk_store_close(store);
    write_file("payloads/2.payload", "of a job that has ended");
    write_file("payloads/3.refused", "");
    write_file("payloads/4.refused", "tried again since");
    write_file("payloads/7.payload", "of no job");
    write_file("payloads/8.temp", "half");
    write_file("payloads/notes", "not ours");
    char path[128];
    snprintf(path, sizeof path, "%s/payloads/3.payload", folder);
    assert_int_equal(unlink(path), 0);
    store = open_store(CUZK_DURABLE_PROCESS);
    assert_true(test_store_read(store, &found));
    assert_int_equal(found.total, 4);
    assert_int_equal(found.of[3], TEST_JOB_ABSENT);
    assert_int_equal(found.of[4], TEST_JOB_WAITS);
    assert_int_equal(count_payloads(), 4);
    cuzk_store_close(store);
}

static void refuses_a_damaged_database(void **state)
{
    (void)state;
    cuzk_store *store = open_store(CUZK_DURABLE_PROCESS);
    for (cuzk_job_no i = 1; i <= 200; i++)
        assert_int_equal(test_job_add(store, i, NULL), CUZK_OK);
    cuzk_store_close(store);
    char path[128], noise[4096];
    snprintf(path, sizeof path, "%s/cuzk.db", folder);
    memset(noise, 0xa5, sizeof noise);
    int fd = open(path, O_RDWR);
    assert_int_equal(pwrite(fd, noise, sizeof noise, 4 * 4096), sizeof noise);
    expect_open_fails(CUZK_ERR_FORMAT, "damaged");
    assert_int_equal(pwrite(fd, noise, 100, 0), 100);
    expect_open_fails(CUZK_ERR_FORMAT, "damaged");
    close(fd);
}

static void refuses_what_it_does_not_know(void **state)
{
    (void)state;
    cuzk_store_close(open_store(CUZK_DURABLE_PROCESS));
    run_sql("PRAGMA user_version = 99");
    expect_open_fails(CUZK_ERR_UNSUPPORTED, "version 99");
    run_sql("PRAGMA user_version = 1; PRAGMA application_id = 5");
    expect_open_fails(CUZK_ERR_MISMATCH, "another program");
}

static void refuses_a_second_opener(void **state)
{
    (void)state;
    cuzk_store *store = open_store(CUZK_DURABLE_PROCESS);
    char pid[32];
    snprintf(pid, sizeof pid, "process %ld;", (long)getpid());
    expect_open_fails(CUZK_ERR_IO, pid);
    assert_int_equal(test_job_add(store, 1, NULL), CUZK_OK);
    cuzk_store_close(store);
    write_file("lock", "123456789\n");
    cuzk_store_close(open_store(CUZK_DURABLE_PROCESS));
}

static void refuses_folders_that_cannot_be(void **state)
{
    (void)state;
    char kept[sizeof folder];
    memcpy(kept, folder, sizeof kept);
    snprintf(folder, sizeof folder, "%s/no/store", parent);
    expect_open_fails(CUZK_ERR_IO, "/no/store");
    memcpy(folder, kept, sizeof kept);
    int fd = open(folder, O_CREAT | O_WRONLY, 0600);
    close(fd);
    expect_open_fails(CUZK_ERR_IO, folder);
    unlink(folder);
}

/* A limit on the size of files stands for a full disk. */
static void full_disk_refuses_and_recovers(void **state)
{
    (void)state;
    cuzk_store *store = open_store(CUZK_DURABLE_FULL);
    cuzk_error err;
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit old, small = {2000, 0};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small.rlim_max = old.rlim_max;
    assert_int_equal(test_job_add(store, 2, &err), CUZK_OK);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    cuzk_status payload = test_job_add(store, 4, &err);
    cuzk_status row = test_job_add(store, 1, &err);
    cuzk_status end = test_job_end(store, 2, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(payload, CUZK_ERR_IO);
    assert_int_equal(row, CUZK_ERR_IO);
    assert_int_equal(end, CUZK_ERR_IO);
    assert_true(test_store_read(store, &found));
    assert_int_equal(found.total, 1);
    assert_int_equal(test_job_add(store, 1, &err), CUZK_OK);
    assert_int_equal(test_job_end(store, 2, &err), CUZK_OK);
    assert_int_equal(count_payloads(), 1);
    cuzk_store_close(store);
    store = open_store(CUZK_DURABLE_FULL);
    assert_true(test_store_read(store, &found));
    assert_int_equal(found.total, 2);
    cuzk_store_close(store);
}

/* --- death at any moment --- */

struct note {
    cuzk_job_no job;
    uint8_t ended;
};

/* Adds and ends jobs for ever, and tells through the pipe what has been acknowledged. */
static _Noreturn void work(int pipe_fd, cuzk_job_no first, cuzk_durability durability)
{
    cuzk_store *store = NULL;
    cuzk_error err = {0};
    if (cuzk_store_open(&store, folder, durability, &err) != CUZK_OK)
        _exit(2);
    for (cuzk_job_no job = first; job < TEST_JOBS_MAX; job++) {
        struct note note = {.job = job};
        if (test_job_add(store, job, &err) != CUZK_OK)
            _exit(3);
        if (write(pipe_fd, &note, sizeof note) != sizeof note)
            _exit(4);
        note.ended = 1;
        if (job % 3 != 0)
            continue;
        if (test_job_end(store, job, &err) != CUZK_OK)
            _exit(5);
        if (write(pipe_fd, &note, sizeof note) != sizeof note)
            _exit(4);
    }
    for (;;)
        pause();
}

static void check_after_death(test_presence *acknowledged, cuzk_job_no *last)
{
    cuzk_store *store = open_store(CUZK_DURABLE_PROCESS);
    assert_true(test_store_read(store, &found));
    unsigned waits = 0;
    for (unsigned i = 1; i < TEST_JOBS_MAX; i++) {
        assert_true(found.of[i] >= acknowledged[i]);
        acknowledged[i] = found.of[i];
        waits += found.of[i] == TEST_JOB_WAITS;
        if (found.of[i] != TEST_JOB_ABSENT)
            *last = i;
    }
    assert_int_equal(count_payloads(), waits);
    cuzk_store_close(store);
}

static void survives_sigkill(void **state)
{
    (void)state;
    static test_presence acknowledged[TEST_JOBS_MAX];
    memset(acknowledged, 0, sizeof acknowledged);
    test_rng rng = test_rng_seeded(1);
    cuzk_job_no last = 0;
    for (unsigned round = 0; round < 40 && last + 1 < TEST_JOBS_MAX; round++) {
        int fds[2];
        assert_int_equal(pipe(fds), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            work(fds[1], last + 1, round % 2 == 0 ? CUZK_DURABLE_PROCESS : CUZK_DURABLE_FULL);
        close(fds[1]);
        struct timespec nap = {0, (long)test_rng_below(&rng, 40000000)};
        nanosleep(&nap, NULL);
        kill(child, SIGKILL);
        struct note note;
        while (read(fds[0], &note, sizeof note) == sizeof note)
            acknowledged[note.job] = note.ended ? TEST_JOB_ENDED : TEST_JOB_WAITS;
        close(fds[0]);
        int status = 0;
        waitpid(child, &status, 0);
        assert_true(WIFSIGNALED(status));
        check_after_death(acknowledged, &last);
    }
    printf("%" PRIu64 " jobs over 40 deaths\n", last);
    assert_true(last > 40);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(keeps_what_it_is_given),
        TEST(each_can_be_ended),
        TEST(numbers_are_never_used_again),
        TEST(groups_are_all_or_none),
        TEST(refuses_what_is_no_job),
        TEST(damaged_payload_is_named),
        TEST(sweeps_orphans),
        TEST(refuses_a_damaged_database),
        TEST(refuses_what_it_does_not_know),
        TEST(refuses_a_second_opener),
        TEST(refuses_folders_that_cannot_be),
        TEST(full_disk_refuses_and_recovers),
        TEST(survives_sigkill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
