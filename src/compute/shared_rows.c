#include "compute/shared_rows.h"

#include <stdlib.h>

void cuzk_shared_rows_release(cuzk_shared_rows *rows)
{
    for (int i = 0; i < 3; i++) {
        free(rows->side[i].light);
        free(rows->side[i].heavy);
        free(rows->side[i].line);
        free(rows->side[i].term);
    }
    free(rows->instance);
    free(rows->port);
    *rows = (cuzk_shared_rows){0};
}
