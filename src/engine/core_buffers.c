/* Buffers of attempts: charged with the attempt, and when it is dropped kept for the next that
 * needs one of just that size, so that memory is not given to the kernel and asked for again,
 * zeroed page by page, with every partition.
 *
 * Idle buffers are charged to CUZK_MEMORY_POOL. They give way before anything else does: before a
 * key is evicted and before anyone waits; and they go by themselves after pool_idle_ns. They are
 * counted by size only, as one is as good as the other; the driver may have fewer than are counted
 * here (it could not make one), but never more. */
#include "engine/core_state.h"

#include <string.h>

/* Requests find this part of the budget free as long as idle buffers hold some. */
#define FREE_PART 64u

/* The youngest idle buffer of that size, whose pages are the warmest; n: none. */
static uint32_t find(const core_buffers *b, uint64_t bytes)
{
    for (uint32_t i = b->n; bytes > 0 && i > 0; i--)
        if (b->idle[i - 1].bytes == bytes)
            return i - 1;
    return b->n;
}

static void take_out(core_buffers *b, uint32_t i)
{
    b->idle_bytes -= b->idle[i].bytes;
    b->n--;
    memmove(b->idle + i, b->idle + i + 1, (b->n - i) * sizeof *b->idle);
}

/* It stays charged until the driver says that it is gone. */
static uint64_t free_oldest(cuzk_core *core)
{
    core_buffers *b = &core->buffers;
    uint64_t bytes = b->idle[0].bytes;
    take_out(b, 0);
    b->frees++;
    b->freeing += bytes;
    core->counters.buffers_freed++;
    core->ops.free_buffer(core->context, bytes);
    return bytes;
}

static void add_idle(cuzk_core *core, uint64_t bytes)
{
    core_buffers *b = &core->buffers;
    if (b->n == CORE_BUFFERS_MAX)
        (void)free_oldest(core);
    b->idle[b->n].bytes = bytes;
    b->idle[b->n].since = core->now;
    b->n++;
    b->idle_bytes += bytes;
}

uint64_t cuzk_core_buffers_room(const cuzk_core *core, const core_job *job)
{
    uint64_t limit = cuzk_core_memory_limit(core, job->class_), used = core->used;
    if (find(&core->buffers, job->buffer_bytes) < core->buffers.n)
        used -= job->buffer_bytes;
    return limit > used ? limit - used : 0;
}

uint64_t cuzk_core_buffers_idle(const cuzk_core *core, const core_job *job)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < core->buffers.n; i++)
        if (core->buffers.idle[i].bytes == job->buffer_bytes)
            bytes += job->buffer_bytes;
    return bytes;
}

void cuzk_core_buffers_admit(cuzk_core *core, const core_job *job)
{
    uint32_t i = find(&core->buffers, job->buffer_bytes);
    if (i < core->buffers.n) {
        take_out(&core->buffers, i);
        cuzk_core_memory_give(core, CUZK_MEMORY_POOL, job->buffer_bytes);
        core->counters.buffers_used_again++;
    } else if (job->buffer_bytes > 0) {
        core->counters.buffers_made++;
    }
    cuzk_core_memory_take(core, CUZK_MEMORY_WITNESS, job->witness_bytes);
}

void cuzk_core_buffers_drop(cuzk_core *core, const core_job *job)
{
    cuzk_core_memory_give(core, CUZK_MEMORY_WITNESS, job->witness_bytes);
    if (job->buffer_bytes == 0)
        return;
    cuzk_core_memory_take(core, CUZK_MEMORY_POOL, job->buffer_bytes);
    add_idle(core, job->buffer_bytes);
}

uint64_t cuzk_core_buffers_free(cuzk_core *core, uint64_t bytes)
{
    uint64_t freed = 0;
    while (freed < bytes && core->buffers.n > 0)
        freed += free_oldest(core);
    return freed;
}

void cuzk_core_buffers_warm(cuzk_core *core, const core_job *job, uint64_t reserved)
{
    core_buffers *b = &core->buffers;
    uint64_t bytes = job->buffer_bytes, room = cuzk_core_memory_room(core, job->class_);
    if (bytes == 0 || b->warms > 0 || find(b, bytes) < b->n || reserved > room ||
        bytes > room - reserved)
        return;
    cuzk_core_memory_take(core, CUZK_MEMORY_POOL, bytes);
    b->warms++;
    b->warming += bytes;
    core->counters.buffers_made++;
    core->ops.warm_buffer(core->context, bytes);
}

void cuzk_core_buffer_warm(cuzk_core *core, uint64_t now, uint64_t bytes)
{
    cuzk_core_enter(core, now);
    core_buffers *b = &core->buffers;
    CUZK_ASSERT(b->warms > 0 && bytes <= b->warming);
    b->warms--;
    b->warming -= bytes;
    add_idle(core, bytes);
    cuzk_core_settle(core);
}

void cuzk_core_buffer_freed(cuzk_core *core, uint64_t now, uint64_t bytes)
{
    cuzk_core_enter(core, now);
    core_buffers *b = &core->buffers;
    CUZK_ASSERT(b->frees > 0 && bytes <= b->freeing);
    b->frees--;
    b->freeing -= bytes;
    cuzk_core_memory_give(core, CUZK_MEMORY_POOL, bytes);
    cuzk_core_settle(core);
}

void cuzk_core_buffers_yield(cuzk_core *core)
{
    uint64_t want = core->config.memory_total / FREE_PART, freeing = core->buffers.freeing;
    uint64_t room = cuzk_core_memory_room(core, CUZK_CLASS_CRITICAL);
    if (room + freeing < want)
        (void)cuzk_core_buffers_free(core, want - room - freeing);
}

uint64_t cuzk_core_buffers_timer(const cuzk_core *core)
{
    const core_buffers *b = &core->buffers;
    uint64_t idle = core->config.pool_idle_ns;
    return b->n == 0 || idle > CUZK_NEVER - b->idle[0].since ? CUZK_NEVER : b->idle[0].since + idle;
}

void cuzk_core_buffers_tick(cuzk_core *core)
{
    while (cuzk_core_buffers_timer(core) <= core->now)
        (void)free_oldest(core);
}
