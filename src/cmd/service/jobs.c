/* cuzk await, cancel, preload, evict: one name each, one call each. */
#include "cmd/options.h"
#include "cmd/output.h"
#include "cmd/service/result.h"
#include "cmd/service/service.h"

#include <jansson.h>
#include <stdint.h>
#include <string.h>

struct arguments {
    cuzk_client_options client;
    cuzk_result_files files;
    cuzk_positionals name;
    uint64_t timeout_ms;
};

static error_t parse_name(int key, char *arg, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->client;
        if (state->root_argp->children[1].argp != NULL)
            state->child_inputs[1] = &a->files;
        return 0;
    case 't':
        a->timeout_ms = cuzk_client_duration("--timeout", arg, state);
        return 0;
    default:
        return cuzk_positionals_parse(&a->name, key, arg, state);
    }
}

static const struct argp_option no_options[] = {{0}};
static const struct argp_option await_options[] = {
    {"timeout", 't', "TIME", 0, "Wait no longer than this, as in 90s or 5m", 0}, {0}};
static const struct argp_child client_only[] = {{&cuzk_client_argp, 0, NULL, 0}, {0}};
static const struct argp_child with_result[] = {
    {&cuzk_client_argp, 0, NULL, 0}, {&cuzk_result_argp, 0, NULL, 0}, {0}};

/* Parses the command line; the name is the one argument. */
static char *take_name(struct arguments *a, const struct argp *argp, bool *json, int argc,
                       char **argv)
{
    *a = (struct arguments){.name = {.least = 1, .most = 1}};
    argp_parse(argp, argc, argv, 0, NULL, a);
    *json = a->client.json;
    return (char *)(uintptr_t)a->name.value[0];
}

static int run_await(bool *json, int argc, char **argv, cuzk_error *err)
{
    static const struct argp argp = {await_options,
                                     parse_name,
                                     "JOB",
                                     "Waits until the job has ended and writes its proof.\v"
                                     "The result is kept and can be collected again.\n"
                                     "\n" CUZK_CLIENT_CODES,
                                     with_result,
                                     NULL,
                                     NULL};
    struct arguments a;
    Cuzk__V1__AwaitProofRequest request = CUZK__V1__AWAIT_PROOF_REQUEST__INIT;
    request.job_id = take_name(&a, &argp, json, argc, argv);
    request.timeout_ms = a.timeout_ms;
    ProtobufCMessage *answer = NULL;
    int code = (int)cuzk_result_check(&a.files, a.client.json, err);
    if (code == 0)
        code = cuzk_client_ask(&a.client, "AwaitProof", &request.base,
                               &cuzk__v1__await_proof_response__descriptor, &answer, err);
    if (code != 0)
        return code;
    code = cuzk_result_write(&a.files, a.client.json, (const void *)answer, err);
    protobuf_c_message_free_unpacked(answer, NULL);
    return code;
}

static int run_cancel(bool *json, int argc, char **argv, cuzk_error *err)
{
    static const struct argp argp = {no_options,
                                     parse_name,
                                     "JOB",
                                     "Cancels a job, also one that is running. Says how it had "
                                     "ended if it had.\v" CUZK_CLIENT_CODES,
                                     client_only,
                                     NULL,
                                     NULL};
    struct arguments a;
    Cuzk__V1__CancelProofRequest request = CUZK__V1__CANCEL_PROOF_REQUEST__INIT;
    request.job_id = take_name(&a, &argp, json, argc, argv);
    ProtobufCMessage *answer = NULL;
    int code = cuzk_client_ask(&a.client, "CancelProof", &request.base,
                               &cuzk__v1__cancel_proof_response__descriptor, &answer, err);
    if (code != 0)
        return code;
    const Cuzk__V1__CancelProofResponse *response = (const void *)answer;
    code = (int)cuzk_output_report(json_pack("{s:s, s:b}", "state", response->state, "was_running",
                                             (int)response->was_running),
                                   a.client.json, err);
    protobuf_c_message_free_unpacked(answer, NULL);
    return code;
}

static int run_preload(bool *json, int argc, char **argv, cuzk_error *err)
{
    static const struct argp argp = {
        no_options,  parse_name,
        "KEY",       "Loads and checks a key, so that the first job finds it.\v" CUZK_CLIENT_CODES,
        client_only, NULL,
        NULL};
    struct arguments a;
    Cuzk__V1__PreloadSRSRequest request = CUZK__V1__PRELOAD_SRSREQUEST__INIT;
    request.circuit_id = take_name(&a, &argp, json, argc, argv);
    ProtobufCMessage *answer = NULL;
    int code = cuzk_client_ask(&a.client, "PreloadSRS", &request.base,
                               &cuzk__v1__preload_srsresponse__descriptor, &answer, err);
    if (code != 0)
        return code;
    const Cuzk__V1__PreloadSRSResponse *response = (const void *)answer;
    code =
        (int)cuzk_output_report(json_pack("{s:b, s:I}", "was_loaded", (int)response->already_loaded,
                                          "load_ms", (json_int_t)response->load_time_ms),
                                a.client.json, err);
    protobuf_c_message_free_unpacked(answer, NULL);
    return code;
}

static int run_evict(bool *json, int argc, char **argv, cuzk_error *err)
{
    static const struct argp argp = {
        no_options,  parse_name, "KEY", "Drops a loaded key that no job uses.\v" CUZK_CLIENT_CODES,
        client_only, NULL,       NULL};
    struct arguments a;
    Cuzk__V1__EvictSRSRequest request = CUZK__V1__EVICT_SRSREQUEST__INIT;
    request.circuit_id = take_name(&a, &argp, json, argc, argv);
    ProtobufCMessage *answer = NULL;
    int code = cuzk_client_ask(&a.client, "EvictSRS", &request.base,
                               &cuzk__v1__evict_srsresponse__descriptor, &answer, err);
    if (code != 0)
        return code;
    const Cuzk__V1__EvictSRSResponse *response = (const void *)answer;
    code = (int)cuzk_output_report(json_pack("{s:b, s:I}", "was_loaded", (int)response->was_loaded,
                                             "freed_bytes", (json_int_t)response->freed_bytes),
                                   a.client.json, err);
    protobuf_c_message_free_unpacked(answer, NULL);
    return code;
}

const cuzk_service_command cuzk_service_await = {
    .name = "await", .summary = "wait for a job and write its proof", .run = run_await};
const cuzk_service_command cuzk_service_cancel = {
    .name = "cancel", .summary = "cancel a job", .run = run_cancel};
const cuzk_service_command cuzk_service_preload = {
    .name = "preload", .summary = "load a key before it is needed", .run = run_preload};
const cuzk_service_command cuzk_service_evict = {
    .name = "evict", .summary = "drop a key that is loaded", .run = run_evict};
