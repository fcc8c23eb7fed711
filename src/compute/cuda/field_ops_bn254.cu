/* Field and point arithmetic of BN254 on arrays. */
#include "compute/cuda/field_ops_curves.h"
#include "compute/cuda/launch.cuh"
#include "curve/bn254.h"

#define CURVE bn254
#include "compute/cuda/field_ops_tmpl.cuh"
