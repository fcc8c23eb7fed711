/* Room for keys on a device that keeps them in its own memory, which the core's ledger is not
 * about. A key that did not fit there waits while other keys are there: idle ones are evicted for
 * it, the one first that was used least recently; those in use, or waited for, are waited for. It
 * fails if it is alone there. */
#include "engine/engine_internal.h"

#include "base/clock.h"
#include "base/log.h"

#include <stdlib.h>

#define VIEWS 64u

static int by_last_use(const void *a, const void *b)
{
    const cuzk_key_view *x = a, *y = b;
    return (x->last_used > y->last_used) - (x->last_used < y->last_used);
}

/* Begins to free an idle key. */
static bool evict_one(cuzk_engine *engine)
{
    cuzk_key_view views[VIEWS];
    uint64_t bytes;
    const size_t n = cuzk_core_view_keys(engine->core, views, VIEWS);
    qsort(views, n, sizeof *views, by_last_use);
    for (size_t i = 0; i < n; i++)
        if (!views[i].loading && !views[i].pinned && views[i].refs == 0 &&
            cuzk_core_evict(engine->core, cuzk_clock_ns(), views[i].key, &bytes)) {
            cuzk_engine_act(engine);
            return true;
        }
    return false;
}

/* Other keys are on the device, or on their way. */
static bool is_shared(cuzk_engine *engine, const cuzk_engine_key *key)
{
    cuzk_key_view views[VIEWS];
    const size_t n = cuzk_core_view_keys(engine->core, views, VIEWS);
    for (size_t i = 0; i < n; i++) {
        const cuzk_engine_key *other = cuzk_engine_key_get(engine, views[i].key);
        if (other != NULL && other != key && !other->crowded)
            return true;
    }
    return false;
}

bool cuzk_engine_key_waits(cuzk_engine *engine, cuzk_engine_key *key, const cuzk_failure *failure)
{
    if (engine->stop || !engine->device[0]->keeps_keys || failure->status != CUZK_ERR_MEMORY)
        return false;
    if (engine->keys_freeing == 0 && !is_shared(engine, key))
        return false;
    cuzk_log(CUZK_LOG_INFO, "key %s waits for room on %s: %s", key->name, engine->device[0]->name,
             failure->message);
    key->crowded = true;
    key->next_crowded = engine->crowded;
    engine->crowded = key;
    engine->room_made = false;
    return true;
}

static cuzk_engine_key *take(cuzk_engine *engine)
{
    cuzk_engine_key *key = engine->crowded;
    engine->crowded = key->next_crowded;
    key->crowded = false;
    return key;
}

void cuzk_engine_make_room(cuzk_engine *engine)
{
    while (engine->crowded != NULL && engine->stop) {
        cuzk_engine_key *key = take(engine);
        cuzk_engine_key_loaded(engine, key, &key->step.failure);
    }
    if (engine->crowded == NULL || engine->keys_freeing > 0)
        return;
    if (engine->room_made || (!evict_one(engine) && !is_shared(engine, engine->crowded)))
        cuzk_engine_load_key(engine, take(engine)->name);
    engine->room_made = false;
}
