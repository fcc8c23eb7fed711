#include "server/unix_listener.h"
#include "base/log.h"
#include "server/unix_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct cuzk_unix_listener {
    cuzk_unix_socket socket;
    int stop[2];
    pthread_t thread;
    bool started;
    void (*fn)(void *context, int fd);
    void *context;
};

static void accept_one(cuzk_unix_listener *listener)
{
    int fd = accept(listener->socket.fd, NULL, NULL);
    if (fd < 0) {
        if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
            cuzk_log(CUZK_LOG_ERROR, "%s: no connection can be taken: %s",
                     listener->socket.address.sun_path, strerror(errno));
            nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
        }
        return;
    }
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    cuzk_unix_socket_log_peer(&listener->socket, fd);
    listener->fn(listener->context, fd);
}

static void *run(void *context)
{
    cuzk_unix_listener *listener = context;
    struct pollfd files[] = {{.fd = listener->socket.fd, .events = POLLIN},
                             {.fd = listener->stop[0], .events = POLLIN}};
    for (;;) {
        int ready = poll(files, 2, -1);
        if (ready < 0 && errno != EINTR)
            cuzk_log(CUZK_LOG_ERROR, "%s: poll: %s", listener->socket.address.sun_path,
                     strerror(errno));
        if (ready > 0 && files[1].revents != 0)
            return NULL;
        if (ready > 0 && files[0].revents != 0)
            accept_one(listener);
    }
}

static cuzk_status open_all(cuzk_unix_listener *listener, const char *path, cuzk_error *err)
{
    CUZK_TRY(cuzk_unix_socket_open(&listener->socket, path, err));
    if (pipe(listener->stop) != 0)
        return cuzk_fail(err, CUZK_ERR_IO, "%s: no pipe: %s", path, strerror(errno));
    fcntl(listener->stop[0], F_SETFD, FD_CLOEXEC);
    fcntl(listener->stop[1], F_SETFD, FD_CLOEXEC);
    int error = pthread_create(&listener->thread, NULL, run, listener);
    if (error != 0)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no thread: %s", path, strerror(error));
    listener->started = true;
    return CUZK_OK;
}

cuzk_status cuzk_unix_listener_open(cuzk_unix_listener **out, const char *path,
                                    void (*fn)(void *context, int fd), void *context,
                                    cuzk_error *err)
{
    cuzk_unix_listener *listener = calloc(1, sizeof *listener);
    if (listener == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory", path);
    listener->socket.fd = listener->socket.lock = listener->stop[0] = listener->stop[1] = -1;
    listener->fn = fn;
    listener->context = context;
    cuzk_status status = open_all(listener, path, err);
    if (status == CUZK_OK)
        *out = listener;
    else
        cuzk_unix_listener_close(listener);
    return status;
}

void cuzk_unix_listener_close(cuzk_unix_listener *listener)
{
    if (listener == NULL)
        return;
    if (listener->started) {
        ssize_t written = write(listener->stop[1], "", 1);
        CUZK_ASSERT(written == 1);
        pthread_join(listener->thread, NULL);
    }
    cuzk_unix_socket_close(&listener->socket);
    for (size_t i = 0; i < 2; i++)
        if (listener->stop[i] >= 0)
            close(listener->stop[i]);
    free(listener);
}
