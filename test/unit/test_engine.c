/* The engine with real threads, the CPU and real circuits. */
#define _GNU_SOURCE
#include "support/engine_client.h"
#include "support/test.h"

#include "engine/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const circuits[] = {"multiplier-bn128", "poseidon2-bn128", "merkle20-bn128",
                                       "rangecheck-bls12381"};
#define CIRCUITS (sizeof circuits / sizeof *circuits)

static char keys[64], parent[64], store[80];

static int set_up(void **state)
{
    (void)state;
    snprintf(keys, sizeof keys, "%s", test_keys_folder(circuits, CIRCUITS));
    strcpy(parent, "/tmp/cuzk-engine-XXXXXX");
    if (mkdtemp(parent) == NULL)
        return 1;
    snprintf(store, sizeof store, "%s/store", parent);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    test_remove_folder(keys);
    test_remove_folder(parent);
    return 0;
}

static cuzk_engine *open_engine(const char *store_folder)
{
    const cuzk_engine_config config = {.memory_total = (uint64_t)1 << 30,
                                       .threads = 2,
                                       .keys_folder = keys,
                                       .store_folder = store_folder,
                                       .durability = CUZK_DURABLE_PROCESS,
                                       .orphan_grace_ms = CUZK_NEVER};
    cuzk_engine *engine;
    cuzk_error err = {0};
    if (cuzk_engine_open(&engine, &config, &err) != CUZK_OK)
        fail_msg("%s", err.message);
    return engine;
}

static const char *witness_of(const char *circuit)
{
    static char path[4][512];
    static unsigned next;
    char name[256], *out = path[next++ % 4];
    snprintf(name, sizeof name, "circom/%s/witness.wtns", circuit);
    snprintf(out, sizeof path[0], "%s", test_data_path(name));
    return out;
}

static void expect_completed(cuzk_engine *engine, const char *id, const char *circuit)
{
    const test_answer a = test_await(engine, id, 0);
    if (!a.known || a.state != CUZK_JOB_COMPLETED)
        fail_msg("%s: state %s: %s", id, cuzk_job_state_name(a.state), a.message);
    test_assert_proof(circuit, a.text);
    free(a.text);
}

static void test_proves(void **state)
{
    (void)state;
    cuzk_engine *engine = open_engine(NULL);
    char id[32];
    for (size_t i = 0; i < 3 * CIRCUITS; i++) {
        snprintf(id, sizeof id, "job,%zu", i);
        const test_answer a =
            test_submit(engine, id, circuits[i % CIRCUITS], witness_of(circuits[i % CIRCUITS]));
        assert_int_equal(a.status, CUZK_OK);
        assert_int_equal(a.submitted.verdict, CUZK_VERDICT_NEW);
        assert_string_equal(a.job_id, id);
    }
    for (size_t i = 0; i < 3 * CIRCUITS; i++) {
        snprintf(id, sizeof id, "job,%zu", i);
        expect_completed(engine, id, circuits[i % CIRCUITS]);
    }
    cuzk_core_view view;
    test_view(engine, &view);
    assert_int_equal(view.ended[CUZK_KIND_CIRCUIT][CUZK_JOB_COMPLETED], 3 * CIRCUITS);
    assert_int_equal(view.memory[CUZK_MEMORY_WITNESS], 0);
    assert_int_equal(view.memory[CUZK_MEMORY_PAYLOAD], 0);
    assert_true(view.memory_used <= view.memory_total);
    cuzk_engine_close(engine);
}

/* Ten callers of one request: one computation. */
static void test_joins(void **state)
{
    (void)state;
    cuzk_engine *engine = open_engine(NULL);
    for (int i = 0; i < 10; i++) {
        const test_answer a =
            test_submit(engine, "same", "merkle20-bn128", witness_of("merkle20-bn128"));
        assert_int_equal(a.status, CUZK_OK);
        assert_int_not_equal(a.submitted.verdict, CUZK_VERDICT_CONFLICT);
        if (i > 0)
            assert_int_not_equal(a.submitted.verdict, CUZK_VERDICT_NEW);
    }
    expect_completed(engine, "same", "merkle20-bn128");
    cuzk_core_view view;
    test_view(engine, &view);
    assert_int_equal(view.submitted[CUZK_KIND_CIRCUIT], 1);
    assert_int_equal(view.joined, 9);
    cuzk_engine_close(engine);
}

