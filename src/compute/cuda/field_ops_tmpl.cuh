/* Kernels of field_ops.h for one curve: define CURVE, its name, before including.
 *
 * One thread per element; timing repeats inside a loop that is not unrolled, so that the chains of
 * two products do not mix. */

#define T(kind)    CUZK_NAME(CURVE, kind)
#define OP_THREADS 128

#define FIELD_KERNELS(field)                                                                       \
    static __global__ void __launch_bounds__(OP_THREADS) CUZK_NAME(field, ops_kernel)(             \
        field * r, const field *a, const field *b, size_t n, unsigned rounds, int op)              \
    {                                                                                              \
        size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;                                  \
        if (i >= n)                                                                                \
            return;                                                                                \
        field x = a[i], y = x;                                                                     \
        if (op >= CUZK_CUDA_ADD)                                                                   \
            y = b[i];                                                                              \
        if (op == CUZK_CUDA_SUB)                                                                   \
            CUZK_NAME(field, sub)(&x, &x, &y);                                                     \
        else if (op == CUZK_CUDA_NEG)                                                              \
            CUZK_NAME(field, neg)(&x, &x);                                                         \
        else if (op == CUZK_CUDA_INV)                                                              \
            CUZK_NAME(field, inv_var)(&x, &x);                                                     \
        else                                                                                       \
            for (unsigned round = 0; round < rounds; round++)                                      \
                CUZK_NAME(field, add)(&x, &x, &y);                                                 \
        r[i] = x;                                                                                  \
    }                                                                                              \
    static __global__ void __launch_bounds__(OP_THREADS) CUZK_NAME(field, mul_kernel)(             \
        field * r, const field *a, const field *b, size_t n, unsigned rounds)                      \
    {                                                                                              \
        size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;                                  \
        if (i >= n)                                                                                \
            return;                                                                                \
        field x = a[i], y = b[i];                                                                  \
        CUZK_NO_UNROLL                                                                             \
        for (unsigned round = 0; round < rounds; round++)                                          \
            CUZK_NAME(field, mul)(&x, &x, &y);                                                     \
        r[i] = x;                                                                                  \
    }                                                                                              \
    static __global__ void __launch_bounds__(OP_THREADS)                                           \
        CUZK_NAME(field, sqr_kernel)(field * r, const field *a, size_t n, unsigned rounds)         \
    {                                                                                              \
        size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;                                  \
        if (i >= n)                                                                                \
            return;                                                                                \
        field x = a[i];                                                                            \
        CUZK_NO_UNROLL                                                                             \
        for (unsigned round = 0; round < rounds; round++)                                          \
            CUZK_NAME(field, sqr)(&x, &x);                                                         \
        r[i] = x;                                                                                  \
    }                                                                                              \
    static cuzk_status CUZK_NAME(field, run)(cuzk_cuda_field_op op, field * r, const field *a,     \
                                             const field *b, size_t n, unsigned rounds,            \
                                             cuzk_stream stream, cuzk_error *err)                  \
    {                                                                                              \
        unsigned blocks = cuzk_blocks(n, OP_THREADS);                                              \
        if (op == CUZK_CUDA_MUL)                                                                   \
            CUZK_LAUNCH(CUZK_NAME(field, mul_kernel), blocks, OP_THREADS, 0, stream, r, a, b, n,   \
                        rounds);                                                                   \
        else if (op == CUZK_CUDA_SQR)                                                              \
            CUZK_LAUNCH(CUZK_NAME(field, sqr_kernel), blocks, OP_THREADS, 0, stream, r, a, n,      \
                        rounds);                                                                   \
        else                                                                                       \
            CUZK_LAUNCH(CUZK_NAME(field, ops_kernel), blocks, OP_THREADS, 0, stream, r, a, b, n,   \
                        rounds, (int)op);                                                          \
        return CUZK_OK;                                                                            \
    }
FIELD_KERNELS(T(fp))
FIELD_KERNELS(T(fr))
FIELD_KERNELS(T(fp2))
#undef FIELD_KERNELS

/* op is the same for all threads. */
#define POINT_KERNELS(point, affine)                                                               \
    static __global__ void __launch_bounds__(OP_THREADS) CUZK_NAME(point, ops_kernel)(             \
        point * r, const point *a, const uint64_t *b, size_t n, unsigned rounds, int op)           \
    {                                                                                              \
        size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;                                  \
        if (i >= n)                                                                                \
            return;                                                                                \
        point x = a[i];                                                                            \
        CUZK_NO_UNROLL                                                                             \
        for (unsigned round = 0; round < rounds; round++) {                                        \
            if (op == CUZK_CUDA_POINT_DBL) {                                                       \
                CUZK_NAME(point, dbl)(&x, &x);                                                     \
            } else if (op == CUZK_CUDA_POINT_ADD_MIXED) {                                          \
                affine y = ((const affine *)b)[i];                                                 \
                CUZK_NAME(point, add_mixed)(&x, &x, &y);                                           \
            } else {                                                                               \
                point y = ((const point *)b)[i];                                                   \
                CUZK_NAME(point, add)(&x, &x, &y);                                                 \
            }                                                                                      \
        }                                                                                          \
        r[i] = x;                                                                                  \
    }                                                                                              \
    static cuzk_status CUZK_NAME(point, run)(cuzk_cuda_point_op op, uint64_t * r,                  \
                                             const uint64_t *a, const uint64_t *b, size_t n,       \
                                             unsigned rounds, cuzk_stream stream, cuzk_error *err) \
    {                                                                                              \
        CUZK_LAUNCH(CUZK_NAME(point, ops_kernel), cuzk_blocks(n, OP_THREADS), OP_THREADS, 0,       \
                    stream, (point *)r, (const point *)a, b, n, rounds, (int)op);                  \
        return CUZK_OK;                                                                            \
    }
POINT_KERNELS(T(g1), T(g1_affine))
POINT_KERNELS(T(g2), T(g2_affine))
#undef POINT_KERNELS

cuzk_status CUZK_NAME(cuzk_cuda_field_run, CURVE)(cuzk_cuda_field field, cuzk_cuda_field_op op,
                                                  uint64_t *r, const uint64_t *a, const uint64_t *b,
                                                  size_t n, unsigned rounds, cuzk_stream stream,
                                                  cuzk_error *err)
{
    if (field == CUZK_CUDA_FR)
        return CUZK_NAME(T(fr), run)(op, (T(fr) *)r, (const T(fr) *)a, (const T(fr) *)b, n, rounds,
                                     stream, err);
    if (field == CUZK_CUDA_FP2)
        return CUZK_NAME(T(fp2), run)(op, (T(fp2) *)r, (const T(fp2) *)a, (const T(fp2) *)b, n,
                                      rounds, stream, err);
    return CUZK_NAME(T(fp), run)(op, (T(fp) *)r, (const T(fp) *)a, (const T(fp) *)b, n, rounds,
                                 stream, err);
}

cuzk_status CUZK_NAME(cuzk_cuda_point_run, CURVE)(cuzk_group group, cuzk_cuda_point_op op,
                                                  uint64_t *r, const uint64_t *a, const uint64_t *b,
                                                  size_t n, unsigned rounds, cuzk_stream stream,
                                                  cuzk_error *err)
{
    if (group == CUZK_G2)
        return CUZK_NAME(T(g2), run)(op, r, a, b, n, rounds, stream, err);
    return CUZK_NAME(T(g1), run)(op, r, a, b, n, rounds, stream, err);
}
