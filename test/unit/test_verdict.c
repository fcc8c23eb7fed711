/* The cache of checked files: when it remembers, and when it must not be believed. */
#include "support/test.h"

#include "groth16/key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[64];
static char folder[128];

/* A cache folder of this test's own. */
static int make_cache(void **state)
{
    (void)state;
    strcpy(root, "/tmp/cuzk-test-XXXXXX");
    if (mkdtemp(root) == NULL)
        return -1;
    snprintf(folder, sizeof folder, "%s/cuzk/checked", root);
    setenv("XDG_CACHE_HOME", root, 1);
    unsetenv("CUZK_NO_CACHE");
    return 0;
}

static int remove_cache(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command);
}

static void fill(uint8_t digest[32], uint8_t seed)
{
    for (size_t i = 0; i < 32; i++)
        digest[i] = (uint8_t)(seed + 7 * i);
}

static void remembers(void **state)
{
    (void)state;
    uint8_t one[32], other[32];
    fill(one, 1);
    fill(other, 2);
    assert_false(cuzk_verdict_known(one));
    cuzk_verdict_store(one);
    assert_true(cuzk_verdict_known(one));
    assert_false(cuzk_verdict_known(other));
    struct stat st;
    assert_int_equal(stat(folder, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    cuzk_verdict_store(one); /* again does no harm */
    assert_true(cuzk_verdict_known(one));
}

static void unknown_digest(void **state)
{
    (void)state;
    const uint8_t zero[32] = {0};
    cuzk_verdict_store(zero);
    assert_false(cuzk_verdict_known(zero));
    assert_int_not_equal(access(folder, F_OK), 0);
}

static void turned_off(void **state)
{
    (void)state;
    uint8_t digest[32];
    fill(digest, 3);
    cuzk_verdict_store(digest);
    setenv("CUZK_NO_CACHE", "1", 1);
    assert_false(cuzk_verdict_known(digest));
    unsetenv("CUZK_NO_CACHE");
    assert_true(cuzk_verdict_known(digest));
}

static void writable_by_others(void **state)
{
    (void)state;
    uint8_t digest[32], other[32];
    fill(digest, 4);
    fill(other, 5);
    cuzk_verdict_store(digest);
    assert_int_equal(chmod(folder, 0770), 0);
    assert_false(cuzk_verdict_known(digest));
    cuzk_verdict_store(other);
    assert_int_equal(chmod(folder, 0700), 0);
    assert_true(cuzk_verdict_known(digest));
    assert_false(cuzk_verdict_known(other));
}

static void folder_of_another_user(void **state)
{
    (void)state;
    uint8_t digest[32];
    fill(digest, 6);
    cuzk_verdict_store(digest);
    if (geteuid() != 0)
        skip();
    assert_int_equal(chown(folder, 1, 1), 0);
    assert_false(cuzk_verdict_known(digest));
}

/* A link, which anyone may have put into a place like /tmp, is no folder of ours. */
static void linked_folder(void **state)
{
    (void)state;
    uint8_t digest[32];
    char moved[160];
    fill(digest, 7);
    cuzk_verdict_store(digest);
    snprintf(moved, sizeof moved, "%s-moved", folder);
    assert_int_equal(rename(folder, moved), 0);
    assert_int_equal(symlink(moved, folder), 0);
    assert_false(cuzk_verdict_known(digest));
}

static void no_home(void **state)
{
    (void)state;
    uint8_t digest[32];
    fill(digest, 8);
    setenv("XDG_CACHE_HOME", "relative/path", 1);
    unsetenv("HOME");
    cuzk_verdict_store(digest);
    assert_false(cuzk_verdict_known(digest));
    setenv("HOME", root, 1);
    cuzk_verdict_store(digest);
    assert_true(cuzk_verdict_known(digest));
    char path[160];
    snprintf(path, sizeof path, "%s/.cache/cuzk/checked", root);
    assert_int_equal(access(path, F_OK), 0);
}

static cuzk_map *open_map(const char *path)
{
    cuzk_map *map;
    assert_int_equal(cuzk_map_open(&map, path, NULL), CUZK_OK);
    return map;
}

static void recalls_an_untouched_file(void **state)
{
    (void)state;
    uint8_t digest[32], found[32];
    char path[96];
    fill(digest, 9);
    snprintf(path, sizeof path, "%s/key", root);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("points", file);
    fclose(file);

    cuzk_map *map = open_map(path);
    cuzk_verdict_store_file(digest, map);
    assert_true(cuzk_verdict_known(digest));
    assert_false(cuzk_verdict_recall(found, map)); /* too young */
    sleep(3);
    cuzk_verdict_store_file(digest, map);
    assert_true(cuzk_verdict_recall(found, map));
    assert_memory_equal(found, digest, sizeof digest);
    setenv("CUZK_NO_CACHE", "1", 1);
    assert_false(cuzk_verdict_recall(found, map));
    unsetenv("CUZK_NO_CACHE");
    cuzk_map_close(map);

    assert_int_equal(chmod(path, 0400),
                     0); /* any change counts, whatever the content's time says */
    map = open_map(path);
    assert_false(cuzk_verdict_recall(found, map));
    cuzk_map_close(map);
}

static void recalls_no_digest_without_a_verdict(void **state)
{
    (void)state;
    uint8_t digest[32], found[32];
    char command[192];
    fill(digest, 10);
    cuzk_map *map = open_map("/bin/sh");
    assert_false(cuzk_verdict_recall(found, map));
    cuzk_verdict_store_file(digest, map);
    assert_true(cuzk_verdict_recall(found, map));
    snprintf(command, sizeof command, "cd '%s' && ls | grep -v file | xargs rm", folder);
    assert_int_equal(system(command), 0);
    assert_false(cuzk_verdict_recall(found, map));
    cuzk_map_close(map);
}

static void memory_is_no_file(void **state)
{
    (void)state;
    uint8_t digest[32], found[32];
    fill(digest, 11);
    cuzk_map *map;
    assert_int_equal(cuzk_map_borrow(&map, "x", 1, "memory", NULL), CUZK_OK);
    cuzk_verdict_store_file(digest, map);
    assert_true(cuzk_verdict_known(digest));
    assert_false(cuzk_verdict_recall(found, map));
    cuzk_map_close(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(remembers, make_cache, remove_cache),
        cmocka_unit_test_setup_teardown(unknown_digest, make_cache, remove_cache),
        cmocka_unit_test_setup_teardown(turned_off, make_cache, remove_cache),
        cmocka_unit_test_setup_teardown(writable_by_others, make_cache, remove_cache),
        cmocka_unit_test_setup_teardown(folder_of_another_user, make_cache, remove_cache),
        cmocka_unit_test_setup_teardown(linked_folder, make_cache, remove_cache),
        cmocka_unit_test_setup_teardown(no_home, make_cache, remove_cache),
        cmocka_unit_test_setup_teardown(recalls_an_untouched_file, make_cache, remove_cache),
        cmocka_unit_test_setup_teardown(recalls_no_digest_without_a_verdict, make_cache,
                                        remove_cache),
        cmocka_unit_test_setup_teardown(memory_is_no_file, make_cache, remove_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
