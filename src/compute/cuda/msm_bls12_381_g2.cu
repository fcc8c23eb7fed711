/* Sums in G2 of BLS12-381. */
#include "curve/bls12_381.h"

#define MSM_TABLE  cuzk_msm_bls12_381_g2
#define MSM_POINT  bls12_381_g2
#define MSM_COORD  bls12_381_fp2
#define MSM_BLOCKS 2
#include "compute/cuda/msm_group_tmpl.cuh"
