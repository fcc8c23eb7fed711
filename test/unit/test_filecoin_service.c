/* Filecoin's kinds through the whole service: requests over gRPC and HTTP, proofs that the
 * verifying key accepts for the public inputs that follow from the request. The keys are made by
 * the test (support/fil_keys.h). PoRep and Update, minutes and gigabytes, want CUZK_TEST_LONG=1;
 * WinningPoSt, four times as large as WindowPoSt and its text, runs without sanitizers. */
#define _GNU_SOURCE
#include "api/filecoin_key.h"
#include "base/log.h"
#include "engine/filecoin_job.h"
#include "groth16/params.h"
#include "groth16/verify.h"
#include "server/grpc.h"
#include "server/grpc_client.h"
#include "server/http.h"
#include "support/circuit.h"
#include "support/engine_client.h"
#include "support/fil_keys.h"
#include "support/fil_request.h"
#include "support/http_client.h"
#include "support/tricks.h"

#include <cuzk/v1/proving.pb-c.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define GIB ((uint64_t)1 << 30)

static cuzk_error err;
static const char *keys;
static char folder[64], address[96];

/* --- a service --- */

typedef struct service {
    cuzk_engine *engine;
    cuzk_grpc_server *grpc;
    cuzk_http_server *http;
    cuzk_grpc_client *client;
} service;

static cuzk_engine_config engine_config(void)
{
    return (cuzk_engine_config){.memory_total = 2 * GIB,
                                .threads = 2,
                                .keys_folder = folder,
                                .params_folder = keys,
                                .allow_test_params = true,
                                .join_identical = true,
                                .orphan_grace_ms = CUZK_NEVER};
}

