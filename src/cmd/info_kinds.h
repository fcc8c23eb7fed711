/* What `cuzk info` says about each kind of file. */
#ifndef CUZK_CMD_INFO_KINDS_H
#define CUZK_CMD_INFO_KINDS_H

#include "api/file_kind.h"

#include <jansson.h>

/* Adds curve and sizes to the report, and sentences to the list of problems. Fails where the file
 * cannot be read as what it claims to be. */
cuzk_status cuzk_info_add(json_t *report, json_t *problems, cuzk_file_kind kind,
                          const cuzk_map *map, cuzk_error *err);

#endif
