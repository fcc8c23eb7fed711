/* Where in a vanilla proof something stands, for messages: "vanilla_proof[0].comm_c". */
#ifndef CUZK_CIRCUIT_FILECOIN_PLACE_H
#define CUZK_CIRCUIT_FILECOIN_PLACE_H

#include <stddef.h>

enum { CUZK_PLACE_DEPTH = 32, CUZK_PLACE_TEXT = 400 };

/* One step down: into a member, or, where name is NULL, into an element. */
typedef struct cuzk_place_step {
    const char *name; /* static */
    size_t index;
} cuzk_place_step;

/* {0} is the outermost. Steps beyond CUZK_PLACE_DEPTH are counted and not shown. */
typedef struct cuzk_place {
    cuzk_place_step step[CUZK_PLACE_DEPTH];
    size_t depth;
} cuzk_place;

static inline void cuzk_place_push(cuzk_place *place, const char *name, size_t index)
{
    if (place->depth < CUZK_PLACE_DEPTH)
        place->step[place->depth] = (cuzk_place_step){name, index};
    place->depth++;
}

static inline void cuzk_place_pop(cuzk_place *place)
{
    place->depth--;
}

/* Writes it with a NUL, shortened if need be; the outermost is "the outermost object". */
void cuzk_place_write(char out[CUZK_PLACE_TEXT], const cuzk_place *place);

#endif
