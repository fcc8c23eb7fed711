/* Large buffers that are used again: kept by their sizes when they are given back, and made by
 * whoever can make memory that a device likes (pages of the process, or pinned ones). What is idle
 * here is counted, and told to go, by the engine's core (core_buffers.c).
 *
 * A buffer is given back without secrets: whoever wrote them wipes them (the CPU: cuzk_prove_start
 * and cuzk_prove_check), as only they know what was written; nothing is wiped again here. */
#ifndef CUZK_ENGINE_BUFFERS_H
#define CUZK_ENGINE_BUFFERS_H

#include <stddef.h>

typedef struct cuzk_buffer {
    void *data;   /* for the alignment see the source */
    size_t bytes; /* which it was made with, and is freed with */
    struct cuzk_buffer *next;
} cuzk_buffer;

/* Makes and frees the memory. Called from any thread, several at a time. make: NULL if there is
 * none; the pages are there when it returns. */
typedef struct cuzk_buffer_source {
    void *(*make)(void *context, size_t bytes);
    void (*free)(void *context, void *data, size_t bytes);
    void *context;
} cuzk_buffer_source;

/* Pages of the process, touched: huge ones from 2 MiB on where the kernel has them, aligned to
 * them; below, to 4 KiB. */
extern const cuzk_buffer_source cuzk_buffer_pages;

/* The size of the buffer that serves so many bytes: an eighth more at most, rounded up to pages,
 * from 1 MiB on to huge ones of 2 MiB. Charge this. */
size_t cuzk_buffer_size(size_t bytes);

typedef struct cuzk_buffers cuzk_buffers;

/* NULL: no memory. */
cuzk_buffers *cuzk_buffers_new(const cuzk_buffer_source *source);
/* Frees those that are idle; none may be in use. */
void cuzk_buffers_free(cuzk_buffers *buffers);

/* All from any thread. bytes: a size of cuzk_buffer_size. */
/* One that is idle, with whatever its last user left, at once; NULL: none. */
cuzk_buffer *cuzk_buffers_take(cuzk_buffers *buffers, size_t bytes);
/* A new one, which takes its time; NULL: no memory. */
cuzk_buffer *cuzk_buffers_make(cuzk_buffers *buffers, size_t bytes);
/* Back, to be idle; at once. NULL is ignored. */
void cuzk_buffers_give(cuzk_buffers *buffers, cuzk_buffer *buffer);
/* Its memory goes, which takes its time. NULL is ignored. */
void cuzk_buffers_unmake(cuzk_buffers *buffers, cuzk_buffer *buffer);

#endif
