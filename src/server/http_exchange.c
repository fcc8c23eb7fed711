#include "server/http_internal.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NS_PER_MS 1000000u

void http_conn_set_deadline(cuzk_http_server *server, http_conn *conn, uint64_t deadline)
{
    conn->deadline = deadline;
    if (deadline < server->watch_sleeps_until) {
        server->watch_sleeps_until = deadline;
        http_watch_wake(server);
    }
}

void http_server_unref(cuzk_http_server *server)
{
    pthread_mutex_lock(&server->lock);
    bool last = --server->refs == 0;
    pthread_mutex_unlock(&server->lock);
    if (!last)
        return;
    cuzk_listen_close(&server->listen);
    if (server->wake >= 0)
        close(server->wake);
    pthread_mutex_destroy(&server->lock);
    free(server->config_text);
    free(server->polled);
    free(server);
}

http_exchange *http_exchange_new(cuzk_http_server *server, struct MHD_Connection *connection,
                                 const char *uri)
{
    http_exchange *x = calloc(1, sizeof *x);
    if (x == NULL)
        return NULL;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    x->server = server;
    x->connection = connection;
    x->conn = info != NULL ? info->socket_context : NULL;
    if (x->conn == NULL) {
        free(x);
        return NULL;
    }
    x->refs = 1;
    x->target_status = cuzk_http_target_parse(&x->target, uri, &x->target_err);
    pthread_mutex_lock(&server->lock);
    server->refs++;
    x->conn->in_request = true;
    pthread_mutex_unlock(&server->lock);
    return x;
}

void http_exchange_unref(http_exchange *x)
{
    cuzk_http_server *server = x->server;
    pthread_mutex_lock(&server->lock);
    bool last = --x->refs == 0;
    pthread_mutex_unlock(&server->lock);
    if (!last)
        return;
    free(x->reply.proof);
    free(x->reply.snapshot);
    free(x->answer.text);
    free(x);
    http_server_unref(server);
}

bool http_wait_begin(http_exchange *x, void (*finish)(http_exchange *x))
{
    cuzk_http_server *server = x->server;
    pthread_mutex_lock(&server->lock);
    bool goes = !server->stopping;
    if (goes) {
        x->refs++;
        x->finish = finish;
        x->conn->waiting = x;
        http_conn_set_deadline(server, x->conn, CUZK_NEVER);
        MHD_suspend_connection(x->connection);
    }
    pthread_mutex_unlock(&server->lock);
    if (goes)
        http_watch_wake(server);
    else
        http_answer_error(x, MHD_HTTP_SERVICE_UNAVAILABLE, "stopping", "the service is stopping");
    return goes;
}

/* Under the lock: only the first to settle resumes, so the connection is there. */
static void settle_locked(http_exchange *x)
{
    if (x->settled)
        return;
    x->settled = true;
    x->conn->waiting = NULL;
    http_conn_set_deadline(x->server, x->conn,
                           cuzk_clock_ns() + x->server->config.answer_ms * NS_PER_MS);
    MHD_resume_connection(x->connection);
}

void http_settle(http_exchange *x)
{
    pthread_mutex_lock(&x->server->lock);
    settle_locked(x);
    pthread_mutex_unlock(&x->server->lock);
    http_exchange_unref(x);
}

void http_cut_begin(http_exchange *x, http_cut cut)
{
    x->refs++;
    x->cut = cut;
    settle_locked(x);
}

/* Leaves the engine if it can be left; then its callback, which owns a reference, never comes. */
static void leave(http_exchange *x, uint64_t waiter)
{
    if (waiter != 0 && cuzk_engine_leave(x->server->engine, waiter))
        http_exchange_unref(x);
}

void http_cut_finish(http_exchange *x)
{
    pthread_mutex_lock(&x->server->lock);
    uint64_t waiter = x->waiter;
    x->waiter = 0;
    pthread_mutex_unlock(&x->server->lock);
    leave(x, waiter);
    http_exchange_unref(x);
}

void http_wait_leaves_by(http_exchange *x, uint64_t waiter)
{
    pthread_mutex_lock(&x->server->lock);
    bool late = x->cut != HTTP_CUT_NONE; /* it was cut off before the number was known */
    if (!late)
        x->waiter = waiter;
    pthread_mutex_unlock(&x->server->lock);
    if (late)
        leave(x, waiter);
}
