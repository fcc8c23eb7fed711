#define _GNU_SOURCE
#include "support/engine_folders.h"

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const test_small_circuits[TEST_SMALL_CIRCUITS] = {"multiplier-bn128", "poseidon2-bn128",
                                                              "rangecheck-bls12381"};

void test_folders_make(test_folders *f, const char *const *fixtures, size_t n)
{
    snprintf(f->keys, sizeof f->keys, "%s", test_keys_folder(fixtures, n));
    strcpy(f->parent, "/tmp/cuzk-store-XXXXXX");
    assert_non_null(mkdtemp(f->parent));
    snprintf(f->store, sizeof f->store, "%s/store", f->parent);
}

void test_folders_add_key(const test_folders *f, const char *fixture, const char *name)
{
    char from[256], to[256];
    size_t size;
    snprintf(from, sizeof from, "circom/%s/circuit.zkey", fixture);
    snprintf(to, sizeof to, "%s/%s.zkey", f->keys, name);
    uint8_t *bytes = test_read_data(from, &size);
    FILE *file = fopen(to, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    free(bytes);
}

void test_folders_remove(const test_folders *f)
{
    test_remove_folder(f->keys);
    test_remove_folder(f->parent);
}

cuzk_engine_config test_engine_config(const test_folders *f)
{
    return (cuzk_engine_config){.memory_total = (uint64_t)512 << 20,
                                .threads = 2,
                                .keys_folder = f->keys,
                                .orphan_grace_ms = CUZK_NEVER};
}

static _Noreturn void die(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    abort();
}

cuzk_engine *test_engine_open(const cuzk_engine_config *config)
{
    cuzk_engine *engine = NULL;
    cuzk_error err = {0};
    if (cuzk_engine_open(&engine, config, &err) != CUZK_OK)
        die("the engine does not open", err.message);
    return engine;
}

test_answer test_small_submit(cuzk_engine *engine, const char *prefix, unsigned i)
{
    const char *circuit = test_small_circuits[i % TEST_SMALL_CIRCUITS];
    char id[64], path[256];
    snprintf(id, sizeof id, "%s-%u", prefix, i);
    snprintf(path, sizeof path, "circom/%s/witness.wtns", circuit);
    return test_submit(engine, id, circuit, test_data_path(path));
}

void test_small_verify(cuzk_engine *engine, const char *prefix, unsigned i)
{
    char id[64];
    snprintf(id, sizeof id, "%s-%u", prefix, i);
    const test_answer a = test_await(engine, id, 0);
    if (!a.known)
        die(id, "lost");
    if (a.state != CUZK_JOB_COMPLETED)
        die(id, a.message);
    test_assert_proof(test_small_circuits[i % TEST_SMALL_CIRCUITS], a.text);
    free(a.text);
}
