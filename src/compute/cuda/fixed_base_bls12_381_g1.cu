#include "curve/bls12_381.h"

#define FIXED_POINT bls12_381_g1
#define FIXED_COORD bls12_381_fp
#define FIXED_OPS   cuzk_fixed_bls12_381_g1
#include "compute/cuda/fixed_base_tmpl.cuh"
