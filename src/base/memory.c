#define _GNU_SOURCE
#include "base/memory.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/* From half a huge page on: to fault 256 small ones in takes longer than to clear it, with what
 * rounding up wastes. */
#define HUGE_PAGE ((size_t)2 << 20)
#define HUGE_FROM (HUGE_PAGE / 2)

void *cuzk_memory_new(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2)
        return NULL;
    if (bytes < HUGE_FROM)
        return aligned_alloc(CUZK_ALIGNMENT, bytes == 0 ? CUZK_ALIGNMENT : cuzk_align_up(bytes));
    bytes = (bytes + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    void *memory = aligned_alloc(HUGE_PAGE, bytes);
#ifdef MADV_HUGEPAGE
    /* A hint: scattered reads of gigabytes miss the TLB far less. Failure changes nothing. */
    if (memory != NULL)
        (void)madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memory;
}

/* glibc raises its threshold to the largest piece that was freed, and keeps pieces up to that in
 * its heaps: a key that was read once would leave as much behind. Each of its heaps keeps what its
 * threads freed. */
#define MAPPED_FROM (128 << 10)
#define HEAPS_MAX   8

void cuzk_memory_return_freed(void)
{
    (void)mallopt(M_MMAP_THRESHOLD, MAPPED_FROM);
    (void)mallopt(M_ARENA_MAX, HEAPS_MAX);
}
