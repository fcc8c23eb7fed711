/* Parameters of msm_tmpl.h for BLS12-381; each level defines MSM_TABLE and includes this. The
 * curve's x is negative: phi acts on G1 as -x^2, psi on G2 as x = -|x|. */
#include "compute/cpu/vf_bls12_381_fp.h"
#include "curve/bls12_381.h"

#define MSM_CURVE              CUZK_BLS12_381
#define MSM_NAME               BLS12_381
#define MSM_G1                 bls12_381_g1
#define MSM_G2                 bls12_381_g2
#define MSM_G1_MULTIPLIER      BLS12_381_X_SQUARED
#define MSM_G1_MULTIPLIER_BITS 128
#define MSM_G2_MULTIPLIER                                                                          \
    {                                                                                              \
        BLS12_381_X_ABS, 0                                                                         \
    }
#define MSM_G2_MULTIPLIER_BITS 64
#define MSM_G2_CHAIN           0
#include "compute/cpu/msm_tmpl.h"
