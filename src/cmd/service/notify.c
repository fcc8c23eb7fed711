#include "cmd/service/notify.h"
#include "base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void send_to(const char *path, const char *message, size_t size)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length < 2 || length >= sizeof address.sun_path || (path[0] != '/' && path[0] != '@')) {
        cuzk_log(CUZK_LOG_WARN, "NOTIFY_SOCKET=%s: not an address of a socket", path);
        return;
    }
    memcpy(address.sun_path, path, length);
    /* An abstract address begins with NUL. */
    if (path[0] == '@')
        address.sun_path[0] = '\0';
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    socklen_t used = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    if (fd < 0 ||
        sendto(fd, message, size, MSG_NOSIGNAL, (const void *)&address, used) != (ssize_t)size)
        cuzk_log(CUZK_LOG_WARN, "NOTIFY_SOCKET=%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
}

void cuzk_notify(const char *format, ...)
{
    const char *path = getenv("NOTIFY_SOCKET");
    char message[1024];
    if (path == NULL)
        return;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (length > 0)
        send_to(path, message,
                (size_t)length < sizeof message ? (size_t)length : sizeof message - 1);
}
