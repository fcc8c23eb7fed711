#include "server/unix_listener.h"
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

struct cuzk_unix_listener {
    struct sockaddr_un address;
    dev_t device;
    ino_t inode;
    int fd, lock, stop[2];
    pthread_t thread;
    bool started;
    void (*fn)(void *context, int fd);
    void *context;
};

/* SO_PEERCRED's answer: glibc shows its own name for it to GNU programs only. */
typedef struct peer_credentials {
    pid_t pid;
    uid_t uid;
    gid_t gid;
} peer_credentials;

static void log_peer(const cuzk_unix_listener *listener, int fd)
{
    peer_credentials peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0)
        cuzk_log(CUZK_LOG_INFO, "%s: connection of pid %d, uid %u, gid %u",
                 listener->address.sun_path, (int)peer.pid, (unsigned)peer.uid, (unsigned)peer.gid);
}

static void accept_one(cuzk_unix_listener *listener)
{
    int fd = accept(listener->fd, NULL, NULL);
    if (fd < 0) {
        if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
            cuzk_log(CUZK_LOG_ERROR, "%s: no connection can be taken: %s",
                     listener->address.sun_path, strerror(errno));
            nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
        }
        return;
    }
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    log_peer(listener, fd);
    listener->fn(listener->context, fd);
}

static void *run(void *context)
{
    cuzk_unix_listener *listener = context;
    struct pollfd files[] = {{.fd = listener->fd, .events = POLLIN},
                             {.fd = listener->stop[0], .events = POLLIN}};
    for (;;) {
        int ready = poll(files, 2, -1);
        if (ready < 0 && errno != EINTR)
            cuzk_log(CUZK_LOG_ERROR, "%s: poll: %s", listener->address.sun_path, strerror(errno));
        if (ready > 0 && files[1].revents != 0)
            return NULL;
        if (ready > 0 && files[0].revents != 0)
            accept_one(listener);
    }
}

/* Two services that start at once must not both find the socket dead. */
static cuzk_status take_lock(cuzk_unix_listener *listener, const char *path, cuzk_error *err)
{
    char name[sizeof listener->address.sun_path + 8];
    snprintf(name, sizeof name, "%s.lock", path);
    listener->lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (listener->lock < 0)
        return cuzk_fail(err, CUZK_ERR_IO, "%s: cannot be made: %s", name, strerror(errno));
    if (flock(listener->lock, LOCK_EX | LOCK_NB) != 0)
        return cuzk_fail(err, CUZK_ERR_IO, "%s: another process serves this socket (%s is locked)",
                         path, name);
    return CUZK_OK;
}

/* Removes what a dead process left. */
static cuzk_status clear_path(const cuzk_unix_listener *listener, cuzk_error *err)
{
    const char *path = listener->address.sun_path;
    struct stat info;
    if (lstat(path, &info) != 0)
        return errno == ENOENT
                   ? CUZK_OK
                   : cuzk_fail(err, CUZK_ERR_IO, "%s: cannot be read: %s", path, strerror(errno));
    if (!S_ISSOCK(info.st_mode))
        return cuzk_fail(err, CUZK_ERR_IO, "%s: it exists and is not a socket; it is left alone",
                         path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return cuzk_fail(err, CUZK_ERR_IO, "%s: no socket: %s", path, strerror(errno));
    int error =
        connect(fd, (const void *)&listener->address, sizeof listener->address) == 0 ? 0 : errno;
    close(fd);
    if (error != ECONNREFUSED)
        return cuzk_fail(err, CUZK_ERR_IO, "%s: another process serves this socket", path);
    if (unlink(path) != 0)
        return cuzk_fail(err, CUZK_ERR_IO, "%s: a dead socket that cannot be removed: %s", path,
                         strerror(errno));
    cuzk_log(CUZK_LOG_INFO, "%s: removed the socket that a dead process left", path);
    return CUZK_OK;
}

static cuzk_status make_folder(const char *path, cuzk_error *err)
{
    char folder[sizeof((struct sockaddr_un *)NULL)->sun_path];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash == NULL || slash == folder)
        return CUZK_OK;
    *slash = '\0';
    if (mkdir(folder, 0755) != 0 && errno != EEXIST)
        return cuzk_fail(err, CUZK_ERR_IO, "%s: the folder cannot be made: %s", folder,
                         strerror(errno));
    return CUZK_OK;
}

static cuzk_status listen_at(cuzk_unix_listener *listener, cuzk_error *err)
{
    const char *path = listener->address.sun_path;
    listener->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct stat info;
    /* Connecting needs listen: nobody comes in before the mode is set. */
    if (listener->fd < 0 ||
        bind(listener->fd, (const void *)&listener->address, sizeof listener->address) != 0 ||
        chmod(path, 0660) != 0 || lstat(path, &info) != 0 || listen(listener->fd, 128) != 0)
        return cuzk_fail(err, CUZK_ERR_IO, "%s: cannot listen: %s", path, strerror(errno));
    listener->device = info.st_dev;
    listener->inode = info.st_ino;
    return CUZK_OK;
}

static cuzk_status open_all(cuzk_unix_listener *listener, const char *path, cuzk_error *err)
{
    CUZK_TRY(make_folder(path, err));
    CUZK_TRY(take_lock(listener, path, err));
    CUZK_TRY(clear_path(listener, err));
    CUZK_TRY(listen_at(listener, err));
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
    listener->fd = listener->lock = listener->stop[0] = listener->stop[1] = -1;
    listener->fn = fn;
    listener->context = context;
    listener->address.sun_family = AF_UNIX;
    cuzk_status status;
    if (path[0] == '\0' || strlen(path) >= sizeof listener->address.sun_path) {
        status = cuzk_fail(err, CUZK_ERR_ARGUMENT,
                           "unix socket \"%s\": a path of 1 to %zu bytes is expected", path,
                           sizeof listener->address.sun_path - 1);
    } else {
        strcpy(listener->address.sun_path, path);
        status = open_all(listener, path, err);
    }
    if (status == CUZK_OK)
        *out = listener;
    else
        cuzk_unix_listener_close(listener);
    return status;
}

/* Unlinks the socket if it is still the one that was made here. */
static void remove_socket(const cuzk_unix_listener *listener)
{
    struct stat info;
    if (listener->inode != 0 && lstat(listener->address.sun_path, &info) == 0 &&
        info.st_dev == listener->device && info.st_ino == listener->inode)
        unlink(listener->address.sun_path);
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
    remove_socket(listener);
    const int files[] = {listener->fd, listener->stop[0], listener->stop[1], listener->lock};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i] >= 0)
            close(files[i]);
    free(listener);
}
