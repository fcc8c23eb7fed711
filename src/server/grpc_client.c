#include "server/grpc_client.h"
#include "server/grpc.h"
#include "server/grpc_auth.h"
#include "server/grpc_library.h"
#include "server/grpc_listen.h"

#include <grpc/byte_buffer_reader.h>
#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A call under way. */
typedef struct running {
    grpc_call *call;
    struct running *next;
} running;

struct cuzk_grpc_client {
    grpc_channel *channel;
    char *authorization; /* NULL: none */
    pthread_mutex_t lock;
    running *first;
    bool cancelled;
};

static cuzk_status make_credentials(grpc_channel_credentials **credentials,
                                    const cuzk_grpc_client_config *config, cuzk_error *err)
{
    bool pair = config->tls_cert_file != NULL || config->tls_key_file != NULL;
    if (!config->tls && config->tls_ca_file == NULL && !pair && config->tls_name == NULL) {
        *credentials = grpc_insecure_credentials_create();
        return CUZK_OK;
    }
    if (pair && (config->tls_cert_file == NULL || config->tls_key_file == NULL))
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "a client certificate and its key are both needed; one is not given");
    char *ca = NULL, *cert = NULL, *key = NULL;
    cuzk_status status = CUZK_OK;
    if (config->tls_ca_file != NULL)
        status = cuzk_pem_read(&ca, config->tls_ca_file, err);
    if (status == CUZK_OK && ca != NULL)
        status = cuzk_pem_check_certificate(ca, config->tls_ca_file, err);
    if (status == CUZK_OK && pair)
        status = cuzk_pem_read(&cert, config->tls_cert_file, err);
    if (status == CUZK_OK && pair)
        status = cuzk_pem_read(&key, config->tls_key_file, err);
    if (status == CUZK_OK && pair)
        status = cuzk_pem_check_pair(cert, key, config->tls_cert_file, config->tls_key_file, err);
    if (status == CUZK_OK) {
        grpc_ssl_pem_key_cert_pair own = {.private_key = key, .cert_chain = cert};
        *credentials = grpc_ssl_credentials_create_ex(ca, pair ? &own : NULL, NULL, NULL);
        if (*credentials == NULL)
            status =
                cuzk_fail(err, CUZK_ERR_ARGUMENT, "TLS cannot be set up for %s", config->address);
    }
    free(ca);
    free(cert);
    free(key);
    return status;
}

static grpc_arg integer(const char *key, int value)
{
    return (grpc_arg){
        .type = GRPC_ARG_INTEGER, .key = (char *)(uintptr_t)key, .value.integer = value};
}

static grpc_arg string(const char *key, const char *value)
{
    return (grpc_arg){.type = GRPC_ARG_STRING,
                      .key = (char *)(uintptr_t)key,
                      .value.string = (char *)(uintptr_t)value};
}

