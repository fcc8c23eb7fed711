/* Packed vectors on the device: see unpack.h. All kernels are one thread per scalar, or per word of
 * bits, and are bound by memory. Neither depends on the curve. */
#include "compute/cuda/unpack.h"

#include <cub/cub.cuh>

#include "compute/cuda/launch.cuh"

#define THREADS 256

/* Whether scalar i is wide. */
static __device__ bool is_wide(const cuzk_cuda_map *map, size_t i)
{
    if (i < map->head)
        return true;
    i -= map->head;
    return (map->is_wide[i / 64] >> (i % 64) & 1) != 0;
}

/* Which value the wide scalar i is. */
static __device__ size_t value_of(const cuzk_cuda_map *map, size_t i)
{
    if (i < map->head)
        return i;
    i -= map->head;
    const unsigned long long below =
        map->is_wide[i / 64] & (((unsigned long long)1 << (i % 64)) - 1);
    return map->head + map->rank[i / 64] + (size_t)__popcll(below);
}

static __global__ void unpack_kernel(cuzk_cuda_map map, const uint64_t *bits, const uint4 *value,
                                     cuzk_scalar one, uint4 *out)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= map.n)
        return;
    if (is_wide(&map, i)) {
        const size_t from = value_of(&map, i);
        out[2 * i] = value[2 * from];
        out[2 * i + 1] = value[2 * from + 1];
        return;
    }
    const size_t at = i - map.head;
    const uint64_t keep = 0 - (bits[at / 64] >> (at % 64) & 1);
    uint4 half[2];
    for (int j = 0; j < 2; j++) {
        const uint64_t low = one.l[2 * j] & keep, high = one.l[2 * j + 1] & keep;
        half[j].x = (uint32_t)low;
        half[j].y = (uint32_t)(low >> 32);
        half[j].z = (uint32_t)high;
        half[j].w = (uint32_t)(high >> 32);
    }
    out[2 * i] = half[0];
    out[2 * i + 1] = half[1];
}

static cuzk_status unpack(const cuzk_cuda_map *map, const uint64_t *bits, const void *value,
                          const cuzk_scalar *one, void *out, cuzk_stream stream, cuzk_error *err)
{
    if (map->n == 0)
        return CUZK_OK;
    CUZK_LAUNCH(unpack_kernel, cuzk_blocks(map->n, THREADS), THREADS, 0, stream, *map, bits,
                (const uint4 *)value, *one, (uint4 *)out);
    return CUZK_OK;
}

cuzk_status cuzk_cuda_unpack(const cuzk_cuda_map *map, const uint64_t *bits,
                             const cuzk_scalar *value, cuzk_scalar *out, cuzk_stream stream,
                             cuzk_error *err)
{
    const cuzk_scalar one = {{1, 0, 0, 0}};
    return unpack(map, bits, value, &one, out, stream, err);
}

cuzk_status cuzk_cuda_unpack_fr(const cuzk_curve *curve, const cuzk_cuda_map *map,
                                const uint64_t *bits, const cuzk_fr *value, cuzk_fr *out,
                                cuzk_stream stream, cuzk_error *err)
{
    cuzk_scalar one;
    for (int i = 0; i < 4; i++)
        one.l[i] = curve->fr_one.l[i];
    return unpack(map, bits, value, &one, out, stream, err);
}

/* What query_kernel writes a bit for. */
#define TAKE_WIDE 0 /* the scalar is wide */
#define TAKE_BITS 1 /* it is not, and is 1 */

/* A thread per scalar, a warp per 32 bits; every thread of a warp that has any scalar votes. */
static __global__ void query_kernel(cuzk_cuda_map map, cuzk_cuda_range range, const uint64_t *bits,
                                    int what, uint32_t *out)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    bool bit = false;
    if (i < range.n) {
        const size_t scalar = range.index != NULL ? range.index[i] : range.first + i;
        const size_t at = scalar - map.head;
        bit = is_wide(&map, scalar) == (what == TAKE_WIDE);
        if (bit && what == TAKE_BITS)
            bit = (bits[at / 64] >> (at % 64) & 1) != 0;
    }
    const uint32_t word = __ballot_sync(0xffffffff, bit);
    if (i % 32 == 0 && i / 64 < (range.n + 63) / 64)
        out[i / 32] = word;
}

static cuzk_status query(const cuzk_cuda_map *map, const cuzk_cuda_range *range,
                         const uint64_t *bits, int what, uint64_t *out, cuzk_stream stream,
                         cuzk_error *err)
{
    if (range->n == 0)
        return CUZK_OK;
    CUZK_LAUNCH(query_kernel, cuzk_blocks(range->n, THREADS), THREADS, 0, stream, *map, *range,
                bits, what, (uint32_t *)out);
    return CUZK_OK;
}

