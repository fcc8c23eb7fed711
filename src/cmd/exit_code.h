/* The exit codes of cuzk. */
#ifndef CUZK_CMD_EXIT_CODE_H
#define CUZK_CMD_EXIT_CODE_H

#include "base/status.h"

#include <stddef.h>

/* The code is the status's number; wrong usage is CUZK_ERR_ARGUMENT. */
typedef struct cuzk_exit_meaning {
    cuzk_status status;
    const char *text;
} cuzk_exit_meaning;

extern const cuzk_exit_meaning cuzk_exit_meanings[];
extern const size_t cuzk_exit_meanings_count;

#endif
