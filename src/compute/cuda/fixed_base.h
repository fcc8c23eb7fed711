/* Multiples of one point, on the device: for setup.
 *
 * A table on the device holds d 2^(c w) base for each window w of c bits and 1 <= d <= 2^(c-1); a
 * scalar is cut into signed digits, one addition each. */
#ifndef CUZK_COMPUTE_CUDA_FIXED_BASE_H
#define CUZK_COMPUTE_CUDA_FIXED_BASE_H

#include "compute/cuda/cuda.h"
#include "curve/curve.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A table, in memory of the caller. Any number of streams may use it once it is made. */
typedef struct cuzk_cuda_fixed_base {
    const cuzk_curve *curve;
    cuzk_group group;
    unsigned c, windows;
    const void *table;
} cuzk_cuda_fixed_base;

/* Bytes of a table that suits n multiplications in all. */
size_t cuzk_cuda_fixed_base_bytes(const cuzk_curve *curve, cuzk_group group, size_t n);

/* Makes the table in `memory` (as many bytes, for the same n). base: on the host, in memory form,
 * in the subgroup or infinity. Waits for the copy of base's multiples, not for the table. */
cuzk_status cuzk_cuda_fixed_base_make(cuzk_cuda_fixed_base *fixed, const cuzk_curve *curve,
                                      cuzk_group group, const uint64_t *base, size_t n,
                                      void *memory, cuzk_stream stream, cuzk_error *err);

/* out[i] = scalars[i] * base, i < n, in memory form; equals cuzk_fixed_base of compute/msm.h.
 * out, scalars: on the device, aligned to 16 bytes. scratch: cuzk_cuda_fixed_base_scratch bytes. */
size_t cuzk_cuda_fixed_base_scratch(const cuzk_curve *curve, cuzk_group group, size_t n);
cuzk_status cuzk_cuda_fixed_base_multiply(const cuzk_cuda_fixed_base *fixed, uint64_t *out,
                                          const cuzk_scalar *scalars, size_t n, void *scratch,
                                          cuzk_stream stream, cuzk_error *err);

/* The points' bytes in CUZK_ENC_ZCASH, one after the other. BLS12-381 only (CUZK_ERR_UNSUPPORTED).
 * out may not overlap points. */
cuzk_status cuzk_cuda_points_encode(const cuzk_curve *curve, cuzk_group group, uint8_t *out,
                                    const uint64_t *points, size_t n, cuzk_stream stream,
                                    cuzk_error *err);

#ifdef __cplusplus
}
#endif

#endif
