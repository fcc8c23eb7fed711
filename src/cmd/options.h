/* Options and arguments that the subcommands have in common. */
#ifndef CUZK_CMD_OPTIONS_H
#define CUZK_CMD_OPTIONS_H

#include "base/pool.h"
#include "base/status.h"

#include <argp.h>
#include <stdbool.h>

typedef struct cuzk_common {
    bool json;
    unsigned threads; /* 0: as many as the process may use */
} cuzk_common;

/* --json and --threads; its input is a cuzk_common. */
extern const struct argp cuzk_common_argp;

/* The same without --threads, for commands that use one. */
extern const struct argp cuzk_json_argp;

/* Starts the threads. */
cuzk_status cuzk_common_pool(const cuzk_common *common, cuzk_pool **pool, cuzk_error *err);

#define CUZK_MAX_POSITIONALS 4

/* Arguments that are no options: between least and most of them, filled in order. */
typedef struct cuzk_positionals {
    unsigned least, most, n;
    const char *value[CUZK_MAX_POSITIONALS];
} cuzk_positionals;

/* What a parser calls for keys that it does not handle itself. */
error_t cuzk_positionals_parse(cuzk_positionals *positionals, int key, char *arg,
                               struct argp_state *state);

#endif