static void expect_refused(cuzk_engine *engine, const char *id, const char *key, const char *wtns,
                           const char *word)
{
    test_answer a = test_submit(engine, id, key, wtns);
    if (a.status == CUZK_OK) {
        a = test_await(engine, id, 0);
        assert_true(a.known);
        assert_int_equal(a.state, CUZK_JOB_FAILED);
        assert_null(a.text);
    }
    if (strstr(a.message, word) == NULL)
        fail_msg("%s: \"%s\" does not say \"%s\"", id, a.message, word);
}

static void test_bad_requests(void **state)
{
    (void)state;
    cuzk_engine *engine = open_engine(NULL);
    const char *good = witness_of("multiplier-bn128");
    expect_refused(engine, "a", "absent", good, "no key \"absent\"");
    expect_refused(engine, "b", "../multiplier-bn128", good, "is no name of a key");
    expect_refused(engine, "c", "", good, "is no name of a key");
    expect_refused(engine, "d", "multiplier-bn128", witness_of("poseidon2-bn128"), "243");
    expect_refused(engine, "e", "multiplier-bn128", witness_of("rangecheck-bls12381"), "BLS12-381");
    const test_answer cut = test_submit_bytes(engine, "f", "multiplier-bn128", "wtns", 4);
    assert_int_equal(cut.status, CUZK_OK);
    assert_int_equal(test_await(engine, "f", 0).state, CUZK_JOB_FAILED);
    assert_false(test_await(engine, "unheard of", 0).known);
    assert_false(test_cancel(engine, "unheard of").known);
    /* No other job is the worse for it. */
    test_submit(engine, "g", "multiplier-bn128", good);
    expect_completed(engine, "g", "multiplier-bn128");
    cuzk_engine_close(engine);
}

static void test_keys(void **state)
{
    (void)state;
    cuzk_engine *engine = open_engine(NULL);
    test_answer a = test_preload(engine, "merkle20-bn128");
    assert_int_equal(a.status, CUZK_OK);
    assert_false(a.flag);
    assert_true(a.bytes > 1000000);
    a = test_preload(engine, "merkle20-bn128");
    assert_int_equal(a.status, CUZK_OK);
    assert_true(a.flag);
    a = test_evict(engine, "merkle20-bn128");
    assert_int_equal(a.status, CUZK_OK);
    assert_true(a.flag);
    a = test_evict(engine, "merkle20-bn128");
    assert_int_equal(a.status, CUZK_OK);
    assert_false(a.flag);
    a = test_preload(engine, "absent");
    assert_int_not_equal(a.status, CUZK_OK);
    cuzk_engine_close(engine);
}

/* Closed with work under way, opened again: every accepted job completes. */
static void test_survives(void **state)
{
    (void)state;
    char id[32];
    enum { JOBS = TEST_SANITIZED ? 8 : 24 };
    cuzk_engine *engine = open_engine(store);
    for (int i = 0; i < JOBS; i++) {
        snprintf(id, sizeof id, "kept %d", i);
        const char *circuit = circuits[(size_t)i % CIRCUITS];
        assert_int_equal(test_submit(engine, id, circuit, witness_of(circuit)).status, CUZK_OK);
    }
    cuzk_engine_close(engine);
    for (int round = 0; round < 2; round++) {
        engine = open_engine(store);
        const test_answer again =
            test_submit(engine, "kept 0", circuits[0], witness_of(circuits[0]));
        assert_int_equal(again.status, CUZK_OK);
        assert_int_equal(again.submitted.verdict,
                         round == 0 ? again.submitted.verdict : CUZK_VERDICT_DONE);
        assert_int_not_equal(again.submitted.verdict, CUZK_VERDICT_NEW);
        for (int i = 0; i < JOBS; i++) {
            snprintf(id, sizeof id, "kept %d", i);
            expect_completed(engine, id, circuits[(size_t)i % CIRCUITS]);
        }
        cuzk_engine_close(engine);
    }
}

