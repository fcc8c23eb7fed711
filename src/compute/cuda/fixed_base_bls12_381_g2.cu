#define CUZK_CALL_PRODUCTS
#include "curve/bls12_381.h"

#define FIXED_POINT bls12_381_g2
#define FIXED_COORD bls12_381_fp2
#define FIXED_OPS   cuzk_fixed_bls12_381_g2
#include "compute/cuda/fixed_base_tmpl.cuh"
