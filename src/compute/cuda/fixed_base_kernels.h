/* Inside of fixed-base multiplication: what the host code that all groups share launches. */
#ifndef CUZK_COMPUTE_CUDA_FIXED_BASE_KERNELS_H
#define CUZK_COMPUTE_CUDA_FIXED_BASE_KERNELS_H

#include "compute/cuda/fixed_base.h"

typedef struct cuzk_fixed_ops {
    size_t affine, jacobian; /* bytes of a point */
    /* table := the multiples of bases[w], w < windows, on the device. */
    cuzk_status (*table)(void *table, const void *bases, unsigned c, unsigned windows,
                         cuzk_stream stream, cuzk_error *err);
    cuzk_status (*multiply)(const cuzk_cuda_fixed_base *fixed, void *jacobian,
                            const cuzk_scalar *scalars, size_t n, cuzk_stream stream,
                            cuzk_error *err);
    cuzk_status (*normalise)(void *affine, const void *jacobian, size_t n, cuzk_stream stream,
                             cuzk_error *err);
    cuzk_status (*encode)(uint8_t *out, const void *affine, size_t n, cuzk_stream stream,
                          cuzk_error *err);
} cuzk_fixed_ops;

extern const cuzk_fixed_ops cuzk_fixed_bls12_381_g1, cuzk_fixed_bls12_381_g2, cuzk_fixed_bn254_g1,
    cuzk_fixed_bn254_g2;

#endif
