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

/* What a command takes besides --json and --threads. */
typedef struct cuzk_usage {
    const struct argp_option *options; /* NULL: none */
    argp_parser_t parser;              /* its state's input is that of cuzk_usage_parse */
    const char *args_doc, *doc;
    bool json_only; /* uses one thread: there is no --threads */
} cuzk_usage;

/* Parses a command line into input and common. A wrong one ends the process, as --help does. */
void cuzk_usage_parse(const cuzk_usage *usage, int argc, char **argv, cuzk_common *common,
                      void *input);

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

/* A parser for commands without options of their own: its input is the cuzk_positionals. */
error_t cuzk_positionals_only(int key, char *arg, struct argp_state *state);

#endif
