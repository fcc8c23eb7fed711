/* Many small allocations with one life: given back together. */
#ifndef CUZK_BASE_ARENA_H
#define CUZK_BASE_ARENA_H

#include <stddef.h>

/* {0} is an empty one. Used by one thread at a time. */
typedef struct cuzk_arena {
    struct cuzk_arena_block *block; /* the newest; older ones behind it */
    size_t used;                    /* of the newest */
    size_t size;                    /* bytes of all blocks, taken from the system */
} cuzk_arena;

/* Returns count * size bytes, all zero, aligned for any plain type, good until the arena is
 * released; NULL when memory is short or the product overflows; never NULL for 0 bytes. */
void *cuzk_arena_new(cuzk_arena *arena, size_t count, size_t size);

/* Gives everything back; the arena is empty afterwards. */
void cuzk_arena_release(cuzk_arena *arena);

#endif
