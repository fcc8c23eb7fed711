#include "server/http_internal.h"

#include "base/clock.h"
#include "server/pem.h"

#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_MS   1000000u
#define POOL_BYTES  ((size_t)64 << 10) /* of a connection: its head, and pieces of bodies */
#define LEAVE_MS    2000u
#define TLS_OPTIONS "NORMAL:-VERS-TLS1.0:-VERS-TLS1.1"

/* --- what the library tells --- */

static void *on_target(void *context, const char *uri, struct MHD_Connection *connection)
{
    return http_exchange_new(context, connection, uri);
}

static void on_completed(void *context, struct MHD_Connection *connection, void **exchange,
                         enum MHD_RequestTerminationCode why)
{
    (void)connection;
    (void)why;
    cuzk_http_server *server = context;
    http_exchange *x = *exchange;
    if (x == NULL)
        return;
    http_body_release(x);
    pthread_mutex_lock(&server->lock);
    x->conn->in_request = false;
    http_conn_set_deadline(server, x->conn, cuzk_clock_ns() + server->config.head_ms * NS_PER_MS);
    pthread_mutex_unlock(&server->lock);
    http_exchange_unref(x);
    *exchange = NULL;
}

static void add_conn(cuzk_http_server *server, http_conn *conn)
{
    pthread_mutex_lock(&server->lock);
    http_conn_set_deadline(server, conn, cuzk_clock_ns() + server->config.head_ms * NS_PER_MS);
    conn->next = server->conns;
    if (conn->next != NULL)
        conn->next->prev = conn;
    server->conns = conn;
    pthread_mutex_unlock(&server->lock);
}

static void remove_conn(cuzk_http_server *server, http_conn *conn)
{
    pthread_mutex_lock(&server->lock);
    if (conn->next != NULL)
        conn->next->prev = conn->prev;
    *(conn->prev != NULL ? &conn->prev->next : &server->conns) = conn->next;
    pthread_mutex_unlock(&server->lock);
    free(conn);
}

/* A connection without memory for its record is served nothing: its requests get no exchange. */
static void on_connection(void *context, struct MHD_Connection *connection, void **socket_context,
                          enum MHD_ConnectionNotificationCode what)
{
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (*socket_context != NULL)
            remove_conn(context, *socket_context);
        *socket_context = NULL;
        return;
    }
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    http_conn *conn = info != NULL ? calloc(1, sizeof *conn) : NULL;
    if (conn == NULL)
        return;
    conn->fd = info->connect_fd;
    cuzk_listen_log_peer(&((cuzk_http_server *)context)->listen, conn->fd);
    *socket_context = conn;
    add_conn(context, conn);
}

/* Targets are decoded by http_target.c. */
static size_t leave_escaped(void *context, struct MHD_Connection *connection, char *text)
{
    (void)context;
    (void)connection;
    return strlen(text);
}

/* Why a start failed; later complaints are about clients. */
static void on_complaint(void *context, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
static void on_complaint(void *context, const char *format, va_list args)
{
    cuzk_http_server *server = context;
    if (server->daemon == NULL)
        vsnprintf(server->mhd_message, sizeof server->mhd_message, format, args);
}

/* --- start --- */

typedef struct tls_files {
    char *cert, *key, *client_ca;
} tls_files;

static void release_tls(tls_files *tls)
{
    if (tls->key != NULL)
        OPENSSL_cleanse(tls->key, strlen(tls->key));
    free(tls->cert);
    free(tls->key);
    free(tls->client_ca);
}

static cuzk_status read_tls(tls_files *tls, const cuzk_http_config *config, cuzk_error *err)
{
    if (config->tls_cert == NULL)
        return CUZK_OK;
    CUZK_TRY(cuzk_pem_read(&tls->cert, config->tls_cert, err));
    CUZK_TRY(cuzk_pem_read(&tls->key, config->tls_key, err));
    CUZK_TRY(cuzk_pem_check_pair(tls->cert, tls->key, config->tls_cert, config->tls_key, err));
    if (config->tls_client_ca == NULL)
        return CUZK_OK;
    CUZK_TRY(cuzk_pem_read(&tls->client_ca, config->tls_client_ca, err));
    return cuzk_pem_check_certificate(tls->client_ca, config->tls_client_ca, err);
}

static cuzk_status start_daemon(cuzk_http_server *server, const tls_files *tls, cuzk_error *err)
{
    struct MHD_OptionItem options[8];
    size_t n = 0;
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
    if (tls->cert != NULL) {
        if (MHD_is_feature_supported(MHD_FEATURE_TLS) != MHD_YES)
            return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                             "HTTP: libmicrohttpd was built without TLS");
        flags |= MHD_USE_TLS;
        options[n++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0, tls->cert};
        options[n++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, tls->key};
        options[n++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)TLS_OPTIONS};
        if (tls->client_ca != NULL)
            options[n++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_TRUST, 0, tls->client_ca};
    }
    options[n] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
    struct MHD_Daemon *daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, http_handle, server,
        /* the log first: it hears of the other options */
        MHD_OPTION_EXTERNAL_LOGGER, on_complaint, server, MHD_OPTION_LISTEN_SOCKET,
        server->listen.fd, MHD_OPTION_CONNECTION_LIMIT, server->config.connections_max,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, POOL_BYTES, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_URI_LOG_CALLBACK, on_target, server, MHD_OPTION_NOTIFY_COMPLETED, on_completed,
        server, MHD_OPTION_NOTIFY_CONNECTION, on_connection, server, MHD_OPTION_UNESCAPE_CALLBACK,
        leave_escaped, NULL, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
    if (daemon == NULL)
        return cuzk_fail(err, CUZK_ERR_IO, "HTTP: %s: the server does not start: %s",
                         server->listen.address,
                         server->mhd_message[0] != '\0' ? server->mhd_message : "no reason given");
    server->daemon = daemon;
    server->listen.fd = -1; /* the daemon's now */
    return CUZK_OK;
}