static grpc_channel *make_channel(const cuzk_grpc_client_config *config,
                                  grpc_channel_credentials *credentials)
{
    const char *path = cuzk_address_unix_path(config->address);
    char target[1024];
    snprintf(target, sizeof target, "%s%s", path != NULL ? "unix:" : "",
             path != NULL ? path : config->address);
    grpc_arg args[8];
    size_t n = 0;
    args[n++] = integer(GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, -1);
    args[n++] = integer(GRPC_ARG_MAX_SEND_MESSAGE_LENGTH, -1);
    args[n++] = integer(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
    args[n++] = integer(GRPC_ARG_ENABLE_RETRIES, 0); /* whoever calls decides */
    args[n++] = integer(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    if (path != NULL)
        args[n++] = string(GRPC_ARG_DEFAULT_AUTHORITY, "localhost");
    if (config->tls_name != NULL)
        args[n++] = string(GRPC_SSL_TARGET_NAME_OVERRIDE_ARG, config->tls_name);
    grpc_channel_args all = {n, args};
    return grpc_channel_create(target, credentials, &all);
}

cuzk_status cuzk_grpc_client_open(cuzk_grpc_client **out, const cuzk_grpc_client_config *config,
                                  cuzk_error *err)
{
    cuzk_grpc_client *client = calloc(1, sizeof *client);
    if (client == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "gRPC client: no memory");
    cuzk_grpc_library_init();
    pthread_mutex_init(&client->lock, NULL);
    grpc_channel_credentials *credentials = NULL;
    cuzk_status status = make_credentials(&credentials, config, err);
    if (status == CUZK_OK) {
        client->channel = make_channel(config, credentials);
        grpc_channel_credentials_release(credentials);
    }
    if (status == CUZK_OK && config->token != NULL) {
        size_t room = strlen(config->token) + sizeof "Bearer ";
        client->authorization = malloc(room);
        if (client->authorization == NULL)
            status = cuzk_fail(err, CUZK_ERR_MEMORY, "gRPC client: no memory");
        else
            snprintf(client->authorization, room, "Bearer %s", config->token);
    }
    if (status == CUZK_OK)
        *out = client;
    else
        cuzk_grpc_client_close(client);
    return status;
}

void cuzk_grpc_client_close(cuzk_grpc_client *client)
{
    if (client == NULL)
        return;
    if (client->channel != NULL)
        grpc_channel_destroy(client->channel);
    if (client->authorization != NULL)
        memset(client->authorization, 0, strlen(client->authorization));
    free(client->authorization);
    pthread_mutex_destroy(&client->lock);
    free(client);
}

void cuzk_grpc_answer_release(cuzk_grpc_answer *answer)
{
    free(answer->message);
    free(answer->data);
    *answer = (cuzk_grpc_answer){0};
}

/* Notes the call as one that can be cancelled. */
static void enter(cuzk_grpc_client *client, running *self)
{
    pthread_mutex_lock(&client->lock);
    self->next = client->first;
    client->first = self;
    if (client->cancelled)
        grpc_call_cancel(self->call, NULL);
    pthread_mutex_unlock(&client->lock);
}

static void leave(cuzk_grpc_client *client, running *self)
{
    pthread_mutex_lock(&client->lock);
    running **at = &client->first;
    while (*at != self)
        at = &(*at)->next;
    *at = self->next;
    pthread_mutex_unlock(&client->lock);
}

void cuzk_grpc_client_cancel(cuzk_grpc_client *client)
{
    pthread_mutex_lock(&client->lock);
    client->cancelled = true;
    for (running *r = client->first; r != NULL; r = r->next)
        grpc_call_cancel(r->call, NULL);
    pthread_mutex_unlock(&client->lock);
}

/* What a call receives. */
typedef struct reception {
    grpc_metadata_array initial, trailing;
    grpc_byte_buffer *message;
    grpc_status_code code;
    grpc_slice details;
} reception;

static size_t fill_ops(grpc_op *ops, grpc_metadata *authorization, grpc_byte_buffer *request,
                       reception *r)
{
    memset(ops, 0, 6 * sizeof *ops);
    ops[0].op = GRPC_OP_SEND_INITIAL_METADATA;
    ops[0].data.send_initial_metadata.count = authorization != NULL ? 1 : 0;
    ops[0].data.send_initial_metadata.metadata = authorization;
    ops[1].op = GRPC_OP_SEND_MESSAGE;
    ops[1].data.send_message.send_message = request;
    ops[2].op = GRPC_OP_SEND_CLOSE_FROM_CLIENT;
    ops[3].op = GRPC_OP_RECV_INITIAL_METADATA;
    ops[3].data.recv_initial_metadata.recv_initial_metadata = &r->initial;
    ops[4].op = GRPC_OP_RECV_MESSAGE;
    ops[4].data.recv_message.recv_message = &r->message;
    ops[5].op = GRPC_OP_RECV_STATUS_ON_CLIENT;
    ops[5].data.recv_status_on_client.trailing_metadata = &r->trailing;
    ops[5].data.recv_status_on_client.status = &r->code;
    ops[5].data.recv_status_on_client.status_details = &r->details;
    return 6;
}

static char *copy_slice(grpc_slice slice)
{
    size_t size = GRPC_SLICE_LENGTH(slice);
    char *text = malloc(size + 1);
    if (text == NULL)
        return NULL;
    memcpy(text, GRPC_SLICE_START_PTR(slice), size);
    text[size] = '\0';
    return text;
}

static uint64_t find_retry(const grpc_metadata_array *trailing)
{
    for (size_t i = 0; i < trailing->count; i++) {
        if (grpc_slice_str_cmp(trailing->metadata[i].key, "grpc-retry-pushback-ms") != 0)
            continue;
        char text[24];
        grpc_slice value = trailing->metadata[i].value;
        snprintf(text, sizeof text, "%.*s", (int)GRPC_SLICE_LENGTH(value),
                 (const char *)GRPC_SLICE_START_PTR(value));
        return strtoull(text, NULL, 10);
    }
    return 0;
}

static cuzk_status take_answer(cuzk_grpc_answer *answer, reception *r, cuzk_error *err)
{
    *answer = (cuzk_grpc_answer){.code = (int)r->code};
    answer->message = copy_slice(r->details);
    answer->retry_ms = find_retry(&r->trailing);
    if (r->code == GRPC_STATUS_OK && r->message != NULL) {
        grpc_byte_buffer_reader reader;
        if (grpc_byte_buffer_reader_init(&reader, r->message)) {
            grpc_slice all = grpc_byte_buffer_reader_readall(&reader);
            answer->data = copy_slice(all);
            answer->size = GRPC_SLICE_LENGTH(all);
            grpc_slice_unref(all);
            grpc_byte_buffer_reader_destroy(&reader);
        }
    }
    if (answer->message != NULL && (r->code != GRPC_STATUS_OK || answer->data != NULL))
        return CUZK_OK;
    cuzk_grpc_answer_release(answer);
    return cuzk_fail(err, CUZK_ERR_MEMORY, "gRPC client: no memory for the answer");
}

cuzk_status cuzk_grpc_client_call(cuzk_grpc_client *client, const char *method, const void *request,
                                  size_t size, uint64_t timeout_ms, cuzk_grpc_answer *answer,
                                  cuzk_error *err)
{
    gpr_timespec deadline =
        timeout_ms == 0 ? gpr_inf_future(GPR_CLOCK_REALTIME)
                        : gpr_time_add(gpr_now(GPR_CLOCK_REALTIME),
                                       gpr_time_from_millis((int64_t)timeout_ms, GPR_TIMESPAN));
    grpc_completion_queue *queue = grpc_completion_queue_create_for_pluck(NULL);
    grpc_slice path = grpc_slice_from_copied_string(method);
    running self = {.call = grpc_channel_create_call(client->channel, NULL, GRPC_PROPAGATE_DEFAULTS,
                                                     queue, path, NULL, deadline, NULL)};
    grpc_slice_unref(path);
    grpc_slice slice = grpc_slice_from_copied_buffer(request != NULL ? request : "", size);
    grpc_byte_buffer *message = grpc_raw_byte_buffer_create(&slice, 1);
    grpc_slice_unref(slice);
    grpc_metadata authorization = {.key = grpc_slice_from_static_string("authorization")};
    if (client->authorization != NULL)
        authorization.value = grpc_slice_from_static_string(client->authorization);
    reception r = {.details = grpc_empty_slice()};
    grpc_metadata_array_init(&r.initial);
    grpc_metadata_array_init(&r.trailing);
    grpc_op ops[6];
    size_t n = fill_ops(ops, client->authorization != NULL ? &authorization : NULL, message, &r);
    grpc_call_error error = grpc_call_start_batch(self.call, ops, n, &self, NULL);
    CUZK_ASSERT(error == GRPC_CALL_OK);
    enter(client, &self);
    grpc_completion_queue_pluck(queue, &self, gpr_inf_future(GPR_CLOCK_REALTIME), NULL);
    leave(client, &self);
    cuzk_status status = take_answer(answer, &r, err);
    if (r.message != NULL)
        grpc_byte_buffer_destroy(r.message);
    grpc_byte_buffer_destroy(message);
    grpc_slice_unref(r.details);
    grpc_metadata_array_destroy(&r.initial);
    grpc_metadata_array_destroy(&r.trailing);
    grpc_call_unref(self.call);
    grpc_completion_queue_shutdown(queue);
    grpc_completion_queue_destroy(queue);
    return status;
}

const char *cuzk_grpc_code_name(int code)
{
    static const char *const names[] = {"OK",
                                        "CANCELLED",
                                        "UNKNOWN",
                                        "INVALID_ARGUMENT",
                                        "DEADLINE_EXCEEDED",
                                        "NOT_FOUND",
                                        "ALREADY_EXISTS",
                                        "PERMISSION_DENIED",
                                        "RESOURCE_EXHAUSTED",
                                        "FAILED_PRECONDITION",
                                        "ABORTED",
                                        "OUT_OF_RANGE",
                                        "UNIMPLEMENTED",
                                        "INTERNAL",
                                        "UNAVAILABLE",
                                        "DATA_LOSS",
                                        "UNAUTHENTICATED"};
    return code >= 0 && code < (int)(sizeof names / sizeof *names) ? names[code] : "UNKNOWN";
}
