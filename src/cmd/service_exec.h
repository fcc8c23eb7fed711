/* The commands of the other program, cuzk-service (see cmd/service/service.h). */
#ifndef CUZK_CMD_SERVICE_EXEC_H
#define CUZK_CMD_SERVICE_EXEC_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cuzk_service_name {
    const char *name, *summary;
} cuzk_service_name;

extern const cuzk_service_name cuzk_service_names[];
extern const size_t cuzk_service_names_count;

/* One of these commands; or none, or options of the service before any command: then `serve` is
 * meant, as of the program that this one stands in for. */
bool cuzk_service_is_meant(int argc, char *const *argv);

/* Becomes cuzk-service, which lies beside this program or in libexec/cuzk. Returns only on failure.
 */
cuzk_status cuzk_service_exec(int argc, char **argv, cuzk_error *err);

#endif
