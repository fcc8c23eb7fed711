/* Points of BN254 in batches, ifma level. */
#define MSM_TABLE cuzk_msm_bn254_ifma
#include "compute/cpu/msm_bn254.h"
