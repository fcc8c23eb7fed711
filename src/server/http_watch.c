/* The watch thread: shuts connections whose time is up, and notices when the client of a suspended
 * request hangs up, which the library does not look for. */
#define _GNU_SOURCE /* POLLRDHUP */
#include "server/http_internal.h"

#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#define NS_PER_MS 1000000u

void http_watch_wake(cuzk_http_server *server)
{
    uint64_t one = 1;
    ssize_t written = write(server->wake, &one, sizeof one);
    (void)written; /* a full counter wakes as well */
}

/* Shuts what is late; returns the next deadline. The library sees the end of the stream and closes.
 */
static uint64_t shut_late(cuzk_http_server *server, uint64_t now)
{
    uint64_t next = CUZK_NEVER;
    for (http_conn *conn = server->conns; conn != NULL; conn = conn->next) {
        if (conn->shut)
            continue;
        if (conn->deadline <= now) {
            conn->shut = true;
            shutdown(conn->fd, SHUT_RDWR);
        } else if (conn->deadline < next) {
            next = conn->deadline;
        }
    }
    return next;
}

static nfds_t list_waiting(cuzk_http_server *server)
{
    nfds_t n = 0;
    server->polled[n++] = (struct pollfd){.fd = server->wake, .events = POLLIN};
    for (http_conn *conn = server->conns; conn != NULL; conn = conn->next)
        if (conn->waiting != NULL && n <= server->config.connections_max)
            server->polled[n++] = (struct pollfd){.fd = conn->fd, .events = POLLRDHUP};
    return n;
}

/* Cuts off one request whose client is gone; NULL: there is none. Asks again under the lock: since
 * the long poll a descriptor may have become another connection's. */
static http_exchange *cut_gone(cuzk_http_server *server)
{
    http_exchange *x = NULL;
    pthread_mutex_lock(&server->lock);
    for (http_conn *conn = server->conns; conn != NULL && x == NULL; conn = conn->next) {
        struct pollfd asked = {.fd = conn->fd, .events = POLLRDHUP};
        if (conn->waiting != NULL && poll(&asked, 1, 0) > 0)
            x = conn->waiting;
    }
    if (x != NULL)
        http_cut_begin(x, HTTP_CUT_GONE);
    pthread_mutex_unlock(&server->lock);
    return x;
}

static int milliseconds_to(uint64_t deadline, uint64_t now)
{
    if (deadline == CUZK_NEVER)
        return -1;
    uint64_t ms = (deadline - now) / NS_PER_MS + 1;
    return ms < 60000 ? (int)ms : 60000;
}

static void *watch(void *context)
{
    cuzk_http_server *server = context;
    for (;;) {
        pthread_mutex_lock(&server->lock);
        bool stop = server->watch_stop;
        uint64_t now = cuzk_clock_ns();
        uint64_t next = shut_late(server, now);
        server->watch_sleeps_until = next;
        nfds_t n = list_waiting(server);
        pthread_mutex_unlock(&server->lock);
        if (stop)
            return NULL;
        int ready = poll(server->polled, n, milliseconds_to(next, now));
        uint64_t counted;
        if (ready > 0 && server->polled[0].revents != 0 &&
            read(server->wake, &counted, sizeof counted) > 0)
            ready--;
        http_exchange *gone;
        while (ready > 0 && (gone = cut_gone(server)) != NULL)
            http_cut_finish(gone);
    }
}

cuzk_status http_watch_start(cuzk_http_server *server, cuzk_error *err)
{
    server->polled = calloc(server->config.connections_max + 1, sizeof *server->polled);
    server->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    int code = ENOMEM;
    if (server->polled != NULL && server->wake >= 0)
        code = pthread_create(&server->watch, NULL, watch, server);
    if (code != 0)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "HTTP: no thread: %s", strerror(code));
    return CUZK_OK;
}

void http_watch_stop(cuzk_http_server *server)
{
    pthread_mutex_lock(&server->lock);
    server->watch_stop = true;
    pthread_mutex_unlock(&server->lock);
    http_watch_wake(server);
    pthread_join(server->watch, NULL);
}
