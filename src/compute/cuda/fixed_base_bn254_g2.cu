#define CUZK_CALL_PRODUCTS
#include "curve/bn254.h"

#define FIXED_POINT bn254_g2
#define FIXED_COORD bn254_fp2
#define FIXED_OPS   cuzk_fixed_bn254_g2
#include "compute/cuda/fixed_base_tmpl.cuh"
