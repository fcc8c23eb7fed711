/* Which sums of products this process uses. */
#include "circuit/dot.h"

#include "base/cpu.h"

const cuzk_dot_ops *cuzk_dot_ops_selected(void)
{
#if CUZK_X86_LEVELS
    if (cuzk_cpu_selected() >= CUZK_CPU_ADX)
        return &cuzk_dot_ops_adx;
#endif
    return &cuzk_dot_ops_portable;
}
