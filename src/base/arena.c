#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

/* Blocks grow with the arena by an eighth of it, so that what lies unused stays small beside what
 * is used, and their number too. */
enum { FIRST_BLOCK = 16 << 10, LARGEST_BLOCK = 8 << 20 };

typedef struct cuzk_arena_block {
    struct cuzk_arena_block *older;
    size_t room;
    alignas(max_align_t) unsigned char bytes[];
} cuzk_arena_block;

static int add_block(cuzk_arena *arena, size_t needed)
{
    size_t room = arena->size / 8;
    if (room < FIRST_BLOCK)
        room = FIRST_BLOCK;
    if (room > LARGEST_BLOCK)
        room = LARGEST_BLOCK;
    if (room < needed)
        room = needed;
    if (room > SIZE_MAX - sizeof(cuzk_arena_block))
        return -1;
    /* calloc: fresh pages are zero already, and stay untouched until they are used. */
    cuzk_arena_block *block = calloc(1, sizeof *block + room);
    if (block == NULL)
        return -1;
    block->older = arena->block;
    block->room = room;
    arena->block = block;
    arena->used = 0;
    arena->size += sizeof *block + room;
    return 0;
}

void *cuzk_arena_new(cuzk_arena *arena, size_t count, size_t size)
{
    const size_t align = alignof(max_align_t);
    if (size > 0 && count > (SIZE_MAX - align) / size)
        return NULL;
    size_t bytes = (count * size + (align - 1)) & ~(align - 1);
    if (arena->block == NULL || bytes > arena->block->room - arena->used)
        if (add_block(arena, bytes) != 0)
            return NULL;
    void *result = arena->block->bytes + arena->used;
    arena->used += bytes;
    return result;
}

void cuzk_arena_release(cuzk_arena *arena)
{
    cuzk_arena_block *block = arena->block;
    while (block != NULL) {
        cuzk_arena_block *older = block->older;
        free(block);
        block = older;
    }
    *arena = (cuzk_arena){0};
}
