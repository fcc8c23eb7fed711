/* Points of BLS12-381 in batches, portable level. */
#define MSM_TABLE cuzk_msm_bls12_381_portable
#include "compute/cpu/msm_bls12_381.h"
