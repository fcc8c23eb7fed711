/* Field and point arithmetic on arrays, as the kernels do it: for differential tests and
 * benchmarks, which must see the very text that MSM and NTT are made of. */
#ifndef CUZK_COMPUTE_CUDA_FIELD_OPS_H
#define CUZK_COMPUTE_CUDA_FIELD_OPS_H

#include "compute/cuda/cuda.h"
#include "curve/curve.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cuzk_cuda_field {
    CUZK_CUDA_FP,
    CUZK_CUDA_FR,
    CUZK_CUDA_FP2,
    CUZK_CUDA_FIELDS
} cuzk_cuda_field;

typedef enum cuzk_cuda_field_op {
    CUZK_CUDA_MUL,
    CUZK_CUDA_SQR, /* of a, as the next two; b is not read */
    CUZK_CUDA_NEG,
    CUZK_CUDA_INV, /* 1/0 = 0 */
    CUZK_CUDA_ADD,
    CUZK_CUDA_SUB,
    CUZK_CUDA_FIELD_OP_COUNT
} cuzk_cuda_field_op;

typedef enum cuzk_cuda_point_op {
    CUZK_CUDA_POINT_ADD,
    CUZK_CUDA_POINT_ADD_MIXED, /* b is affine */
    CUZK_CUDA_POINT_DBL,       /* b is not read */
    CUZK_CUDA_POINT_OP_COUNT
} cuzk_cuda_point_op;

/* Words of one element. */
unsigned cuzk_cuda_field_words(const cuzk_curve *curve, cuzk_cuda_field field);

/* r[i] := a[i] op b[i], repeated: the result takes a's place, rounds times in all (for timing; 1
 * for one result). Device memory, n elements each, Montgomery form, below p; r may be a. Rounds
 * above 1 only for MUL, SQR, ADD; else CUZK_ERR_ARGUMENT. */
cuzk_status cuzk_cuda_field_run(const cuzk_curve *curve, cuzk_cuda_field field,
                                cuzk_cuda_field_op op, uint64_t *r, const uint64_t *a,
                                const uint64_t *b, size_t n, unsigned rounds, cuzk_stream stream,
                                cuzk_error *err);

/* The same for points, of which each has 3/2 of the group's words: Jacobian x, y, z as point_tmpl.h
 * has it, infinity z = 0; b of ADD_MIXED is affine. All points are taken, equal, opposite and
 * infinite ones too. */
cuzk_status cuzk_cuda_point_run(const cuzk_curve *curve, cuzk_group group, cuzk_cuda_point_op op,
                                uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n,
                                unsigned rounds, cuzk_stream stream, cuzk_error *err);

#ifdef __cplusplus
}
#endif

#endif
