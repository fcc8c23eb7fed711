#define _GNU_SOURCE
#include "support/http_client.h"

#include "support/test.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

/* -1: nobody listens there. */
static int try_connect(const char *address)
{
    struct sockaddr_un path = {.sun_family = AF_UNIX};
    struct sockaddr_in tcp = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int is_unix = strncmp(address, "unix://", 7) == 0;
    if (is_unix)
        snprintf(path.sun_path, sizeof path.sun_path, "%s", address + 7);
    else
        tcp.sin_port = htons((uint16_t)atoi(strrchr(address, ':') + 1));
    int fd = socket(is_unix ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    const struct sockaddr *to = is_unix ? (const struct sockaddr *)&path : (struct sockaddr *)&tcp;
    if (connect(fd, to, is_unix ? sizeof path : sizeof tcp) != 0) {
        const int error = errno;
        close(fd);
        errno = error;
        return -1;
    }
    struct timeval limit = {.tv_sec = 600};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    return fd;
}

int http_connect(const char *address)
{
    const int fd = try_connect(address);
    if (fd < 0)
        fail_msg("%s: %s", address, strerror(errno));
    return fd;
}

int http_write(int fd, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        ssize_t n = send(fd, at, size, MSG_NOSIGNAL);
        if (n <= 0)
            return 0;
        at += n;
        size -= (size_t)n;
    }
    return 1;
}

int http_write_text(int fd, const char *text)
{
    return http_write(fd, text, strlen(text));
}

char *http_read_all(int fd)
{
    size_t size = 0, room = 4096;
    char *text = malloc(room);
    assert_non_null(text);
    for (;;) {
        if (size + 1 == room)
            text = realloc(text, room *= 2);
        assert_non_null(text);
        ssize_t n = recv(fd, text + size, room - size - 1, 0);
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            fail_msg("no answer, and the connection stays open");
        if (n <= 0)
            break;
        size += (size_t)n;
    }
    close(fd);
    text[size] = '\0';
    return text;
}

char *http_ask(const char *address, const char *method, const char *target, const char *headers,
               const void *body, size_t size)
{
    char head[4096], length[64] = "";
    if (body != NULL)
        snprintf(length, sizeof length, "Content-Length: %zu\r\n", size);
    int n = snprintf(head, sizeof head,
                     "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s%s\r\n", method,
                     target, length, headers);
    assert_true(n > 0 && (size_t)n < sizeof head);
    int fd = try_connect(address);
    if (fd < 0)
        return strdup("");
    if (http_write_text(fd, head) && body != NULL)
        http_write(fd, body, size);
    return http_read_all(fd);
}

int http_code(const char *answer)
{
    return strncmp(answer, "HTTP/1.", 7) == 0 && strlen(answer) > 12 ? atoi(answer + 9) : 0;
}

const char *http_body(const char *answer)
{
    const char *end = strstr(answer, "\r\n\r\n");
    return end != NULL ? end + 4 : "";
}

bool http_is_whole(const char *answer)
{
    const char *length = strcasestr(answer, "\r\nContent-Length:");
    const char *body = http_body(answer);
    return length != NULL && length < body &&
           strtoull(length + strlen("\r\nContent-Length:"), NULL, 10) == strlen(body);
}