/* A device that fails, and one whose proofs are false now and then: tried again, told by none. */
static void test_retries(void **state)
{
    (void)state;
    /* So rarely that no job can meet three of them, which would fail it. */
    const cuzk_fake_script scripts[] = {{.fault_every = 15}, {.false_every = 15}};
    for (size_t s = 0; s < 2; s++) {
        const cuzk_engine_config config = {.memory_total = (uint64_t)1 << 30,
                                           .threads = 1,
                                           .fake = &scripts[s],
                                           .fake_devices = 2,
                                           .keys_folder = keys,
                                           .orphan_grace_ms = CUZK_NEVER};
        cuzk_engine *engine;
        cuzk_error err = {0};
        char id[32];
        if (cuzk_engine_open(&engine, &config, &err) != CUZK_OK)
            fail_msg("%s", err.message);
        for (int i = 0; i < 40; i++) {
            snprintf(id, sizeof id, "tried %d", i);
            test_submit(engine, id, circuits[0], witness_of(circuits[0]));
        }
        for (int i = 0; i < 40; i++) {
            snprintf(id, sizeof id, "tried %d", i);
            const test_answer a = test_await(engine, id, 0);
            assert_int_equal(a.state, CUZK_JOB_COMPLETED);
            free(a.text);
        }
        cuzk_core_view view;
        test_view(engine, &view);
        assert_in_range(view.retries, 1, 4);
        cuzk_engine_close(engine);
    }
}

/* How a job ended is kept as well. */
static void test_keeps_ends(void **state)
{
    (void)state;
    char folder[96];
    snprintf(folder, sizeof folder, "%s/ends", parent);
    cuzk_engine *engine = open_engine(folder);
    char id[32];
    for (int i = 0; i < (TEST_SANITIZED ? 2 : 8); i++) {
        snprintf(id, sizeof id, "before %d", i);
        test_submit(engine, id, "merkle20-bn128", witness_of("merkle20-bn128"));
    }
    test_submit(engine, "cancelled", "merkle20-bn128", witness_of("poseidon2-bn128"));
    assert_true(test_cancel(engine, "cancelled").known);
    test_submit(engine, "failed", "multiplier-bn128", witness_of("poseidon2-bn128"));
    for (int round = 0; round < 3; round++) {
        assert_int_equal(test_await(engine, "cancelled", 0).state, CUZK_JOB_CANCELLED);
        const test_answer failed = test_await(engine, "failed", 0);
        assert_int_equal(failed.state, CUZK_JOB_FAILED);
        assert_int_equal(failed.status, CUZK_ERR_MISMATCH);
        if (strstr(failed.message, "243") == NULL)
            fail_msg("\"%s\" does not say why", failed.message);
        expect_completed(engine, id, "merkle20-bn128"); /* the last of those before */
        cuzk_engine_close(engine);
        engine = open_engine(folder);
    }
    cuzk_engine_close(engine);
}

static void test_drains(void **state)
{
    (void)state;
    char id[32];
    cuzk_engine *engine = open_engine(NULL);
    for (int i = 0; i < 8; i++) {
        snprintf(id, sizeof id, "drained %d", i);
        test_submit(engine, id, "poseidon2-bn128", witness_of("poseidon2-bn128"));
    }
    test_drain(engine);
    assert_false(cuzk_engine_is_ready(engine));
    const test_answer late =
        test_submit(engine, "late", "poseidon2-bn128", witness_of("poseidon2-bn128"));
    assert_int_equal(late.submitted.verdict, CUZK_VERDICT_DRAINING);
    for (int i = 0; i < 8; i++) {
        snprintf(id, sizeof id, "drained %d", i);
        expect_completed(engine, id, "poseidon2-bn128");
    }
    cuzk_engine_close(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_proves),       cmocka_unit_test(test_joins),
        cmocka_unit_test(test_bad_requests), cmocka_unit_test(test_keys),
        cmocka_unit_test(test_survives),     cmocka_unit_test(test_keeps_ends),
        cmocka_unit_test(test_retries),      cmocka_unit_test(test_drains),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
