/* Transforms over the scalar field of BN254. */
#include "field/bn254_fr.h"

#include "compute/cuda/ntt_kernels.cuh"

#define FR(name)    CUZK_NAME(bn254_fr, name)
#define NTT_KERNELS cuzk_cuda_ntt_bn254
#include "compute/cuda/ntt_tmpl.cuh"
#include "compute/cuda/ntt_vector_tmpl.cuh"
#include "compute/cuda/ntt_launch_tmpl.cuh"
