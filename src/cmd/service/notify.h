/* Tells systemd how the service is: one datagram to the socket that NOTIFY_SOCKET names. */
#ifndef CUZK_CMD_SERVICE_NOTIFY_H
#define CUZK_CMD_SERVICE_NOTIFY_H

/* message: "READY=1\nSTATUS=...". Nothing happens without NOTIFY_SOCKET; what cannot be sent is
 * logged. */
void cuzk_notify(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
