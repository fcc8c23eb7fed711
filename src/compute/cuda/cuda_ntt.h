/* Transforms over Fr, the quotient of Groth16 and long Fr vectors on a GPU: the ops of
 * compute/ntt.h, with their meaning, on device memory. Outcomes equal the CPU's byte for byte.
 *
 * The rules of cuda.h hold: ops enqueue and return. All pointers to elements are device memory,
 * aligned to 32 bytes; cuzk_cuda_alloc and arenas give that. */
#ifndef CUZK_COMPUTE_CUDA_CUDA_NTT_H
#define CUZK_COMPUTE_CUDA_CUDA_NTT_H

#include "compute/cuda/cuda.h"
#include "compute/ntt.h"
#include "curve/curve.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUZK_CUDA_NTT_MAX_LOG 30
#define CUZK_CUDA_NTT_PASSES  3

/* Tables for one domain, m = 2^log_m, and one coset. A plain value; the tables that it points to
 * are in the device memory that was given to init. It may serve several streams at once. */
typedef struct cuzk_cuda_ntt_plan {
    const cuzk_curve *curve;
    cuzk_fr omega, coset;
    unsigned log_m;
    unsigned passes;                     /* over the vector; 0: so small that a matrix does it */
    unsigned bits[CUZK_CUDA_NTT_PASSES]; /* of the index that each pass takes, the lowest first */
    const cuzk_fr *levels, *top;         /* roots of unity; see ntt_tile.cuh */
    const cuzk_fr *coset_levels, *rows;  /* for the pair's middle */
    const cuzk_fr *inverse_m;            /* one element: 1/m */
    const cuzk_fr *inner, *outer;        /* powers of 1/coset, the latter with 1/m */
    const cuzk_fr *inner_quotient;       /* inner / Z(coset), for canonical outcomes */
    const cuzk_fr *twist, *twist_steps;  /* coset^i and coset^(i 2^bits[0]) */
} cuzk_cuda_ntt_plan;

/* Device memory of a plan: 16 m bytes and a little. */
size_t cuzk_cuda_ntt_plan_bytes(unsigned log_m);

/* Makes the tables on the stream; the plan may be used on it at once, elsewhere when that is done.
 * memory: cuzk_cuda_ntt_plan_bytes, kept by the caller for as long as the plan. omega: a primitive
 * m-th root of unity, the key's own choice; coset: its g (as in compute/ntt.h), with g^m other than
 * 1. CUZK_ERR_UNSUPPORTED where log_m is above 30 or above the field's two-adicity. */
cuzk_status cuzk_cuda_ntt_plan_init(cuzk_cuda_ntt_plan *plan, void *memory, const cuzk_curve *curve,
                                    unsigned log_m, const cuzk_fr *omega, const cuzk_fr *coset,
                                    cuzk_stream stream, cuzk_error *err);

/* cuzk_ntt_forward and cuzk_ntt_inverse, on the plan's coset or without one. data: m elements,
 * natural order in and out. scratch: cuzk_cuda_ntt_scratch bytes. forward on a coset is not what
 * provers need, and multiplies by the powers of g in a pass of its own: see the pair. */
size_t cuzk_cuda_ntt_scratch(const cuzk_cuda_ntt_plan *plan);
cuzk_status cuzk_cuda_ntt_forward(const cuzk_cuda_ntt_plan *plan, cuzk_fr *data, bool coset,
                                  void *scratch, cuzk_stream stream, cuzk_error *err);
cuzk_status cuzk_cuda_ntt_inverse(const cuzk_cuda_ntt_plan *plan, cuzk_fr *data, bool coset,
                                  void *scratch, cuzk_stream stream, cuzk_error *err);

/* The pair: values on the domain become values on the coset; inverse without the coset, then
 * forward with it, in one: in place, natural order in and out, no scratch. */
cuzk_status cuzk_cuda_ntt_pair(const cuzk_cuda_ntt_plan *plan, cuzk_fr *data, cuzk_stream stream,
                               cuzk_error *err);

/* cuzk_quotient on the plan's coset. a, b, c: m elements, overwritten; c may be NULL: then it is
 * a*b. h: m scalars, no part of a, b, c. No scratch. */
cuzk_status cuzk_cuda_quotient(const cuzk_cuda_ntt_plan *plan, cuzk_h_kind kind, cuzk_scalar *h,
                               cuzk_fr *a, cuzk_fr *b, cuzk_fr *c, cuzk_stream stream,
                               cuzk_error *err);

/* Vectors of n elements; r may be one of the arguments. Zeros: cuzk_cuda_fill. */
cuzk_status cuzk_cuda_fr_import(const cuzk_curve *curve, cuzk_fr *r, const cuzk_scalar *a, size_t n,
                                cuzk_stream stream, cuzk_error *err);
cuzk_status cuzk_cuda_fr_export(const cuzk_curve *curve, cuzk_scalar *r, const cuzk_fr *a, size_t n,
                                cuzk_stream stream, cuzk_error *err);
/* r[i] = a[i] b[i] - c[i]; c NULL: a[i] b[i]. */
cuzk_status cuzk_cuda_fr_mul_vec(const cuzk_curve *curve, cuzk_fr *r, const cuzk_fr *a,
                                 const cuzk_fr *b, const cuzk_fr *c, size_t n, cuzk_stream stream,
                                 cuzk_error *err);
/* The same as canonical scalars: after two pairs, the scalars for bases that hold the quotient's
 * values on the coset. */
cuzk_status cuzk_cuda_fr_mul_export(const cuzk_curve *curve, cuzk_scalar *r, const cuzk_fr *a,
                                    const cuzk_fr *b, const cuzk_fr *c, size_t n,
                                    cuzk_stream stream, cuzk_error *err);

#ifdef __cplusplus
}
#endif

#endif
