/* Fixed-base multiplication: the windows, the table's first multiples, the order of kernels. */
#include "compute/cuda/fixed_base.h"

#include <string.h>

#include "compute/cuda/fixed_base_kernels.h"
#include "compute/cuda/launch.cuh"

/* With 16 bits a table of G1 has 50 MB, which a level-2 cache of 50 MB nearly holds. */
#define WINDOW_MIN  4u
#define WINDOW_MAX  16u
#define WINDOWS_MAX 64u

static const cuzk_fixed_ops *ops_for(const cuzk_curve *curve, cuzk_group group)
{
    if (curve->id == CUZK_BN254)
        return group == CUZK_G1 ? &cuzk_fixed_bn254_g1 : &cuzk_fixed_bn254_g2;
    return group == CUZK_G1 ? &cuzk_fixed_bls12_381_g1 : &cuzk_fixed_bls12_381_g2;
}

/* A scalar or its negative is below r/2, of one bit less than r; the topmost window has room for
 * the carry. */
static unsigned windows_of(const cuzk_curve *curve, unsigned c)
{
    return (curve->scalar_bits - 1) / c + 1;
}

static unsigned choose_window(const cuzk_curve *curve, size_t n)
{
    unsigned best = WINDOW_MIN;
    double least = 0;
    for (unsigned c = WINDOW_MIN; c <= WINDOW_MAX; c++) {
        const double cost = windows_of(curve, c) * ((double)n + 2.0 * (double)(1u << (c - 1)));
        if (c > WINDOW_MIN && cost >= least)
            continue;
        least = cost;
        best = c;
    }
    return best;
}

/* The windows' bases come before the table. */
static size_t bases_bytes(const cuzk_fixed_ops *ops)
{
    return (WINDOWS_MAX * ops->affine + 255) / 256 * 256;
}

size_t cuzk_cuda_fixed_base_bytes(const cuzk_curve *curve, cuzk_group group, size_t n)
{
    const cuzk_fixed_ops *ops = ops_for(curve, group);
    const unsigned c = choose_window(curve, n);
    return bases_bytes(ops) + ops->affine * windows_of(curve, c) * ((size_t)1 << (c - 1));
}

cuzk_status cuzk_cuda_fixed_base_make(cuzk_cuda_fixed_base *fixed, const cuzk_curve *curve,
                                      cuzk_group group, const uint64_t *base, size_t n,
                                      void *memory, cuzk_stream stream, cuzk_error *err)
{
    const cuzk_fixed_ops *ops = ops_for(curve, group);
    void (*add)(uint64_t *, const uint64_t *, const uint64_t *) =
        group == CUZK_G1 ? curve->g1_add : curve->g2_add;
    const unsigned words = cuzk_point_words(curve, group), c = choose_window(curve, n);
    const unsigned windows = windows_of(curve, c);
    uint64_t point[CUZK_G2_MAX_WORDS], bases[WINDOWS_MAX * CUZK_G2_MAX_WORDS];
    CUZK_ASSERT(windows <= WINDOWS_MAX);
    memcpy(point, base, words * sizeof *point);
    for (unsigned w = 0; w < windows; w++) {
        memcpy(bases + w * words, point, words * sizeof *point);
        for (unsigned i = 0; i < c; i++)
            add(point, point, point);
    }
    void *table = (unsigned char *)memory + bases_bytes(ops);
    CUZK_TRY(cuzk_cuda_upload(memory, bases, windows * ops->affine, stream, err));
    CUZK_TRY(cuzk_cuda_stream_wait(stream, err));
    CUZK_TRY(ops->table(table, memory, c, windows, stream, err));
    fixed->curve = curve;
    fixed->group = group;
    fixed->c = c;
    fixed->windows = windows;
    fixed->table = table;
    return CUZK_OK;
}

size_t cuzk_cuda_fixed_base_scratch(const cuzk_curve *curve, cuzk_group group, size_t n)
{
    return ops_for(curve, group)->jacobian * n;
}

cuzk_status cuzk_cuda_fixed_base_multiply(const cuzk_cuda_fixed_base *fixed, uint64_t *out,
                                          const cuzk_scalar *scalars, size_t n, void *scratch,
                                          cuzk_stream stream, cuzk_error *err)
{
    const cuzk_fixed_ops *ops = ops_for(fixed->curve, fixed->group);
    if (n == 0)
        return CUZK_OK;
    CUZK_TRY(ops->multiply(fixed, scratch, scalars, n, stream, err));
    return ops->normalise(out, scratch, n, stream, err);
}

cuzk_status cuzk_cuda_points_encode(const cuzk_curve *curve, cuzk_group group, uint8_t *out,
                                    const uint64_t *points, size_t n, cuzk_stream stream,
                                    cuzk_error *err)
{
    if (curve->id != CUZK_BLS12_381)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "points of %s have no encoding as bellperson's files hold them",
                         curve->full_name);
    if (n == 0)
        return CUZK_OK;
    return ops_for(curve, group)->encode(out, points, n, stream, err);
}
