/* Points of BLS12-381 in batches, adx level. */
#define MSM_TABLE cuzk_msm_bls12_381_adx
#include "compute/cpu/msm_bls12_381.h"
