/* The engine's end: draining, closing, and what is left when a device does not return. */
#include "engine/engine_internal.h"

#include "base/clock.h"
#include "engine/key_digests.h"

#include <stdlib.h>

typedef struct drain_call {
    cuzk_message message;
    void (*fn)(void *context);
    void *context;
} drain_call;

static void handle_drain(void *owner, cuzk_message *message)
{
    cuzk_engine *engine = owner;
    drain_call *call = (drain_call *)(void *)message;
    atomic_store(&engine->ready, false);
    engine->drained = call->fn;
    engine->drained_context = call->context;
    cuzk_engine_save_again(engine);
    cuzk_core_drain(engine->core, cuzk_clock_ns(), engine->store == NULL);
    cuzk_engine_act(engine);
    free(call);
}

void cuzk_engine_drain(cuzk_engine *engine, void (*fn)(void *context), void *context)
{
    drain_call *call = calloc(1, sizeof *call);
    CUZK_ASSERT(call != NULL); /* tens of bytes */
    call->message.handle = handle_drain;
    call->fn = fn;
    call->context = context;
    cuzk_inbox_post(&engine->inbox, &call->message);
}

/* Work under way is cancelled and waited for; nothing new begins, as the core's ops are not done.
 */
static void handle_stop(void *owner, cuzk_message *message)
{
    cuzk_engine *engine = owner;
    (void)message;
    atomic_store(&engine->ready, false);
    engine->stop = true;
    engine->acting = true;
    engine->next_look = engine->next_pressure = engine->next_save = CUZK_NEVER;
    engine->close_by = cuzk_clock_ns() + engine->config.close_wait_ms * 1000000;
    cuzk_engine_cancel_attempts(engine);
    cuzk_engine_tell_closed(engine);
}

bool cuzk_engine_may_end(const cuzk_engine *engine)
{
    if (!engine->stop || engine->steps_under_way > engine->watched)
        return false; /* other steps depend on no device: they end */
    return engine->watched == engine->late || engine->close_by <= cuzk_clock_ns();
}

static void stop_core(cuzk_engine *engine)
{
    if (!engine->thread_runs)
        return;
    cuzk_message stop = {.handle = handle_stop};
    cuzk_inbox_post(&engine->inbox, &stop);
    pthread_join(engine->thread, NULL);
}

/* All but those of devices. */
static void free_host_workers(cuzk_engine *engine)
{
    cuzk_workers **groups[] = {&engine->parse, &engine->synth,     &engine->check,
                               &engine->io,    &engine->keys_load, &engine->slow_free};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        cuzk_workers_free(*groups[i]);
        *groups[i] = NULL;
    }
}

static void close_store(cuzk_engine *engine)
{
    if (engine->store != NULL)
        cuzk_store_close(engine->store);
    engine->store = NULL;
}

static void free_engine(cuzk_engine *engine)
{
    free_host_workers(engine);
    for (unsigned d = 0; d < engine->devices; d++) {
        cuzk_workers_free(engine->upload[d]);
        cuzk_workers_free(engine->compute[d]);
        cuzk_workers_free(engine->finish[d]);
    }
    cuzk_engine_jobs_free(engine);
    cuzk_engine_keys_free(engine);
    for (unsigned d = 0; d < engine->devices; d++)
        engine->device[d]->ops->close(engine->device[d]);
    cuzk_buffers_free(engine->buffers);
    if (engine->core != NULL)
        cuzk_core_free(engine->core);
    close_store(engine);
    cuzk_pool_free(engine->pool);
    cuzk_inbox_release(&engine->inbox);
    pthread_mutex_destroy(&engine->store_lock);
    pthread_mutex_destroy(&engine->waiters_lock);
    cuzk_key_digests_free(engine->key_digests);
    free(engine->keys_folder);
    free(engine->params_folder);
    free(engine->circuits_folder);
    free(engine->actions);
    free(engine);
}

static void *await_rest(void *context)
{
    cuzk_engine *engine = context;
    while (engine->steps_under_way > 0)
        cuzk_engine_handle(engine, CUZK_NEVER);
    free_engine(engine);
    return NULL;
}

/* A step of a device goes on reading its work, the key and the input: they stay until it returns,
 * which it may never do. Without memory for the thread that waits, they stay for good. */
static void leave(cuzk_engine *engine)
{
    pthread_t thread;
    cuzk_watch_log_left(engine);
    free_host_workers(engine);
    close_store(engine);
    if (pthread_create(&thread, NULL, await_rest, engine) == 0)
        pthread_detach(thread);
}

void cuzk_engine_close(cuzk_engine *engine)
{
    if (engine == NULL)
        return;
    stop_core(engine);
    if (engine->steps_under_way > 0)
        leave(engine);
    else
        free_engine(engine);
}
