/* What each call does, seen through a unix socket. */
#include "engine/filecoin_job.h"
#include "server/grpc_fixture.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static grpc_fixture *f;

static int open_service(void **state)
{
    (void)state;
    f = grpc_fixture_open(NULL);
    return 0;
}

static int close_service(void **state)
{
    (void)state;
    grpc_fixture_close(f);
    return 0;
}

static void script(engine_stub_script s)
{
    engine_stub_set(f->engine, &s);
}

static Cuzk__V1__SubmitProofResponse *submit(const Cuzk__V1__SubmitProofRequest *request, int code)
{
    return (void *)grpc_call_expect(f->client, ENGINE_METHOD("SubmitProof"), &request->base,
                                    &cuzk__v1__submit_proof_response__descriptor, code);
}

static Cuzk__V1__ProveResponse *prove(Cuzk__V1__SubmitProofRequest *request, int code)
{
    Cuzk__V1__ProveRequest wrapped = CUZK__V1__PROVE_REQUEST__INIT;
    wrapped.submit = request;
    return (void *)grpc_call_expect(f->client, ENGINE_METHOD("Prove"), &wrapped.base,
                                    &cuzk__v1__prove_response__descriptor, code);
}

static Cuzk__V1__AwaitProofResponse *await(const char *id, uint64_t timeout_ms, int code)
{
    Cuzk__V1__AwaitProofRequest request = CUZK__V1__AWAIT_PROOF_REQUEST__INIT;
    request.job_id = (char *)(uintptr_t)id;
    request.timeout_ms = timeout_ms;
    return (void *)grpc_call_expect(f->client, ENGINE_METHOD("AwaitProof"), &request.base,
                                    &cuzk__v1__await_proof_response__descriptor, code);
}

static void submit_then_await(void **state)
{
    (void)state;
    script((engine_stub_script){.submitted.position = 4});
    Cuzk__V1__SubmitProofRequest request = grpc_circuit_request("wdpost-1-0-[1 2 3]");
    request.priority = CUZK__V1__PRIORITY__HIGH;
    request.deadline_ms = 77;
    Cuzk__V1__SubmitProofResponse *submitted = submit(&request, 0);
    assert_string_equal(submitted->job_id, "wdpost-1-0-[1 2 3]");
    assert_int_equal(submitted->queue_position, 4);
    grpc_message_free(submitted);

    engine_stub_seen seen = engine_stub_see(f->engine);
    assert_int_equal(seen.last.kind, CUZK_KIND_CIRCUIT);
    assert_int_equal(seen.last.class_, CUZK_CLASS_HIGH);
    assert_int_equal(seen.last.timeout_ms, 77);
    assert_false(seen.last.waited);
    assert_string_equal(seen.key, "some/circuit");
    assert_int_equal(seen.last.payload_size, 9);
    assert_memory_equal(seen.last.payload, "a witness", 9);

    Cuzk__V1__AwaitProofResponse *result = await("wdpost-1-0-[1 2 3]", 0, 0);
    assert_int_equal(result->status, CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__COMPLETED);
    assert_string_equal(result->job_id, "wdpost-1-0-[1 2 3]");
    assert_int_equal(result->proof.len, strlen("proof of wdpost-1-0-[1 2 3]"));
    assert_memory_equal(result->proof.data, "proof of wdpost", 15);
    assert_int_equal(result->queue_wait_ms, 1);
    assert_int_equal(result->srs_load_ms, 2);
    assert_int_equal(result->synthesis_ms, 3);
    assert_int_equal(result->gpu_compute_ms, 4);
    assert_string_equal(result->error_message, "");
    grpc_message_free(result);
}

static void prove_waits_for_the_proof(void **state)
{
    (void)state;
    script((engine_stub_script){.job_ms = 30});
    Cuzk__V1__SubmitProofRequest request = grpc_circuit_request("");
    Cuzk__V1__ProveResponse *proved = prove(&request, 0);
    /* A request without an id gets one, and is told. */
    assert_string_equal(proved->result->job_id, "made-1");
    assert_int_equal(proved->result->status, CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__COMPLETED);
    assert_memory_equal(proved->result->proof.data, "proof of made-1", 15);
    assert_true(proved->result->total_ms >= 30);
    grpc_message_free(proved);
    assert_true(engine_stub_see(f->engine).last.waited);
    assert_int_equal(engine_stub_see(f->engine).last.payload_size, 9);
}

