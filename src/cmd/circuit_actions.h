/* What `cuzk circuit` can do. */
#ifndef CUZK_CMD_CIRCUIT_ACTIONS_H
#define CUZK_CMD_CIRCUIT_ACTIONS_H

#include "cmd/command.h"

cuzk_status cuzk_circuit_list(cuzk_common *common, int argc, char **argv, cuzk_error *err);
cuzk_status cuzk_circuit_info(cuzk_common *common, int argc, char **argv, cuzk_error *err);
cuzk_status cuzk_circuit_compile(cuzk_common *common, int argc, char **argv, cuzk_error *err);
cuzk_status cuzk_circuit_hash_print(cuzk_common *common, int argc, char **argv, cuzk_error *err);
cuzk_status cuzk_circuit_stats(cuzk_common *common, int argc, char **argv, cuzk_error *err);

#endif
