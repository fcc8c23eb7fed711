/* One list of idle buffers: there are tens of them at most. */
#define _GNU_SOURCE
#include "engine/buffers.h"

#include "base/status.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define PAGE      ((size_t)4096)
#define HUGE_PAGE ((size_t)2 << 20)
#define HUGE_FROM (HUGE_PAGE / 2)
#define STEPS     8u /* sizes between two powers of two */

struct cuzk_buffers {
    cuzk_buffer_source source;
    pthread_mutex_t lock;
    /* Under the lock. */
    cuzk_buffer *idle; /* the youngest first */
    size_t in_use;
};

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

size_t cuzk_buffer_size(size_t bytes)
{
    CUZK_ASSERT(bytes <= SIZE_MAX / 4);
    size_t power = STEPS * PAGE;
    while (power <= bytes / 2)
        power *= 2;
    size_t unit = bytes < STEPS * PAGE ? PAGE : power / STEPS;
    if (bytes >= HUGE_FROM && unit < HUGE_PAGE)
        unit = HUGE_PAGE;
    return bytes == 0 ? PAGE : round_up(bytes, unit);
}

/* Mapped on its own, so that it is the kernel's again when it is freed, and in nobody's heap. */
static void *make_pages(void *context, size_t bytes)
{
    (void)context;
    const size_t unit = bytes < HUGE_PAGE ? PAGE : HUGE_PAGE, slack = unit - PAGE;
    char *mapped =
        mmap(NULL, bytes + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        return NULL;
    char *data = (char *)round_up((uintptr_t)mapped, unit);
    if (data > mapped)
        munmap(mapped, (size_t)(data - mapped));
    if (data < mapped + slack)
        munmap(data + bytes, (size_t)(mapped + slack - data));
#ifdef MADV_HUGEPAGE
    if (unit == HUGE_PAGE) /* a hint */
        (void)madvise(data, bytes, MADV_HUGEPAGE);
#endif
    for (size_t at = 0; at < bytes; at += PAGE)
        ((volatile char *)data)[at] = 0;
    return data;
}

static void free_pages(void *context, void *data, size_t bytes)
{
    (void)context;
    munmap(data, bytes);
}

const cuzk_buffer_source cuzk_buffer_pages = {.make = make_pages, .free = free_pages};

cuzk_buffers *cuzk_buffers_new(const cuzk_buffer_source *source)
{
    cuzk_buffers *b = calloc(1, sizeof *b);
    if (b == NULL)
        return NULL;
    b->source = *source;
    pthread_mutex_init(&b->lock, NULL);
    return b;
}

static void free_one(cuzk_buffers *b, cuzk_buffer *buffer)
{
    b->source.free(b->source.context, buffer->data, buffer->bytes);
    free(buffer);
}

void cuzk_buffers_free(cuzk_buffers *b)
{
    if (b == NULL)
        return;
    CUZK_ASSERT(b->in_use == 0);
    while (b->idle != NULL) {
        cuzk_buffer *buffer = b->idle;
        b->idle = buffer->next;
        free_one(b, buffer);
    }
    pthread_mutex_destroy(&b->lock);
    free(b);
}

cuzk_buffer *cuzk_buffers_take(cuzk_buffers *b, size_t bytes)
{
    pthread_mutex_lock(&b->lock);
    cuzk_buffer **at = &b->idle;
    while (*at != NULL && (*at)->bytes != bytes)
        at = &(*at)->next;
    cuzk_buffer *found = *at;
    if (found != NULL) {
        *at = found->next;
        b->in_use++;
    }
    pthread_mutex_unlock(&b->lock);
    return found;
}

cuzk_buffer *cuzk_buffers_make(cuzk_buffers *b, size_t bytes)
{
    cuzk_buffer *buffer = calloc(1, sizeof *buffer);
    if (buffer == NULL)
        return NULL;
    buffer->bytes = bytes;
    buffer->data = b->source.make(b->source.context, bytes);
    if (buffer->data == NULL) {
        free(buffer);
        return NULL;
    }
    pthread_mutex_lock(&b->lock);
    b->in_use++;
    pthread_mutex_unlock(&b->lock);
    return buffer;
}

void cuzk_buffers_give(cuzk_buffers *b, cuzk_buffer *buffer)
{
    if (buffer == NULL)
        return;
    pthread_mutex_lock(&b->lock);
    CUZK_ASSERT(b->in_use > 0);
    b->in_use--;
    buffer->next = b->idle;
    b->idle = buffer;
    pthread_mutex_unlock(&b->lock);
}

void cuzk_buffers_unmake(cuzk_buffers *b, cuzk_buffer *buffer)
{
    if (buffer == NULL)
        return;
    free_one(b, buffer);
    pthread_mutex_lock(&b->lock);
    CUZK_ASSERT(b->in_use > 0);
    b->in_use--;
    pthread_mutex_unlock(&b->lock);
}
