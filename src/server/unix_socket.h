/* The listening end of a unix socket: made with mode 0660, never stolen from a living process,
 * removed at the end. */
#ifndef CUZK_SERVER_UNIX_SOCKET_H
#define CUZK_SERVER_UNIX_SOCKET_H

#include "base/status.h"

#include <sys/types.h>
#include <sys/un.h>

typedef struct cuzk_unix_socket {
    struct sockaddr_un address;
    dev_t device; /* of the socket's file, once it is made */
    ino_t inode;
    int fd;   /* listens, non-blocking */
    int lock; /* of PATH.lock, held as long as the socket is served */
} cuzk_unix_socket;

/* What a dead process left at the path is removed; a socket that somebody serves, or anything else
 * there, is CUZK_ERR_IO. The folder is made if only it is missing. After a failure there is nothing
 * to close. */
cuzk_status cuzk_unix_socket_open(cuzk_unix_socket *s, const char *path, cuzk_error *err);

/* Closes fd unless the caller has set it to -1; removes the socket if it is still the one made
 * here. */
void cuzk_unix_socket_close(cuzk_unix_socket *s);

/* Logs who is at the other end of a connection. */
void cuzk_unix_socket_log_peer(const cuzk_unix_socket *s, int fd);

#endif
