/* What is kept because it may be of use again, given up: for a machine that is short of memory. */
#include "engine/core_state.h"

void cuzk_core_relieve(cuzk_core *core, uint64_t now)
{
    cuzk_core_enter(core, now);
    (void)cuzk_core_buffers_free(core, UINT64_MAX);
    for (core_node *node = cuzk_core_tree_first(&core->idle_keys), *next; node; node = next) {
        core_key *key = CORE_OF(node, core_key, idle);
        next = cuzk_core_tree_after(&core->idle_keys, node);
        if (!key->pinned && !cuzk_core_key_first(key))
            cuzk_core_key_free(core, key);
    }
    cuzk_core_settle(core);
}
