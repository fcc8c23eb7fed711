/* The ledger: who holds how much of the budget, and who may take more.
 *
 * Payloads, inputs and results are the backlog: they go only when jobs end, and jobs end only if
 * partitions find room for a witness and a key beside them. So the backlog is kept small: payloads
 * and inputs may take a quarter each, unless one is alone, and never what a job that waits could
 * then no longer find. */
#include "engine/core_state.h"

#define SHARE 4u

uint64_t cuzk_core_memory_limit(const cuzk_core *core, cuzk_class class_)
{
    const cuzk_core_config *config = &core->config;
    return class_ == CUZK_CLASS_CRITICAL ? config->memory_total
                                         : config->memory_total - config->critical_reserve;
}

uint64_t cuzk_core_memory_room(const cuzk_core *core, cuzk_class class_)
{
    uint64_t limit = cuzk_core_memory_limit(core, class_);
    return limit > core->used ? limit - core->used : 0;
}

void cuzk_core_memory_take(cuzk_core *core, cuzk_memory_owner owner, uint64_t bytes)
{
    CUZK_ASSERT(bytes <= core->config.memory_total - core->used);
    core->memory[owner] += bytes;
    core->used += bytes;
}

void cuzk_core_memory_give(cuzk_core *core, cuzk_memory_owner owner, uint64_t bytes)
{
    CUZK_ASSERT(bytes <= core->memory[owner] && bytes <= core->used);
    core->memory[owner] -= bytes;
    core->used -= bytes;
}

uint64_t cuzk_core_memory_backlog(const cuzk_core *core)
{
    return core->memory[CUZK_MEMORY_PAYLOAD] + core->memory[CUZK_MEMORY_INPUT] +
           core->memory[CUZK_MEMORY_RESULT];
}

/* The most that a waiting job needs beside the backlog. only_possible: of those whose need would
 * fit beside the present backlog. */
static uint64_t largest_need(const cuzk_core *core, uint64_t limit, bool only_possible)
{
    uint64_t most = 0, backlog = cuzk_core_memory_backlog(core);
    core_node *node = cuzk_core_tree_first(&core->wanted);
    for (unsigned i = 0; node && i < CORE_SCAN_MAX;
         i++, node = cuzk_core_tree_after(&core->wanted, node)) {
        const core_key *key = CORE_OF(node, core_key, wanted);
        /* Also if it is loaded: it may be evicted, and then has to come again. */
        uint64_t need = key->load_bytes + cuzk_core_key_first(key)->witness_bytes;
        if (need > most && (!only_possible || (backlog <= limit && need <= limit - backlog)))
            most = need;
    }
    return most;
}

static core_fit fits(const cuzk_core *core, cuzk_class class_, uint64_t held, uint64_t bytes,
                     bool only_possible, uint64_t *short_of)
{
    uint64_t limit = cuzk_core_memory_limit(core, class_);
    uint64_t room = cuzk_core_memory_room(core, class_);
    uint64_t backlog = cuzk_core_memory_backlog(core);
    *short_of = 0;
    if (bytes > limit || backlog > limit - bytes)
        return CORE_FIT_BACKLOG;
    if (class_ != CUZK_CLASS_CRITICAL) {
        if (held > 0 && (held > limit / SHARE || bytes > limit / SHARE - held))
            return CORE_FIT_LATER;
        if (largest_need(core, limit, only_possible) > limit - backlog - bytes)
            return CORE_FIT_LATER;
    }
    if (bytes <= room)
        return CORE_FIT_NOW;
    *short_of = bytes - room;
    return CORE_FIT_SHORT;
}

core_fit cuzk_core_memory_fit_payload(const cuzk_core *core, cuzk_class class_, uint64_t bytes,
                                      uint64_t *short_of)
{
    if (core->starved && class_ != CUZK_CLASS_CRITICAL) {
        *short_of = 0;
        return CORE_FIT_BACKLOG;
    }
    return fits(core, class_, core->memory[CUZK_MEMORY_PAYLOAD], bytes, false, short_of);
}

core_fit cuzk_core_memory_fit_parse(const cuzk_core *core, const core_job *job, uint64_t bytes,
                                    uint64_t *short_of)
{
    return fits(core, job->class_, core->memory[CUZK_MEMORY_INPUT], bytes, true, short_of);
}
