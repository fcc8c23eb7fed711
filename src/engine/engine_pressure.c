/* Reacts to the kernel's word that memory is short (PSI): what idles is freed before the kernel
 * takes something that works, or ends a process. Admission goes on as the budget allows; this only
 * shortens the life of what is kept for later. */
#include "engine/engine_internal.h"

#include "base/clock.h"
#include "base/log.h"

#define LOOK_NS   UINT64_C(1000000000)
#define RELIEF_NS UINT64_C(30000000000) /* keys that are needed must not come and go */
#define TOO_MUCH  20.0                  /* percent of the last ten seconds */

void cuzk_engine_look_at_pressure(cuzk_engine *engine)
{
    const uint64_t now = cuzk_clock_ns();
    const double percent = cuzk_memory_pressure(engine->config.limits_root);
    engine->next_pressure = percent < 0 ? CUZK_NEVER : now + LOOK_NS;
    if (percent < TOO_MUCH)
        return;
    cuzk_core_view view;
    cuzk_core_view_get(engine->core, now, &view);
    cuzk_core_relieve(engine->core, now);
    cuzk_engine_act(engine);
    engine->next_pressure = now + RELIEF_NS;
    cuzk_log(
        CUZK_LOG_WARN,
        "memory is short: work waited for it in %.1f %% of the last ten seconds; idle keys and "
        "buffers are freed (%llu MiB are charged); lower memory.total_budget if this stays",
        percent, (unsigned long long)(view.memory_used >> 20));
}
