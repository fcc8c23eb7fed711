#include "curve/bn254.h"

#define FIXED_POINT bn254_g1
#define FIXED_COORD bn254_fp
#define FIXED_OPS   cuzk_fixed_bn254_g1
#include "compute/cuda/fixed_base_tmpl.cuh"
