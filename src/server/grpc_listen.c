/* Names are resolved and addresses tried here, because the core would only log why one is refused.
 */
#include "server/grpc_listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <grpc/grpc_security.h>

const char *cuzk_address_unix_path(const char *address)
{
    if (strncmp(address, "unix:", 5) != 0)
        return NULL;
    return strncmp(address, "unix://", 7) == 0 ? address + 7 : address + 5;
}

/* Splits "host:port" and "[v6]:port". */
static cuzk_status split(const char *address, char host[256], char port[8], cuzk_error *err)
{
    const char *colon = strrchr(address, ':');
    if (colon == NULL || colon[1] == '\0' || strlen(colon + 1) > 5 ||
        strspn(colon + 1, "0123456789") != strlen(colon + 1))
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "listen address %s: expected host:port, [IPv6]:port or unix:///path",
                         address);
    const char *begin = address;
    size_t size = (size_t)(colon - address);
    if (size >= 2 && begin[0] == '[' && colon[-1] == ']') {
        begin++;
        size -= 2;
    } else if (memchr(begin, ':', size) != NULL) {
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "listen address %s: write an IPv6 address in brackets, as [::1]:9820",
                         address);
    }
    if (size == 0 || size >= 256)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "listen address %s: there is no host; 127.0.0.1:%s is this machine alone",
                         address, colon + 1);
    memcpy(host, begin, size);
    host[size] = '\0';
    strcpy(port, colon + 1);
    return CUZK_OK;
}

static bool is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const void *)address;
        return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
    }
    const struct sockaddr_in *v4 = (const void *)address;
    return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
}

static void set_port(struct sockaddr *address, unsigned port)
{
    if (address->sa_family == AF_INET6)
        ((struct sockaddr_in6 *)(void *)address)->sin6_port = htons((uint16_t)port);
    else
        ((struct sockaddr_in *)(void *)address)->sin_port = htons((uint16_t)port);
}

/* 0, or the errno with which this machine refuses to listen there. */
static int try_bind(const struct sockaddr *address, socklen_t size)
{
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return errno;
    int on = 1, error = 0;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (address->sa_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    if (bind(fd, address, size) != 0 || listen(fd, 1) != 0)
        error = errno;
    close(fd);
    return error;
}

/* Listens on one numeric address. Sets *port on success. */
static int listen_on(grpc_server *server, struct sockaddr *address, socklen_t size,
                     grpc_server_credentials *credentials, unsigned *port)
{
    set_port(address, *port);
    int error = try_bind(address, size);
    if (error != 0)
        return error;
    char host[NI_MAXHOST], text[NI_MAXHOST + 16];
    if (getnameinfo(address, size, host, sizeof host, NULL, 0, NI_NUMERICHOST) != 0)
        return EINVAL;
    snprintf(text, sizeof text, address->sa_family == AF_INET6 ? "[%s]:%u" : "%s:%u", host, *port);
    int bound = grpc_server_add_http2_port(server, text, credentials);
    if (bound == 0)
        return EADDRINUSE; /* somebody was faster */
    *port = (unsigned)bound;
    return 0;
}

static cuzk_status check_guarded(const char *address, const struct addrinfo *list, cuzk_error *err)
{
    for (const struct addrinfo *a = list; a != NULL; a = a->ai_next) {
        if (!is_loopback(a->ai_addr))
            return cuzk_fail(err, CUZK_ERR_INSECURE,
                             "listen address %s: other machines reach it, and nothing says who may "
                             "call; set a token or a CA for client certificates, or allow calls "
                             "without authentication",
                             address);
    }
    return CUZK_OK;
}

cuzk_status cuzk_grpc_listen_tcp(grpc_server *server, const char *address,
                                 grpc_server_credentials *credentials, bool guarded, unsigned *port,
                                 cuzk_error *err)
{
    char host[256], service[8];
    CUZK_TRY(split(address, host, service, err));
    unsigned wanted = 0;
    sscanf(service, "%5u", &wanted);
    if (wanted > 65535)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "listen address %s: there is no port above 65535",
                         address);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *list = NULL;
    int failed = getaddrinfo(host, NULL, &hints, &list);
    if (failed != 0)
        return cuzk_fail(err, CUZK_ERR_IO, "listen address %s: %s is not found: %s", address, host,
                         gai_strerror(failed));
    cuzk_status status = guarded ? CUZK_OK : check_guarded(address, list, err);
    unsigned count = 0;
    int error = 0;
    *port = wanted;
    for (const struct addrinfo *a = list; status == CUZK_OK && a != NULL; a = a->ai_next) {
        error = listen_on(server, a->ai_addr, a->ai_addrlen, credentials, port);
        if (error == 0)
            count++;
        else if (error != EADDRNOTAVAIL && error != EAFNOSUPPORT) /* such as ::1 without IPv6 */
            status = cuzk_fail(err, CUZK_ERR_IO, "listen address %s: %s", address, strerror(error));
    }
    if (status == CUZK_OK && count == 0)
        status = cuzk_fail(err, CUZK_ERR_IO, "listen address %s: %s", address, strerror(error));
    freeaddrinfo(list);
    return status;
}
