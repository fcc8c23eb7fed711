/* Transforms of up to four elements, as products with a matrix. */
#ifndef CUZK_COMPUTE_CUDA_NTT_SMALL_H
#define CUZK_COMPUTE_CUDA_NTT_SMALL_H

#include "compute/cuda/cuda_ntt.h"

cuzk_status ntt_small_forward(const cuzk_cuda_ntt_plan *plan, cuzk_fr *data, bool coset,
                              cuzk_stream stream, cuzk_error *err);
cuzk_status ntt_small_inverse(const cuzk_cuda_ntt_plan *plan, cuzk_fr *data, bool coset,
                              cuzk_stream stream, cuzk_error *err);
cuzk_status ntt_small_pair(const cuzk_cuda_ntt_plan *plan, cuzk_fr *data, cuzk_stream stream,
                           cuzk_error *err);
/* h := the inverse of `values` on the coset, over g^m - 1, canonical. */
cuzk_status ntt_small_quotient(const cuzk_cuda_ntt_plan *plan, cuzk_fr *h, const cuzk_fr *values,
                               cuzk_stream stream, cuzk_error *err);

#endif