static void open_service(service *s, const cuzk_engine_config *config)
{
    const char *const addresses[] = {address};
    const cuzk_grpc_config grpc = {.addresses = addresses, .addresses_count = 1};
    const cuzk_http_config http = {.listen = "127.0.0.1:0", .config_text = ""};
    const cuzk_grpc_client_config client = {.address = address};
    memset(s, 0, sizeof *s);
    TEST_EXPECT(cuzk_engine_open(&s->engine, config, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_grpc_open(&s->grpc, &grpc, s->engine, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_http_open(&s->http, s->engine, &http, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_grpc_client_open(&s->client, &client, &err), CUZK_OK, &err);
}

static void close_service(service *s)
{
    cuzk_grpc_client_close(s->client);
    cuzk_http_close(s->http);
    cuzk_grpc_close(s->grpc);
    cuzk_engine_close(s->engine);
}

/* --- requests --- */

static ProtobufCBinaryData bytes_of(const cuzk_fil_blob *blob)
{
    return (ProtobufCBinaryData){blob->size, (uint8_t *)(uintptr_t)blob->data};
}

/* The message of a request with one vanilla proof, packed; freed by the caller. */
static uint8_t *pack_prove(const cuzk_fil_fields *f, const char *id, size_t *size)
{
    Cuzk__V1__ProveRequest prove = CUZK__V1__PROVE_REQUEST__INIT;
    Cuzk__V1__SubmitProofRequest r = CUZK__V1__SUBMIT_PROOF_REQUEST__INIT;
    ProtobufCBinaryData vanilla = bytes_of(f->vanilla);
    r.request_id = (char *)(uintptr_t)id;
    r.proof_kind = (Cuzk__V1__ProofKind)f->kind;
    r.registered_proof = f->registered_proof;
    r.miner_id = f->miner_id;
    r.sector_number = f->sector_number;
    r.partition_index = (uint32_t)f->partition_index;
    r.randomness = bytes_of(&f->randomness);
    r.comm_r_old = bytes_of(&f->comm_r_old);
    r.comm_r_new = bytes_of(&f->comm_r_new);
    r.comm_d_new = bytes_of(&f->comm_d_new);
    if (f->kind == CUZK_FIL_POREP) {
        r.vanilla_proof = vanilla;
    } else {
        r.vanilla_proofs = &vanilla;
        r.n_vanilla_proofs = 1;
    }
    prove.submit = &r;
    *size = cuzk__v1__prove_request__get_packed_size(&prove);
    uint8_t *packed = malloc(*size + 1);
    assert_non_null(packed);
    cuzk__v1__prove_request__pack(&prove, packed);
    return packed;
}

/* Freed with cuzk__v1__prove_response__free_unpacked. */
static Cuzk__V1__ProveResponse *prove(service *s, const cuzk_fil_fields *f, const char *id)
{
    cuzk_grpc_answer answer;
    size_t size;
    uint8_t *packed = pack_prove(f, id, &size);
    TEST_EXPECT(cuzk_grpc_client_call(s->client, "/cuzk.v1.ProvingEngine/Prove", packed, size, 0,
                                      &answer, &err),
                CUZK_OK, &err);
    free(packed);
    if (answer.code != 0)
        fail_msg("%s: %s", cuzk_grpc_code_name(answer.code), answer.message);
    Cuzk__V1__ProveResponse *response =
        cuzk__v1__prove_response__unpack(NULL, answer.size, answer.data);
    cuzk_grpc_answer_release(&answer);
    assert_non_null(response);
    assert_non_null(response->result);
    return response;
}

/* --- verifying, from the request alone --- */

static cuzk_verifier *open_verifier(const cuzk_fil_proof *proof)
{
    cuzk_vk vk;
    cuzk_map *map;
    cuzk_verifier *verifier;
    char *path;
    TEST_EXPECT(cuzk_fil_key_path(&path, keys, proof, &err), CUZK_OK, &err);
    strcpy(strrchr(path, '.'), ".vk");
    TEST_EXPECT(cuzk_map_open(&map, path, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_params_read_vk(&vk, NULL, NULL, map, false, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_verifier_new(&verifier, &vk, NULL, &err), CUZK_OK, &err);
    cuzk_vk_release(&vk);
    cuzk_map_close(map);
    free(path);
    return verifier;
}

static void expect_proofs(const cuzk_fil_fields *f, const uint8_t *bytes, size_t size)
{
    cuzk_fil_request *request;
    TEST_EXPECT(cuzk_fil_request_read(&request, f, &err), CUZK_OK, &err);
    const cuzk_fil_proof *which = cuzk_fil_request_proof(request);
    const cuzk_fil_sizes sizes = cuzk_fil_sizes_get(which);
    const size_t partitions = cuzk_fil_request_partitions(request);
    cuzk_verifier *verifier = open_verifier(which);
    assert_int_equal(size, partitions * CUZK_PROOF_BYTES);
    for (size_t k = 0; k < partitions; k++) {
        const cuzk_fil_inputs inputs = {.field = calloc(sizes.field, sizeof(cuzk_scalar)),
                                        .word = calloc(sizes.word + 1, sizeof(uint64_t)),
                                        .statement = calloc(sizes.statement, sizeof(cuzk_scalar))};
        cuzk_proof proof;
        cuzk_fil_request_inputs(request, k, &inputs);
        TEST_EXPECT(
            cuzk_proof_decode(&proof, 1, bytes + k * CUZK_PROOF_BYTES, CUZK_PROOF_BYTES, &err),
            CUZK_OK, &err);
        TEST_EXPECT(
            cuzk_verify_proof(verifier, inputs.statement, sizes.statement, &proof, NULL, &err),
            CUZK_OK, &err);
        inputs.statement[0].l[0] ^= 1;
        TEST_EXPECT(
            cuzk_verify_proof(verifier, inputs.statement, sizes.statement, &proof, NULL, &err),
            CUZK_ERR_REJECTED, &err);
        free(inputs.field);
        free(inputs.word);
        free(inputs.statement);
    }
    cuzk_verifier_free(verifier);
    cuzk_fil_request_free(request);
}

static void expect_proved(service *s, const cuzk_fil_fields *f, const char *id)
{
    Cuzk__V1__ProveResponse *r = prove(s, f, id);
    if (r->result->status != CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__COMPLETED)
        fail_msg("%s: %s", id, r->result->error_message);
    assert_string_equal(r->result->job_id, id);
    expect_proofs(f, r->result->proof.data, r->result->proof.len);
    print_message("%s: %zu bytes, key %llu ms, witness %llu ms, proof %llu ms, in all %llu ms\n",
                  id, r->result->proof.len, (unsigned long long)r->result->srs_load_ms,
                  (unsigned long long)r->result->synthesis_ms,
                  (unsigned long long)r->result->gpu_compute_ms,
                  (unsigned long long)r->result->total_ms);
    cuzk__v1__prove_response__free_unpacked(r, NULL);
}

static void expect_failed(service *s, const cuzk_fil_fields *f, cuzk_status code, const char *text)
{
    Cuzk__V1__ProveResponse *r = prove(s, f, "");
    assert_int_equal(r->result->status, CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__FAILED);
    assert_int_equal(r->result->proof.len, 0);
    if ((code != CUZK_OK && r->result->error_code != (uint32_t)code) ||
        strstr(r->result->error_message, text) == NULL)
        fail_msg("%u: \"%s\"; expected %d and \"%s\"", r->result->error_code,
                 r->result->error_message, (int)code, text);
    cuzk__v1__prove_response__free_unpacked(r, NULL);
}

/* --- tests --- */

static void post_proofs_come_over_grpc(void **state)
{
    (void)state;
    const cuzk_engine_config config = engine_config();
    test_request r;
    service s;
    open_service(&s, &config);
    if (!TEST_SANITIZED) {
        test_request_init(&r, CUZK_FIL_WINNING);
        expect_proved(&s, &r.fields, "winning");
        expect_proved(&s, &r.fields, "winning again, its key loaded");
        test_request_release(&r);
    }
    test_request_init(&r, CUZK_FIL_WINDOW);
    expect_proved(&s, &r.fields, "window");
    r.fields.partition_index = 3; /* selects nothing */
    expect_proved(&s, &r.fields, "a later window");
    test_request_release(&r);
    close_service(&s);
}

/* Wherever a bit is wrong: an error, never a proof. */
static void bad_vanilla_proofs_fail(void **state)
{
    (void)state;
    const cuzk_engine_config config = engine_config();
    const cuzk_fil_kind kinds[] = {CUZK_FIL_WINDOW, CUZK_FIL_WINNING};
    test_rng rng = test_rng_seeded(1);
    service s;
    open_service(&s, &config);
    for (size_t k = 0; k < (TEST_SANITIZED ? 1 : 2); k++) {
        test_request r;
        test_request_init(&r, kinds[k]);
        for (unsigned i = 0; i < 12; i++) {
            const size_t at = (size_t)test_rng_below(&rng, r.blob.size);
            const uint8_t flip = (uint8_t)(1u << test_rng_below(&rng, 8));
            r.bytes[at] ^= flip;
            expect_failed(&s, &r.fields, CUZK_OK, "reading the request: ");
            r.bytes[at] ^= flip;
        }
        r.blob.size--;
        expect_failed(&s, &r.fields, CUZK_ERR_FORMAT, "vanilla_proofs[0]");
        r.blob.size++;
        r.randomness[5] ^= 1;
        expect_failed(&s, &r.fields, CUZK_OK, "reading the request: ");
        r.randomness[5] ^= 1;
        r.fields.registered_proof = 77;
        expect_failed(&s, &r.fields, CUZK_ERR_ARGUMENT, "77");
        test_request_release(&r);
    }
    close_service(&s);
}

/* Keys that were not published need a word from who runs the service; none there is an error. */
static void keys_must_be_the_published_ones(void **state)
{
    (void)state;
    cuzk_engine_config config = engine_config();
    test_request r;
    service s;
    test_request_init(&r, CUZK_FIL_WINDOW);
    config.allow_test_params = false;
    open_service(&s, &config);
    expect_failed(&s, &r.fields, CUZK_ERR_MISMATCH, "keys.allow_test_params");
    close_service(&s);
    config.params_folder = folder;
    open_service(&s, &config);
    expect_failed(&s, &r.fields, CUZK_ERR_IO, "v28-proof-of-spacetime-fallback-");
    close_service(&s);
    config.params_folder = NULL;
    open_service(&s, &config);
    expect_failed(&s, &r.fields, CUZK_ERR_UNSUPPORTED, "srs.param_cache");
    close_service(&s);
    test_request_release(&r);
}

/* All names of a circuit are one key. */
static void keys_go_by_several_names(void **state)
{
    (void)state;
    static const char *const names[] = {
        "window-2k", "wpost-2k",
        ("v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
         "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0")};
    const cuzk_engine_config config = engine_config();
    service s;
    open_service(&s, &config);
    for (size_t i = 0; i < 3; i++) {
        const test_answer a = test_preload(s.engine, names[i]);
        assert_int_equal(a.status, CUZK_OK);
        assert_int_equal(a.flag, i > 0);
    }
    assert_true(test_evict(s.engine, "wpost-2k").flag);
    assert_int_equal(test_preload(s.engine, "porep-2t").status, CUZK_ERR_ARGUMENT);
    /* A witness file is not what it proves from. */
    test_submit(s.engine, "wtns", "window-2k",
                test_data_path("circom/rangecheck-bls12381/witness.wtns"));
    const test_answer a = test_await(s.engine, "wtns", 0);
    assert_int_equal(a.state, CUZK_JOB_FAILED);
    assert_non_null(strstr(a.message, "circuit of Filecoin"));
    close_service(&s);
}

/* A device that computes wrongly is found out, for these kinds as well: the partition is computed
 * again. */
static void spoiled_proofs_are_made_again(void **state)
{
    (void)state;
    cuzk_engine_config config = engine_config();
    test_tricks tricks;
    test_request r;
    service s;
    test_tricks_init(&tricks);
    config.wrap = test_tricks_wrap;
    config.wrap_context = &tricks;
    open_service(&s, &config);
    test_tricks_plan(&tricks, 0, TRICK_SPOIL_PROOF, 2);
    test_request_init(&r, CUZK_FIL_WINDOW);
    expect_proved(&s, &r.fields, "window, spoiled twice");
    cuzk_device_view view;
    test_view_device(s.engine, 0, &view);
    assert_int_equal(view.bad_proofs, 2);
    test_request_release(&r);
    close_service(&s);
}

/* --- HTTP --- */

static json_t *ask(const service *s, const char *method, const char *target, const void *body,
                   size_t size, int code)
{
    char *answer =
        http_ask(cuzk_http_address(s->http), method, target,
                 body == NULL ? "" : "Content-Type: application/octet-stream\r\n", body, size);
    if (http_code(answer) != code)
        fail_msg("%s", answer);
    json_t *json = json_loads(http_body(answer), 0, NULL);
    assert_non_null(json);
    free(answer);
    return json;
}

static void post_proofs_come_over_http(void **state)
{
    (void)state;
    static const char hex[] = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    const cuzk_engine_config config = engine_config();
    char target[256];
    test_request r;
    service s;
    open_service(&s, &config);
    test_request_init(&r, CUZK_FIL_WINDOW);
    snprintf(target, sizeof target,
             "/v1/jobs?kind=window-post&id=w&miner_id=1000&registered_proof=5&randomness=%s", hex);
    json_decref(ask(&s, "POST", target, r.bytes, r.blob.size, 202));
    json_t *json = ask(&s, "GET", "/v1/jobs/w?wait_ms=600000", NULL, 0, 200);
    const char *state_word = json_string_value(json_object_get(json, "state"));
    const char *proof = json_string_value(json_object_get(json, "proof_base64"));
    assert_string_equal(state_word, "completed");
    assert_int_equal(strlen(proof), CUZK_PROOF_BYTES / 3 * 4);
    json_decref(json);
    const test_answer a = test_await(s.engine, "w", 0);
    expect_proofs(&r.fields, (const uint8_t *)a.text, a.size);
    free(a.text);
    json_decref(ask(&s, "POST", "/v1/jobs?kind=winning-post", r.bytes, r.blob.size, 400));
    json_decref(ask(&s, "POST", "/v1/jobs?kind=winning-post&randomness=00", r.bytes, 1, 400));
    json_decref(ask(&s, "POST", "/v1/jobs?kind=porep-c2&key=x", r.bytes, 1, 400));
    json = ask(&s, "GET", "/status", NULL, 0, 200);
    assert_non_null(
        strstr(json_string_value(json_object_get(json, "warning")), "keys.allow_test_params"));
    json_decref(json);
    test_request_release(&r);
    close_service(&s);
}

/* --- what is stored --- */

static void stored_jobs_are_proved_later(void **state)
{
    (void)state;
    cuzk_engine_config config = engine_config();
    char store[96], circuits[96], kept[128];
    test_request r;
    service s;
    void *payload;
    size_t size;
    snprintf(store, sizeof store, "%s/store", folder);
    snprintf(circuits, sizeof circuits, "%s/circuits", folder);
    config.store_folder = store;
    config.circuits_folder = circuits; /* by the service that loads the key first */
    config.durability = CUZK_DURABLE_PROCESS;
    test_request_init(&r, CUZK_FIL_WINDOW);
    for (unsigned i = 0; i < 2; i++) {
        open_service(&s, &config);
        if (i == 0) {
            TEST_EXPECT(cuzk_filecoin_job_make(&payload, &size, &r.fields, &err), CUZK_OK, &err);
            const cuzk_job_request request = {.request_id = "kept",
                                              .kind = CUZK_KIND_WINDOW_POST,
                                              .class_ = CUZK_CLASS_CRITICAL,
                                              .payload = payload,
                                              .payload_size = size};
            const test_answer a = test_submit_request(s.engine, &request);
            assert_int_equal(a.status, CUZK_OK);
        } else {
            const test_answer a = test_await(s.engine, "kept", 0);
            assert_int_equal(a.state, CUZK_JOB_COMPLETED);
            expect_proofs(&r.fields, (const uint8_t *)a.text, a.size);
            free(a.text);
        }
        close_service(&s); /* the first time at once */
    }
    snprintf(kept, sizeof kept, "%s/window-2k.circuit", circuits);
    assert_int_equal(access(kept, R_OK), 0);
    open_service(&s, &config); /* its circuit is opened */
    assert_int_equal(test_preload(s.engine, "window-2k").status, CUZK_OK);
    close_service(&s);
    test_request_release(&r);
}

/* --- the large ones --- */

static void prove_large(cuzk_fil_kind kind, const char *circuit, const char *id)
{
    cuzk_engine_config config = engine_config();
    struct rusage usage;
    test_request r;
    service s;
    cuzk_pool *pool = cuzk_pool_new(2);
    test_fil_keys(circuit, pool);
    cuzk_pool_free(pool);
    config.memory_total = 12 * GIB;
    open_service(&s, &config);
    test_request_init(&r, kind);
    expect_proved(&s, &r.fields, id);
    test_request_release(&r);
    close_service(&s);
    getrusage(RUSAGE_SELF, &usage);
    print_message("%s: peak of this process %ld MiB\n", id, usage.ru_maxrss / 1024);
}

static void large_proofs_come_over_grpc(void **state)
{
    (void)state;
    if (getenv("CUZK_TEST_LONG") == NULL)
        skip();
    prove_large(CUZK_FIL_SNAP, "update-2k", "update");
    prove_large(CUZK_FIL_POREP, "porep-2k", "porep");
}

static int set_up(void **state)
{
    (void)state;
    cuzk_pool *pool = cuzk_pool_new(2);
    cuzk_log_set_level(CUZK_LOG_ERROR);
    if (!TEST_SANITIZED)
        test_fil_keys("winning-2k", pool);
    keys = test_fil_keys("window-2k", pool);
    cuzk_pool_free(pool);
    strcpy(folder, "/tmp/cuzk-filecoin-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(address, sizeof address, "unix://%s/grpc.sock", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    test_remove_folder(folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(post_proofs_come_over_grpc),
        cmocka_unit_test(bad_vanilla_proofs_fail),
        cmocka_unit_test(keys_must_be_the_published_ones),
        cmocka_unit_test(keys_go_by_several_names),
        cmocka_unit_test(spoiled_proofs_are_made_again),
        cmocka_unit_test(post_proofs_come_over_http),
        cmocka_unit_test(stored_jobs_are_proved_later),
        cmocka_unit_test(large_proofs_come_over_grpc),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
