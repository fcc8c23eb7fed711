/* Unix sockets that are listened on: made with mode 0660, never stolen from a living process,
 * removed at the end; who connects is logged. */
#ifndef CUZK_SERVER_UNIX_LISTENER_H
#define CUZK_SERVER_UNIX_LISTENER_H

#include "base/status.h"

typedef struct cuzk_unix_listener cuzk_unix_listener;

/* Calls fn on a thread of its own with each connection, a non-blocking file that becomes fn's. What
 * a dead process left at the path is removed; a socket that somebody serves, or anything else
 * there, is CUZK_ERR_IO. The folder is made if only it is missing. */
cuzk_status cuzk_unix_listener_open(cuzk_unix_listener **listener, const char *path,
                                    void (*fn)(void *context, int fd), void *context,
                                    cuzk_error *err);
/* Waits for fn. NULL is allowed. */
void cuzk_unix_listener_close(cuzk_unix_listener *listener);

#endif
