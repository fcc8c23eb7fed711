/* From scalars to lists of additions.
 *
 * Digits. A scalar above r/2 is replaced by its negative. With the bias added, the sum over windows
 * of half a window's range, the digits are the windows' bits less half the range: no carries, and
 * every window can be read for itself. Digit 0 goes to a bucket past the last, which is dropped.
 *
 * Lists. Elements are sorted by bucket. Element number p > 0 of its bucket is the right side of
 * exactly one addition, of level trailing zeros of p (msm_group.h). Blocks count their elements of
 * each level, take so many places of the level's list, and fill them. The order in a list depends
 * on timing, the sums do not. All kernels here are bound by memory. */
#include "compute/cuda/msm_lists.h"

#include <cub/cub.cuh>

#include "compute/cuda/launch.cuh"
#include "field/hd.h"

#define THREADS 256
#define ROUNDS  8 /* of 32 elements that a warp of list_kernel takes */

static __device__ bool subtract(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    uint64_t borrow = 0;
    CUZK_UNROLL
    for (int i = 0; i < 4; i++) {
        uint64_t difference = a[i] - b[i], less = a[i] < b[i];
        r[i] = difference - borrow;
        borrow = less | (uint64_t)(difference < borrow);
    }
    return borrow != 0;
}

static __device__ void add(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    uint64_t carry = 0;
    CUZK_UNROLL
    for (int i = 0; i < 4; i++) {
        uint64_t sum = a[i] + carry, total = sum + b[i];
        carry = (uint64_t)(sum < carry) | (uint64_t)(total < sum);
        r[i] = total;
    }
}

/* Bits bit ... bit + width - 1, width <= 31. No index depends on data at run time. */
static __device__ uint32_t bits_at(const uint64_t *a, unsigned bit, unsigned width)
{
    uint64_t low = 0, high = 0;
    CUZK_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        low = bit / 64 == i ? a[i] : low;
        high = bit / 64 + 1 == i ? a[i] : high;
    }
    uint64_t word = low >> (bit % 64);
    if (bit % 64 != 0)
        word |= high << (64 - bit % 64);
    return (uint32_t)word & ((1u << width) - 1);
}

static __global__ void digits_kernel(uint32_t *keys, uint32_t *values, cuzk_msm_pass pass,
                                     const cuzk_scalar *scalars, const uint32_t *index,
                                     const uint32_t *pick)
{
    uint32_t at = blockIdx.x * THREADS + threadIdx.x;
    if (at >= pass.n)
        return;
    const uint32_t i = pass.first + at;
    const cuzk_scalar s = scalars[index != NULL ? index[i] : i];
    uint32_t base = pick != NULL ? pick[i] : i;
    uint64_t minus[4], t[4], rubbish[4];
    subtract(minus, pass.r.l, s.l);
    const bool negative = subtract(rubbish, minus, s.l);
    CUZK_UNROLL
    for (int j = 0; j < 4; j++)
        t[j] = negative ? minus[j] : s.l[j];
    add(t, t, pass.bias.l);
    for (unsigned w = 0; w < pass.windows; w++) {
        const uint32_t half = 1u << (pass.width[w] - 1),
                       digit = bits_at(t, pass.bit[w], pass.width[w]);
        const bool below = digit < half;
        const uint32_t size = below ? half - digit : digit - half;
        const size_t element = (size_t)w * pass.n + at;
        keys[element] = size == 0 ? pass.buckets : pass.first_bucket[w] + size - 1;
        values[element] = base | (below != negative ? CUZK_MSM_NEGATIVE : 0);
    }
}

static __global__ void starts_kernel(uint32_t *starts, const uint32_t *keys, uint32_t n)
{
    uint32_t i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n && (i == 0 || keys[i - 1] != keys[i]))
        starts[keys[i]] = i;
}

/* Level of element i, 32 for none; *entry is what its list gets. */
static __device__ unsigned level_of(uint32_t *entry, const uint32_t *keys, const uint32_t *starts,
                                    uint32_t i, uint32_t n, uint32_t buckets)
{
    if (i >= n)
        return 32;
    const uint32_t key = keys[i];
    if (key >= buckets)
        return 32;
    const uint32_t p = i - starts[key];
    *entry = i | (i + 1 == n || keys[i + 1] != key ? CUZK_MSM_ALONE : 0);
    return p == 0 ? 32 : (unsigned)__ffs((int)p) - 1;
}

/* Offsets of the levels' lists. */
typedef struct list_offsets {
    uint32_t of[CUZK_MSM_LEVELS];
} list_offsets;

/* Places in the lists for the lanes of a warp, of cursors in shared memory: lanes of the same level
 * take consecutive ones. */
