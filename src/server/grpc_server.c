/* Opening and stopping: addresses, the completion queue and its threads. */
#include "base/clock.h"
#include "base/log.h"
#include "server/grpc_auth.h"
#include "server/grpc_call.h"
#include "server/grpc_health.h"
#include "server/grpc_library.h"
#include "server/grpc_listen.h"
#include "server/grpc_turns.h"
#include "server/unix_listener.h"

#include <grpc/grpc_posix.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define THREADS_DEFAULT  4
#define THREADS_MAX      64
#define ACCEPTS          16 /* calls that are waited for at once */
#define RECEIVE_DEFAULT  ((uint64_t)1 << 30)
#define RECEIVE_MORE     ((uint64_t)256 << 20) /* for what is not received by turns */
#define STREAMS_DEFAULT  1000
#define HEALTH_PERIOD_MS 500

struct cuzk_grpc_server {
    cuzk_grpc_shared shared;
    grpc_server_credentials *local; /* of unix sockets */
    cuzk_unix_listener **listeners; /* NULL where the address is TCP */
    unsigned *ports;
    size_t addresses;
    pthread_t threads[THREADS_MAX];
    unsigned threads_running;
    cuzk_grpc_event stopped;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool stopping, done;
};

static void *run(void *context)
{
    cuzk_grpc_server *server = context;
    for (;;) {
        gpr_timespec deadline = gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                                             gpr_time_from_millis(HEALTH_PERIOD_MS, GPR_TIMESPAN));
        grpc_event event = grpc_completion_queue_next(server->shared.queue, deadline, NULL);
        if (event.type == GRPC_QUEUE_SHUTDOWN)
            return NULL;
        if (event.type == GRPC_OP_COMPLETE)
            cuzk_grpc_event_end(event.tag, event.success != 0);
        cuzk_grpc_watches_update(&server->shared);
    }
}

static void stopped(void *owner, bool success)
{
    (void)success;
    cuzk_grpc_server *server = owner;
    pthread_mutex_lock(&server->lock);
    server->done = true;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->lock);
}

static void take_connection(void *context, int fd)
{
    cuzk_grpc_server *server = context;
    grpc_server_add_channel_from_fd(server->shared.server, fd, server->local);
}

static grpc_arg integer(const char *key, int value)
{
    return (grpc_arg){
        .type = GRPC_ARG_INTEGER, .key = (char *)(uintptr_t)key, .value.integer = value};
}

static uint64_t receive_max(const cuzk_grpc_config *config)
{
    return config->receive_bytes_max > 0 ? config->receive_bytes_max : RECEIVE_DEFAULT;
}

static grpc_server *make_server(const cuzk_grpc_config *config)
{
    grpc_resource_quota *quota = grpc_resource_quota_create("cuzk");
    /* Above this the library cuts off whatever it receives. */
    grpc_resource_quota_resize(quota, (size_t)(receive_max(config) + RECEIVE_MORE));
    unsigned streams = config->concurrent_calls > 0 ? config->concurrent_calls : STREAMS_DEFAULT;
    grpc_arg args[] = {
        integer(GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, (int)CUZK_GRPC_MESSAGE_MAX),
        integer(GRPC_ARG_MAX_SEND_MESSAGE_LENGTH, (int)CUZK_GRPC_MESSAGE_MAX),
        integer(GRPC_ARG_MAX_CONCURRENT_STREAMS, streams > INT_MAX ? INT_MAX : (int)streams),
        integer(GRPC_ARG_ALLOW_REUSEPORT, 0), /* a busy port is an error */
        /* A few bytes that unpack to gigabytes must not get past the limits. */
        integer(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0),
        integer(GRPC_COMPRESSION_CHANNEL_ENABLED_ALGORITHMS_BITSET, 1),
        integer(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, 20000),
        integer(GRPC_ARG_KEEPALIVE_TIME_MS, 60000),
        integer(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 20000),
        integer(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1),
        integer(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 10000),
        {.type = GRPC_ARG_POINTER,
         .key = (char *)(uintptr_t)GRPC_ARG_RESOURCE_QUOTA,
         .value.pointer = {quota, grpc_resource_quota_arg_vtable()}},
    };
    grpc_channel_args all = {sizeof args / sizeof *args, args};
    grpc_server *server = grpc_server_create(&all, NULL);
    grpc_resource_quota_unref(quota);
    return server;
}

