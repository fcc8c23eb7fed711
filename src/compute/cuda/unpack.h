/* Packed vectors of scalars (compute/packed.h) on the device: expanded, and as sums of points take
 * them.
 *
 * A query is a list of points of the key with the scalars that belong to them. For its sum the
 * scalars come in two parts: a bit for each point (0 where the scalar is wide), and the wide
 * scalars as a list of their own, with the places of their points. Where a query's wide scalars are
 * is the same for all proofs: it is found once, when the key is loaded. */
#ifndef CUZK_COMPUTE_CUDA_UNPACK_H
#define CUZK_COMPUTE_CUDA_UNPACK_H

#include "compute/cuda/cuda.h"
#include "curve/curve.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A cuzk_packed_map whose arrays lie on the device. */
typedef struct cuzk_cuda_map {
    size_t n, head, wide;
    const uint64_t *is_wide;
    const uint32_t *rank;
} cuzk_cuda_map;

/* Scalars index[0 .. n-1], rising, or first .. first + n - 1 if index is NULL; index lies on the
 * device. */
typedef struct cuzk_cuda_range {
    const uint32_t *index;
    size_t first, n;
} cuzk_cuda_range;

/* Words of 64 bits for one bit per scalar of a range or map. */
static inline size_t cuzk_cuda_bit_words(size_t n)
{
    return (n + 63) / 64;
}

/* out[i] = scalar i of the packed vector (bits, value), i < map->n, canonical. out, bits and value
 * lie on the device, as everywhere below; out and value are aligned to 16 bytes. */
cuzk_status cuzk_cuda_unpack(const cuzk_cuda_map *map, const uint64_t *bits,
                             const cuzk_scalar *value, cuzk_scalar *out, cuzk_stream stream,
                             cuzk_error *err);

/* The same in Montgomery form: value and out are. */
cuzk_status cuzk_cuda_unpack_fr(const cuzk_curve *curve, const cuzk_cuda_map *map,
                                const uint64_t *bits, const cuzk_fr *value, cuzk_fr *out,
                                cuzk_stream stream, cuzk_error *err);

/* Bit i of out (cuzk_cuda_bit_words(range->n) words, the last one filled up with 0) is the range's
 * i-th scalar, or 0 where that is wide. */
cuzk_status cuzk_cuda_query_bits(const cuzk_cuda_map *map, const cuzk_cuda_range *range,
                                 const uint64_t *bits, uint64_t *out, cuzk_stream stream,
                                 cuzk_error *err);

/* The range's wide scalars in their order: the k-th is the range's place[k]-th scalar, and
 * value[which[k]] of a packed vector. The arrays have room for all of them, whose number
 * (cuzk_packed_count, on the host) is n_wide. At load, not for each proof. scratch:
 * cuzk_cuda_query_wide_scratch(range->n) bytes. */
size_t cuzk_cuda_query_wide_scratch(size_t n);
cuzk_status cuzk_cuda_query_wide(const cuzk_cuda_map *map, const cuzk_cuda_range *range,
                                 size_t n_wide, uint32_t *place, uint32_t *which, void *scratch,
                                 cuzk_stream stream, cuzk_error *err);

/* out[k] = value[which[k]], k < n. out and value are aligned to 16 bytes. */
cuzk_status cuzk_cuda_query_values(const uint32_t *which, size_t n, const cuzk_scalar *value,
                                   cuzk_scalar *out, cuzk_stream stream, cuzk_error *err);

#ifdef __cplusplus
}
#endif

#endif
