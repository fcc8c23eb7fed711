#define _GNU_SOURCE
#include "base/map.h"
#include "support/test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Larger than what is copied. */
#define LARGE ((off_t)(65 << 20))

static char *make_large(void)
{
    char *path = test_write_temp("head", 4);
    assert_int_equal(truncate(path, LARGE), 0);
    return path;
}

static void drop(char *path)
{
    unlink(path);
    free(path);
}

static void small_file_is_copied(void **state)
{
    (void)state;
    char *path = test_write_temp("hello", 5);
    cuzk_map *map;
    cuzk_error err;
    assert_int_equal(cuzk_map_open(&map, path, &err), CUZK_OK);
    assert_int_equal(cuzk_map_size(map), 5);
    assert_string_equal(cuzk_map_name(map), path);
    assert_int_equal(truncate(path, 0), 0);
    assert_memory_equal(cuzk_map_data(map), "hello", 5);
    assert_int_equal(cuzk_map_check(map, &err), CUZK_OK);
    cuzk_map_close(map);
    drop(path);
}

static void empty_file(void **state)
{
    (void)state;
    char *path = test_write_temp("", 0);
    cuzk_map *map;
    assert_int_equal(cuzk_map_open(&map, path, NULL), CUZK_OK);
    assert_int_equal(cuzk_map_size(map), 0);
    assert_non_null(cuzk_map_data(map));
    cuzk_map_close(map);
    drop(path);
}

static void large_file_is_mapped(void **state)
{
    (void)state;
    char *path = make_large();
    cuzk_map *map;
    cuzk_error err;
    assert_int_equal(cuzk_map_open(&map, path, &err), CUZK_OK);
    assert_int_equal(cuzk_map_size(map), LARGE);
    assert_memory_equal(cuzk_map_data(map), "head", 4);
    assert_int_equal(cuzk_map_data(map)[LARGE - 1], 0);
    assert_int_equal(cuzk_map_check(map, &err), CUZK_OK);
    cuzk_map_close(map);
    drop(path);
}

static void truncation_reads_zeros_and_is_reported(void **state)
{
    (void)state;
    char *path = make_large();
    cuzk_map *map;
    cuzk_error err;
    assert_int_equal(cuzk_map_open(&map, path, &err), CUZK_OK);
    assert_int_equal(truncate(path, 1000), 0);
    volatile const uint8_t *data = cuzk_map_data(map);
    unsigned sum = 0;
    for (off_t at = 4096; at < LARGE; at += 5000)
        sum += data[at];
    assert_int_equal(sum, 0);
    assert_int_equal(cuzk_map_check(map, &err), CUZK_ERR_IO);
    assert_non_null(strstr(err.message, path));
    /* The fault stays known when the size comes back. */
    assert_int_equal(truncate(path, LARGE), 0);
    assert_int_equal(cuzk_map_check(map, &err), CUZK_ERR_IO);
    cuzk_map_close(map);
    drop(path);
}

static void change_in_place_is_reported(void **state)
{
    (void)state;
    char *path = make_large();
    const struct timespec old[2] = {{1000, 0}, {1000, 0}};
    assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
    cuzk_map *map;
    cuzk_error err;
    assert_int_equal(cuzk_map_open(&map, path, &err), CUZK_OK);
    int fd = open(path, O_WRONLY);
    assert_int_equal(pwrite(fd, "HEAD", 4, 0), 4);
    close(fd);
    assert_int_equal(cuzk_map_check(map, &err), CUZK_ERR_IO);
    cuzk_map_close(map);
    drop(path);
}

static void replaced_file_still_reads(void **state)
{
    (void)state;
    char *path = make_large();
    char *other = test_write_temp("other", 5);
    cuzk_map *map;
    cuzk_error err;
    assert_int_equal(cuzk_map_open(&map, path, &err), CUZK_OK);
    cuzk_file_id id = cuzk_map_identity(map);
    assert_int_equal(rename(other, path), 0);
    assert_memory_equal(cuzk_map_data(map), "head", 4);
    assert_int_equal(cuzk_map_check(map, &err), CUZK_OK);
    cuzk_map *now;
    assert_int_equal(cuzk_map_open(&now, path, &err), CUZK_OK);
    assert_int_not_equal(cuzk_map_identity(now).inode, id.inode);
    assert_int_equal(cuzk_map_identity(now).size, 5);
    cuzk_map_close(now);
    cuzk_map_close(map);
    drop(path);
    free(other);
}

