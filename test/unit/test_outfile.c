#define _GNU_SOURCE
#include "base/outfile.h"
#include "support/test.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static const char *in_folder(const char *name)
{
    static char paths[4][128];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/cuzk-test-XXXXXX");
    return mkdtemp(folder) == NULL;
}

/* Fails unless exactly that many entries are in the folder. */
static void expect_entries(unsigned expected)
{
    unsigned count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(dir);
    assert_int_equal(count, expected);
}

static int remove_folder(void **state)
{
    (void)state;
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return 1;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(dir), entry->d_name, 0);
    closedir(dir);
    return rmdir(folder);
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void expect_content(const char *path, const char *text)
{
    uint8_t *data = test_read_file(path, NULL);
    assert_string_equal((char *)data, text);
    free(data);
}

static cuzk_outfile *begin(const char *path)
{
    cuzk_outfile *file;
    cuzk_error err;
    assert_int_equal(cuzk_outfile_open(&file, path, &err), CUZK_OK);
    return file;
}

static void commit_replaces(void **state)
{
    (void)state;
    put(in_folder("a"), "old");
    cuzk_outfile *file = begin(in_folder("a"));
    cuzk_outfile_write(file, "new ", 4);
    cuzk_outfile_write(file, NULL, 0);
    cuzk_outfile_write(file, "text", 4);
    expect_content(in_folder("a"), "old");
    assert_int_equal(cuzk_outfile_commit(file, NULL), CUZK_OK);
    expect_content(in_folder("a"), "new text");
    expect_entries(1);
}

static void abandon_leaves_nothing(void **state)
{
    (void)state;
    cuzk_outfile *file = begin(in_folder("a"));
    cuzk_outfile_write(file, "half", 4);
    cuzk_outfile_abandon(file);
    cuzk_outfile_abandon(NULL);
    expect_entries(0);
}

static void umask_decides_permissions(void **state)
{
    (void)state;
    mode_t old = umask(027);
    assert_int_equal(cuzk_outfile_commit(begin(in_folder("a")), NULL), CUZK_OK);
    umask(old);
    struct stat info;
    assert_int_equal(stat(in_folder("a"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
}

static void links_are_followed(void **state)
{
    (void)state;
    put(in_folder("real"), "old");
    assert_int_equal(symlink("real", in_folder("link")), 0);
    cuzk_outfile *file = begin(in_folder("link"));
    cuzk_outfile_write(file, "new", 3);
    assert_int_equal(cuzk_outfile_commit(file, NULL), CUZK_OK);
    expect_content(in_folder("real"), "new");
    struct stat info;
    assert_int_equal(lstat(in_folder("link"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    expect_entries(2);
}

static void pipes_are_written_to(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(in_folder("fifo"), 0600), 0);
    int reader = open(in_folder("fifo"), O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    cuzk_outfile *file = begin(in_folder("fifo"));
    cuzk_outfile_write(file, "text", 4);
    assert_int_equal(cuzk_outfile_commit(file, NULL), CUZK_OK);
    char text[8] = {0};
    assert_int_equal(read(reader, text, sizeof text), 4);
    assert_string_equal(text, "text");
    close(reader);
    struct stat info;
    assert_int_equal(stat(in_folder("fifo"), &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
    cuzk_outfile_abandon(begin("/dev/null"));
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

static void failed_writes_are_reported(void **state)
{
    (void)state;
    cuzk_error err;
    cuzk_outfile *file = begin("/dev/full");
    cuzk_outfile_write(file, "text", 4);
    assert_int_equal(cuzk_outfile_commit(file, &err), CUZK_ERR_IO);
    assert_non_null(strstr(err.message, "/dev/full"));
    assert_non_null(strstr(err.message, strerror(28 /* ENOSPC */)));
}

/* The disk ends after 10000 bytes: the old file stays, and nothing else. */
static void old_file_survives_a_full_disk(void **state)
{
    (void)state;
    put(in_folder("a"), "old");
    struct rlimit old, limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = old;
    limit.rlim_cur = 10000;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);

    cuzk_error err;
    cuzk_outfile *file = begin(in_folder("a"));
    static const char block[3000];
    for (int i = 0; i < 10; i++)
        cuzk_outfile_write(file, block, sizeof block);
    cuzk_status status = cuzk_outfile_commit(file, &err);

    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, CUZK_ERR_IO);
    expect_content(in_folder("a"), "old");
    expect_entries(1);
}

static void bad_places_are_refused(void **state)
{
    (void)state;
    cuzk_outfile *file = NULL;
    cuzk_error err;
    assert_int_equal(cuzk_outfile_open(&file, "/nonexistent/a", &err), CUZK_ERR_IO);
    assert_non_null(strstr(err.message, "/nonexistent/a"));
    assert_int_equal(cuzk_outfile_open(&file, folder, &err), CUZK_ERR_IO);
    assert_int_equal(cuzk_outfile_open(&file, "", &err), CUZK_ERR_IO);
    assert_null(file);
}

#define in_own_folder(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_own_folder(commit_replaces),
        in_own_folder(abandon_leaves_nothing),
        in_own_folder(umask_decides_permissions),
        in_own_folder(links_are_followed),
        in_own_folder(pipes_are_written_to),
        in_own_folder(failed_writes_are_reported),
        in_own_folder(old_file_survives_a_full_disk),
        in_own_folder(bad_places_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
