/* The status as JSON: the keys of the Rust daemon with true values, and more. */
#ifndef CUZK_SERVER_STATUS_JSON_H
#define CUZK_SERVER_STATUS_JSON_H

#include "server/snapshot.h"

#include <jansson.h>

/* The text, freed with free; NULL: no memory. snapshot: CUZK_SNAPSHOT_WITH_JOBS. */
char *cuzk_status_json(const cuzk_snapshot *snapshot);

/* A JSON string; bytes that are not UTF-8 become '?', as ids and messages come from outside. NULL:
 * no memory. */
json_t *cuzk_json_text(const char *text);

#endif
