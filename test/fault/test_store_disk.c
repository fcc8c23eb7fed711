/* The store on a disk whose n-th operation fails, for every n, for several kinds of failure. After
 * each failure the folder is copied and opened as after a crash: what was acknowledged is there,
 * and nothing half is. Then the disk is well again, and the store that saw the failure goes on. */
#define _GNU_SOURCE
#include "support/fault_disk.h"
#include "support/store_jobs.h"
#include "support/test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ADD, END, FORGET };

/* What is done, one call after the other. Add and end take all numbers from first to last. */
static const struct step {
    int what;
    cuzk_job_no first, last;
} steps[] = {
    {ADD, 1, 1}, {ADD, 2, 4}, {END, 1, 1}, {FORGET, 1, 1}, {ADD, 5, 6}, {END, 2, 4}, {ADD, 7, 7},
};
#define STEPS (sizeof steps / sizeof steps[0])

static char parent[64], folder[80], copy[80];

static cuzk_status do_jobs(cuzk_store *store, const struct step *step, cuzk_error *err)
{
    static test_job jobs[32];
    const cuzk_store_job *list[32];
    size_t n = 0;
    for (cuzk_job_no job = step->first; job <= step->last; job++, n++) {
        if (step->what == ADD)
            test_job_init(&jobs[n], job);
        else
            test_job_init_ended(&jobs[n], job);
        list[n] = &jobs[n].job;
    }
    return step->what == ADD ? cuzk_store_add(store, list, n, err)
                             : cuzk_store_end(store, list, n, err);
}

static cuzk_status do_step(cuzk_store *store, const struct step *step, cuzk_error *err)
{
    return step->what == FORGET ? cuzk_store_forget(store, step->first, err)
                                : do_jobs(store, step, err);
}

static void note_step(test_presences *presences, const struct step *step)
{
    for (cuzk_job_no job = step->first; job <= step->last; job++)
        presences->of[job] = step->what == ADD   ? TEST_JOB_WAITS
                             : step->what == END ? TEST_JOB_ENDED
                                                 : TEST_JOB_ABSENT;
}

static bool same(const test_presences *found, const test_presences *expected)
{
    return memcmp(found->of, expected->of, sizeof found->of) == 0;
}

static void copy_file(const char *from, const char *to)
{
    size_t size = 0;
    uint8_t *bytes = test_read_file(from, &size);
    FILE *file = fopen(to, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    free(bytes);
}

static void copy_folder(const char *below)
{
    char from[400], to[400];
    snprintf(from, sizeof from, "%s%s", folder, below);
    snprintf(to, sizeof to, "%s%s", copy, below);
    assert_int_equal(mkdir(to, 0700), 0);
    DIR *dir = opendir(from);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (entry->d_type != DT_REG)
            continue;
        snprintf(from, sizeof from, "%s%s/%.200s", folder, below, entry->d_name);
        snprintf(to, sizeof to, "%s%s/%.200s", copy, below, entry->d_name);
        copy_file(from, to);
    }
    closedir(dir);
}

/* Reads the folder as after a crash. It must be as before the step that failed or as after it; and
 * a failed addition must not come back, if its refusal could be written down. */
static void check_crash(const test_presences *acknowledged, const struct step *failed, bool on)
{
    static test_presences found, after;
    cuzk_store *store = NULL;
    cuzk_error err = {0};
    test_store_remove(copy);
    copy_folder("");
    copy_folder("/payloads");
    if (cuzk_store_open(&store, copy, CUZK_DURABLE_PROCESS, &err) != CUZK_OK)
        fail_msg("%s", err.message);
    assert_true(test_store_read(store, &found));
    cuzk_store_close(store);
    after = *acknowledged;
    if (failed != NULL)
        note_step(&after, failed);
    bool may_be_done = failed != NULL && (failed->what != ADD || on);
    assert_true(same(&found, acknowledged) || (may_be_done && same(&found, &after)));
}

