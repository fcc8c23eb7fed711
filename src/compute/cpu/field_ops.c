#include "compute/cpu/field_ops_tables.h"

#if CUZK_X86_LEVELS
#define LEVELS(name)                                                                               \
    {                                                                                              \
        &name##_portable, &name##_adx, &name##_avx2, &name##_ifma                                  \
    }
#else
#define LEVELS(name)                                                                               \
    {                                                                                              \
        &name##_portable, NULL, NULL, NULL                                                         \
    }
#endif

const cuzk_field_ops *cuzk_field_ops_get(cuzk_curve_id curve, cuzk_field_id field,
                                         cuzk_cpu_level level)
{
    static const cuzk_field_ops *const tables[CUZK_CURVES][2][CUZK_CPU_LEVELS] = {
        [CUZK_BN254] = {[CUZK_FIELD_FP] = LEVELS(cuzk_fp_ops_bn254),
                        [CUZK_FIELD_FR] = LEVELS(cuzk_fr_ops_bn254)},
        [CUZK_BLS12_381] = {[CUZK_FIELD_FP] = LEVELS(cuzk_fp_ops_bls12_381),
                            [CUZK_FIELD_FR] = LEVELS(cuzk_fr_ops_bls12_381)},
    };
    if (level > cuzk_cpu_best())
        return NULL;
    return tables[curve][field][level];
}