static void filecoin_requests_reach_the_engine_whole(void **state)
{
    (void)state;
    uint8_t bytes[32] = {7}, proof[] = "vanilla";
    ProtobufCBinaryData proofs[] = {{7, proof}, {3, proof}};
    Cuzk__V1__SubmitProofRequest request = CUZK__V1__SUBMIT_PROOF_REQUEST__INIT;
    request.request_id = (char *)(uintptr_t) "winpost-1000-abcd";
    request.proof_kind = CUZK__V1__PROOF_KIND__WINNING_POST;
    request.randomness = (ProtobufCBinaryData){32, bytes};
    request.registered_proof = 3;
    request.miner_id = 1000;
    request.sector_number = 7;
    request.partition_index = 2;
    request.n_vanilla_proofs = 2;
    request.vanilla_proofs = proofs;
    Cuzk__V1__ProveResponse *proved = prove(&request, 0);
    grpc_message_free(proved);
    engine_stub_seen seen = engine_stub_see(f->engine);
    assert_int_equal(seen.last.kind, CUZK_KIND_WINNING_POST);
    assert_int_equal(seen.last.class_, CUZK_CLASS_CRITICAL); /* by kind */
    const cuzk_fil_blob blobs[] = {{proof, 7}, {proof, 3}};
    const cuzk_fil_fields fields = {.kind = CUZK_FIL_WINNING,
                                    .registered_proof = 3,
                                    .miner_id = 1000,
                                    .sector_number = 7,
                                    .partition_index = 2,
                                    .randomness = {bytes, 32},
                                    .vanilla = blobs,
                                    .n_vanilla = 2};
    cuzk_error err;
    void *expected;
    size_t size;
    assert_int_equal(cuzk_filecoin_job_make(&expected, &size, &fields, &err), CUZK_OK);
    assert_int_equal(seen.last.payload_size, size);
    assert_memory_equal(seen.last.payload, expected, size);
    free(expected);
}

