#include "cmd/service/client.h"
#include "cmd/service/service.h"
#include "cmd/service/token.h"
#include "server/config_value.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_TOKEN = 0x4000, KEY_TLS, KEY_CA, KEY_CERT, KEY_KEY, KEY_NAME, KEY_JSON };

static const struct argp_option options[] = {
    {"connect", 's', "ADDRESS", 0,
     "The service (default: $CUZK_ADDRESS, else " CUZK_DEFAULT_ADDRESS ")", 2},
    {"token-file", KEY_TOKEN, "FILE", 0, "The token to send (default: $CUZK_TOKEN_FILE)", 2},
    {"tls", KEY_TLS, NULL, 0, "Speak TLS; implied by those below", 2},
    {"ca", KEY_CA, "FILE", 0, "Who must have signed the service's certificate", 2},
    {"cert", KEY_CERT, "FILE", 0, "The certificate to show", 2},
    {"key", KEY_KEY, "FILE", 0, "Its key", 2},
    {"server-name", KEY_NAME, "NAME", 0, "What the service's certificate must be for", 2},
    {"json", KEY_JSON, NULL, 0, "Print the result, or the error, as JSON for programs", 1},
    {0}};

static void take_environment(cuzk_client_options *o)
{
    const char *address = getenv("CUZK_ADDRESS");
    o->address = address == NULL || address[0] == '\0' ? CUZK_DEFAULT_ADDRESS : address;
    o->token_file = getenv("CUZK_TOKEN_FILE");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    cuzk_client_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        take_environment(o);
        return 0;
    case 's':
        o->address = arg;
        return 0;
    case KEY_TOKEN:
        o->token_file = arg;
        return 0;
    case KEY_TLS:
        o->tls = true;
        return 0;
    case KEY_CA:
        o->ca = arg;
        return 0;
    case KEY_CERT:
        o->cert = arg;
        return 0;
    case KEY_KEY:
        o->key = arg;
        return 0;
    case KEY_NAME:
        o->name = arg;
        return 0;
    case KEY_JSON:
        o->json = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cuzk_client_argp = {.options = options, .parser = parse};

uint64_t cuzk_client_duration(const char *option, const char *text, struct argp_state *state)
{
    uint64_t ms = 0;
    if (!cuzk_config_parse_duration(text, &ms) || ms == 0)
        argp_error(state, "%s=%s: expected a duration such as 90s, 5m or 1.5h", option, text);
    return ms;
}

cuzk_status cuzk_client_open(cuzk_grpc_client **client, const cuzk_client_options *o,
                             cuzk_error *err)
{
    char *token = NULL;
    CUZK_TRY(cuzk_token_read(&token, o->token_file, err));
    const cuzk_grpc_client_config config = {
        .address = o->address,
        .tls = o->tls,
        .tls_ca_file = o->ca,
        .tls_cert_file = o->cert,
        .tls_key_file = o->key,
        .tls_name = o->name,
        .token = token,
    };
    cuzk_status status = cuzk_grpc_client_open(client, &config, err);
    free(token);
    return status;
}

/* gRPC's codes as exit codes. */
static int code_of(int code)
{
    switch (code) {
    case 1:
        return (int)CUZK_ERR_CANCELLED;
    case 3:
        return (int)CUZK_ERR_ARGUMENT;
    case 4:
        return CUZK_EXIT_NOT_ENDED;
    case 5:
        return CUZK_EXIT_UNKNOWN;
    case 7:
    case 16:
        return CUZK_EXIT_DENIED;
    case 8:
        return CUZK_EXIT_TRY_LATER;
    case 12:
        return (int)CUZK_ERR_UNSUPPORTED;
    case 14:
        return CUZK_EXIT_UNREACHABLE;
    default:
        return CUZK_EXIT_REFUSED;
    }
}

static int fail_answer(const cuzk_grpc_answer *answer, cuzk_error *err)
{
    char hint[64] = "";
    int code = code_of(answer->code);
    if (answer->retry_ms != 0)
        snprintf(hint, sizeof hint, "; try again in %" PRIu64 " ms", answer->retry_ms);
    const char *message =
        answer->message[0] != '\0' ? answer->message : cuzk_grpc_code_name(answer->code);
    /* The exit code says more than a status could. */
    cuzk_fail(err, code < 20 ? (cuzk_status)code : CUZK_ERR_IO, "%s%s", message, hint);
    return code;
}

int cuzk_client_call(cuzk_grpc_client *client, const char *method, const ProtobufCMessage *request,
                     const ProtobufCMessageDescriptor *type, uint64_t timeout_ms,
                     ProtobufCMessage **answer, cuzk_error *err)
{
    char path[128];
    cuzk_grpc_answer raw = {0};
    size_t size = protobuf_c_message_get_packed_size(request);
    uint8_t *bytes = malloc(size == 0 ? 1 : size);
    if (bytes == NULL)
        return (int)cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a request of %zu bytes", size);
    protobuf_c_message_pack(request, bytes);
    snprintf(path, sizeof path, "/cuzk.v1.ProvingEngine/%s", method);
    cuzk_status status = cuzk_grpc_client_call(client, path, bytes, size, timeout_ms, &raw, err);
    free(bytes);
    int code = (int)status;
    if (status == CUZK_OK && raw.code != 0)
        code = fail_answer(&raw, err);
    else if (status == CUZK_OK) {
        *answer = protobuf_c_message_unpack(type, NULL, raw.size, raw.data);
        if (*answer == NULL)
            code = (int)cuzk_fail(err, CUZK_ERR_FORMAT, "%s: the service's answer is malformed",
                                  method);
    }
    if (status == CUZK_OK)
        cuzk_grpc_answer_release(&raw);
    return code;
}

int cuzk_client_ask(const cuzk_client_options *o, const char *method,
                    const ProtobufCMessage *request, const ProtobufCMessageDescriptor *type,
                    ProtobufCMessage **answer, cuzk_error *err)
{
    cuzk_grpc_client *client = NULL;
    cuzk_status status = cuzk_client_open(&client, o, err);
    if (status != CUZK_OK)
        return (int)status;
    int code = cuzk_client_call(client, method, request, type, 0, answer, err);
    cuzk_grpc_client_close(client);
    return code;
}
