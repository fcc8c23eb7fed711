/* Compiled circuits in a folder: made once, opened afterwards, made again when they are damaged or
 * of something else; what the log says of it. And the two digests of a parameters file. */
#define _GNU_SOURCE
#include "api/circuit_cache.h"
#include "api/published.h"
#include "base/log.h"
#include "circuit/direct.h"
#include "circuit/filecoin/inputs.h"
#include "support/circuit.h"
#include "support/engine_client.h"
#include "support/group_pool.h"
#include "support/log_reader.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static cuzk_error err;
static cuzk_fil_proof proof;
static char parent[64], folder[80], path[128];

static int set_up(void **state)
{
    (void)state;
    strcpy(parent, "/tmp/cuzk-circuits-XXXXXX");
    if (mkdtemp(parent) == NULL || cuzk_fil_circuit_find(&proof, "window-2k", &err) != CUZK_OK)
        return -1;
    snprintf(folder, sizeof folder, "%s/circuits", parent);
    snprintf(path, sizeof path, "%s/window-2k.circuit", folder);
    cuzk_log_set_level(CUZK_LOG_INFO);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    test_remove_folder(parent);
    return 0;
}

/* Takes the circuit, which is the right one whatever the folder holds, and compares the first
 * line that the log has of it; NULL: none. */
static void take(const char *from, const char *expected)
{
    uint8_t hash[CUZK_CIRCUIT_HASH_BYTES], direct[CUZK_CIRCUIT_HASH_BYTES];
    cuzk_fil_circuit circuit;
    cuzk_compiled *c;
    log_file log;
    log_capture();
    const cuzk_status status = cuzk_circuit_cache_take(&c, &proof, from, &err);
    log_read(&log, false);
    assert_int_equal(status, CUZK_OK);
    assert_int_equal(log.n > 0, expected != NULL);
    if (expected != NULL && strstr(log.lines[0].message, expected) == NULL)
        fail_msg("the log says \"%s\", expected \"%s\"", log.lines[0].message, expected);
    free(log.lines);
    assert_int_equal(cuzk_compiled_hash(c, hash, &err), CUZK_OK);
    cuzk_fil_circuit_init(&circuit, &proof);
    assert_int_equal(cuzk_circuit_hash(&circuit.circuit, direct, NULL, &err), CUZK_OK);
    assert_memory_equal(hash, direct, sizeof hash);
    cuzk_compiled_free(c);
}

static void change_byte(long at)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    const int byte = fgetc(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    assert_int_not_equal(fputc(byte ^ 1, file), EOF);
    assert_int_equal(fclose(file), 0);
}

static void made_once(void **state)
{
    (void)state;
    struct stat first, second;
    take(NULL, NULL);
    assert_int_not_equal(access(folder, F_OK), 0);
    take(folder, "kept in");
    assert_int_equal(stat(path, &first), 0);
    take(folder, NULL);
    assert_int_equal(stat(path, &second), 0);
    assert_true(first.st_ino == second.st_ino && first.st_mtime == second.st_mtime);
}

/* Damaged anywhere, cut, of another version, of another circuit: made again, once. */
static void bad_ones_are_replaced(void **state)
{
    (void)state;
    struct stat file;
    cuzk_fil_proof other;
    cuzk_compiled *c;
    uint8_t id[CUZK_CIRCUIT_ID_BYTES];
    take(folder, "kept in");
    assert_int_equal(stat(path, &file), 0);
    const struct {
        long at;
        const char *why;
    } damages[] = {{0, "not a compiled circuit"},
                   {8, "of version"},
                   {20, "the head's checksum does not hold"},
                   {(long)file.st_size / 2, "the checksum does not hold"}};
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        change_byte(damages[i].at);
        take(folder, damages[i].why);
        take(folder, NULL);
    }
    assert_int_equal(truncate(path, file.st_size - 64), 0);
    take(folder, "is made again");
    /* Whole, but of another circuit's parameters, as an older program's text would be. */
    TEST_EXPECT(cuzk_fil_circuit_find(&other, "window-8m", &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_fil_circuit_id(id, &other, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_fil_circuit_open(&c, path, &proof, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_compiled_save(c, id, path, &err), CUZK_OK, &err);
    cuzk_compiled_free(c);
    take(folder, "compile it again");
    take(folder, NULL);
}

/* Where it cannot be kept, the log says why, and there is a circuit all the same. */
static void folders_that_do_not_serve(void **state)
{
    (void)state;
    char below[128];
    snprintf(below, sizeof below, "%s/not/there", parent);
    take(below, "compiled at each load");
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(chmod(folder, 0777), 0);
    take(folder, "this user alone may write");
    assert_int_not_equal(access(path, F_OK), 0);
}

/* A file of several pieces: both digests are libcrypto's of the whole. */
static void digests_of_one_pass(void **state)
{
    (void)state;
    const size_t size = ((size_t)17 << 20) + 123;
    uint8_t *bytes = malloc(size), sha256[CUZK_SHA256_BYTES], blake2b[CUZK_BLAKE2B_BYTES];
    char text[33];
    cuzk_map *map;
    cuzk_digest *d;
    cuzk_published published;
    cuzk_fil_params params;
    test_rng rng = test_rng_seeded(1);
    assert_non_null(bytes);
    test_rng_bytes(&rng, bytes, size);
    char *file = test_write_temp(bytes, size);
    TEST_EXPECT(cuzk_digest_new(&d, CUZK_SHA256, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_digest_update(d, bytes, size, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_digest_finish(d, sha256, &err), CUZK_OK, &err);
    cuzk_digest_free(d);
    TEST_EXPECT(cuzk_digest_new(&d, CUZK_BLAKE2B, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_digest_update(d, bytes, size, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_digest_finish(d, blake2b, &err), CUZK_OK, &err);
    cuzk_digest_free(d);
    for (size_t i = 0; i < 16; i++)
        snprintf(text + 2 * i, 3, "%02x", blake2b[i]);

    TEST_EXPECT(cuzk_fil_params_get(&params, &proof, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_map_open(&map, file, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_published_find(&published, map, &params, test_pool, &err), CUZK_OK, &err);
    assert_true(published.is_read && !published.is_published);
    assert_string_equal(published.found, text);
    assert_memory_equal(published.sha256, sha256, sizeof sha256);
    params.params_digest = text;
    TEST_EXPECT(cuzk_published_find(&published, map, &params, NULL, &err), CUZK_OK, &err);
    assert_true(published.is_read && published.is_published);
    assert_memory_equal(published.sha256, sha256, sizeof sha256);
    cuzk_map_close(map);
    unlink(file);
    free(file);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(made_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_ones_are_replaced, set_up, tear_down),
        cmocka_unit_test_setup_teardown(folders_that_do_not_serve, set_up, tear_down),
        cmocka_unit_test_setup_teardown(digests_of_one_pass, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, test_pool_start, test_pool_stop);
}
