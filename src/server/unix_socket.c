#include "server/unix_socket.h"

#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define BACKLOG 512

/* SO_PEERCRED's answer: glibc shows its own name for it to GNU programs only. */
typedef struct peer_credentials {
    pid_t pid;
    uid_t uid;
    gid_t gid;
} peer_credentials;

void cuzk_unix_socket_log_peer(const cuzk_unix_socket *s, int fd)
{
    peer_credentials peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0)
        cuzk_log(CUZK_LOG_INFO, "%s: connection of pid %d, uid %u, gid %u", s->address.sun_path,
                 (int)peer.pid, (unsigned)peer.uid, (unsigned)peer.gid);
}

static void lock_name(char *name, size_t room, const cuzk_unix_socket *s)
{
    snprintf(name, room, "%s.lock", s->address.sun_path);
}

/* Two services that start at once must not both find the socket dead. The last holder may remove
 * the lock between our opening and our locking it: then nobody else sees the file that we locked,
 * and we take another. */
static cuzk_status take_lock(cuzk_unix_socket *s, cuzk_error *err)
{
    char name[sizeof s->address.sun_path + 8];
    lock_name(name, sizeof name, s);
    for (;;) {
        s->lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (s->lock < 0)
            return cuzk_fail(err, CUZK_ERR_IO, "%s: cannot be made: %s", name, strerror(errno));
        struct stat mine, there;
        bool locked = flock(s->lock, LOCK_EX | LOCK_NB) == 0;
        if (locked && fstat(s->lock, &mine) == 0 && stat(name, &there) == 0 &&
            mine.st_ino == there.st_ino && mine.st_dev == there.st_dev)
            return CUZK_OK;
        close(s->lock);
        s->lock = -1;
        if (!locked)
            return cuzk_fail(err, CUZK_ERR_IO,
                             "%s: another process serves this socket (%s is locked)",
                             s->address.sun_path, name);
    }
}

/* Removes what a dead process left. */
static cuzk_status clear_path(const cuzk_unix_socket *s, cuzk_error *err)
{
    const char *path = s->address.sun_path;
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
    int error = connect(fd, (const void *)&s->address, sizeof s->address) == 0 ? 0 : errno;
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

static cuzk_status listen_at(cuzk_unix_socket *s, cuzk_error *err)
{
    const char *path = s->address.sun_path;
    s->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct stat info;
    /* Connecting needs listen: nobody comes in before the mode is set. */
    if (s->fd < 0 || bind(s->fd, (const void *)&s->address, sizeof s->address) != 0 ||
        chmod(path, 0660) != 0 || lstat(path, &info) != 0 || listen(s->fd, BACKLOG) != 0)
        return cuzk_fail(err, CUZK_ERR_IO, "%s: cannot listen: %s", path, strerror(errno));
    s->device = info.st_dev;
    s->inode = info.st_ino;
    return CUZK_OK;
}

static cuzk_status open_all(cuzk_unix_socket *s, cuzk_error *err)
{
    CUZK_TRY(make_folder(s->address.sun_path, err));
    CUZK_TRY(take_lock(s, err));
    CUZK_TRY(clear_path(s, err));
    return listen_at(s, err);
}

cuzk_status cuzk_unix_socket_open(cuzk_unix_socket *s, const char *path, cuzk_error *err)
{
    *s = (cuzk_unix_socket){.address.sun_family = AF_UNIX, .fd = -1, .lock = -1};
    if (path[0] == '\0' || strlen(path) >= sizeof s->address.sun_path)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "unix socket \"%s\": a path of 1 to %zu bytes is expected", path,
                         sizeof s->address.sun_path - 1);
    strcpy(s->address.sun_path, path);
    cuzk_status status = open_all(s, err);
    if (status != CUZK_OK)
        cuzk_unix_socket_close(s);
    return status;
}

void cuzk_unix_socket_close(cuzk_unix_socket *s)
{
    struct stat info;
    if (s->inode != 0 && lstat(s->address.sun_path, &info) == 0 && info.st_dev == s->device &&
        info.st_ino == s->inode)
        unlink(s->address.sun_path);
    if (s->fd >= 0)
        close(s->fd);
    if (s->lock >= 0) {
        char name[sizeof s->address.sun_path + 8];
        lock_name(name, sizeof name, s);
        unlink(name);
        close(s->lock);
    }
    s->fd = s->lock = -1;
    s->inode = 0;
}
