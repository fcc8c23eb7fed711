/* Key files that are damaged, cut off, another circuit's or replaced: the job that needs one fails
 * with the file named, and the next one is none the worse. */
#define _GNU_SOURCE
#include "support/engine_client.h"
#include "support/test.h"

#include "base/digest.h"
#include "base/map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const circuits[] = {"multiplier-bn128", "poseidon2-bn128"};
static char keys[64], list[96];
static cuzk_engine *engine;

static const char *path_of(const char *key)
{
    static char path[2][256];
    static unsigned next;
    char *out = path[next++ % 2];
    snprintf(out, sizeof path[0], "%s/%s.zkey", keys, key);
    return out;
}

static const char *witness_of(const char *circuit)
{
    char name[128];
    snprintf(name, sizeof name, "circom/%s/witness.wtns", circuit);
    return test_data_path(name);
}

static void open_engine(const char *digests)
{
    const cuzk_engine_config config = {.memory_total = (uint64_t)1 << 30,
                                       .threads = 2,
                                       .keys_folder = keys,
                                       .keys_digests = digests,
                                       .orphan_grace_ms = CUZK_NEVER};
    cuzk_error err = {0};
    if (cuzk_engine_open(&engine, &config, &err) != CUZK_OK)
        fail_msg("%s", err.message);
}

/* With the cache of verdicts in a folder of its own. */
static int set_up(void **state)
{
    (void)state;
    char cache[80];
    snprintf(keys, sizeof keys, "%s", test_keys_folder(circuits, 2));
    snprintf(list, sizeof list, "%s/digests", keys);
    snprintf(cache, sizeof cache, "%s/cache", keys);
    setenv("XDG_CACHE_HOME", cache, 1);
    engine = NULL;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    cuzk_engine_close(engine);
    test_remove_folder(keys);
    return 0;
}

/* --- files --- */

typedef struct bytes {
    uint8_t *data;
    size_t size;
} bytes;

static bytes read_key(const char *circuit)
{
    char name[128];
    cuzk_map *map;
    cuzk_error err = {0};
    snprintf(name, sizeof name, "circom/%s/circuit.zkey", circuit);
    assert_int_equal(cuzk_map_open(&map, test_data_path(name), &err), CUZK_OK);
    bytes b = {.data = malloc(cuzk_map_size(map)), .size = cuzk_map_size(map)};
    assert_non_null(b.data);
    memcpy(b.data, cuzk_map_data(map), b.size);
    cuzk_map_close(map);
    return b;
}

static void write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* Under the name at once, as a careful operator does. */
static void replace_key(const char *key, const char *by)
{
    char made[300];
    const bytes b = read_key(by);
    snprintf(made, sizeof made, "%s.new", path_of(key));
    write_file(made, b.data, b.size);
    assert_int_equal(rename(made, path_of(key)), 0);
    free(b.data);
}

/* --- jobs --- */

static unsigned job_count;

static test_answer run_job(const char *key, const char *witness)
{
    char id[32];
    snprintf(id, sizeof id, "job %u", job_count++);
    const test_answer refused = test_submit(engine, id, key, witness_of(witness));
    return refused.status == CUZK_OK ? test_await(engine, id, 0) : refused;
}

static void expect_proof(const char *key, const char *circuit)
{
    const test_answer a = run_job(key, circuit);
    if (a.state != CUZK_JOB_COMPLETED)
        fail_msg("%s: %s", key, a.message);
    test_assert_proof(circuit, a.text);
    free(a.text);
}

