/* Points of BN254 in batches, avx2 level. */
#define MSM_TABLE cuzk_msm_bn254_avx2
#include "compute/cpu/msm_bn254.h"
