/* What a block of a transform works on: a tile of 2^bits * 2^columns elements, eight per thread.
 *
 * An element's position in the whole vector is written in bits. A pass takes the `bits` of them
 * from `low` on: these number the elements of one sub-transform; a tile holds 2^columns
 * sub-transforms side by side. A thread holds the eight elements whose numbers differ in a
 * window of three bits; the other bits, `rest`, are the thread's. Between windows the elements
 * change threads through shared memory. */
#ifndef CUZK_COMPUTE_CUDA_NTT_TILE_CUH
#define CUZK_COMPUTE_CUDA_NTT_TILE_CUH

#include "compute/cuda/launch.cuh"
#include "field/hd.h"
#include "field/scalar.h"

#define NTT_HELD        8   /* elements of a thread */
#define NTT_WINDOW      3   /* log2 of that */
#define NTT_MAX_THREADS 256 /* with 128 registers each, two such blocks fill a processor */

/* All of a pass that its kernel needs to know. */
typedef struct ntt_pass {
    const cuzk_fr *in;
    cuzk_fr *out;
    /* Roots of unity: level u holds W^j, 0 <= j <= 2^u, W of order 2^(u+1). Levels lie one after
     * the other. The pass over the topmost bits finds its levels in the topmost one, `top`; it is
     * NULL in the other passes. */
    const cuzk_fr *levels, *top;
    unsigned log_m, low, bits, columns;
} ntt_pass;

typedef struct ntt_place {
    unsigned rest;        /* the thread's bits of the number in its sub-transform */
    unsigned offset;      /* of its sub-transform in the vector: the bits below `low` */
    unsigned base;        /* position of element 0 of the sub-transform in the vector */
    unsigned tile, shift; /* element i of the sub-transform is at tile + (i << shift) of the tile */
} ntt_place;

static __device__ __forceinline__ unsigned reverse_bits(unsigned x, unsigned bits)
{
    return bits == 0 ? 0 : __brev(x) >> (32 - bits);
}

/* Where pass->low is not 0, columns are neighbours in memory, and neighbouring threads take
 * neighbouring columns. Else a sub-transform itself is contiguous. */
static __device__ __forceinline__ ntt_place place_columns(const ntt_pass *pass)
{
    const unsigned tiles_log = pass->low - pass->columns;
    const unsigned column = threadIdx.x & ((1u << pass->columns) - 1);
    ntt_place at;
    at.rest = threadIdx.x >> pass->columns;
    at.offset = ((blockIdx.x & ((1u << tiles_log) - 1)) << pass->columns) + column;
    at.base = (blockIdx.x >> tiles_log << (pass->low + pass->bits)) + at.offset;
    at.tile = column;
    at.shift = pass->columns;
    return at;
}

/* `row`: which sub-transform, of the 2^columns that the block has. */
static __device__ __forceinline__ ntt_place place_rows(const ntt_pass *pass, unsigned *row)
{
    const unsigned rest_log = pass->bits - NTT_WINDOW;
    ntt_place at;
    at.rest = threadIdx.x & ((1u << rest_log) - 1);
    at.offset = 0;
    *row = (blockIdx.x << pass->columns) + (threadIdx.x >> rest_log);
    at.base = *row << pass->bits;
    at.tile = (threadIdx.x >> rest_log) << pass->bits;
    at.shift = 0;
    return at;
}

/* The number, in its sub-transform, of the thread's element w of the window from bit q on. */
static __device__ __forceinline__ unsigned number_of(const ntt_place *at, unsigned q, unsigned w)
{
    return (at->rest >> q << (q + NTT_WINDOW)) | w << q | (at->rest & ((1u << q) - 1));
}

/* Elements move as two halves of 16 bytes. */
static __device__ __forceinline__ void fr_join(cuzk_fr *r, ulonglong2 low, ulonglong2 high)
{
    r->l[0] = low.x;
    r->l[1] = low.y;
    r->l[2] = high.x;
    r->l[3] = high.y;
}

static __device__ __forceinline__ void fr_read(cuzk_fr *r, const cuzk_fr *from)
{
    const ulonglong2 *halves = (const ulonglong2 *)from;
    fr_join(r, halves[0], halves[1]);
}

/* Of memory that no one writes during the kernel. */
static __device__ __forceinline__ void fr_read_constant(cuzk_fr *r, const cuzk_fr *from)
{
    const ulonglong2 *halves = (const ulonglong2 *)from;
    fr_join(r, __ldg(&halves[0]), __ldg(&halves[1]));
}

static __device__ __forceinline__ void fr_write(cuzk_fr *to, const cuzk_fr *a)
{
    ulonglong2 *halves = (ulonglong2 *)to;
    halves[0] = make_ulonglong2(a->l[0], a->l[1]);
    halves[1] = make_ulonglong2(a->l[2], a->l[3]);
}

/* The tile in shared memory: first all low halves, then all high halves. Eight threads that differ
 * in three neighbouring bits of the position, or in bits 0-2 and 3-5 mixed as windows mix them, hit
 * different banks. */
static __device__ __forceinline__ unsigned slot_of(const ntt_place *at, unsigned number)
{
    const unsigned i = at->tile + (number << at->shift);
    return i ^ (i >> 3 & 7);
}

/* Gives the thread the window from bit `to` on in place of that from `from` on. Each thread reads
 * the places that it will write next, so one barrier is enough. */
static __device__ __forceinline__ void
change_window(cuzk_fr *x, ulonglong2 *shared, const ntt_place *at, unsigned from, unsigned to)
{
    const unsigned half = blockDim.x * NTT_HELD;
    CUZK_UNROLL
    for (unsigned r = 0; r < NTT_HELD; r++) {
        const unsigned slot = slot_of(at, number_of(at, from, r));
        shared[slot] = make_ulonglong2(x[r].l[0], x[r].l[1]);
        shared[half + slot] = make_ulonglong2(x[r].l[2], x[r].l[3]);
    }
    __syncthreads();
    CUZK_UNROLL
    for (unsigned r = 0; r < NTT_HELD; r++) {
        const unsigned slot = slot_of(at, number_of(at, to, r));
        fr_join(&x[r], shared[slot], shared[half + slot]);
    }
}

/* Global memory; stride: log2 of the distance of a sub-transform's elements. */
static __device__ __forceinline__ void read_window(cuzk_fr *x, const cuzk_fr *in,
                                                   const ntt_place *at, unsigned stride, unsigned q)
{
    CUZK_UNROLL
    for (unsigned r = 0; r < NTT_HELD; r++)
        fr_read(&x[r], &in[at->base + (number_of(at, q, r) << stride)]);
}

static __device__ __forceinline__ void
write_window(const cuzk_fr *x, cuzk_fr *out, const ntt_place *at, unsigned stride, unsigned q)
{
    CUZK_UNROLL
    for (unsigned r = 0; r < NTT_HELD; r++)
        fr_write(&out[at->base + (number_of(at, q, r) << stride)], &x[r]);
}

/* Entry j of level u. */
static __device__ __forceinline__ const cuzk_fr *root_of(const ntt_pass *pass, unsigned u,
                                                         unsigned j)
{
    if (pass->top != NULL)
        return pass->top + ((size_t)j << (pass->log_m - 1 - u));
    return pass->levels + ((1u << u) - 1 + u) + j;
}

#endif