static void outcomes_have_their_status(void **state)
{
    (void)state;
    const struct {
        cuzk_job_state end;
        Cuzk__V1__AwaitProofResponse__Status status;
    } cases[] = {
        {CUZK_JOB_FAILED, CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__FAILED},
        {CUZK_JOB_CANCELLED, CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__CANCELLED},
        {CUZK_JOB_EXPIRED, CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__CANCELLED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        script((engine_stub_script){.end = cases[i].end,
                                    .end_status = CUZK_ERR_UNSATISFIED,
                                    .message = "row 7 is not satisfied"});
        Cuzk__V1__SubmitProofRequest request = grpc_circuit_request("");
        Cuzk__V1__ProveResponse *proved = prove(&request, 0);
        assert_int_equal(proved->result->status, cases[i].status);
        assert_string_equal(proved->result->error_message, "row 7 is not satisfied");
        assert_int_equal(proved->result->error_code, CUZK_ERR_UNSATISFIED);
        assert_int_equal(proved->result->proof.len, 0);
        grpc_message_free(proved);
    }
}

static void awaiting_has_a_timeout(void **state)
{
    (void)state;
    script((engine_stub_script){.job_ms = CUZK_NEVER});
    Cuzk__V1__SubmitProofRequest request = grpc_circuit_request("slow");
    grpc_message_free(submit(&request, 0));
    Cuzk__V1__AwaitProofResponse *result = await("slow", 20, 0);
    assert_int_equal(result->status, CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__TIMEOUT);
    assert_string_not_equal(result->error_message, "");
    grpc_message_free(result);
    await("nobody", 20, 5);
    assert_non_null(strstr(grpc_said(), "job not found: nobody"));
    await("", 20, 3);
}

static void cancelling(void **state)
{
    (void)state;
    script((engine_stub_script){.job_ms = CUZK_NEVER, .message = "cancelled on request"});
    Cuzk__V1__SubmitProofRequest request = grpc_circuit_request("slow");
    grpc_message_free(submit(&request, 0));
    Cuzk__V1__CancelProofRequest cancel = CUZK__V1__CANCEL_PROOF_REQUEST__INIT;
    cancel.job_id = (char *)(uintptr_t) "slow";
    Cuzk__V1__CancelProofResponse *answer =
        (void *)grpc_call_expect(f->client, ENGINE_METHOD("CancelProof"), &cancel.base,
                                 &cuzk__v1__cancel_proof_response__descriptor, 0);
    assert_true(answer->was_running);
    assert_string_equal(answer->state, "cancelled");
    grpc_message_free(answer);
    Cuzk__V1__AwaitProofResponse *result = await("slow", 0, 0);
    assert_int_equal(result->status, CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__CANCELLED);
    grpc_message_free(result);
    answer = (void *)grpc_call_expect(f->client, ENGINE_METHOD("CancelProof"), &cancel.base,
                                      &cuzk__v1__cancel_proof_response__descriptor, 0);
    assert_false(answer->was_running);
    assert_string_equal(answer->state, "cancelled");
    grpc_message_free(answer);
    cancel.job_id = (char *)(uintptr_t) "nobody";
    grpc_call_expect(f->client, ENGINE_METHOD("CancelProof"), &cancel.base, NULL, 5);
}

/* What has ended is not cancelled, and the answer says how it ended. */
static void cancelling_too_late(void **state)
{
    (void)state;
    script((engine_stub_script){.end = CUZK_JOB_FAILED, .message = "row 7 is not satisfied"});
    Cuzk__V1__SubmitProofRequest request = grpc_circuit_request("over");
    grpc_message_free(prove(&request, 0));
    Cuzk__V1__CancelProofRequest cancel = CUZK__V1__CANCEL_PROOF_REQUEST__INIT;
    cancel.job_id = (char *)(uintptr_t) "over";
    Cuzk__V1__CancelProofResponse *answer =
        (void *)grpc_call_expect(f->client, ENGINE_METHOD("CancelProof"), &cancel.base,
                                 &cuzk__v1__cancel_proof_response__descriptor, 0);
    assert_false(answer->was_running);
    assert_string_equal(answer->state, "failed");
    grpc_message_free(answer);
}

static void verdicts_have_their_codes(void **state)
{
    (void)state;
    const struct {
        cuzk_submitted submitted;
        int code;
        const char *text;
        uint64_t retry;
    } cases[] = {
        {{.verdict = CUZK_VERDICT_CONFLICT}, 6, "request_id", 0},
        {{.verdict = CUZK_VERDICT_FULL, .retry_ms = 1234, .need = 5, .have = 4},
         8,
         "1234 ms",
         1234},
        {{.verdict = CUZK_VERDICT_TOO_LARGE, .need = 999, .have = 100}, 3, "999", 0},
        {{.verdict = CUZK_VERDICT_DRAINING}, 14, "shutting down", 5000},
        {{.verdict = CUZK_VERDICT_NO_DEVICE}, 14, "device", 5000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        script((engine_stub_script){.submitted = cases[i].submitted, .message = "so it is"});
        Cuzk__V1__SubmitProofRequest request = grpc_circuit_request("refused");
        submit(&request, cases[i].code);
        assert_non_null(strstr(grpc_said(), cases[i].text));
        assert_non_null(strstr(grpc_said(), "so it is"));
        assert_int_equal(grpc_said_retry(), cases[i].retry);
        prove(&request, cases[i].code);
    }
    const struct {
        cuzk_status status;
        int code;
    } statuses[] = {{CUZK_ERR_FORMAT, 3},  {CUZK_ERR_UNSUPPORTED, 12}, {CUZK_ERR_MEMORY, 8},
                    {CUZK_ERR_IO, 14},     {CUZK_ERR_RANDOM, 13},      {CUZK_ERR_CANCELLED, 1},
                    {CUZK_ERR_DEVICE, 14}, {CUZK_ERR_INSECURE, 9}};
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        script((engine_stub_script){.submit_status = statuses[i].status, .message = "the disk"});
        Cuzk__V1__SubmitProofRequest request = grpc_circuit_request("refused");
        submit(&request, statuses[i].code);
        assert_string_equal(grpc_said(), "the disk");
    }
}

static void bad_requests_do_not_reach_the_engine(void **state)
{
    (void)state;
    Cuzk__V1__SubmitProofRequest request = grpc_circuit_request("x");
    request.proof_kind = 0;
    prove(&request, 3);
    assert_non_null(strstr(grpc_said(), "invalid proof_kind: 0"));
    request = grpc_circuit_request("a\nb");
    submit(&request, 3);
    assert_non_null(strstr(grpc_said(), "control character"));
    prove(NULL, 3);
    assert_string_equal(grpc_said(), "missing submit field");
    cuzk_grpc_answer answer;
    cuzk_error err;
    const char *const methods[] = {"SubmitProof", "Prove",      "AwaitProof",
                                   "CancelProof", "PreloadSRS", "EvictSRS"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        char method[64];
        snprintf(method, sizeof method, "/cuzk.v1.ProvingEngine/%s", methods[i]);
        assert_int_equal(
            cuzk_grpc_client_call(f->client, method, "\x0a\xff\x01", 3, 0, &answer, &err), CUZK_OK);
        assert_int_equal(answer.code, 3);
        cuzk_grpc_answer_release(&answer);
    }
    assert_int_equal(engine_stub_see(f->engine).submits, 0);
    assert_int_equal(
        cuzk_grpc_client_call(f->client, ENGINE_METHOD("Fly"), "", 0, 0, &answer, &err), CUZK_OK);
    assert_int_equal(answer.code, 12);
    cuzk_grpc_answer_release(&answer);
}

static void keys(void **state)
{
    (void)state;
    Cuzk__V1__PreloadSRSRequest preload = CUZK__V1__PRELOAD_SRSREQUEST__INIT;
    preload.circuit_id = (char *)(uintptr_t) "porep-32g";
    for (int i = 0; i < 2; i++) {
        Cuzk__V1__PreloadSRSResponse *loaded =
            (void *)grpc_call_expect(f->client, ENGINE_METHOD("PreloadSRS"), &preload.base,
                                     &cuzk__v1__preload_srsresponse__descriptor, 0);
        assert_int_equal(loaded->already_loaded, i == 1);
        assert_int_equal(loaded->load_time_ms, i == 1 ? 0 : 7);
        grpc_message_free(loaded);
    }
    Cuzk__V1__EvictSRSRequest evict = CUZK__V1__EVICT_SRSREQUEST__INIT;
    evict.circuit_id = (char *)(uintptr_t) "porep-32g";
    for (int i = 0; i < 2; i++) {
        Cuzk__V1__EvictSRSResponse *gone =
            (void *)grpc_call_expect(f->client, ENGINE_METHOD("EvictSRS"), &evict.base,
                                     &cuzk__v1__evict_srsresponse__descriptor, 0);
        assert_int_equal(gone->was_loaded, i == 0);
        assert_int_equal(gone->freed_bytes, i == 0 ? 4096 : 0);
        grpc_message_free(gone);
    }
    script((engine_stub_script){.key_status = CUZK_ERR_IO, .message = "no such file"});
    grpc_call_expect(f->client, ENGINE_METHOD("PreloadSRS"), &preload.base, NULL, 5);
    script((engine_stub_script){.key_status = CUZK_ERR_ARGUMENT, .message = "in use"});
    grpc_call_expect(f->client, ENGINE_METHOD("EvictSRS"), &evict.base, NULL, 9);
    assert_string_equal(grpc_said(), "in use");
    evict.circuit_id = (char *)(uintptr_t) "";
    grpc_call_expect(f->client, ENGINE_METHOD("EvictSRS"), &evict.base, NULL, 3);
}

static void status_tells_what_is(void **state)
{
    (void)state;
    Cuzk__V1__PreloadSRSRequest preload = CUZK__V1__PRELOAD_SRSREQUEST__INIT;
    preload.circuit_id = (char *)(uintptr_t) "porep-32g";
    grpc_message_free(grpc_call_expect(f->client, ENGINE_METHOD("PreloadSRS"), &preload.base,
                                       &cuzk__v1__preload_srsresponse__descriptor, 0));
    Cuzk__V1__SubmitProofRequest request = grpc_circuit_request("done");
    grpc_message_free(prove(&request, 0));
    script((engine_stub_script){.job_ms = CUZK_NEVER});
    request = grpc_circuit_request("busy");
    grpc_message_free(submit(&request, 0));

    Cuzk__V1__GetStatusRequest nothing = CUZK__V1__GET_STATUS_REQUEST__INIT;
    Cuzk__V1__GetStatusResponse *s =
        (void *)grpc_call_expect(f->client, ENGINE_METHOD("GetStatus"), &nothing.base,
                                 &cuzk__v1__get_status_response__descriptor, 0);
    assert_int_equal(s->n_gpus, 1);
    assert_string_equal(s->gpus[0]->name, "device zero");
    assert_string_equal(s->gpus[0]->current_job_id, "busy");
    assert_string_equal(s->gpus[0]->current_proof_kind, "circuit");
    assert_int_equal(s->gpus[0]->current_partition, 3);
    assert_int_equal(s->gpus[0]->busy_ms, 2000);
    assert_int_equal(s->gpus[0]->idle_ms, 1000);
    assert_int_equal(s->gpus[0]->faults, 2);
    assert_int_equal(s->gpus[0]->bad_proofs, 1);
    assert_true(s->gpus[0]->quarantined);
    assert_int_equal(s->gpus[0]->quarantines, 4);
    assert_int_equal(s->gpus[0]->late_steps, 5);
    assert_int_equal(s->gpus[0]->late_steps_ever, 6);
    assert_int_equal(s->n_loaded_srs, 1);
    assert_string_equal(s->loaded_srs[0]->circuit_id, "porep-32g");
    assert_int_equal(s->loaded_srs[0]->size_bytes, 4096);
    assert_int_equal(s->loaded_srs[0]->ref_count, 2);
    assert_int_equal(s->n_queues, 5);
    assert_string_equal(s->queues[0]->proof_kind, "porep-c2");
    assert_string_equal(s->queues[4]->proof_kind, "circuit");
    assert_int_equal(s->queues[4]->in_progress, 1);
    assert_int_equal(s->total_proofs_completed, 1);
    assert_int_equal(s->uptime_seconds, 3);
    assert_int_equal(s->pinned_memory_bytes, 4096);
    assert_int_equal(s->pinned_memory_limit_bytes, 1 << 30);
    assert_string_equal(s->memory_limit_source, "configured 1.0 GiB");
    grpc_message_free(s);

    Cuzk__V1__GetMetricsResponse *m =
        (void *)grpc_call_expect(f->client, ENGINE_METHOD("GetMetrics"), &nothing.base,
                                 &cuzk__v1__get_metrics_response__descriptor, 0);
    assert_non_null(strstr(m->prometheus_text, "# TYPE cuzk_"));
    grpc_message_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(submit_then_await, open_service, close_service),
        cmocka_unit_test_setup_teardown(prove_waits_for_the_proof, open_service, close_service),
        cmocka_unit_test_setup_teardown(filecoin_requests_reach_the_engine_whole, open_service,
                                        close_service),
        cmocka_unit_test_setup_teardown(outcomes_have_their_status, open_service, close_service),
        cmocka_unit_test_setup_teardown(awaiting_has_a_timeout, open_service, close_service),
        cmocka_unit_test_setup_teardown(cancelling, open_service, close_service),
        cmocka_unit_test_setup_teardown(cancelling_too_late, open_service, close_service),
        cmocka_unit_test_setup_teardown(verdicts_have_their_codes, open_service, close_service),
        cmocka_unit_test_setup_teardown(bad_requests_do_not_reach_the_engine, open_service,
                                        close_service),
        cmocka_unit_test_setup_teardown(keys, open_service, close_service),
        cmocka_unit_test_setup_teardown(status_tells_what_is, open_service, close_service),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
