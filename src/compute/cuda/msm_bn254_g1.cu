/* Sums in G1 of BN254. */
#include "curve/bn254.h"

#define MSM_TABLE  cuzk_msm_bn254_g1
#define MSM_POINT  bn254_g1
#define MSM_COORD  bn254_fp
#define MSM_BLOCKS 4
#include "compute/cuda/msm_group_tmpl.cuh"
