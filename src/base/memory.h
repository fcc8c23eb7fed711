/* Large aligned memory. */
#ifndef CUZK_BASE_MEMORY_H
#define CUZK_BASE_MEMORY_H

#include <stddef.h>

/* Alignment that every vector kernel is content with. */
#define CUZK_ALIGNMENT 64u

/* size rounded up to a multiple of CUZK_ALIGNMENT: for laying several arrays out in one block. */
static inline size_t cuzk_align_up(size_t size)
{
    return (size + (CUZK_ALIGNMENT - 1)) & ~(size_t)(CUZK_ALIGNMENT - 1);
}

/* Returns count * size bytes, 64-byte aligned, on huge pages where that pays; contents undefined.
 * NULL when memory is short or the product overflows; never NULL for 0 bytes otherwise. Freed with
 * free. */
void *cuzk_memory_new(size_t count, size_t size);

/* For a process that keeps an account of its memory: what malloc gives out in large pieces is the
 * kernel's again when it is freed, and few heaps keep free pages. For the whole process, from now
 * on. */
void cuzk_memory_return_freed(void);

#endif
