/* Tokens of the service and its clients. */
#ifndef CUZK_CMD_SERVICE_TOKEN_H
#define CUZK_CMD_SERVICE_TOKEN_H

#include "base/status.h"

/* Reads a file that holds one word of printable ASCII, 8 to 4096 bytes; spaces around it do not
 * count. path
 * "" or NULL: *token is NULL. Else it is the caller's (free). A file that others may read is
 * logged. */
cuzk_status cuzk_token_read(char **token, const char *path, cuzk_error *err);

#endif
