/* Points of BLS12-381 in batches, avx2 level. */
#define MSM_TABLE cuzk_msm_bls12_381_avx2
#include "compute/cpu/msm_bls12_381.h"
