/* Points of BN254 in batches, portable level. */
#define MSM_TABLE cuzk_msm_bn254_portable
#include "compute/cpu/msm_bn254.h"
