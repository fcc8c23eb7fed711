/* The kernels of a sum that know its points: text that is compiled once per group.
 *
 * Before including, define
 *     MSM_TABLE    name of the cuzk_msm_group
 *     MSM_POINT    the point type, say bn254_g1
 *     MSM_COORD    the field of its coordinates
 *     MSM_BLOCKS   blocks of 128 threads that a multiprocessor holds of add_kernel
 *
 * Additions in affine form share inversions (Montgomery's trick): a lane multiplies the
 * denominators of its part of a batch and keeps the products before each; the warp joins its 32
 * products, all lanes compute the one inverse (the same steps in all, so without divergence), and
 * each walks its part backwards. 5 products and a square per addition; what bounds it is the
 * integer multiplier. Warps work on different batches and never wait for each other, so that the
 * loads of one hide behind the products of others. */
#include "compute/cuda/msm_group.h"

#include "compute/cuda/launch.cuh"

#define P(name) CUZK_NAME(MSM_POINT, name)
#define C(name) CUZK_NAME(MSM_COORD, name)

#define THREADS 128
#define WARPS   (THREADS / 32)
#define BATCH   64 /* additions of a lane that share an inversion, at most */
#define PIECES  ((unsigned)(sizeof(MSM_COORD) / 16)) /* of a coordinate */

typedef P(affine) affine;

/* One addition: where its points are. */
typedef struct pair {
    const uint4 *left, *right;
    uint4 *out;
    bool negate_left, negate_right;
} pair;

static __device__ __forceinline__ const uint4 *record(const void *points, uint32_t i)
{
    return (const uint4 *)points + (size_t)i * (2 * PIECES);
}

static __device__ __forceinline__ const uint4 *base_of(bool *negate, const cuzk_msm_adds *a,
                                                       uint32_t element)
{
    const uint32_t value = a->values[element];
    *negate = (value & CUZK_MSM_NEGATIVE) != 0;
    return record(a->bases, value & ~CUZK_MSM_NEGATIVE);
}

/* The addition whose right side is element i of the sorted ones. */
static __device__ __forceinline__ void find_elements(pair *p, const cuzk_msm_adds *a, uint32_t i,
                                                     bool alone)
{
    const uint32_t left = i - (1u << a->level);
    p->out = (uint4 *)record(a->sums, left >> 1);
    if (a->level == 0)
        p->left = base_of(&p->negate_left, a, left);
    else
        p->left = p->out;
    if (a->level == 0 || alone)
        p->right = base_of(&p->negate_right, a, i);
    else
        p->right = record(a->sums, i >> 1);
}

static __device__ __forceinline__ pair find(const cuzk_msm_adds *a, uint32_t count, uint32_t j)
{
    pair p = {NULL, NULL, NULL, false, false};
    if (a->kind == CUZK_ADDS_LISTED) {
        const uint32_t entry = a->list[j];
        find_elements(&p, a, entry & ~CUZK_MSM_ALONE, (entry & CUZK_MSM_ALONE) != 0);
    } else if (a->kind == CUZK_ADDS_RUN) {
        const uint32_t i = (2 * j + 1) << a->level;
        find_elements(&p, a, i, i + 1 == count);
    } else if (a->kind == CUZK_ADDS_FOLD) {
        const uint32_t block = j / (a->level + 1), entry = j % (a->level + 1);
        const uint32_t at = (block << (a->level + 1)) + (entry == 0 ? 0 : 1u << (entry - 1));
        p.left = record(a->sums, at);
        p.right = record(a->sums, at + (1u << a->level));
        p.out = (uint4 *)p.left;
    } else {
        p.left = record(a->sums, j);
        p.right = record(a->bases, 0);
        p.out = (uint4 *)record(a->sums, j + (1u << a->level));
    }
    return p;
}

static __device__ __forceinline__ uint32_t additions(const cuzk_msm_adds *a, uint32_t count)
{
    if (a->kind == CUZK_ADDS_LISTED)
        return count;
    if (a->kind == CUZK_ADDS_RUN)
        return count == 0 ? 0 : (((count - 1) >> a->level) + 1) >> 1;
    return a->limit;
}

