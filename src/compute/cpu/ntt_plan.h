/* What every plan starts with: the kernel that made it and that alone can read the rest. */
#ifndef CUZK_COMPUTE_NTT_PLAN_H
#define CUZK_COMPUTE_NTT_PLAN_H

#include "compute/cpu/cpu_ops.h"

struct cuzk_ntt_plan {
    const cuzk_ntt_ops *ops;
    unsigned log_m;
};

#endif
