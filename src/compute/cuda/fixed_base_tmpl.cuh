/* Kernels of fixed-base multiplication, compiled once per group. Before including: the curve's
 * header, and
 *     FIXED_POINT  bls12_381_g1, ...
 *     FIXED_COORD  the field of its coordinates
 *     FIXED_OPS    the name of the exported table
 *
 * A thread per scalar: one addition of a point of the table (7M + 4S in Jacobian coordinates) per
 * window, bound by the multiplier; then sixteen points a thread share an inversion. The additions
 * are calls: inlined they gain nothing and compile for minutes in G2. */
#include "compute/cuda/fixed_base_kernels.h"
#include "compute/cuda/launch.cuh"

#define P(name) CUZK_NAME(FIXED_POINT, name)
#define C(name) CUZK_NAME(FIXED_COORD, name)
#define THREADS 128
#define RUN     16 /* points that share an inversion; a power of two */

typedef P(affine) affine;
typedef FIXED_POINT jacobian;

static __device__ __noinline__ void add_to(jacobian *r, const affine *a)
{
    P(add_mixed)(r, r, a);
}

static __device__ __noinline__ void double_it(jacobian *r)
{
    P(dbl)(r, r);
}

static __device__ __noinline__ void to_affine(affine *r, const jacobian *a, int n)
{
    P(to_affine_many_var)(r, a, (size_t)n);
}

static __device__ __forceinline__ void load(affine *r, const affine *from)
{
    const uint4 *halves = (const uint4 *)from;
    uint64_t *words = (uint64_t *)r;
    CUZK_UNROLL
    for (unsigned i = 0; i < sizeof(affine) / 16; i++) {
        const uint4 half = __ldg(halves + i);
        words[2 * i] = half.x | (uint64_t)half.y << 32;
        words[2 * i + 1] = half.z | (uint64_t)half.w << 32;
    }
}

/* r = d a, d > 0. */
static __device__ void multiply_small(jacobian *r, const affine *a, uint32_t d)
{
    P(from_affine)(r, a);
    for (int i = 30 - __clz((int)d); i >= 0; i--) {
        double_it(r);
        if ((d >> i & 1) != 0)
            add_to(r, a);
    }
}

/* A thread makes `run` multiples of one window's base, one after the other. */
static __global__ void __launch_bounds__(THREADS)
    table_kernel(affine *table, const affine *bases, unsigned c, unsigned windows, unsigned run)
{
    const uint32_t half = (uint32_t)1 << (c - 1), runs = half / run;
    const uint32_t i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= runs * windows)
        return;
    const affine base = bases[i / runs];
    const uint32_t first = i % runs * run; /* d - 1 */
    jacobian multiple[RUN];
    multiply_small(&multiple[0], &base, first + 1);
    for (unsigned j = 1; j < run; j++) {
        multiple[j] = multiple[j - 1];
        add_to(&multiple[j], &base);
    }
    to_affine(table + (size_t)(i / runs) * half + first, multiple, (int)run);
}

static cuzk_status make_table(void *table, const void *bases, unsigned c, unsigned windows,
                              cuzk_stream stream, cuzk_error *err)
{
    const unsigned half = 1u << (c - 1), run = half < RUN ? half : RUN;
    CUZK_LAUNCH(table_kernel, cuzk_blocks((size_t)(half / run) * windows, THREADS), THREADS, 0,
                stream, (affine *)table, (const affine *)bases, c, windows, run);
    return CUZK_OK;
}

/* k := the smaller of k and order - k; returns whether that is the latter. */
static __device__ bool take_smaller(uint64_t *k, const cuzk_scalar *order)
{
    uint64_t other[4], borrow = 0;
    for (int i = 0; i < 4; i++) {
        const uint64_t difference = order->l[i] - k[i];
        other[i] = difference - borrow;
        borrow = (uint64_t)(order->l[i] < k[i]) | (uint64_t)(difference < borrow);
    }
    int i = 3;
    while (i > 0 && other[i] == k[i])
        i--;
    if (other[i] >= k[i])
        return false;
    for (i = 0; i < 4; i++)
        k[i] = other[i];
    return true;
}

