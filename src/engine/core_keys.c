/* Keys: absent -> loading -> loaded -> freeing -> absent. A key is loaded once, whoever waits for
 * it, and freed only when no attempt holds it. */
#include "engine/core_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cuzk_core_key_name_order(const core_node *a, const core_node *b)
{
    return strcmp(CORE_OF(a, core_key, by_name)->name, CORE_OF(b, core_key, by_name)->name);
}

int cuzk_core_key_wanted_order(const core_node *a, const core_node *b)
{
    const core_job *x = cuzk_core_key_first(CORE_OF(a, core_key, wanted));
    const core_job *y = cuzk_core_key_first(CORE_OF(b, core_key, wanted));
    return cuzk_core_job_order(x, y);
}

int cuzk_core_key_idle_order(const core_node *a, const core_node *b)
{
    const core_key *x = CORE_OF(a, core_key, idle), *y = CORE_OF(b, core_key, idle);
    if (x->last_used != y->last_used)
        return x->last_used < y->last_used ? -1 : 1;
    return strcmp(x->name, y->name);
}

int cuzk_core_key_preload_order(const core_node *a, const core_node *b)
{
    const core_key *x = CORE_OF(a, core_key, preload), *y = CORE_OF(b, core_key, preload);
    return (x->order > y->order) - (x->order < y->order);
}

static int waiting_order(const core_node *a, const core_node *b)
{
    return cuzk_core_job_order(CORE_OF(a, core_job, queue), CORE_OF(b, core_job, queue));
}

static core_key *find(const cuzk_core *core, const char *name)
{
    core_key probe;
    memset(&probe, 0, sizeof probe);
    strncpy(probe.name, name, sizeof probe.name - 1);
    core_node *node = cuzk_core_tree_find(&core->keys, &probe.by_name);
    return node ? CORE_OF(node, core_key, by_name) : NULL;
}

core_key *cuzk_core_key_get(cuzk_core *core, const char *name)
{
    core_key *key = find(core, name);
    if (key)
        return key;
    key = calloc(1, sizeof *key);
    if (!key)
        return NULL;
    strncpy(key->name, name, sizeof key->name - 1);
    key->waiting.order = waiting_order;
    cuzk_core_tree_add(&core->keys, &key->by_name);
    return key;
}

void cuzk_core_key_expect(core_key *key, uint64_t load_bytes)
{
    if (load_bytes > key->load_bytes)
        key->load_bytes = load_bytes;
    if (key->state == CORE_KEY_ABSENT)
        key->bytes = key->load_bytes;
}

void cuzk_core_key_drop(cuzk_core *core, core_key *key)
{
    if (key->state != CORE_KEY_ABSENT || key->users > 0 || key->pinned)
        return;
    cuzk_core_tree_remove(&core->keys, &key->by_name);
    free(key);
}

core_job *cuzk_core_key_first(const core_key *key)
{
    core_node *node = cuzk_core_tree_first(&key->waiting);
    return node ? CORE_OF(node, core_job, queue) : NULL;
}

/* The tree of wanted keys is ordered by their first jobs, so a key leaves it while these change. */
void cuzk_core_key_wait(cuzk_core *core, core_job *job)
{
    core_key *key = job->key;
    if (cuzk_core_tree_has(&job->queue))
        return;
    if (key->state != CORE_KEY_LOADED && !job->key_since)
        job->key_since = core->now;
    cuzk_core_tree_remove(&core->wanted, &key->wanted);
    cuzk_core_tree_add(&key->waiting, &job->queue);
    cuzk_core_tree_add(&core->wanted, &key->wanted);
}

void cuzk_core_key_unwait(cuzk_core *core, core_job *job)
{
    core_key *key = job->key;
    if (!cuzk_core_tree_has(&job->queue))
        return;
    cuzk_core_tree_remove(&core->wanted, &key->wanted);
    cuzk_core_tree_remove(&key->waiting, &job->queue);
    if (cuzk_core_key_first(key))
        cuzk_core_tree_add(&core->wanted, &key->wanted);
}

void cuzk_core_key_ref(cuzk_core *core, core_key *key)
{
    CUZK_ASSERT(key->state == CORE_KEY_LOADED);
    if (key->refs++ == 0)
        cuzk_core_tree_remove(&core->idle_keys, &key->idle);
    key->last_used = core->now;
    core->counters.key_hits++;
}

