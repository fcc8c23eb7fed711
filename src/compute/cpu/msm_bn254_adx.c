/* Points of BN254 in batches, adx level. */
#define MSM_TABLE cuzk_msm_bn254_adx
#include "compute/cpu/msm_bn254.h"