/* Window w of k: c <= 16 bits. */
static __device__ int32_t window_of(const uint64_t *k, unsigned c, unsigned w)
{
    const unsigned at = c * w, shift = at % 64;
    uint64_t bits = 0;
    for (unsigned i = 0; i < 4; i++) { /* k stays in registers: no index that varies */
        if (i == at / 64)
            bits |= k[i] >> shift;
        if (i == at / 64 + 1 && shift != 0)
            bits |= k[i] << (64 - shift);
    }
    return (int32_t)(bits & (((uint64_t)1 << c) - 1));
}

static __global__ void __launch_bounds__(THREADS)
    multiply_kernel(jacobian *out, const affine *table, const uint4 *scalars, size_t n,
                    cuzk_scalar order, unsigned c, unsigned windows)
{
    const size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;
    if (i >= n)
        return;
    uint64_t k[4];
    for (int j = 0; j < 2; j++) {
        const uint4 half = scalars[2 * i + (size_t)j];
        k[2 * j] = half.x | (uint64_t)half.y << 32;
        k[2 * j + 1] = half.z | (uint64_t)half.w << 32;
    }
    const bool minus = take_smaller(k, &order);
    const int32_t half = (int32_t)1 << (c - 1);
    int32_t carry = 0;
    jacobian sum;
    P(set_infinity)(&sum);
    for (unsigned w = 0; w < windows; w++) {
        int32_t digit = window_of(k, c, w) + carry;
        carry = digit > half;
        digit -= carry * 2 * half;
        if (digit == 0)
            continue;
        affine a;
        load(&a, table + (size_t)w * (size_t)half + (size_t)((digit < 0 ? -digit : digit) - 1));
        if ((digit < 0) != minus)
            P(affine_neg)(&a, &a);
        add_to(&sum, &a);
    }
    out[i] = sum;
}

static cuzk_status multiply(const cuzk_cuda_fixed_base *fixed, void *out,
                            const cuzk_scalar *scalars, size_t n, cuzk_stream stream,
                            cuzk_error *err)
{
    CUZK_LAUNCH(multiply_kernel, cuzk_blocks(n, THREADS), THREADS, 0, stream, (jacobian *)out,
                (const affine *)fixed->table, (const uint4 *)scalars, n, fixed->curve->r, fixed->c,
                fixed->windows);
    return CUZK_OK;
}

static __global__ void __launch_bounds__(THREADS)
    normalise_kernel(affine *out, const jacobian *points, size_t n)
{
    const size_t first = RUN * (blockIdx.x * (size_t)THREADS + threadIdx.x);
    if (first < n)
        to_affine(out + first, points + first, n - first < RUN ? (int)(n - first) : RUN);
}

static cuzk_status normalise(void *out, const void *points, size_t n, cuzk_stream stream,
                             cuzk_error *err)
{
    CUZK_LAUNCH(normalise_kernel, cuzk_blocks((n + RUN - 1) / RUN, THREADS), THREADS, 0, stream,
                (affine *)out, (const jacobian *)points, n);
    return CUZK_OK;
}

/* CUZK_ENC_ZCASH: 0x40 and zeros for infinity, else the coordinates' bytes, big-endian. */
static __global__ void __launch_bounds__(THREADS)
    encode_kernel(uint8_t *out, const affine *points, size_t n)
{
    const size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;
    if (i >= n)
        return;
    affine a;
    load(&a, points + i);
    C(to_be)(out + i * sizeof a, &a.x);
    C(to_be)(out + i * sizeof a + sizeof a.x, &a.y);
    if (P(affine_is_infinity)(&a))
        out[i * sizeof a] = 0x40;
}

static cuzk_status encode(uint8_t *out, const void *points, size_t n, cuzk_stream stream,
                          cuzk_error *err)
{
    CUZK_LAUNCH(encode_kernel, cuzk_blocks(n, THREADS), THREADS, 0, stream, out,
                (const affine *)points, n);
    return CUZK_OK;
}

const cuzk_fixed_ops FIXED_OPS = {sizeof(affine), sizeof(jacobian), make_table,
                                  multiply,       normalise,        encode};

#undef P
#undef C
#undef THREADS
#undef RUN