static __device__ __forceinline__ void load(MSM_COORD *r, const uint4 *from)
{
    uint4 words[PIECES];
    CUZK_UNROLL
    for (unsigned k = 0; k < PIECES; k++)
        words[k] = from[k];
    memcpy(r, words, sizeof *r);
}

static __device__ __forceinline__ void store(uint4 *to, const MSM_COORD *a)
{
    uint4 words[PIECES];
    memcpy(words, a, sizeof *a);
    CUZK_UNROLL
    for (unsigned k = 0; k < PIECES; k++)
        to[k] = words[k];
}

/* Products of one warp: pieces of 16 bytes, lane by lane. */
static __device__ __forceinline__ void keep(uint4 *products, unsigned round, const MSM_COORD *a)
{
    uint4 words[PIECES];
    memcpy(words, a, sizeof *a);
    CUZK_UNROLL
    for (unsigned k = 0; k < PIECES; k++)
        products[(round * PIECES + k) * 32 + threadIdx.x % 32] = words[k];
}

static __device__ __forceinline__ void kept(MSM_COORD *r, const uint4 *products, unsigned round)
{
    uint4 words[PIECES];
    CUZK_UNROLL
    for (unsigned k = 0; k < PIECES; k++)
        words[k] = products[(round * PIECES + k) * 32 + threadIdx.x % 32];
    memcpy(r, words, sizeof *r);
}

/* What an addition is that the general formula does not cover. */
typedef enum pair_case { GENERAL, DOUBLING, LEFT_ONLY, RIGHT_ONLY, NOTHING } pair_case;

/* Whether the x coordinates, with d = right - left, may belong to such a case. */
static __device__ __forceinline__ bool suspicious(const MSM_COORD *d, const MSM_COORD *left,
                                                  const MSM_COORD *right)
{
    return C(is_zero)(d) | C(is_zero)(left) | C(is_zero)(right);
}

/* The case, and its denominator in *d: one that is never zero. */
static __device__ __noinline__ pair_case classify(MSM_COORD *d, const pair *p)
{
    affine left, right;
    load(&left.x, p->left);
    load(&left.y, p->left + PIECES);
    load(&right.x, p->right);
    load(&right.y, p->right + PIECES);
    const bool none_left = P(affine_is_infinity)(&left), none_right = P(affine_is_infinity)(&right);
    C(set_one)(d);
    if (none_left || none_right)
        return none_left && none_right ? NOTHING : none_left ? RIGHT_ONLY : LEFT_ONLY;
    if (!C(equal)(&left.x, &right.x)) {
        C(sub)(d, &right.x, &left.x);
        return GENERAL;
    }
    C(cneg)(&left.y, &left.y, p->negate_left);
    C(cneg)(&right.y, &right.y, p->negate_right);
    if (C(is_zero)(&left.y) || !C(equal)(&left.y, &right.y))
        return NOTHING;
    C(dbl)(d, &left.y);
    return DOUBLING;
}

/* The inverse of each lane's product; of none of them zero. */
static __device__ __noinline__ void invert_warp(MSM_COORD *r, const MSM_COORD *product)
{
    MSM_COORD side[5], t = *product;
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (int s = 0; s < 5; s++) {
        uint32_t words[4 * PIECES];
        memcpy(words, &t, sizeof t);
        CUZK_UNROLL
        for (unsigned k = 0; k < 4 * PIECES; k++)
            words[k] = __shfl_xor_sync(0xffffffff, words[k], 1 << s);
        memcpy(&side[s], words, sizeof t);
        C(mul)(&t, &t, &side[s]);
    }
    C(inv_var)(&t, &t);
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (int s = 4; s >= 0; s--)
        C(mul)(&t, &t, &side[s]);
    *r = t;
}