static void set_defaults(cuzk_http_config *c)
{
    c->listen = c->token = c->tls_cert = c->tls_key = c->tls_client_ca = c->config_text = NULL;
    c->connections_max = c->connections_max > 0 ? c->connections_max : 256;
    c->body_max = c->body_max > 0 ? c->body_max : (size_t)128 << 20;
    c->head_ms = c->head_ms > 0 ? c->head_ms : 15000;
    c->body_ms = c->body_ms > 0 ? c->body_ms : 30000;
    c->answer_ms = c->answer_ms > 0 ? c->answer_ms : 60000;
}

static cuzk_status check_reach(const cuzk_http_server *server, cuzk_error *err)
{
    if (server->listen.loopback || server->has_token || server->has_client_ca ||
        server->config.allow_insecure)
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_INSECURE,
                     "HTTP: %s can be reached from other machines, and nothing asks who they are: "
                     "set a token or client certificates, listen on loopback or a unix socket, or "
                     "allow insecure listening expressly",
                     server->listen.address);
}

static cuzk_status open_server(cuzk_http_server *server, const cuzk_http_config *config,
                               cuzk_error *err)
{
    if (config->listen == NULL)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "HTTP: no address to listen at is given");
    CUZK_TRY(http_auth_open(server, config, err));
    if (config->config_text != NULL && (server->config_text = strdup(config->config_text)) == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "HTTP: no memory");
    CUZK_TRY(cuzk_listen_open(&server->listen, config->listen, err));
    CUZK_TRY(check_reach(server, err));
    tls_files tls = {NULL, NULL, NULL};
    cuzk_status status = server->listen.is_unix ? CUZK_OK : read_tls(&tls, config, err);
    if (status == CUZK_OK)
        status = http_watch_start(server, err);
    if (status == CUZK_OK) {
        status = start_daemon(server, &tls, err);
        if (status != CUZK_OK)
            http_watch_stop(server);
    }
    release_tls(&tls);
    return status;
}

cuzk_status cuzk_http_open(cuzk_http_server **server, cuzk_engine *engine,
                           const cuzk_http_config *config, cuzk_error *err)
{
    cuzk_http_server *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "HTTP: no memory");
    made->engine = engine;
    made->config = *config;
    set_defaults(&made->config);
    made->wake = made->listen.fd = -1;
    made->refs = 1;
    pthread_mutex_init(&made->lock, NULL);
    cuzk_status status = open_server(made, config, err);
    if (status != CUZK_OK) {
        http_server_unref(made);
        return status;
    }
    *server = made;
    return CUZK_OK;
}

const char *cuzk_http_address(const cuzk_http_server *server)
{
    return server->listen.address;
}

/* --- stop --- */

static http_exchange *cut_waiting(cuzk_http_server *server)
{
    pthread_mutex_lock(&server->lock);
    http_conn *conn = server->conns;
    while (conn != NULL && conn->waiting == NULL)
        conn = conn->next;
    http_exchange *x = conn != NULL ? conn->waiting : NULL;
    if (x != NULL)
        http_cut_begin(x, HTTP_CUT_STOPPED);
    pthread_mutex_unlock(&server->lock);
    return x;
}

void cuzk_http_stop(cuzk_http_server *server)
{
    pthread_mutex_lock(&server->lock);
    bool stopped = server->stopping;
    server->stopping = true;
    pthread_mutex_unlock(&server->lock);
    if (stopped)
        return;
    MHD_socket listening = MHD_quiesce_daemon(server->daemon);
    if (listening != MHD_INVALID_SOCKET)
        server->listen.fd =
            listening; /* closed with the server: the library may still look at it */
    http_exchange *x;
    while ((x = cut_waiting(server)) != NULL)
        http_cut_finish(x);
}

static bool in_request(cuzk_http_server *server)
{
    bool found = false;
    pthread_mutex_lock(&server->lock);
    for (http_conn *conn = server->conns; conn != NULL; conn = conn->next)
        found = found || (conn->in_request && !conn->shut);
    pthread_mutex_unlock(&server->lock);
    return found;
}

void cuzk_http_close(cuzk_http_server *server)
{
    if (server == NULL)
        return;
    cuzk_http_stop(server);
    const struct timespec pause = {.tv_nsec = 5 * NS_PER_MS};
    uint64_t end = cuzk_clock_ns() + (uint64_t)LEAVE_MS * NS_PER_MS;
    while (in_request(server) && cuzk_clock_ns() < end)
        nanosleep(&pause, NULL);
    /* The watch thread goes first: it uses connections. */
    http_watch_stop(server);
    MHD_stop_daemon(server->daemon);
    cuzk_listen_close(&server->listen);
    http_server_unref(server);
}
