/* What the service is doing, as text for people and as JSON. */
#ifndef CUZK_CMD_SERVICE_STATUS_TEXT_H
#define CUZK_CMD_SERVICE_STATUS_TEXT_H

#include "cmd/service/client.h"

#include <jansson.h>
#include <stdio.h>

/* Lines of at most `columns` characters, each ended by line_end. */
void cuzk_status_text_print(FILE *out, const Cuzk__V1__GetStatusResponse *status, unsigned columns,
                            const char *line_end);
/* A new reference; NULL: no memory, or a name that is no UTF-8. */
json_t *cuzk_status_text_json(const Cuzk__V1__GetStatusResponse *status);

#endif
