/* Commands that are several: `cuzk circuit list`, `cuzk circuit info`. */
#ifndef CUZK_CMD_GROUP_H
#define CUZK_CMD_GROUP_H

#include "cmd/command.h"

#include <stddef.h>

typedef struct cuzk_group {
    const char *name;            /* "circuit" */
    const char *before, *after;  /* of the list of actions in its help */
    const cuzk_command *actions; /* argv[0] of theirs is "cuzk NAME ACTION" */
    size_t n;
} cuzk_group;

/* Finds the action in argv[1] and runs it. Usage errors end the process inside argp. */
cuzk_status cuzk_group_run(const cuzk_group *group, cuzk_common *common, int argc, char **argv,
                           cuzk_error *err);

#endif