static void several_maps_fault_apart(void **state)
{
    (void)state;
    cuzk_map *maps[5];
    char *paths[5];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 5; i++) {
            paths[i] = make_large();
            assert_int_equal(cuzk_map_open(&maps[i], paths[i], NULL), CUZK_OK);
        }
        assert_int_equal(truncate(paths[2], 0), 0);
        for (int i = 0; i < 5; i++) {
            volatile const uint8_t *data = cuzk_map_data(maps[i]);
            assert_int_equal(data[0], i == 2 ? 0 : 'h');
            assert_int_equal(cuzk_map_check(maps[i], NULL), i == 2 ? CUZK_ERR_IO : CUZK_OK);
        }
        for (int i = 0; i < 5; i++) {
            cuzk_map_close(maps[i]);
            drop(paths[i]);
        }
    }
}

/* A SIGBUS that is none of ours ends the process as it would have without us. */
static void foreign_fault_still_kills(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        signal(SIGBUS, SIG_DFL);
        char *path = make_large();
        cuzk_map *map;
        if (cuzk_map_open(&map, path, NULL) != CUZK_OK)
            _exit(1);
        int fd = open(path, O_RDONLY);
        volatile uint8_t *own = mmap(NULL, (size_t)LARGE, PROT_READ, MAP_PRIVATE, fd, 0);
        if (truncate(path, 0) != 0)
            _exit(2);
        drop(path);
        _exit(own[0] == 0 ? 3 : 4);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) ? WTERMSIG(status) == SIGBUS : WEXITSTATUS(status) > 4);
}

static void bad_paths_are_refused(void **state)
{
    (void)state;
    cuzk_map *map = NULL;
    cuzk_error err;
    assert_int_equal(cuzk_map_open(&map, "/nonexistent/file", &err), CUZK_ERR_IO);
    assert_non_null(strstr(err.message, "/nonexistent/file"));
    assert_non_null(strstr(err.message, "No such file"));
    assert_int_equal(cuzk_map_open(&map, "/tmp", &err), CUZK_ERR_IO);
    assert_non_null(strstr(err.message, "folder"));
    assert_int_equal(cuzk_map_open(&map, "/dev/zero", &err), CUZK_ERR_IO);

    char *fifo = test_write_temp("", 0);
    unlink(fifo);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(cuzk_map_open(&map, fifo, &err), CUZK_ERR_IO);
    assert_null(map);
    drop(fifo);
}

static void borrowed_bytes(void **state)
{
    (void)state;
    const uint8_t bytes[3] = {1, 2, 3};
    cuzk_map *map;
    assert_int_equal(cuzk_map_borrow(&map, bytes, 3, "the request", NULL), CUZK_OK);
    assert_ptr_equal(cuzk_map_data(map), bytes);
    assert_int_equal(cuzk_map_size(map), 3);
    assert_string_equal(cuzk_map_name(map), "the request");
    assert_int_equal(cuzk_map_check(map, NULL), CUZK_OK);
    assert_int_equal(cuzk_map_identity(map).inode, 0);
    cuzk_map_close(map);
    cuzk_map_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_file_is_copied),
        cmocka_unit_test(empty_file),
        cmocka_unit_test(large_file_is_mapped),
        cmocka_unit_test(truncation_reads_zeros_and_is_reported),
        cmocka_unit_test(change_in_place_is_reported),
        cmocka_unit_test(replaced_file_still_reads),
        cmocka_unit_test(several_maps_fault_apart),
        cmocka_unit_test(foreign_fault_still_kills),
        cmocka_unit_test(bad_paths_are_refused),
        cmocka_unit_test(borrowed_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