void cuzk_core_key_unref(cuzk_core *core, core_key *key)
{
    CUZK_ASSERT(key->refs > 0);
    key->last_used = core->now;
    if (--key->refs == 0)
        cuzk_core_tree_add(&core->idle_keys, &key->idle);
}

void cuzk_core_key_load(cuzk_core *core, core_key *key)
{
    CUZK_ASSERT(key->state == CORE_KEY_ABSENT);
    cuzk_core_tree_remove(&core->preloads, &key->preload);
    key->state = CORE_KEY_LOADING;
    key->held = key->bytes;
    cuzk_core_memory_take(core, CUZK_MEMORY_KEY, key->held);
    core->loads++;
    core->counters.key_loads++;
    core->ops.load_key(core->context, key->name);
}

void cuzk_core_key_free(cuzk_core *core, core_key *key)
{
    CUZK_ASSERT(key->state == CORE_KEY_LOADED && key->refs == 0);
    cuzk_core_tree_remove(&core->idle_keys, &key->idle);
    key->state = CORE_KEY_FREEING;
    core->freeing += key->held;
    core->frees++;
    core->counters.key_evictions++;
    core->ops.free_key(core->context, key->name);
}

/* Whether a job may take the place of a key's first waiter: it goes before, and is more urgent or
 * was overtaken long enough; or nothing else is under way. */
static bool may_displace(const cuzk_core *core, const core_job *job, const core_key *victim)
{
    const core_job *first = cuzk_core_key_first(victim);
    if (!first)
        return true;
    return job && cuzk_core_job_order(job, first) < 0 &&
           (job->rank < first->rank || job->overtaken >= CORE_OVERTAKE_MAX || core->working == 0);
}

/* Pinned keys go only if the job could not run with all of them there. */
static bool needs_pinned(const cuzk_core *core, const core_job *job)
{
    if (!job)
        return false;
    uint64_t pinned = 0;
    for (core_node *node = cuzk_core_tree_first(&core->idle_keys); node;
         node = cuzk_core_tree_after(&core->idle_keys, node)) {
        const core_key *key = CORE_OF(node, core_key, idle);
        if (key->pinned && key != job->key)
            pinned += key->held;
    }
    uint64_t need = job->key ? job->key->bytes + job->witness_bytes
                             : job->parse_bytes + (job->has_payload ? 0 : job->payload_bytes);
    uint64_t beside = cuzk_core_memory_backlog(core) + pinned;
    uint64_t limit = cuzk_core_memory_limit(core, job->class_);
    return beside > limit || need > limit - beside;
}

/* Round 0: keys that nobody waits for; 1: those that the job may displace; 2: pinned ones. */
static int round_of(const cuzk_core *core, const core_job *job, const core_key *key)
{
    if (!may_displace(core, job, key))
        return -1;
    return key->pinned ? 2 : cuzk_core_key_first(key) ? 1 : 0;
}

bool cuzk_core_keys_evict(cuzk_core *core, uint64_t bytes, const core_job *job,
                          const core_key *except)
{
    uint64_t freeing = core->freeing + core->buffers.freeing, found = core->buffers.idle_bytes;
    if (bytes <= freeing)
        return true;
    uint64_t need = bytes - freeing;
    int rounds = 0;
    for (int limit = needs_pinned(core, job) ? 2 : 1; rounds <= limit && found < need; rounds++)
        for (core_node *node = cuzk_core_tree_first(&core->idle_keys); node;
             node = cuzk_core_tree_after(&core->idle_keys, node)) {
            const core_key *key = CORE_OF(node, core_key, idle);
            if (key != except && round_of(core, job, key) == rounds)
                found += key->held;
        }
    if (found < need)
        return false;
    uint64_t freed = cuzk_core_buffers_free(core, need);
    for (int now = 0; now < rounds && freed < need; now++)
        for (core_node *node = cuzk_core_tree_first(&core->idle_keys), *next; node && freed < need;
             node = next) {
            core_key *key = CORE_OF(node, core_key, idle);
            next = cuzk_core_tree_after(&core->idle_keys, node);
            if (key == except || round_of(core, job, key) != now)
                continue;
            freed += key->held;
            cuzk_core_key_free(core, key);
        }
    return true;
}

/* What waits for a key that cannot be had, fails; jobs that come later try again. */
static void fail_waiting(cuzk_core *core, core_key *key, const cuzk_failure *failure)
{
    for (core_job *job; (job = cuzk_core_key_first(key));)
        cuzk_core_job_end(core, job, CUZK_JOB_FAILED, failure);
}

