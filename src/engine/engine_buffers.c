/* Buffers that the core tells to be made or to go: off the core thread, on that of slow frees. */
#include "engine/engine_internal.h"

#include "base/clock.h"
#include "base/log.h"

#include <stdlib.h>

typedef struct buffer_call {
    cuzk_step step;
    size_t bytes;
    cuzk_buffer *buffer; /* to be freed; NULL: there was none */
} buffer_call;

static cuzk_status free_work(cuzk_step *step, cuzk_failure *failure)
{
    (void)failure;
    const buffer_call *call = step->subject;
    cuzk_buffers_unmake(step->engine->buffers, call->buffer);
    return CUZK_OK;
}

static void free_done(cuzk_step *step, const cuzk_failure *failure)
{
    (void)failure;
    cuzk_engine *engine = step->engine;
    buffer_call *call = step->subject;
    cuzk_core_buffer_freed(engine->core, cuzk_clock_ns(), call->bytes);
    free(call);
    cuzk_engine_act(engine);
}

void cuzk_engine_free_buffer(cuzk_engine *engine, uint64_t bytes)
{
    buffer_call *call = calloc(1, sizeof *call);
    cuzk_buffer *buffer = cuzk_buffers_take(engine->buffers, (size_t)bytes);
    if (call == NULL) { /* rather a slow core thread than memory that is not given back */
        cuzk_buffers_unmake(engine->buffers, buffer);
        cuzk_core_buffer_freed(engine->core, cuzk_clock_ns(), bytes);
        return;
    }
    call->bytes = (size_t)bytes;
    call->buffer = buffer;
    cuzk_step_post(&call->step, engine, engine->slow_free, call, free_work, free_done);
}

static cuzk_status warm_work(cuzk_step *step, cuzk_failure *failure)
{
    (void)failure;
    const buffer_call *call = step->subject;
    cuzk_buffers *buffers = step->engine->buffers;
    cuzk_buffers_give(buffers, cuzk_buffers_make(buffers, call->bytes));
    return CUZK_OK;
}

static void warm_done(cuzk_step *step, const cuzk_failure *failure)
{
    (void)failure;
    cuzk_engine *engine = step->engine;
    buffer_call *call = step->subject;
    cuzk_log(CUZK_LOG_DEBUG, "buffer made ahead bytes=%zu ms=%llu", call->bytes,
             (unsigned long long)((step->ended - step->begun) / 1000000));
    cuzk_core_buffer_warm(engine->core, cuzk_clock_ns(), call->bytes);
    free(call);
    cuzk_engine_act(engine);
}

void cuzk_engine_warm_buffer(cuzk_engine *engine, uint64_t bytes)
{
    buffer_call *call = calloc(1, sizeof *call);
    if (call == NULL) { /* whoever needs it makes it */
        cuzk_core_buffer_warm(engine->core, cuzk_clock_ns(), bytes);
        return;
    }
    call->bytes = (size_t)bytes;
    cuzk_step_post(&call->step, engine, engine->slow_free, call, warm_work, warm_done);
}
