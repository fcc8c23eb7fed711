/* The functions of field_ops.h for one curve each, with the same contracts. */
#ifndef CUZK_COMPUTE_CUDA_FIELD_OPS_CURVES_H
#define CUZK_COMPUTE_CUDA_FIELD_OPS_CURVES_H

#include "compute/cuda/field_ops.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUZK_FIELD_OPS(curve)                                                                      \
    cuzk_status cuzk_cuda_field_run_##curve(                                                       \
        cuzk_cuda_field field, cuzk_cuda_field_op op, uint64_t *r, const uint64_t *a,              \
        const uint64_t *b, size_t n, unsigned rounds, cuzk_stream stream, cuzk_error *err);        \
    cuzk_status cuzk_cuda_point_run_##curve(cuzk_group group, cuzk_cuda_point_op op, uint64_t *r,  \
                                            const uint64_t *a, const uint64_t *b, size_t n,        \
                                            unsigned rounds, cuzk_stream stream, cuzk_error *err);
CUZK_FIELD_OPS(bls12_381)
CUZK_FIELD_OPS(bn254)
#undef CUZK_FIELD_OPS

#ifdef __cplusplus
}
#endif

#endif