static cuzk_status listen_tcp(cuzk_grpc_server *server, const cuzk_grpc_config *config,
                              cuzk_error *err)
{
    grpc_server_credentials *credentials;
    CUZK_TRY(cuzk_grpc_server_credentials(&credentials, config, err));
    bool guarded = config->token != NULL || config->tls_client_ca_file != NULL ||
                   config->allow_unauthenticated;
    cuzk_status status = CUZK_OK;
    for (size_t i = 0; status == CUZK_OK && i < config->addresses_count; i++) {
        if (cuzk_address_unix_path(config->addresses[i]) == NULL)
            status = cuzk_grpc_listen_tcp(server->shared.server, config->addresses[i], credentials,
                                          guarded, &server->ports[i], err);
    }
    grpc_server_credentials_release(credentials);
    return status;
}

/* Connections may come only once the server is started. */
static cuzk_status listen_unix(cuzk_grpc_server *server, const cuzk_grpc_config *config,
                               cuzk_error *err)
{
    for (size_t i = 0; i < config->addresses_count; i++) {
        const char *path = cuzk_address_unix_path(config->addresses[i]);
        if (path != NULL)
            CUZK_TRY(
                cuzk_unix_listener_open(&server->listeners[i], path, take_connection, server, err));
    }
    return CUZK_OK;
}

static cuzk_status start(cuzk_grpc_server *server, const cuzk_grpc_config *config, cuzk_error *err)
{
    if (config->token != NULL && config->token[0] == '\0')
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "the token for calls is empty");
    server->shared.token = config->token != NULL ? strdup(config->token) : NULL;
    server->addresses = config->addresses_count;
    server->listeners = calloc(server->addresses + 1, sizeof *server->listeners);
    server->ports = calloc(server->addresses + 1, sizeof *server->ports);
    server->shared.watches = cuzk_grpc_watches_new();
    server->shared.turns = cuzk_grpc_turns_new(receive_max(config));
    if (server->listeners == NULL || server->ports == NULL || server->shared.watches == NULL ||
        server->shared.turns == NULL || (config->token != NULL && server->shared.token == NULL))
        return cuzk_fail(err, CUZK_ERR_MEMORY, "gRPC service: no memory");
    server->shared.queue = grpc_completion_queue_create_for_next(NULL);
    server->shared.server = make_server(config);
    server->local = grpc_insecure_server_credentials_create();
    grpc_server_register_completion_queue(server->shared.server, server->shared.queue, NULL);
    CUZK_TRY(listen_tcp(server, config, err));
    grpc_server_start(server->shared.server);

    unsigned threads = config->threads > 0 ? config->threads : THREADS_DEFAULT;
    for (unsigned i = 0; i < threads && i < THREADS_MAX; i++) {
        int error = pthread_create(&server->threads[i], NULL, run, server);
        if (error != 0)
            return cuzk_fail(err, CUZK_ERR_MEMORY, "gRPC service: no thread: %s", strerror(error));
        server->threads_running++;
    }
    for (unsigned i = 0; i < ACCEPTS; i++) {
        if (!cuzk_grpc_call_expect(&server->shared))
            return cuzk_fail(err, CUZK_ERR_MEMORY, "gRPC service: no memory");
    }
    return listen_unix(server, config, err);
}

