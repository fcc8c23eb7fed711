/* Long vectors of Fr: see cuda_ntt.h. */
#include "compute/cuda/cuda_ntt.h"

#include <string.h>

#include "compute/cuda/ntt_kernels.cuh"

cuzk_status cuzk_cuda_fr_import(const cuzk_curve *curve, cuzk_fr *r, const cuzk_scalar *a, size_t n,
                                cuzk_stream stream, cuzk_error *err)
{
    cuzk_scalar one;
    cuzk_fr factor; /* R^2: as Montgomery element, R */
    memcpy(&one, &curve->fr_one, sizeof one);
    curve->fr_from_scalar(&factor, &one);
    return ntt_kernels_of(curve)->scale(r, (const cuzk_fr *)a, &factor, n, stream, err);
}

cuzk_status cuzk_cuda_fr_export(const cuzk_curve *curve, cuzk_scalar *r, const cuzk_fr *a, size_t n,
                                cuzk_stream stream, cuzk_error *err)
{
    const cuzk_fr factor = {{1, 0, 0, 0}}; /* as Montgomery element, 1/R */
    return ntt_kernels_of(curve)->scale((cuzk_fr *)r, a, &factor, n, stream, err);
}

cuzk_status cuzk_cuda_fr_mul_vec(const cuzk_curve *curve, cuzk_fr *r, const cuzk_fr *a,
                                 const cuzk_fr *b, const cuzk_fr *c, size_t n, cuzk_stream stream,
                                 cuzk_error *err)
{
    const ntt_product product = {r, a, b, c, n, false};
    return ntt_kernels_of(curve)->product(&product, stream, err);
}

cuzk_status cuzk_cuda_fr_mul_export(const cuzk_curve *curve, cuzk_scalar *r, const cuzk_fr *a,
                                    const cuzk_fr *b, const cuzk_fr *c, size_t n,
                                    cuzk_stream stream, cuzk_error *err)
{
    const ntt_product product = {(cuzk_fr *)r, a, b, c, n, true};
    return ntt_kernels_of(curve)->product(&product, stream, err);
}
