/* Lays arrays out in memory that a caller gives; the same text first measures how much that is. */
#ifndef CUZK_COMPUTE_MSM_ARENA_H
#define CUZK_COMPUTE_MSM_ARENA_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct cuzk_arena {
    uint8_t *memory; /* NULL: only measure */
    size_t size, used;
} cuzk_arena;

static inline cuzk_arena cuzk_arena_measure(void)
{
    return (cuzk_arena){NULL, SIZE_MAX, 0};
}

static inline cuzk_arena cuzk_arena_over(void *memory, size_t size)
{
    CUZK_ASSERT(((uintptr_t)memory & 63) == 0);
    return (cuzk_arena){memory, size, 0};
}

/* The next bytes, 64-byte aligned. */
static inline void *cuzk_arena_take(cuzk_arena *arena, size_t bytes)
{
    const size_t at = arena->used;
    CUZK_ASSERT(bytes <= SIZE_MAX - 63 && arena->size - at >= ((bytes + 63) & ~(size_t)63));
    arena->used = at + ((bytes + 63) & ~(size_t)63);
    return arena->memory == NULL ? NULL : arena->memory + at;
}

#endif
