/* Chooses the curve: see field_ops.h. */
#include "compute/cuda/field_ops.h"

#include "compute/cuda/field_ops_curves.h"

unsigned cuzk_cuda_field_words(const cuzk_curve *curve, cuzk_cuda_field field)
{
    if (field == CUZK_CUDA_FR)
        return 4;
    return field == CUZK_CUDA_FP2 ? 2 * curve->fp_words : curve->fp_words;
}

cuzk_status cuzk_cuda_field_run(const cuzk_curve *curve, cuzk_cuda_field field,
                                cuzk_cuda_field_op op, uint64_t *r, const uint64_t *a,
                                const uint64_t *b, size_t n, unsigned rounds, cuzk_stream stream,
                                cuzk_error *err)
{
    if (rounds > 1 && op != CUZK_CUDA_MUL && op != CUZK_CUDA_SQR && op != CUZK_CUDA_ADD)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "field operation %d is not one that is repeated: found %u rounds, "
                         "expected 1",
                         (int)op, rounds);
    if (n == 0)
        return CUZK_OK;
    if (curve->id == CUZK_BLS12_381)
        return cuzk_cuda_field_run_bls12_381(field, op, r, a, b, n, rounds, stream, err);
    return cuzk_cuda_field_run_bn254(field, op, r, a, b, n, rounds, stream, err);
}

cuzk_status cuzk_cuda_point_run(const cuzk_curve *curve, cuzk_group group, cuzk_cuda_point_op op,
                                uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n,
                                unsigned rounds, cuzk_stream stream, cuzk_error *err)
{
    if (n == 0)
        return CUZK_OK;
    if (curve->id == CUZK_BLS12_381)
        return cuzk_cuda_point_run_bls12_381(group, op, r, a, b, n, rounds, stream, err);
    return cuzk_cuda_point_run_bn254(group, op, r, a, b, n, rounds, stream, err);
}
