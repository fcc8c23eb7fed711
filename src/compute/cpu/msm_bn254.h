/* Parameters of msm_tmpl.h for BN254; each level defines MSM_TABLE and includes this. G1 has
 * cofactor 1; G2 is checked with the curve's parameter u. */
#include "compute/cpu/vf_bn254_fp.h"
#include "curve/bn254.h"

#define MSM_CURVE CUZK_BN254
#define MSM_NAME  BN254
#define MSM_G1    bn254_g1
#define MSM_G2    bn254_g2
#define MSM_G2_MULTIPLIER                                                                          \
    {                                                                                              \
        BN254_U, 0                                                                                 \
    }
#define MSM_G2_MULTIPLIER_BITS 63
#define MSM_G2_CHAIN           1
#include "compute/cpu/msm_tmpl.h"