static __device__ uint32_t take_places(uint32_t *cursors, unsigned level)
{
    const unsigned lane = threadIdx.x % 32;
    uint32_t place = 0;
    unsigned todo = __ballot_sync(0xffffffff, level < 32);
    while (todo != 0) {
        const int leader = __ffs((int)todo) - 1;
        const unsigned leading = __shfl_sync(0xffffffff, level, leader);
        const unsigned same = __ballot_sync(0xffffffff, level == leading);
        uint32_t first = 0;
        if (lane == (unsigned)leader)
            first = atomicAdd(&cursors[leading], (uint32_t)__popc(same));
        first = __shfl_sync(0xffffffff, first, leader);
        if (level == leading)
            place = first + (uint32_t)__popc(same & ((1u << lane) - 1));
        todo &= ~same;
    }
    return place;
}

static __global__ void __launch_bounds__(THREADS)
    list_kernel(uint32_t *lists, uint32_t *counts, list_offsets offsets, const uint32_t *keys,
                const uint32_t *starts, uint32_t n, uint32_t buckets)
{
    __shared__ uint32_t cursors[CUZK_MSM_LEVELS], first[CUZK_MSM_LEVELS];
    const uint32_t begin =
        (blockIdx.x * THREADS + threadIdx.x / 32 * 32) * ROUNDS + threadIdx.x % 32;
    uint32_t entries[ROUNDS], places[ROUNDS];
    unsigned levels[ROUNDS];
    if (threadIdx.x < CUZK_MSM_LEVELS)
        cursors[threadIdx.x] = 0;
    __syncthreads();
    CUZK_UNROLL
    for (unsigned k = 0; k < ROUNDS; k++)
        levels[k] = level_of(&entries[k], keys, starts, begin + 32 * k, n, buckets);
    CUZK_UNROLL
    for (unsigned k = 0; k < ROUNDS; k++)
        places[k] = take_places(cursors, levels[k]);
    __syncthreads();
    if (threadIdx.x < CUZK_MSM_LEVELS && cursors[threadIdx.x] != 0)
        first[threadIdx.x] =
            offsets.of[threadIdx.x] + atomicAdd(&counts[threadIdx.x], cursors[threadIdx.x]);
    __syncthreads();
    CUZK_UNROLL
    for (unsigned k = 0; k < ROUNDS; k++)
        if (levels[k] < 32)
            lists[first[levels[k]] + places[k]] = entries[k];
}

/* A bucket of L elements has ((L - 1) / 2^l + 1) / 2 additions of level l, rounded down: at most
 * L / (2^l + 1). */
size_t cuzk_msm_list_offset(size_t elements, unsigned level)
{
    size_t offset = 0;
    for (unsigned l = 0; l < level; l++)
        offset += elements / (((size_t)1 << l) + 1);
    return offset;
}

static cudaError_t sort_pairs(void *temp, size_t *bytes, uint32_t *const keys[2],
                              uint32_t *const values[2], size_t n, uint32_t buckets, int *selector,
                              cuzk_stream stream)
{
    cub::DoubleBuffer<uint32_t> k(keys[0], keys[1]), v(values[0], values[1]);
    int bits = 1; /* of keys up to `buckets` */
    while (bits < 32 && buckets >> bits != 0)
        bits++;
    cudaError_t code =
        cub::DeviceRadixSort::SortPairs(temp, *bytes, k, v, (uint32_t)n, 0, bits, stream);
    *selector = k.selector;
    return code;
}

cuzk_status cuzk_msm_lists_take(cuzk_msm_lists *lists, cuzk_cuda_arena *arena, size_t elements,
                                size_t buckets, cuzk_error *err)
{
    uint32_t *const none[2] = {NULL, NULL};
    int selector;
    lists->sort_bytes = 0;
    CUDA_TRY(sort_pairs(NULL, &lists->sort_bytes, none, none, elements, (uint32_t)buckets,
                        &selector, NULL));
    for (int i = 0; i < 2; i++) {
        lists->keys[i] = (uint32_t *)cuzk_cuda_arena_take(arena, elements * 4);
        lists->values[i] = (uint32_t *)cuzk_cuda_arena_take(arena, elements * 4);
    }
    lists->starts = (uint32_t *)cuzk_cuda_arena_take(arena, (buckets + 1) * 4);
    lists->counts = (uint32_t *)cuzk_cuda_arena_take(arena, CUZK_MSM_LEVELS * 4);
    lists->lists = (uint32_t *)cuzk_cuda_arena_take(
        arena, cuzk_msm_list_offset(elements, CUZK_MSM_LEVELS) * 4);
    lists->sort = cuzk_cuda_arena_take(arena, lists->sort_bytes);
    return CUZK_OK;
}

cuzk_status cuzk_msm_digits(const cuzk_msm_lists *lists, const cuzk_msm_pass *pass,
                            const cuzk_cuda_msm_job *job, cuzk_stream stream, cuzk_error *err)
{
    CUZK_LAUNCH(digits_kernel, cuzk_blocks(pass->n, THREADS), THREADS, 0, stream, lists->keys[0],
                lists->values[0], *pass, job->scalars, job->index, job->pick);
    return CUZK_OK;
}

