/* What `cuzk filecoin` can do. */
#ifndef CUZK_CMD_FILECOIN_ACTIONS_H
#define CUZK_CMD_FILECOIN_ACTIONS_H

#include "cmd/command.h"

cuzk_status cuzk_filecoin_seal(cuzk_common *common, int argc, char **argv, cuzk_error *err);
cuzk_status cuzk_filecoin_c1(cuzk_common *common, int argc, char **argv, cuzk_error *err);
cuzk_status cuzk_filecoin_post(cuzk_common *common, int argc, char **argv, cuzk_error *err);
cuzk_status cuzk_filecoin_update(cuzk_common *common, int argc, char **argv, cuzk_error *err);
cuzk_status cuzk_filecoin_check(cuzk_common *common, int argc, char **argv, cuzk_error *err);

#endif
