/* Field and point arithmetic of BLS12-381 on arrays. */
#include "compute/cuda/field_ops_curves.h"
#include "compute/cuda/launch.cuh"
#include "curve/bls12_381.h"

#define CURVE bls12_381
#include "compute/cuda/field_ops_tmpl.cuh"
