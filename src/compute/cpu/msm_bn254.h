/* Parameters of msm_tmpl.h for BN254; each level defines MSM_TABLE and includes this. G1 has
 * cofactor 1. */
#include "compute/cpu/vf_bn254_fp.h"
#include "curve/bn254.h"

#define MSM_CURVE              CUZK_BN254
#define MSM_NAME               BN254
#define MSM_G1                 bn254_g1
#define MSM_G2                 bn254_g2
#define MSM_MINUS              0
#define MSM_G2_EIGENVALUE      BN254_PSI_EIGENVALUE
#define MSM_G2_EIGENVALUE_BITS 127
#include "compute/cpu/msm_tmpl.h"
