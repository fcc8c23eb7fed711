/* Sums in G2 of BN254. */
#include "curve/bn254.h"

#define MSM_TABLE  cuzk_msm_bn254_g2
#define MSM_POINT  bn254_g2
#define MSM_COORD  bn254_fp2
#define MSM_BLOCKS 2
#include "compute/cuda/msm_group_tmpl.cuh"
