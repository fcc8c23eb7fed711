/* Points of BLS12-381 in batches, ifma level. */
#define MSM_TABLE cuzk_msm_bls12_381_ifma
#include "compute/cpu/msm_bls12_381.h"
