/* Both groups of one curve at one CPU level. Before including: vf_<curve>_fp.h, curve/<curve>.h,
 *   MSM_TABLE   the name of the exported table of kernels
 *   MSM_CURVE   its cuzk_curve_id
 *   MSM_NAME    prefix of the curve's constants (curve/<curve>_constants.h)
 *   MSM_G1, MSM_G2   its points (curve/<curve>.h)
 *   MSM_G1_MULTIPLIER, MSM_G1_MULTIPLIER_BITS   none: each point of the curve is in G1
 *   MSM_G2_MULTIPLIER, MSM_G2_MULTIPLIER_BITS, MSM_G2_CHAIN
 * for msm_subgroup_tmpl.h. */
#include "compute/cpu/vf_fp2.h"

#define MSM_C(name) CUZK_NAME(MSM_NAME, name)
#define MSM_P       MSM_C(P)

/* Constants in memory form, as curve/ writes them. */
typedef struct msm_fp {
    uint64_t l[VFP_WORDS];
} msm_fp;

typedef struct msm_fp2 {
    msm_fp c0, c1;
} msm_fp2;

static inline void vfp_constant_from(vfp *r, const uint64_t *memory_form)
{
    vfp_set1(r, memory_form);
    vfp_from_mem(r, r);
}

static inline void vfp2_constant_from(vfp2 *r, const uint64_t *memory_form)
{
    vfp_constant_from(&r->c0, memory_form);
    vfp_constant_from(&r->c1, memory_form + VFP_WORDS);
}

#define GROUP          g1
#define GROUP_K        vfp
#define GROUP_K_WORDS  VFP_WORDS
#define GROUP_CONSTANT msm_fp
#define GROUP_B        MSM_C(G1_B)
#define GROUP_POINT    MSM_G1
#ifdef MSM_G1_MULTIPLIER
#define GROUP_MULTIPLIER      MSM_G1_MULTIPLIER
#define GROUP_MULTIPLIER_BITS MSM_G1_MULTIPLIER_BITS
#define GROUP_CHAIN           0
#define GROUP_BETA            MSM_C(BETA)
#endif
#include "compute/cpu/msm_group_tmpl.h"

#define GROUP                 g2
#define GROUP_K               vfp2
#define GROUP_K_WORDS         VFP2_WORDS
#define GROUP_CONSTANT        msm_fp2
#define GROUP_B               MSM_C(G2_B)
#define GROUP_POINT           MSM_G2
#define GROUP_MULTIPLIER      MSM_G2_MULTIPLIER
#define GROUP_MULTIPLIER_BITS MSM_G2_MULTIPLIER_BITS
#define GROUP_CHAIN           MSM_G2_CHAIN
#define GROUP_PSI_X           MSM_C(PSI_X)
#define GROUP_PSI_Y           MSM_C(PSI_Y)
#include "compute/cpu/msm_group_tmpl.h"

#define MSM_KERNEL(g, id)                                                                          \
    {                                                                                              \
        .curve = MSM_CURVE, .group = id, .fp_words = VFP_WORDS, .words = g##_words,                \
        .lanes = VFP_W, .element_bytes = g##_element_bytes, .add = g##_add,                        \
        .sum_equal = g##_sum_equal, .import = g##_import, .export = g##_export,                    \
        .horner = g##_horner, .suspect = g##_suspect                                               \
    }

const cuzk_msm_kernel MSM_TABLE[2] = {
    [CUZK_G1] = MSM_KERNEL(g1, CUZK_G1),
    [CUZK_G2] = MSM_KERNEL(g2, CUZK_G2),
};
