/* The kernels of the transforms as the host sees them: one table of launches per curve. */
#ifndef CUZK_COMPUTE_CUDA_NTT_KERNELS_CUH
#define CUZK_COMPUTE_CUDA_NTT_KERNELS_CUH

#include "compute/cuda/cuda.h"
#include "curve/curve.h"
#include "compute/cuda/ntt_tile.cuh"

/* A linear map of up to four elements. */
#define NTT_MATRIX 4
typedef struct ntt_matrix {
    unsigned n;
    cuzk_fr entry[NTT_MATRIX][NTT_MATRIX];
} ntt_matrix;

/* Products of powers: element x is `first` times all factor[i] for which bit i of x is set. */
#define NTT_POWERS 32
typedef struct ntt_powers {
    cuzk_fr first, factor[NTT_POWERS];
} ntt_powers;

/* What becomes of a transform's outcome: see ntt_last_kernel. */
typedef struct ntt_outcome {
    const cuzk_fr *inner, *outer;
    unsigned inner_mask;
    bool forward;
} ntt_outcome;

/* r = a * b - c, in canonical form or not; c NULL: a * b. */
typedef struct ntt_product {
    cuzk_fr *r;
    const cuzk_fr *a, *b, *c;
    size_t n;
    bool canonical;
} ntt_product;

typedef struct ntt_kernels {
    /* Once per device: lets the kernels use as much shared memory as their tiles need. */
    cuzk_status (*prepare)(cuzk_error *err);
    cuzk_status (*down)(const ntt_pass *pass, cuzk_stream stream, cuzk_error *err);
    cuzk_status (*up)(const ntt_pass *pass, cuzk_stream stream, cuzk_error *err);
    cuzk_status (*middle)(const ntt_pass *pass, const cuzk_fr *coset, const cuzk_fr *rows,
                          cuzk_stream stream, cuzk_error *err);
    cuzk_status (*last)(const ntt_pass *pass, const ntt_outcome *outcome, cuzk_stream stream,
                        cuzk_error *err);
    /* out may be in. */
    cuzk_status (*matrix)(cuzk_fr *out, const cuzk_fr *in, const ntt_matrix *matrix,
                          cuzk_stream stream, cuzk_error *err);
    /* out[x] = element x of the powers. */
    cuzk_status (*powers)(cuzk_fr *out, size_t n, const ntt_powers *powers, cuzk_stream stream,
                          cuzk_error *err);
    /* data[i] *= steps[i / 2^low_log] * low[i % 2^low_log]. */
    cuzk_status (*twist)(cuzk_fr *data, const cuzk_fr *low, const cuzk_fr *steps, unsigned low_log,
                         size_t n, cuzk_stream stream, cuzk_error *err);
    cuzk_status (*product)(const ntt_product *product, cuzk_stream stream, cuzk_error *err);
    /* r = a * factor. */
    cuzk_status (*scale)(cuzk_fr *r, const cuzk_fr *a, const cuzk_fr *factor, size_t n,
                         cuzk_stream stream, cuzk_error *err);
} ntt_kernels;

extern const ntt_kernels cuzk_cuda_ntt_bn254, cuzk_cuda_ntt_bls12_381;

static inline const ntt_kernels *ntt_kernels_of(const cuzk_curve *curve)
{
    return curve->id == CUZK_BN254 ? &cuzk_cuda_ntt_bn254 : &cuzk_cuda_ntt_bls12_381;
}

#endif
