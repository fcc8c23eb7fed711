/* What a subcommand of cuzk is. */
#ifndef CUZK_CMD_COMMAND_H
#define CUZK_CMD_COMMAND_H

#include "base/status.h"
#include "cmd/options.h"

typedef struct cuzk_command {
    const char *name;
    const char *summary; /* one line for `cuzk --help` */
    /* argv[0] is "cuzk NAME". Usage errors end the process inside argp. */
    cuzk_status (*run)(cuzk_common *common, int argc, char **argv, cuzk_error *err);
    bool plain_exit; /* every failure exits with 1, as the program that this one stands in for does
                      */
} cuzk_command;

extern const cuzk_command cuzk_command_bench, cuzk_command_check, cuzk_command_circuit,
    cuzk_command_export_vk, cuzk_command_filecoin, cuzk_command_info, cuzk_command_prove,
    cuzk_command_prover, cuzk_command_setup, cuzk_command_verify, cuzk_command_version;

#endif
