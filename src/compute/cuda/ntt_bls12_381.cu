/* Transforms over the scalar field of BLS12-381. */
#include "field/bls12_381_fr.h"

#include "compute/cuda/ntt_kernels.cuh"

#define FR(name)    CUZK_NAME(bls12_381_fr, name)
#define NTT_KERNELS cuzk_cuda_ntt_bls12_381
#include "compute/cuda/ntt_tmpl.cuh"
#include "compute/cuda/ntt_vector_tmpl.cuh"
#include "compute/cuda/ntt_launch_tmpl.cuh"