cuzk_status cuzk_cuda_query_bits(const cuzk_cuda_map *map, const cuzk_cuda_range *range,
                                 const uint64_t *bits, uint64_t *out, cuzk_stream stream,
                                 cuzk_error *err)
{
    return query(map, range, bits, TAKE_BITS, out, stream, err);
}

static __global__ void count_kernel(const uint64_t *mask, size_t words, uint32_t *count)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < words)
        count[i] = (uint32_t)__popcll(mask[i]);
}

/* A thread per word of the mask; start[i]: how many wide scalars come before word i. */
static __global__ void list_kernel(cuzk_cuda_map map, cuzk_cuda_range range, const uint64_t *mask,
                                   size_t words, const uint32_t *start, size_t n_wide,
                                   uint32_t *place, uint32_t *which)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= words)
        return;
    size_t to = start[i];
    for (unsigned long long left = mask[i]; left != 0 && to < n_wide; left &= left - 1, to++) {
        const size_t at = 64 * i + (size_t)(__ffsll((long long)left) - 1);
        const size_t scalar = range.index != NULL ? range.index[at] : range.first + at;
        place[to] = (uint32_t)at;
        which[to] = (uint32_t)value_of(&map, scalar);
    }
}

typedef struct wide_scratch {
    uint64_t *mask;
    uint32_t *count, *start;
    void *scan;
    size_t scan_bytes;
} wide_scratch;

static void lay_out(wide_scratch *s, cuzk_cuda_arena *arena, size_t n)
{
    const size_t words = cuzk_cuda_bit_words(n) + 1;
    s->mask = (uint64_t *)cuzk_cuda_arena_take(arena, words * sizeof(uint64_t));
    s->count = (uint32_t *)cuzk_cuda_arena_take(arena, words * sizeof(uint32_t));
    s->start = (uint32_t *)cuzk_cuda_arena_take(arena, words * sizeof(uint32_t));
    s->scan_bytes = 0;
    cub::DeviceScan::ExclusiveSum(NULL, s->scan_bytes, s->count, s->start, (int)words);
    s->scan = cuzk_cuda_arena_take(arena, s->scan_bytes);
}

size_t cuzk_cuda_query_wide_scratch(size_t n)
{
    wide_scratch s;
    cuzk_cuda_arena arena = {NULL, 0, 0};
    lay_out(&s, &arena, n);
    return arena.used;
}

cuzk_status cuzk_cuda_query_wide(const cuzk_cuda_map *map, const cuzk_cuda_range *range,
                                 size_t n_wide, uint32_t *place, uint32_t *which, void *scratch,
                                 cuzk_stream stream, cuzk_error *err)
{
    const size_t words = cuzk_cuda_bit_words(range->n);
    if (words == 0)
        return CUZK_OK;
    wide_scratch s;
    cuzk_cuda_arena arena = {(unsigned char *)scratch, 0, cuzk_cuda_query_wide_scratch(range->n)};
    lay_out(&s, &arena, range->n);
    CUZK_TRY(query(map, range, NULL, TAKE_WIDE, s.mask, stream, err));
    CUZK_LAUNCH(count_kernel, cuzk_blocks(words, THREADS), THREADS, 0, stream, s.mask, words,
                s.count);
    CUDA_TRY(
        cub::DeviceScan::ExclusiveSum(s.scan, s.scan_bytes, s.count, s.start, (int)words, stream));
    CUZK_LAUNCH(list_kernel, cuzk_blocks(words, THREADS), THREADS, 0, stream, *map, *range, s.mask,
                words, s.start, n_wide, place, which);
    return CUZK_OK;
}

static __global__ void gather_kernel(const uint32_t *which, size_t n, const uint4 *value,
                                     uint4 *out)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < 2 * n)
        out[i] = value[2 * (size_t)which[i / 2] + i % 2];
}

cuzk_status cuzk_cuda_query_values(const uint32_t *which, size_t n, const cuzk_scalar *value,
                                   cuzk_scalar *out, cuzk_stream stream, cuzk_error *err)
{
    if (n == 0)
        return CUZK_OK;
    CUZK_LAUNCH(gather_kernel, cuzk_blocks(2 * n, THREADS), THREADS, 0, stream, which, n,
                (const uint4 *)value, (uint4 *)out);
    return CUZK_OK;
}