cuzk_status cuzk_msm_sort(cuzk_msm_lists *lists, size_t elements, uint32_t buckets,
                          cuzk_stream stream, cuzk_error *err)
{
    int selector;
    size_t bytes = lists->sort_bytes;
    CUDA_TRY(sort_pairs(lists->sort, &bytes, lists->keys, lists->values, elements, buckets,
                        &selector, stream));
    if (selector != 0) {
        uint32_t *keys = lists->keys[0], *values = lists->values[0];
        lists->keys[0] = lists->keys[1];
        lists->values[0] = lists->values[1];
        lists->keys[1] = keys;
        lists->values[1] = values;
    }
    return CUZK_OK;
}

cuzk_status cuzk_msm_list(const cuzk_msm_lists *lists, size_t elements, uint32_t buckets,
                          cuzk_stream stream, cuzk_error *err)
{
    const uint32_t n = (uint32_t)elements;
    list_offsets offsets;
    for (unsigned l = 0; l < CUZK_MSM_LEVELS; l++)
        offsets.of[l] = (uint32_t)cuzk_msm_list_offset(elements, l);
    CUDA_TRY(cudaMemsetAsync(lists->starts, 0xff, ((size_t)buckets + 1) * 4, stream));
    CUDA_TRY(cudaMemsetAsync(lists->counts, 0, CUZK_MSM_LEVELS * 4, stream));
    CUZK_LAUNCH(starts_kernel, cuzk_blocks(n, THREADS), THREADS, 0, stream, lists->starts,
                lists->keys[0], n);
    CUZK_LAUNCH(list_kernel, cuzk_blocks(n, THREADS * ROUNDS), THREADS, 0, stream, lists->lists,
                lists->counts, offsets, lists->keys[0], lists->starts, n, buckets);
    return CUZK_OK;
}

static __device__ uint64_t word_at(const uint64_t *bits, size_t i, size_t n)
{
    uint64_t word = bits[i];
    if ((i + 1) * 64 > n)
        word &= ((uint64_t)1 << (n % 64)) - 1;
    return word;
}

static __global__ void count_bits_kernel(uint32_t *counts, const uint64_t *bits, size_t n)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i * 64 < n)
        counts[i] = (uint32_t)__popcll(word_at(bits, i, n));
}

/* counts: how many bits are set before each word. */
static __global__ void write_bits_kernel(uint32_t *values, uint32_t *count, const uint32_t *counts,
                                         const uint64_t *bits, size_t n)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i * 64 >= n)
        return;
    uint64_t word = word_at(bits, i, n);
    uint32_t at = counts[i];
    for (; word != 0; word &= word - 1)
        values[at++] = (uint32_t)(i * 64) + (uint32_t)cuzk_low_zeros(word);
    if ((i + 1) * 64 >= n)
        *count = at;
}

cuzk_status cuzk_msm_scan_scratch(size_t *bytes, size_t n, cuzk_error *err)
{
    uint32_t *none = NULL;
    CUDA_TRY(cub::DeviceScan::ExclusiveSum(NULL, *bytes, none, none, (uint32_t)((n + 63) / 64)));
    return CUZK_OK;
}

cuzk_status cuzk_msm_bits(uint32_t *values, uint32_t *count, uint32_t *counts, void *scan,
                          size_t scan_bytes, const uint64_t *bits, size_t n, cuzk_stream stream,
                          cuzk_error *err)
{
    const size_t words = (n + 63) / 64;
    CUDA_TRY(cudaMemsetAsync(count, 0, sizeof *count, stream));
    if (n == 0)
        return CUZK_OK;
    CUZK_LAUNCH(count_bits_kernel, cuzk_blocks(words, THREADS), THREADS, 0, stream, counts, bits,
                n);
    CUDA_TRY(
        cub::DeviceScan::ExclusiveSum(scan, scan_bytes, counts, counts, (uint32_t)words, stream));
    CUZK_LAUNCH(write_bits_kernel, cuzk_blocks(words, THREADS), THREADS, 0, stream, values, count,
                counts, bits, n);
    return CUZK_OK;
}

/* Pieces of 16 bytes of the points at places 0 and 2^t, t < log_block, of blocks. */
static __global__ void extract_kernel(uint4 *out, const uint4 *in, uint32_t n, unsigned log_block,
                                      unsigned pieces)
{
    const uint32_t at = blockIdx.x * THREADS + threadIdx.x;
    if (at >= n)
        return;
    const uint32_t point = at / pieces, block = point / (log_block + 1),
                   entry = point % (log_block + 1), place = entry == 0 ? 0 : 1u << (entry - 1);
    out[at] = in[(((size_t)block << log_block) + place) * pieces + at % pieces];
}

cuzk_status cuzk_msm_extract(void *out, const void *in, uint32_t blocks, unsigned log_block,
                             size_t point, cuzk_stream stream, cuzk_error *err)
{
    const unsigned pieces = (unsigned)(point / sizeof(uint4));
    const uint32_t n = blocks * (log_block + 1) * pieces;
    CUZK_LAUNCH(extract_kernel, cuzk_blocks(n, THREADS), THREADS, 0, stream, (uint4 *)out,
                (const uint4 *)in, n, log_block, pieces);
    return CUZK_OK;
}