static test_answer expect_failure(const char *key, const char *circuit, const char *word)
{
    const test_answer a = run_job(key, circuit);
    assert_int_equal(a.state, CUZK_JOB_FAILED);
    assert_int_not_equal(a.status, CUZK_OK);
    assert_null(a.text);
    if (strstr(a.message, word) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", a.message, word);
    return a;
}

/* A failed load left nothing behind. */
static void expect_no_memory_held(void)
{
    cuzk_core_view view;
    test_view(engine, &view);
    assert_int_equal(view.memory[CUZK_MEMORY_WITNESS], 0);
    assert_int_equal(view.memory[CUZK_MEMORY_INPUT], 0);
    assert_int_equal(view.memory[CUZK_MEMORY_PAYLOAD], 0);
}

/* A byte flipped in each part of the file in turn: what is not refused gives a true proof. */
static void flipped_bytes(void **state)
{
    (void)state;
    const bytes good = read_key(circuits[0]);
    unsigned refused = 0, tried = 0;
    open_engine(NULL);
    for (size_t at = 5; at < good.size; at += good.size / 40) {
        bytes bad = {.data = malloc(good.size), .size = good.size};
        assert_non_null(bad.data);
        memcpy(bad.data, good.data, good.size);
        bad.data[at] ^= 4;
        write_file(path_of("bad"), bad.data, bad.size);
        free(bad.data);
        const test_answer a = run_job("bad", circuits[0]);
        tried++;
        if (a.state == CUZK_JOB_COMPLETED) {
            test_assert_proof(circuits[0], a.text);
            free(a.text);
            continue;
        }
        refused++;
        assert_int_not_equal(a.status, CUZK_OK);
        /* A coefficient that was changed to another shows in the proof only. */
        if (strstr(a.message, "bad.zkey") == NULL && a.status != CUZK_ERR_UNSATISFIED)
            fail_msg("byte %zu: \"%s\" does not name the file", at, a.message);
        expect_no_memory_held();
    }
    assert_true(refused > tried / 2);
    expect_proof(circuits[1], circuits[1]);
    expect_proof(circuits[0], circuits[0]);
    free(good.data);
}

static void truncations(void **state)
{
    (void)state;
    const bytes good = read_key(circuits[0]);
    open_engine(NULL);
    for (size_t cut = 0; cut < good.size; cut += good.size / 12 + 1) {
        write_file(path_of("bad"), good.data, cut);
        expect_failure("bad", circuits[0], "bad.zkey");
        expect_no_memory_held();
    }
    write_file(path_of("bad"), good.data, good.size);
    expect_proof("bad", circuits[0]); /* it is there now */
    free(good.data);
}

static void key_of_another_circuit(void **state)
{
    (void)state;
    open_engine(NULL);
    replace_key("other", circuits[1]);
    expect_failure("other", circuits[0], "243");
    expect_proof("other", circuits[1]);
    expect_proof(circuits[0], circuits[0]);
}

/* The file under a name is another one now: jobs from then on are proved with that. */
static void replaced_while_loaded(void **state)
{
    (void)state;
    open_engine(NULL);
    for (int round = 0; round < 3; round++) {
        replace_key("changing", circuits[0]);
        expect_proof("changing", circuits[0]);
        expect_proof("changing", circuits[0]);
        replace_key("changing", circuits[1]);
        expect_proof("changing", circuits[1]);
        expect_failure("changing", circuits[0], "243");
    }
    replace_key("changing", circuits[0]);
    test_answer a = test_preload(engine, "changing");
    assert_int_equal(a.status, CUZK_OK);
    assert_false(a.flag); /* that file was not loaded */
    a = test_preload(engine, "changing");
    assert_true(a.flag);
    a = test_evict(engine, "changing");
    assert_true(a.status == CUZK_OK && a.flag && a.bytes > 0);
    a = test_evict(engine, "changing");
    assert_true(a.status == CUZK_OK && !a.flag);
    expect_proof("changing", circuits[0]);
}

/* And when it is damaged while it is loaded, its jobs fail, and others do not. */
static void damaged_while_loaded(void **state)
{
    (void)state;
    const bytes good = read_key(circuits[0]);
    open_engine(NULL);
    replace_key("changing", circuits[0]);
    expect_proof("changing", circuits[0]);
    write_file(path_of("changing"), good.data, good.size / 2);
    expect_failure("changing", circuits[0], "changing.zkey");
    expect_proof(circuits[1], circuits[1]);
    assert_int_equal(unlink(path_of("changing")), 0);
    assert_int_equal(run_job("changing", circuits[0]).status, CUZK_ERR_ARGUMENT);
    write_file(path_of("changing"), good.data, good.size);
    expect_proof("changing", circuits[0]);
    free(good.data);
}

/* That a file's points are good is remembered by its digest: another file is looked at again. */
static void verdicts_are_of_the_content(void **state)
{
    (void)state;
    const bytes good = read_key(circuits[0]);
    open_engine(NULL);
    expect_proof(circuits[0], circuits[0]);
    cuzk_engine_close(engine);
    open_engine(NULL); /* with the verdict there */
    expect_proof(circuits[0], circuits[0]);
    cuzk_engine_close(engine);
    good.data[good.size * 2 / 3] ^= 1;
    write_file(path_of(circuits[0]), good.data, good.size);
    open_engine(NULL);
    expect_failure(circuits[0], circuits[0], "multiplier-bn128.zkey");
    expect_proof(circuits[1], circuits[1]);
    free(good.data);
}

/* --- expected digests --- */

static void digest_of(const bytes *b, char text[65])
{
    uint8_t out[32];
    cuzk_digest *digest;
    cuzk_error err = {0};
    assert_int_equal(cuzk_digest_new(&digest, CUZK_SHA256, &err), CUZK_OK);
    assert_int_equal(cuzk_digest_update(digest, b->data, b->size, &err), CUZK_OK);
    assert_int_equal(cuzk_digest_finish(digest, out, &err), CUZK_OK);
    cuzk_digest_free(digest);
    for (size_t i = 0; i < 32; i++)
        snprintf(text + 2 * i, 3, "%02x", out[i]);
}

static void write_list(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void write_list(const char *format, ...)
{
    char text[600];
    va_list args;
    va_start(args, format);
    const int size = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    assert_true(size >= 0 && (size_t)size < sizeof text);
    write_file(list, text, (size_t)size);
}

static void expected_digests(void **state)
{
    (void)state;
    char first[65], second[65];
    bytes good[2] = {read_key(circuits[0]), read_key(circuits[1])};
    digest_of(&good[0], first);
    digest_of(&good[1], second);
    write_list("%s  %s.zkey\n\n%s *./changing.zkey\n", first, circuits[0], first);
    open_engine(list);
    expect_proof(circuits[0], circuits[0]);
    /* Not on the list. */
    test_answer a = expect_failure(circuits[1], circuits[1], second);
    assert_int_equal(a.status, CUZK_ERR_MISMATCH);
    assert_non_null(strstr(a.message, "poseidon2-bn128.zkey"));
    a = test_preload(engine, circuits[1]);
    assert_int_equal(a.status, CUZK_ERR_MISMATCH);
    /* A good key, but another one. */
    replace_key("changing", circuits[1]);
    a = expect_failure("changing", circuits[1], first);
    assert_int_equal(a.status, CUZK_ERR_MISMATCH);
    assert_non_null(strstr(a.message, second));
    assert_non_null(strstr(a.message, "digests:3"));
    /* Damaged so that it cannot be read: that it is not the right file is what is said. */
    char damaged[65];
    good[0].data[good[0].size * 2 / 3] ^= 1;
    digest_of(&good[0], damaged);
    write_file(path_of("changing"), good[0].data, good[0].size);
    a = expect_failure("changing", circuits[0], damaged);
    assert_int_equal(a.status, CUZK_ERR_MISMATCH);
    replace_key("changing", circuits[0]);
    expect_proof("changing", circuits[0]);
    free(good[0].data);
    free(good[1].data);
}

static void bad_lists(void **state)
{
    (void)state;
    const char *const hex = "00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF";
    const char *const tails[] = {"", " ", "x.zkey", "  x.params", "  .zkey", "0  x.zkey"};
    const cuzk_engine_config config = {
        .memory_total = (uint64_t)1 << 30, .threads = 1, .keys_digests = list};
    cuzk_error err = {0};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        write_list("%s  a.zkey\n%s%s\n", hex, hex, tails[i]);
        assert_int_equal(cuzk_engine_open(&engine, &config, &err), CUZK_ERR_FORMAT);
        assert_non_null(strstr(err.message, "digests:2: "));
    }
    write_list("%s  a.zkey\n%s  b.zkey\n%s *./a.zkey", hex, hex, hex);
    assert_int_equal(cuzk_engine_open(&engine, &config, &err), CUZK_ERR_FORMAT);
    assert_non_null(strstr(err.message, "digests:3: a.zkey is on line 1"));
    assert_int_equal(unlink(list), 0);
    assert_int_equal(cuzk_engine_open(&engine, &config, &err), CUZK_ERR_IO);
    assert_non_null(strstr(err.message, list));
    engine = NULL;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(flipped_bytes),          TEST(truncations),
        TEST(key_of_another_circuit), TEST(replaced_while_loaded),
        TEST(damaged_while_loaded),   TEST(verdicts_are_of_the_content),
        TEST(expected_digests),       TEST(bad_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