static void note_loaded(cuzk_core *core, core_key *key)
{
    key->state = CORE_KEY_LOADED;
    key->last_used = core->now;
    cuzk_core_tree_add(&core->idle_keys, &key->idle);
    for (core_node *node = cuzk_core_tree_first(&key->waiting); node;
         node = cuzk_core_tree_after(&key->waiting, node)) {
        core_job *job = CORE_OF(node, core_job, queue);
        if (job->key_since)
            job->key_ns += core->now - job->key_since;
        job->key_since = 0;
    }
}

void cuzk_core_key_loaded(cuzk_core *core, uint64_t now, const char *name, uint64_t bytes,
                          const cuzk_failure *failure)
{
    cuzk_core_enter(core, now);
    core_key *key = find(core, name);
    CUZK_ASSERT(key && key->state == CORE_KEY_LOADING);
    core->loads--;
    cuzk_failure larger = {CUZK_BLAME_SYSTEM, CUZK_ERR_MEMORY, ""};
    if (failure) {
        key->state = CORE_KEY_ABSENT;
        key->pinned = false;
        cuzk_core_memory_give(core, CUZK_MEMORY_KEY, key->held);
        key->held = 0;
        fail_waiting(core, key, failure);
        cuzk_core_key_drop(core, key);
    } else if (bytes > key->held &&
               bytes - key->held > cuzk_core_memory_room(core, CUZK_CLASS_CRITICAL)) {
        (void)snprintf(
            larger.message, sizeof larger.message,
            "key %s takes %llu bytes, %llu were expected and the rest is not free; raise "
            "the memory budget",
            name, (unsigned long long)bytes, (unsigned long long)key->held);
        note_loaded(core, key);
        key->pinned = false;
        fail_waiting(core, key, &larger);
        cuzk_core_key_free(core, key);
    } else {
        if (bytes > key->held)
            cuzk_core_memory_take(core, CUZK_MEMORY_KEY, bytes - key->held);
        else
            cuzk_core_memory_give(core, CUZK_MEMORY_KEY, key->held - bytes);
        key->bytes = key->held = bytes;
        key->load_bytes = bytes > key->load_bytes ? bytes : key->load_bytes;
        note_loaded(core, key);
    }
    cuzk_core_settle(core);
}

static void want_preload(cuzk_core *core, core_key *key)
{
    if (cuzk_core_tree_has(&key->preload))
        return;
    key->order = ++core->preload_order;
    cuzk_core_tree_add(&core->preloads, &key->preload);
}

void cuzk_core_key_freed(cuzk_core *core, uint64_t now, const char *name)
{
    cuzk_core_enter(core, now);
    core_key *key = find(core, name);
    CUZK_ASSERT(key && key->state == CORE_KEY_FREEING);
    core->frees--;
    core->freeing -= key->held;
    cuzk_core_memory_give(core, CUZK_MEMORY_KEY, key->held);
    key->held = 0;
    key->bytes = key->load_bytes;
    key->state = CORE_KEY_ABSENT;
    if (key->pinned)
        want_preload(core, key);
    cuzk_core_key_drop(core, key);
    cuzk_core_settle(core);
}

bool cuzk_core_preload(cuzk_core *core, uint64_t now, const char *name, uint64_t bytes)
{
    cuzk_core_enter(core, now);
    core_key *key = cuzk_core_key_get(core, name);
    if (!key)
        return false;
    bool loaded = key->state == CORE_KEY_LOADED;
    cuzk_core_key_expect(key, bytes);
    if (key->state == CORE_KEY_ABSENT)
        want_preload(core, key);
    key->pinned = true;
    cuzk_core_settle(core);
    return loaded;
}

bool cuzk_core_evict(cuzk_core *core, uint64_t now, const char *name, uint64_t *bytes)
{
    cuzk_core_enter(core, now);
    core_key *key = find(core, name);
    bool evicted =
        key && key->state == CORE_KEY_LOADED && key->refs == 0 && !cuzk_core_key_first(key);
    *bytes = evicted ? key->held : 0;
    if (evicted) {
        key->pinned = false;
        cuzk_core_key_free(core, key);
    } else if (key && key->state == CORE_KEY_ABSENT && key->pinned) {
        key->pinned = false;
        cuzk_core_tree_remove(&core->preloads, &key->preload);
        cuzk_core_key_drop(core, key);
    }
    cuzk_core_settle(core);
    return evicted;
}
