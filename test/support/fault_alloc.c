#include "support/fault_alloc.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define MAX_BLOCKS 65536

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all below */
static void *blocks[MAX_BLOCKS];
static size_t live, count, fail_at;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *block);

void test_fault_arm(size_t n)
{
    pthread_mutex_lock(&lock);
    fail_at = n;
    count = 0;
    pthread_mutex_unlock(&lock);
}

size_t test_fault_count(void)
{
    pthread_mutex_lock(&lock);
    size_t n = count;
    pthread_mutex_unlock(&lock);
    return n;
}

size_t test_fault_live(void)
{
    pthread_mutex_lock(&lock);
    size_t n = live;
    pthread_mutex_unlock(&lock);
    return n;
}

static bool fails_now(void)
{
    pthread_mutex_lock(&lock);
    bool fails = ++count == fail_at;
    pthread_mutex_unlock(&lock);
    return fails;
}

static void *note_new(void *block)
{
    if (block == NULL)
        return NULL;
    pthread_mutex_lock(&lock);
    if (live < MAX_BLOCKS)
        blocks[live] = block;
    live++;
    pthread_mutex_unlock(&lock);
    return block;
}

/* Blocks that others allocated, such as strdup's, are not known here. */
static void note_gone(const void *block)
{
    pthread_mutex_lock(&lock);
    for (size_t i = live < MAX_BLOCKS ? live : MAX_BLOCKS; i-- > 0;)
        if (blocks[i] == block) {
            blocks[i] = blocks[--live];
            break;
        }
    pthread_mutex_unlock(&lock);
}

void *__wrap_malloc(size_t size)
{
    return fails_now() ? NULL : note_new(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails_now() ? NULL : note_new(__real_calloc(n, size));
}

void *__wrap_realloc(void *block, size_t size)
{
    if (fails_now())
        return NULL;
    if (block != NULL)
        note_gone(block);
    return note_new(__real_realloc(block, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails_now() ? NULL : note_new(__real_aligned_alloc(alignment, size));
}

void __wrap_free(void *block)
{
    if (block != NULL)
        note_gone(block);
    __real_free(block);
}
