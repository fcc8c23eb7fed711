#include "cmd/service/result.h"
#include "cmd/output.h"
#include "cmd/service/service.h"

#include <jansson.h>
#include <stdlib.h>

enum { KEY_PUBLIC = 0x5000 };

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Write the proof to FILE (default, and \"-\": standard output)", 0},
    {"public", KEY_PUBLIC, "FILE", 0,
     "Write the public signals to FILE; --output then has the proof alone", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    cuzk_result_files *files = state->input;
    switch (key) {
    case 'o':
        files->proof = arg;
        return 0;
    case KEY_PUBLIC:
        files->public_signals = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cuzk_result_argp = {.options = options, .parser = parse};

static const char *or_stdout(const char *path)
{
    return path == NULL ? "-" : path;
}

cuzk_status cuzk_result_check(const cuzk_result_files *files, bool json, cuzk_error *err)
{
    bool proof = cuzk_output_is_stdout(or_stdout(files->proof));
    bool public_signals =
        files->public_signals != NULL && cuzk_output_is_stdout(files->public_signals);
    if (proof + public_signals + json > 1)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "more than one of proof, public signals and JSON report would go to "
                         "standard output; give --output=FILE or --public=FILE");
    CUZK_TRY(cuzk_output_probe(or_stdout(files->proof), err));
    return files->public_signals == NULL ? CUZK_OK : cuzk_output_probe(files->public_signals, err);
}

static cuzk_status write_part(const char *path, const json_t *answer, const char *name,
                              cuzk_error *err)
{
    json_t *part = json_object_get(answer, name);
    if (part == NULL)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "the proof of this job has no \"%s\": leave --public away", name);
    char *text = json_dumps(part, JSON_INDENT(1));
    if (text == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the proof");
    cuzk_status status = cuzk_output_text(path, text, err);
    free(text);
    return status;
}

static cuzk_status write_parts(const cuzk_result_files *files, const ProtobufCBinaryData *proof,
                               cuzk_error *err)
{
    json_t *answer = json_loadb((const char *)proof->data, proof->len, 0, NULL);
    if (answer == NULL)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "the proof of this job is not JSON: leave --public away");
    cuzk_status status = write_part(files->public_signals, answer, "publicSignals", err);
    if (status == CUZK_OK)
        status = write_part(or_stdout(files->proof), answer, "proof", err);
    json_decref(answer);
    return status;
}

static cuzk_status write_proof(const cuzk_result_files *files, const ProtobufCBinaryData *proof,
                               cuzk_error *err)
{
    if (files->public_signals != NULL)
        return write_parts(files, proof, err);
    return cuzk_output_write(or_stdout(files->proof), proof->data, proof->len, err);
}

static cuzk_status report(const Cuzk__V1__AwaitProofResponse *result, cuzk_error *err)
{
    json_t *object = json_pack(
        "{s:s, s:I, s:I, s:I, s:I, s:I, s:I}", "job_id", result->job_id, "proof_bytes",
        (json_int_t)result->proof.len, "queue_ms", (json_int_t)result->queue_wait_ms, "key_ms",
        (json_int_t)result->srs_load_ms, "synthesis_ms", (json_int_t)result->synthesis_ms,
        "compute_ms", (json_int_t)result->gpu_compute_ms, "total_ms", (json_int_t)result->total_ms);
    return cuzk_output_report(object, true, err);
}

int cuzk_result_write(const cuzk_result_files *files, bool json,
                      const Cuzk__V1__AwaitProofResponse *result, cuzk_error *err)
{
    cuzk_status status = CUZK_OK;
    switch (result->status) {
    case CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__COMPLETED:
        status = write_proof(files, &result->proof, err);
        if (status == CUZK_OK && json)
            status = report(result, err);
        return (int)status;
    case CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__FAILED:
    case CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__CANCELLED:
        status = result->error_code == 0 || result->error_code > CUZK_ERR_DEVICE
                     ? CUZK_ERR_CANCELLED
                     : (cuzk_status)result->error_code;
        return (int)cuzk_fail(err, status, "job %s: %s", result->job_id, result->error_message);
    case CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__TIMEOUT:
        cuzk_fail(err, CUZK_ERR_IO, "job %s: it has not ended yet, and goes on", result->job_id);
        return CUZK_EXIT_NOT_ENDED;
    default:
        cuzk_fail(err, CUZK_ERR_IO, "job %s: the service does not know it (any more)",
                  result->job_id);
        return CUZK_EXIT_UNKNOWN;
    }
}
