#include "circuit/filecoin/place.h"

#include <stdio.h>

void cuzk_place_write(char out[CUZK_PLACE_TEXT], const cuzk_place *place)
{
    size_t n = 0;
    if (place->depth == 0)
        snprintf(out, CUZK_PLACE_TEXT, "the outermost object");
    for (size_t i = 0; i < place->depth && i < CUZK_PLACE_DEPTH && n < CUZK_PLACE_TEXT; i++) {
        const cuzk_place_step *step = &place->step[i];
        int more =
            step->name != NULL
                ? snprintf(out + n, CUZK_PLACE_TEXT - n, "%s%s", i > 0 ? "." : "", step->name)
                : snprintf(out + n, CUZK_PLACE_TEXT - n, "[%zu]", step->index);
        n += more > 0 ? (size_t)more : 0;
    }
}