cuzk_status cuzk_grpc_open(cuzk_grpc_server **out, const cuzk_grpc_config *config,
                           cuzk_engine *engine, cuzk_error *err)
{
    cuzk_grpc_server *server = calloc(1, sizeof *server);
    if (server == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "gRPC service: no memory");
    cuzk_grpc_library_init();
    server->shared.engine = engine;
    server->stopped = (cuzk_grpc_event){.done = stopped, .owner = server};
    pthread_mutex_init(&server->lock, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&server->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    cuzk_status status = start(server, config, err);
    if (status == CUZK_OK)
        *out = server;
    else
        cuzk_grpc_close(server);
    return status;
}

unsigned cuzk_grpc_port(const cuzk_grpc_server *server, size_t i)
{
    return server->ports[i];
}

/* Whether the server's last call has ended in time. */
static bool wait_done(cuzk_grpc_server *server, uint64_t ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    uint64_t ns = (uint64_t)until.tv_nsec + (ms % 1000) * 1000000;
    until.tv_sec += (time_t)(ms / 1000 + ns / 1000000000);
    until.tv_nsec = (long)(ns % 1000000000);
    pthread_mutex_lock(&server->lock);
    int error = 0;
    while (!server->done && error == 0)
        error = pthread_cond_timedwait(&server->changed, &server->lock, &until);
    bool done = server->done;
    pthread_mutex_unlock(&server->lock);
    return done;
}

static void wait_for_end(cuzk_grpc_server *server)
{
    pthread_mutex_lock(&server->lock);
    while (!server->done)
        pthread_cond_wait(&server->changed, &server->lock);
    pthread_mutex_unlock(&server->lock);
}

void cuzk_grpc_stop(cuzk_grpc_server *server, uint64_t grace_ms)
{
    if (server->stopping || server->threads_running == 0)
        return;
    server->stopping = true;
    for (size_t i = 0; i < server->addresses; i++) {
        cuzk_unix_listener_close(server->listeners[i]);
        server->listeners[i] = NULL;
    }
    cuzk_grpc_watches_end(&server->shared);
    cuzk_grpc_event_start(&server->stopped);
    grpc_server_shutdown_and_notify(server->shared.server, server->shared.queue, &server->stopped);
    if (!wait_done(server, grace_ms)) {
        cuzk_log(CUZK_LOG_INFO, "grpc: cutting off the calls that are still under way");
        grpc_server_cancel_all_calls(server->shared.server);
        wait_for_end(server);
    }
}

/* A server that never got a thread: the core still wants its shutdown seen. */
static void stop_without_threads(cuzk_grpc_server *server)
{
    cuzk_grpc_event_start(&server->stopped);
    grpc_server_shutdown_and_notify(server->shared.server, server->shared.queue, &server->stopped);
    grpc_event event;
    do
        event = grpc_completion_queue_next(server->shared.queue,
                                           gpr_inf_future(GPR_CLOCK_MONOTONIC), NULL);
    while (event.tag != &server->stopped);
}

void cuzk_grpc_close(cuzk_grpc_server *server)
{
    if (server == NULL)
        return;
    if (server->shared.server != NULL) {
        if (server->threads_running > 0)
            cuzk_grpc_stop(server, 0);
        else
            stop_without_threads(server);
        grpc_completion_queue_shutdown(server->shared.queue);
        for (unsigned i = 0; i < server->threads_running; i++)
            pthread_join(server->threads[i], NULL);
        while (server->threads_running == 0 &&
               grpc_completion_queue_next(server->shared.queue, gpr_inf_future(GPR_CLOCK_MONOTONIC),
                                          NULL)
                       .type != GRPC_QUEUE_SHUTDOWN)
            ;
        grpc_server_destroy(server->shared.server);
        grpc_completion_queue_destroy(server->shared.queue);
        grpc_server_credentials_release(server->local);
    }
    cuzk_grpc_watches_free(server->shared.watches);
    cuzk_grpc_turns_free(server->shared.turns);
    pthread_cond_destroy(&server->changed);
    pthread_mutex_destroy(&server->lock);
    free(server->listeners);
    free(server->ports);
    free(server->shared.token);
    free(server);
}
