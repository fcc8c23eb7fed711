/* A stream of questions, each with one answer. */
#include "server/grpc_reflection.h"
#include "server/grpc_methods.h"
#include "server/proto_files.h"

#include <grpc/reflection/v1alpha/reflection.pb-c.h>
#include <stdlib.h>

typedef Grpc__Reflection__V1alpha__ServerReflectionRequest question;
typedef Grpc__Reflection__V1alpha__ServerReflectionResponse answer;

#define QUESTION(name) GRPC__REFLECTION__V1ALPHA__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_##name
#define ANSWER(name)   GRPC__REFLECTION__V1ALPHA__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_##name

static void answered(cuzk_grpc_call *call, bool success)
{
    if (success)
        cuzk_grpc_call_receive(call);
}

static void send(cuzk_grpc_call *call, const answer *a)
{
    size_t size;
    void *data = cuzk_grpc_pack(&a->base, &size);
    if (data != NULL)
        cuzk_grpc_call_send(call, data, size, answered);
    else
        cuzk_grpc_call_fail(call, GRPC_STATUS_RESOURCE_EXHAUSTED, "no memory for the answer");
}

static void send_error(cuzk_grpc_call *call, answer *a, grpc_status_code code, const char *message)
{
    Grpc__Reflection__V1alpha__ErrorResponse error =
        GRPC__REFLECTION__V1ALPHA__ERROR_RESPONSE__INIT;
    error.error_code = (int32_t)code;
    error.error_message = (char *)(uintptr_t)message;
    a->message_response_case = ANSWER(ERROR_RESPONSE);
    a->error_response = &error;
    send(call, a);
}

static void send_file(cuzk_grpc_call *call, answer *a, bool found, const cuzk_proto_file *file)
{
    if (!found) {
        send_error(call, a, GRPC_STATUS_NOT_FOUND, "there is no such file or symbol");
        return;
    }
    ProtobufCBinaryData data = {.len = file->size, .data = (uint8_t *)(uintptr_t)file->data};
    Grpc__Reflection__V1alpha__FileDescriptorResponse files =
        GRPC__REFLECTION__V1ALPHA__FILE_DESCRIPTOR_RESPONSE__INIT;
    files.n_file_descriptor_proto = 1;
    files.file_descriptor_proto = &data;
    a->message_response_case = ANSWER(FILE_DESCRIPTOR_RESPONSE);
    a->file_descriptor_response = &files;
    send(call, a);
}

static void send_services(cuzk_grpc_call *call, answer *a)
{
    char names[CUZK_PROTO_SERVICES_MAX][128];
    Grpc__Reflection__V1alpha__ServiceResponse services[CUZK_PROTO_SERVICES_MAX];
    Grpc__Reflection__V1alpha__ServiceResponse *pointers[CUZK_PROTO_SERVICES_MAX];
    Grpc__Reflection__V1alpha__ListServiceResponse list =
        GRPC__REFLECTION__V1ALPHA__LIST_SERVICE_RESPONSE__INIT;
    list.n_service = cuzk_proto_services(names);
    for (size_t i = 0; i < list.n_service; i++) {
        grpc__reflection__v1alpha__service_response__init(&services[i]);
        services[i].name = names[i];
        pointers[i] = &services[i];
    }
    list.service = pointers;
    a->message_response_case = ANSWER(LIST_SERVICES_RESPONSE);
    a->list_services_response = &list;
    send(call, a);
}

static void respond(cuzk_grpc_call *call, question *q)
{
    answer a = GRPC__REFLECTION__V1ALPHA__SERVER_REFLECTION_RESPONSE__INIT;
    a.valid_host = q->host;
    a.original_request = q;
    cuzk_proto_file file;
    switch ((int)q->message_request_case) {
    case QUESTION(FILE_BY_FILENAME):
        send_file(call, &a, cuzk_proto_file_by_name(&file, q->file_by_filename), &file);
        break;
    case QUESTION(FILE_CONTAINING_SYMBOL):
        send_file(call, &a, cuzk_proto_file_by_symbol(&file, q->file_containing_symbol), &file);
        break;
    case QUESTION(LIST_SERVICES):
        send_services(call, &a);
        break;
    case QUESTION(FILE_CONTAINING_EXTENSION):
    case QUESTION(ALL_EXTENSION_NUMBERS_OF_TYPE):
        send_error(call, &a, GRPC_STATUS_NOT_FOUND, "there are no extensions");
        break;
    default:
        send_error(call, &a, GRPC_STATUS_INVALID_ARGUMENT, "there is no question");
    }
}

void cuzk_grpc_reflection(cuzk_grpc_call *call, void *message, size_t size)
{
    if (message == NULL) {
        cuzk_grpc_call_end(call);
        return;
    }
    ProtobufCMessage *request = cuzk_grpc_request_unpack(
        call, &grpc__reflection__v1alpha__server_reflection_request__descriptor, message, size);
    cuzk_grpc_call_uncharge(call);
    if (request == NULL)
        return;
    respond(call, (question *)request);
    protobuf_c_message_free_unpacked(request, NULL);
}