static __device__ __noinline__ void finish_special(const pair *p, pair_case what)
{
    affine t;
    const bool left = what == LEFT_ONLY;
    const uint4 *from = left ? p->left : p->right;
    if (what == NOTHING) {
        P(affine_set_infinity)(&t);
    } else {
        load(&t.x, from);
        load(&t.y, from + PIECES);
        C(cneg)(&t.y, &t.y, left ? p->negate_left : p->negate_right);
    }
    store(p->out, &t.x);
    store(p->out + PIECES, &t.y);
}

/* One addition on the way back. *inverse: of the product of this denominator and those before it;
 * becomes that of those before. */
static __device__ __forceinline__ void finish_pair(const pair *p, MSM_COORD *inverse,
                                                   const MSM_COORD *before)
{
    MSM_COORD xl, xr, yl, yr, d, slope, t;
    load(&xl, p->left);
    load(&xr, p->right);
    C(sub)(&d, &xr, &xl);
    pair_case what = GENERAL;
    if (suspicious(&d, &xl, &xr))
        what = classify(&d, p);
    C(mul)(&t, inverse, before); /* 1 / d */
    C(mul)(inverse, inverse, &d);
    if (what > DOUBLING) {
        finish_special(p, what);
        return;
    }
    load(&yl, p->left + PIECES);
    load(&yr, p->right + PIECES);
    C(cneg)(&yl, &yl, p->negate_left);
    C(cneg)(&yr, &yr, p->negate_right);
    C(sub)(&slope, &yr, &yl);
    if (what == DOUBLING) { /* 3 x^2 */
        C(sqr)(&d, &xl);
        C(dbl)(&slope, &d);
        C(add)(&slope, &slope, &d);
    }
    C(mul)(&slope, &slope, &t);
    C(sqr)(&t, &slope);
    C(sub)(&t, &t, &xl);
    C(sub)(&t, &t, &xr);
    C(sub)(&d, &xl, &t);
    store(p->out, &t);
    C(mul)(&d, &d, &slope);
    C(sub)(&d, &d, &yl);
    store(p->out + PIECES, &d);
}

/* Rounds first ... first + rounds - 1 of 32 additions by one warp. */
static __device__ __forceinline__ void add_batch(const cuzk_msm_adds *a, uint32_t count, uint32_t n,
                                                 uint32_t first, unsigned rounds, uint4 *products)
{
    const unsigned lane = threadIdx.x % 32;
    MSM_COORD product, d;
    C(set_one)(&product);
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (unsigned round = 0; round < rounds; round++) {
        const uint32_t j = (first + round) * 32 + lane;
        if (j >= n)
            break;
        MSM_COORD xl, xr;
        const pair p = find(a, count, j);
        load(&xl, p.left);
        load(&xr, p.right);
        C(sub)(&d, &xr, &xl);
        if (suspicious(&d, &xl, &xr))
            classify(&d, &p);
        keep(products, round, &product);
        C(mul)(&product, &product, &d);
    }
    __syncwarp();
    MSM_COORD inverse;
    invert_warp(&inverse, &product);
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (unsigned round = rounds; round-- > 0;) {
        const uint32_t j = (first + round) * 32 + lane;
        if (j >= n)
            continue;
        const pair p = find(a, count, j);
        kept(&d, products, round);
        finish_pair(&p, &inverse, &d);
    }
    __syncwarp();
}

static __global__ void __launch_bounds__(THREADS, MSM_BLOCKS) add_kernel(cuzk_msm_adds a)
{
    const uint32_t count = a.count == NULL ? 0 : *a.count;
    const uint32_t n = additions(&a, count), rounds = (n + 31) / 32;
    const uint32_t warp = blockIdx.x * WARPS + threadIdx.x / 32, warps = gridDim.x * WARPS;
    /* As many rounds for each warp, in batches of equal length. */
    const uint32_t share = (rounds + warps - 1) / warps;
    const uint32_t batches = (share + BATCH - 1) / BATCH;
    if (batches == 0)
        return;
    const uint32_t batch = (share + batches - 1) / batches;
    uint4 *products = (uint4 *)a.products + (size_t)warp * (BATCH * 32 * PIECES);
    for (uint32_t k = 0; k < batches; k++) {
        const uint32_t first = (k * warps + warp) * batch;
        if (first < rounds)
            add_batch(&a, count, n, first, min(batch, rounds - first), products);
    }
}

