/* cuzk submit: one job, for any Groth16 circuit whose key the service has or of Filecoin. */
#include "cmd/options.h"
#include "cmd/output.h"
#include "cmd/service/result.h"
#include "cmd/service/service.h"
#include "cmd/service/submit_filecoin.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_ID = 0x6000, KEY_DEADLINE };

struct arguments {
    cuzk_client_options client;
    cuzk_result_files files;
    cuzk_filecoin_request filecoin;
    const char **arguments; /* key and witness, or files of vanilla proofs; in argv */
    unsigned n_arguments;
    const char *id;
    Cuzk__V1__Priority priority;
    uint64_t deadline_ms;
    bool wait;
};

static const struct argp_option options[] = {
    {"id", KEY_ID, "NAME", 0,
     "The job's name: the same request again joins it (default: the service makes one)", 0},
    {"priority", 'p', "WORD", 0, "critical, high, normal or low", 0},
    {"deadline", KEY_DEADLINE, "TIME", 0, "The job expires after this, as in 90s or 5m", 0},
    {"wait", 'w', NULL, 0, "Wait for the proof; a job that nobody waits for any more is cancelled",
     0},
    {0}};

static const char doc[] =
    "Gives the service a job: KEY is the name of a key in its folder, WITNESS a .wtns file. Prints "
    "the job's name once it is stored, or with --wait the proof. With --kind it is a proof of "
    "Filecoin, and the arguments are files of vanilla proofs: Curio's wrapper around the output of "
    "C1, or blobs of bincode, one for each sector or partition.\v"
    "Example:\n"
    "  id=$(cuzk submit circuit witness.wtns)\n"
    "  cuzk await \"$id\" -o proof.json --public public.json\n"
    "  cuzk submit --kind porep-c2 --miner 1000 --sector 1 c1.json --wait -o porep.proof\n"
    "\n" CUZK_CLIENT_CODES;

static Cuzk__V1__Priority parse_priority(const char *word, struct argp_state *state)
{
    static const char *const words[] = {"low", "normal", "high", "critical"};
    for (unsigned i = 0; i < 4; i++)
        if (strcmp(words[i], word) == 0)
            return (Cuzk__V1__Priority)(CUZK__V1__PRIORITY__LOW + i);
    argp_error(state, "--priority=%s: expected critical, high, normal or low", word);
    return CUZK__V1__PRIORITY__PRIORITY_UNSPECIFIED;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->client;
        state->child_inputs[1] = &a->files;
        state->child_inputs[2] = &a->filecoin;
        return 0;
    case KEY_ID:
        a->id = arg;
        return 0;
    case 'p':
        a->priority = parse_priority(arg, state);
        return 0;
    case KEY_DEADLINE:
        a->deadline_ms = cuzk_client_duration("--deadline", arg, state);
        return 0;
    case 'w':
        a->wait = true;
        return 0;
    case ARGP_KEY_ARGS:
        a->arguments = (const char **)(state->argv + state->next);
        a->n_arguments = (unsigned)(state->argc - state->next);
        return 0;
    case ARGP_KEY_END:
        if (a->filecoin.kind == CUZK__V1__PROOF_KIND__PROOF_KIND_UNSPECIFIED && a->n_arguments != 2)
            argp_error(state, "%u arguments; expected KEY and WITNESS, or --kind and files",
                       a->n_arguments);
        if (a->n_arguments == 0)
            argp_error(state, "expected files of vanilla proofs");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static cuzk_status print_job(bool json, const Cuzk__V1__SubmitProofResponse *answer,
                             cuzk_error *err)
{
    if (!json)
        return cuzk_output_text("-", answer->job_id, err);
    return cuzk_output_report(json_pack("{s:s, s:I}", "job_id", answer->job_id, "queue_position",
                                        (json_int_t)answer->queue_position),
                              true, err);
}

static int submit(const struct arguments *a, Cuzk__V1__SubmitProofRequest *request, cuzk_error *err)
{
    ProtobufCMessage *answer = NULL;
    int code = cuzk_client_ask(&a->client, "SubmitProof", &request->base,
                               &cuzk__v1__submit_proof_response__descriptor, &answer, err);
    if (code != 0)
        return code;
    code = (int)print_job(a->client.json, (const void *)answer, err);
    protobuf_c_message_free_unpacked(answer, NULL);
    return code;
}

static int prove(const struct arguments *a, Cuzk__V1__SubmitProofRequest *request, cuzk_error *err)
{
    ProtobufCMessage *answer = NULL;
    Cuzk__V1__ProveRequest prove_request = CUZK__V1__PROVE_REQUEST__INIT;
    prove_request.submit = request;
    int code = (int)cuzk_result_check(&a->files, a->client.json, err);
    if (code == 0)
        code = cuzk_client_ask(&a->client, "Prove", &prove_request.base,
                               &cuzk__v1__prove_response__descriptor, &answer, err);
    if (code != 0)
        return code;
    const Cuzk__V1__ProveResponse *response = (const void *)answer;
    code = response->result == NULL
               ? (int)cuzk_fail(err, CUZK_ERR_FORMAT, "Prove: the answer has no result")
               : cuzk_result_write(&a->files, a->client.json, response->result, err);
    protobuf_c_message_free_unpacked(answer, NULL);
    return code;
}

static cuzk_status read_arguments(struct arguments *a, Cuzk__V1__SubmitProofRequest *request,
                                  cuzk_error *err)
{
    if (a->filecoin.kind != CUZK__V1__PROOF_KIND__PROOF_KIND_UNSPECIFIED)
        return cuzk_filecoin_request_fill(request, &a->filecoin, a->arguments, a->n_arguments, err);
    request->proof_kind = CUZK__V1__PROOF_KIND__CIRCUIT;
    request->circuit_key = (char *)(uintptr_t)a->arguments[0];
    return cuzk_submit_read(&request->witness, a->arguments[1], err);
}

static int run(bool *json, int argc, char **argv, cuzk_error *err)
{
    static const struct argp_child children[] = {
        {&cuzk_client_argp, 0, NULL, 0},
        {&cuzk_result_argp, 0, NULL, 0},
        {&cuzk_filecoin_request_argp, 0, "A proof of Filecoin:", 1},
        {0}};
    static const struct argp argp = {
        options, parse, "KEY WITNESS\n--kind=KIND FILE...", doc, children, NULL, NULL};
    struct arguments a = {0};
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    *json = a.client.json;
    if (!a.wait && (a.files.proof != NULL || a.files.public_signals != NULL))
        return (int)cuzk_fail(err, CUZK_ERR_ARGUMENT,
                              "--output and --public need --wait; or use cuzk await later");
    Cuzk__V1__SubmitProofRequest request = CUZK__V1__SUBMIT_PROOF_REQUEST__INIT;
    request.request_id = (char *)(uintptr_t)(a.id == NULL ? "" : a.id);
    request.priority = a.priority;
    request.deadline_ms = a.deadline_ms;
    int code = (int)read_arguments(&a, &request, err);
    if (code == 0)
        code = a.wait ? prove(&a, &request, err) : submit(&a, &request, err);
    free(request.witness.data);
    cuzk_filecoin_request_release(&request);
    return code;
}

const cuzk_service_command cuzk_service_submit = {
    .name = "submit", .summary = "give a job to the service", .run = run};
