#include "server/status_json.h"

#include <stdlib.h>
#include <string.h>

json_t *cuzk_json_text(const char *text)
{
    json_t *string = json_string(text);
    if (string != NULL)
        return string;
    char *copy = strdup(text);
    if (copy == NULL)
        return NULL;
    for (char *c = copy; *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    string = json_string(copy);
    free(copy);
    return string;
}
