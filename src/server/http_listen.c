#include "server/http_listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define UNIX_PREFIX "unix://"
#define BACKLOG     512

static cuzk_status fail_errno(cuzk_error *err, const char *address, const char *what)
{
    return cuzk_fail(err, CUZK_ERR_IO, "HTTP: %s: %s: %s%s", address, what, strerror(errno),
                     errno == EADDRINUSE
                         ? " (another process listens there; choose another address or "
                           "stop it)"
                         : "");
}

static cuzk_status open_unix(cuzk_listen *l, const char *text, cuzk_error *err)
{
    const char *path = text + strlen(UNIX_PREFIX);
    if (path[0] != '/')
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "HTTP: %s: expected unix:///path", text);
    CUZK_TRY(cuzk_unix_socket_open(&l->socket, path, err));
    snprintf(l->address, sizeof l->address, "%s", text);
    l->loopback = l->is_unix = true;
    l->fd = l->socket.fd;
    l->socket.fd = -1;
    return CUZK_OK;
}

/* --- TCP --- */

static bool is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)(const void *)address;
        return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
    }
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)(const void *)address;
    return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr) ||
           (IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr) && v6->sin6_addr.s6_addr[12] == 127);
}

static cuzk_status bind_tcp(cuzk_listen *l, const char *text, const struct addrinfo *at,
                            cuzk_error *err)
{
    l->fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (l->fd < 0)
        return fail_errno(err, text, "no socket");
    int on = 1;
    setsockopt(l->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(l->fd, at->ai_addr, at->ai_addrlen) != 0 || listen(l->fd, BACKLOG) != 0)
        return fail_errno(err, text, "cannot listen");

    struct sockaddr_storage bound;
    socklen_t size = sizeof bound;
    char host[64], port[8];
    if (getsockname(l->fd, (struct sockaddr *)&bound, &size) != 0 ||
        getnameinfo((struct sockaddr *)&bound, size, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return fail_errno(err, text, "its address cannot be told");
    l->loopback = is_loopback((struct sockaddr *)&bound);
    snprintf(l->address, sizeof l->address, at->ai_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host,
             port);
    return CUZK_OK;
}

/* Splits "host:port" or "[v6]:port". */
static bool split(const char *text, char *host, size_t room, const char **port)
{
    const char *colon = strrchr(text, ':');
    if (colon == NULL || colon[1] == '\0')
        return false;
    size_t n = (size_t)(colon - text);
    if (text[0] == '[') {
        if (n < 3 || text[n - 1] != ']')
            return false;
        text++;
        n -= 2;
    } else if (memchr(text, ':', n) != NULL) {
        return false;
    }
    if (n == 0 || n >= room)
        return false;
    memcpy(host, text, n);
    host[n] = '\0';
    *port = colon + 1;
    return strspn(*port, "0123456789") == strlen(*port);
}

static cuzk_status open_tcp(cuzk_listen *l, const char *text, cuzk_error *err)
{
    char host[256];
    const char *port;
    if (!split(text, host, sizeof host, &port))
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "HTTP: \"%s\": expected ADDRESS:PORT, [IPV6]:PORT or unix:///path", text);
    struct addrinfo hints = {.ai_flags = AI_PASSIVE | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    int code = getaddrinfo(host, port, &hints, &found);
    if (code != 0)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "HTTP: %s: %s", text, gai_strerror(code));
    cuzk_status status = CUZK_ERR_IO;
    for (struct addrinfo *at = found; at != NULL && status != CUZK_OK; at = at->ai_next) {
        status = bind_tcp(l, text, at, err);
        if (status != CUZK_OK && l->fd >= 0) {
            close(l->fd);
            l->fd = -1;
        }
    }
    freeaddrinfo(found);
    return status;
}

cuzk_status cuzk_listen_open(cuzk_listen *l, const char *text, cuzk_error *err)
{
    memset(l, 0, sizeof *l);
    l->fd = -1;
    bool is_unix = strncmp(text, UNIX_PREFIX, strlen(UNIX_PREFIX)) == 0;
    cuzk_status status = is_unix ? open_unix(l, text, err) : open_tcp(l, text, err);
    return status;
}

void cuzk_listen_log_peer(const cuzk_listen *l, int fd)
{
    if (l->is_unix)
        cuzk_unix_socket_log_peer(&l->socket, fd);
}

void cuzk_listen_close(cuzk_listen *l)
{
    if (l->fd >= 0)
        close(l->fd);
    if (l->is_unix)
        cuzk_unix_socket_close(&l->socket);
    l->fd = -1;
    l->is_unix = false;
}
