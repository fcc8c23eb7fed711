/* Which kernels run: those of the selected CPU level. And prepared bases, which are bound to it. */
#include "compute/msm.h"

#include "base/cpu.h"
#include "compute/cpu/msm_plan.h"

#if CUZK_X86_LEVELS
#define LEVELS(curve)                                                                              \
    {                                                                                              \
        cuzk_msm_##curve##_portable, cuzk_msm_##curve##_adx, cuzk_msm_##curve##_avx2,              \
            cuzk_msm_##curve##_ifma                                                                \
    }
#else
#define LEVELS(curve)                                                                              \
    {                                                                                              \
        cuzk_msm_##curve##_portable                                                                \
    }
#endif

const cuzk_msm_kernel *cuzk_msm_kernel_get(const cuzk_curve *curve, cuzk_group group)
{
    static const cuzk_msm_kernel *const bn254[CUZK_CPU_LEVELS] = LEVELS(bn254);
    static const cuzk_msm_kernel *const bls12_381[CUZK_CPU_LEVELS] = LEVELS(bls12_381);
    const cuzk_cpu_level level = cuzk_cpu_selected();
    return (curve->id == CUZK_BN254 ? bn254[level] : bls12_381[level]) + group;
}
