/* Listening sockets of the HTTP server. */
#ifndef CUZK_SERVER_HTTP_LISTEN_H
#define CUZK_SERVER_HTTP_LISTEN_H

#include "server/unix_socket.h"

#include <stdbool.h>

typedef struct cuzk_listen {
    int fd;
    bool loopback; /* nobody outside this machine can reach it (a unix socket is) */
    bool is_unix;
    char address[160];       /* "127.0.0.1:34567", "[::1]:80", "unix:///run/x.sock" */
    cuzk_unix_socket socket; /* if it is one; fd is taken out of it */
} cuzk_listen;

/* Binds and listens. A unix socket that a dead process left is replaced, one that is served is not.
 * Fails with CUZK_ERR_ARGUMENT (text) or CUZK_ERR_IO. */
cuzk_status cuzk_listen_open(cuzk_listen *l, const char *text, cuzk_error *err);

/* Who connected, into the log; unix sockets only. */
void cuzk_listen_log_peer(const cuzk_listen *l, int fd);

/* Closes fd unless it is -1; removes a unix socket. */
void cuzk_listen_close(cuzk_listen *l);

#endif
