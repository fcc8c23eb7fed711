#include "server/grpc_fixture.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Thread_local char said[1024];
static _Thread_local uint64_t said_retry;

grpc_fixture *grpc_fixture_open(const cuzk_grpc_config *given)
{
    grpc_fixture *f = calloc(1, sizeof *f);
    strcpy(f->folder, "/tmp/cuzk-grpc-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->unix_address, sizeof f->unix_address, "unix://%s/s", f->folder);
    const char *addresses[] = {f->unix_address, "127.0.0.1:0"};
    cuzk_grpc_config config = given != NULL ? *given : (cuzk_grpc_config){0};
    config.addresses = addresses;
    config.addresses_count = 2;
    f->engine = engine_stub_open();
    cuzk_error err = {0};
    if (cuzk_grpc_open(&f->server, &config, f->engine, &err) != CUZK_OK)
        fail_msg("%s", err.message);
    snprintf(f->tcp_address, sizeof f->tcp_address, "127.0.0.1:%u", cuzk_grpc_port(f->server, 1));
    const cuzk_grpc_client_config to = {.address = f->unix_address};
    assert_int_equal(cuzk_grpc_client_open(&f->client, &to, &err), CUZK_OK);
    return f;
}

void grpc_fixture_close(grpc_fixture *f)
{
    cuzk_grpc_client_close(f->client);
    cuzk_grpc_close(f->server);
    assert_int_equal(engine_stub_see(f->engine).inflight, 0);
    engine_stub_close(f->engine);
    grpc_shell("rm -rf %s", f->folder);
    free(f);
}

ProtobufCMessage *grpc_call_expect(cuzk_grpc_client *client, const char *method,
                                   const ProtobufCMessage *request,
                                   const ProtobufCMessageDescriptor *type, int code)
{
    size_t size = protobuf_c_message_get_packed_size(request);
    uint8_t *data = malloc(size + 1);
    protobuf_c_message_pack(request, data);
    cuzk_grpc_answer answer;
    cuzk_error err;
    assert_int_equal(cuzk_grpc_client_call(client, method, data, size, 60000, &answer, &err),
                     CUZK_OK);
    free(data);
    if (answer.code != code)
        fail_msg("%s: code %s instead of %s: %s", method, cuzk_grpc_code_name(answer.code),
                 cuzk_grpc_code_name(code), answer.message);
    snprintf(said, sizeof said, "%s", answer.message);
    said_retry = answer.retry_ms;
    ProtobufCMessage *message = NULL;
    if (code == 0) {
        message = protobuf_c_message_unpack(type, NULL, answer.size, answer.data);
        assert_non_null(message);
    }
    cuzk_grpc_answer_release(&answer);
    return message;
}

void grpc_message_free(void *message)
{
    protobuf_c_message_free_unpacked(message, NULL);
}

const char *grpc_said(void)
{
    return said;
}

uint64_t grpc_said_retry(void)
{
    return said_retry;
}

Cuzk__V1__SubmitProofRequest grpc_circuit_request(const char *id)
{
    static uint8_t witness[] = "a witness";
    Cuzk__V1__SubmitProofRequest request = CUZK__V1__SUBMIT_PROOF_REQUEST__INIT;
    request.request_id = (char *)(uintptr_t)id;
    request.proof_kind = CUZK__V1__PROOF_KIND__CIRCUIT;
    request.circuit_key = (char *)(uintptr_t) "some/circuit";
    request.witness = (ProtobufCBinaryData){sizeof witness - 1, witness};
    return request;
}

void grpc_shell(const char *format, ...)
{
    char command[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    if (system(command) != 0)
        fail_msg("failed: %s", command);
}
