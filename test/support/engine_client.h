/* Blocking calls to an engine, for tests. */
#ifndef CUZK_TEST_ENGINE_CLIENT_H
#define CUZK_TEST_ENGINE_CLIENT_H

#include "engine/engine.h"

/* A folder with keys NAME.zkey for the given fixtures of test/data/circom; static storage. */
const char *test_keys_folder(const char *const *names, size_t n);
void test_remove_folder(const char *folder);

/* What the callbacks said, copied. */
typedef struct test_answer {
    cuzk_status status;
    cuzk_submitted submitted;
    char job_id[CUZK_REQUEST_ID_MAX + 1];
    char message[1024];
    bool known, timeout, cancelled, flag; /* flag: was_running, was_loaded */
    cuzk_job_state state;
    char *text; /* the proof; the caller's (free) */
    size_t size;
    uint64_t queue_ms, key_ms, synth_ms, compute_ms, total_ms;
    uint64_t bytes;
} test_answer;

/* Hands in the witness file of a fixture (or the given bytes). */
test_answer test_submit(cuzk_engine *engine, const char *id, const char *key,
                        const char *wtns_path);
test_answer test_submit_bytes(cuzk_engine *engine, const char *id, const char *key,
                              const void *bytes, size_t size);
/* The payload becomes the engine's. */
test_answer test_submit_request(cuzk_engine *engine, const cuzk_job_request *request);
test_answer test_await(cuzk_engine *engine, const char *id, uint64_t timeout_ms);
test_answer test_cancel(cuzk_engine *engine, const char *id);
test_answer test_preload(cuzk_engine *engine, const char *key);
test_answer test_evict(cuzk_engine *engine, const char *key);
void test_view(cuzk_engine *engine, cuzk_core_view *view);
/* The device as the core sees it. */
void test_view_device(cuzk_engine *engine, unsigned device, cuzk_device_view *view);
void test_drain(cuzk_engine *engine);

/* Fails the test unless the text is a proof that the fixture's verification key accepts. */
void test_assert_proof(const char *fixture, const char *text);

#endif