static unsigned add_blocks(unsigned processors)
{
    return processors * MSM_BLOCKS;
}

static size_t add_scratch(unsigned processors)
{
    return (size_t)add_blocks(processors) * THREADS * BATCH * sizeof(MSM_COORD);
}

static cuzk_status add(const cuzk_msm_adds *adds, unsigned processors, cuzk_stream stream,
                       cuzk_error *err)
{
    const unsigned most = add_blocks(processors), needed = cuzk_blocks(adds->limit, THREADS);
    CUZK_LAUNCH(add_kernel, needed < most ? needed : most, THREADS, 0, stream, *adds);
    return CUZK_OK;
}

/* The sum of the run that starts at an element. */
static __device__ void load_run(affine *r, uint32_t start, bool single, const uint32_t *values,
                                const void *bases, const void *sums)
{
    const uint32_t value = values[start];
    const uint4 *from =
        single ? record(bases, value & ~CUZK_MSM_NEGATIVE) : record(sums, start >> 1);
    load(&r->x, from);
    load(&r->y, from + PIECES);
    C(cneg)(&r->y, &r->y, single && (value & CUZK_MSM_NEGATIVE) != 0);
}

static __global__ void __launch_bounds__(THREADS) collect_kernel(cuzk_msm_collect c)
{
    const uint32_t b = blockIdx.x * THREADS + threadIdx.x;
    if (b >= c.buckets)
        return;
    const uint32_t start = c.starts[b];
    affine t;
    if (start == CUZK_MSM_EMPTY)
        P(affine_set_infinity)(&t);
    else
        load_run(&t, start, start + 1 == c.n || c.keys[start + 1] != b, c.values, c.bases, c.sums);
    uint4 *out = (uint4 *)record(c.out, b);
    store(out, &t.x);
    store(out + PIECES, &t.y);
}

static cuzk_status collect(const cuzk_msm_collect *c, cuzk_stream stream, cuzk_error *err)
{
    CUZK_LAUNCH(collect_kernel, cuzk_blocks(c->buckets, THREADS), THREADS, 0, stream, *c);
    return CUZK_OK;
}

static __global__ void pick_kernel(uint4 *out, const uint32_t *count, const uint32_t *values,
                                   const void *bases, const void *sums)
{
    affine t;
    if (*count == 0)
        P(affine_set_infinity)(&t);
    else
        load_run(&t, 0, *count == 1, values, bases, sums);
    store(out, &t.x);
    store(out + PIECES, &t.y);
}

static cuzk_status pick(void *out, const uint32_t *count, const uint32_t *values, const void *bases,
                        const void *sums, cuzk_stream stream, cuzk_error *err)
{
    CUZK_LAUNCH(pick_kernel, 1, 1, 0, stream, (uint4 *)out, count, values, bases, sums);
    return CUZK_OK;
}

/* Host: by Horner's rule over the bits. */
static void join(uint64_t *result, const void *points, size_t repeats, size_t stride,
                 const cuzk_msm_term *terms, size_t n)
{
    MSM_POINT sums[CUZK_MSM_BITS], total;
    affine t;
    for (int b = 0; b < CUZK_MSM_BITS; b++)
        P(set_infinity)(&sums[b]);
    for (size_t i = 0; i < repeats * n; i++) {
        const cuzk_msm_term *term = &terms[i % n];
        memcpy(&t, (const char *)points + (i / n * stride + term->point) * sizeof t, sizeof t);
        P(add_mixed)(&sums[term->bit], &sums[term->bit], &t);
    }
    P(set_infinity)(&total);
    for (int b = CUZK_MSM_BITS; b-- > 0;) {
        P(dbl)(&total, &total);
        P(add)(&total, &total, &sums[b]);
    }
    P(to_affine_var)(&t, &total);
    P(store)(result, &t);
}

const cuzk_msm_group MSM_TABLE = {sizeof(affine), add_scratch, add, collect, pick, join};

#undef P
#undef C
