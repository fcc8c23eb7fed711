/* cuzk-service: the service and its clients. A program of its own, since what it links takes longer
 * to load than `cuzk` may take to start; `cuzk` runs it for the commands below. */
#ifndef CUZK_CMD_SERVICE_SERVICE_H
#define CUZK_CMD_SERVICE_SERVICE_H

#include "base/status.h"

#include <stdbool.h>

/* Exit codes beyond those of cmd/exit_code.h. */
enum {
    CUZK_EXIT_LISTEN = 20,  /* serve: an address or what [tls] names cannot be used */
    CUZK_EXIT_CUT_OFF = 21, /* serve: stopped by a second signal */
    CUZK_EXIT_UNREACHABLE = 22,
    CUZK_EXIT_NOT_ENDED = 23,
    CUZK_EXIT_TRY_LATER = 24,
    CUZK_EXIT_UNKNOWN = 25, /* no such job or key */
    CUZK_EXIT_DENIED = 26,
    CUZK_EXIT_REFUSED = 27, /* for any other reason, which the message says */
};

typedef struct cuzk_service_command {
    const char *name;
    const char *summary;
    /* argv[0] is "cuzk NAME". Returns an exit code; if it is not 0, err holds what to print. *json:
     * print it for programs. */
    int (*run)(bool *json, int argc, char **argv, cuzk_error *err);
} cuzk_service_command;

extern const cuzk_service_command cuzk_service_serve, cuzk_service_submit, cuzk_service_await,
    cuzk_service_cancel, cuzk_service_status, cuzk_service_preload, cuzk_service_evict,
    cuzk_service_top;

#endif