/* The steps with one failure; false if it was never reached. */
static bool run_steps(size_t n, bool on, test_disk_fault fault)
{
    static test_presences acknowledged, found;
    cuzk_store *store = NULL;
    cuzk_error err = {0};
    memset(&acknowledged, 0, sizeof acknowledged);
    test_store_remove(folder);
    if (cuzk_store_open(&store, folder, CUZK_DURABLE_FULL, &err) != CUZK_OK)
        fail_msg("%s", err.message);
    test_disk_arm(n, on, fault);
    for (size_t i = 0; i < STEPS; i++) {
        cuzk_status status = do_step(store, &steps[i], &err);
        if (status != CUZK_OK) {
            assert_int_equal(status, CUZK_ERR_IO);
            assert_true(n != 0 && test_disk_count() >= n);
            test_disk_arm(0, false, fault);
            check_crash(&acknowledged, &steps[i], on);
            assert_true(test_store_read(store, &found));
            assert_true(same(&found, &acknowledged));
            if (do_step(store, &steps[i], &err) != CUZK_OK)
                fail_msg("operation %zu: the store is not usable: %s", n, err.message);
            n = 0;
        }
        note_step(&acknowledged, &steps[i]);
        if (status != CUZK_OK)
            check_crash(&acknowledged, NULL, false);
    }
    bool reached = n == 0 || test_disk_count() >= n;
    test_disk_arm(0, false, fault);
    assert_true(test_store_read(store, &found));
    assert_true(same(&found, &acknowledged));
    cuzk_store_close(store);
    check_crash(&acknowledged, NULL, false);
    return reached;
}

static void run_all(bool on, test_disk_fault fault)
{
    size_t n = 1;
    while (run_steps(n, on, fault))
        n++;
    printf("%zu operations failed\n", n - 1);
    assert_true(n > STEPS * 3);
}

static void one_error(void **state)
{
    (void)state;
    run_all(false, TEST_DISK_EIO);
}

static void errors_from_then_on(void **state)
{
    (void)state;
    run_all(true, TEST_DISK_EIO);
}

static void full_from_then_on(void **state)
{
    (void)state;
    run_all(true, TEST_DISK_FULL);
}

static void errors_about_writes_that_arrive(void **state)
{
    (void)state;
    run_all(false, TEST_DISK_TORN);
}

/* Opening, new and old, when the disk fails: an error, and then it opens. */
static void opening(void **state)
{
    (void)state;
    static test_presences found;
    for (unsigned old = 0; old < 2; old++) {
        cuzk_error err = {0};
        cuzk_store *store = NULL;
        cuzk_status status = CUZK_ERR_IO;
        size_t n = 0, failures = 0;
        do {
            if (old == 0)
                test_store_remove(folder);
            test_disk_arm(++n, false, TEST_DISK_EIO);
            status = cuzk_store_open(&store, folder, CUZK_DURABLE_FULL, &err);
            bool reached = test_disk_count() >= n;
            test_disk_arm(0, false, TEST_DISK_EIO);
            failures += status != CUZK_OK;
            if (status != CUZK_OK)
                assert_int_equal(cuzk_store_open(&store, folder, CUZK_DURABLE_FULL, &err), CUZK_OK);
            status = reached ? CUZK_ERR_IO : CUZK_OK;
            assert_int_equal(cuzk_store_forget(store, 8, &err), CUZK_OK);
            assert_int_equal(test_job_add(store, 8, &err), CUZK_OK);
            assert_true(test_store_read(store, &found));
            assert_int_equal(found.of[8], TEST_JOB_WAITS);
            cuzk_store_close(store);
        } while (status != CUZK_OK);
        assert_true(failures > 0);
    }
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(parent, "/tmp/cuzk-store-disk-XXXXXX");
    if (mkdtemp(parent) == NULL)
        return 1;
    snprintf(folder, sizeof folder, "%s/store", parent);
    snprintf(copy, sizeof copy, "%s/copy", parent);
    test_disk_install();
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    test_store_remove(parent);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_error),         cmocka_unit_test(errors_from_then_on),
        cmocka_unit_test(full_from_then_on), cmocka_unit_test(errors_about_writes_that_arrive),
        cmocka_unit_test(opening),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
