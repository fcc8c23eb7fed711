/* Kernels of products, compiled once per scalar field. Before including: the field's header, and
 *     PRODUCTS_FIELD  bn254_fr or bls12_381_fr
 *     PRODUCTS_OPS    the name of the exported table
 *
 * Light lines: a thread takes one line of eight instances, so that a term is read once for all of
 * them; lanes are neighbouring lines, which read neighbouring bits, and write neighbouring rows.
 * The sum is a small integer, whose Montgomery form is looked up. Bound: 32 bytes written per row.
 *
 * Heavy lines: a thread takes one line of one instance; lanes are instances, so that all lanes of a
 * warp read the same terms and none waits for a longer line. Bound: additions in Fr for bits, and a
 * product per wide value.
 *
 * Plain rows: a thread per row, a warp per long row. */
#include "compute/cuda/launch.cuh"
#include "compute/cuda/products_kernels.h"

#define FR(name) CUZK_NAME(PRODUCTS_FIELD, name)
#define THREADS  CUZK_PRODUCTS_THREADS
#define BATCH    CUZK_PRODUCTS_BATCH
#define COEF     (CUZK_TERM_COEFS - 1)

/* Elements move as two 16-byte halves. */
static __device__ __forceinline__ void load(cuzk_fr *r, const cuzk_fr *from)
{
    const uint4 *halves = (const uint4 *)from;
    CUZK_UNROLL
    for (int j = 0; j < 2; j++) {
        const uint4 half = __ldg(halves + j);
        r->l[2 * j] = half.x | (uint64_t)half.y << 32;
        r->l[2 * j + 1] = half.z | (uint64_t)half.w << 32;
    }
}

static __device__ __forceinline__ void store(cuzk_fr *to, const cuzk_fr *a)
{
    uint4 *halves = (uint4 *)to;
    CUZK_UNROLL
    for (int j = 0; j < 2; j++)
        halves[j] = make_uint4((uint32_t)a->l[2 * j], (uint32_t)(a->l[2 * j] >> 32),
                               (uint32_t)a->l[2 * j + 1], (uint32_t)(a->l[2 * j + 1] >> 32));
}

/* The last group that starts at or before this block. */
static __device__ __forceinline__ cuzk_cuda_group find_group(const cuzk_cuda_group *groups,
                                                             uint32_t n)
{
    uint32_t low = 0, high = n;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (groups[middle].first_block <= blockIdx.x)
            low = middle;
        else
            high = middle;
    }
    return groups[low];
}

static __device__ __forceinline__ uint32_t read_bit(const uint32_t *bits, uint32_t at)
{
    return __ldg(bits + at / 32) >> (at % 32) & 1;
}

/* A bit by its number, or that of a port. */
static __device__ __forceinline__ uint32_t read_port(const uint32_t *bits, uint32_t at)
{
    return at == CUZK_PORT_ONE ? 1 : read_bit(bits, at);
}

/* The sums of a light line over the terms from `first` to `end`, for instances in[0 .. BATCH-1]. */
static __device__ __forceinline__ void add_light(int *sum, const uint2 *term, uint32_t first,
                                                 uint32_t end, const cuzk_shared_instance *in,
                                                 const uint32_t *first_bit, const uint32_t *port,
                                                 const uint32_t *bits)
{
    for (uint32_t i = first; i < end; i++) {
        const uint2 t = __ldg(term + i);
        const int coef = (int)(t.y & COEF) - CUZK_LIGHT_MAX;
        const uint32_t kind = t.y & ~COEF;
        CUZK_UNROLL
        for (unsigned k = 0; k < BATCH; k++) {
            if (kind == CUZK_TERM_BIT)
                sum[k] += coef & -(int)read_bit(bits, first_bit[k] + t.x);
            else if (kind == CUZK_TERM_ONE)
                sum[k] += coef;
            else
                sum[k] += coef & -(int)read_port(bits, port[in[k].first_port + t.x]);
        }
    }
}

#define NO_ROW UINT32_C(0xffffffff)

/* Writes small[sum] to row `row` of out for every lane, NO_ROW: for none. Lanes 2i and 2i+1 write
 * the two halves of lane i's element, then of lane 16+i's: whole lines of memory where rows are
 * neighbours. */
static __device__ __forceinline__ void write_small(uint4 *out, const uint4 *small, uint32_t row,
                                                   int sum)
{
    const unsigned lane = threadIdx.x % 32;
    CUZK_UNROLL
    for (unsigned j = 0; j < 2; j++) {
        const unsigned source = lane / 2 + 16 * j;
        const uint32_t to = __shfl_sync(0xffffffff, row, (int)source);
        const int value = __shfl_sync(0xffffffff, sum, (int)source);
        if (to != NO_ROW)
            out[2 * (size_t)to + lane % 2] =
                __ldg(small + 2 * (value + CUZK_LIGHT_MAX) + (int)(lane % 2));
    }
}

static __global__ void __launch_bounds__(THREADS)
    light_kernel(cuzk_cuda_lines side, const cuzk_shared_instance *instance, const uint32_t *port,
                 const uint4 *small, const uint32_t *bits, uint4 *out)
{
    const cuzk_cuda_group group = find_group(side.light, side.n_light);
    const uint32_t item = (blockIdx.x - group.first_block) * THREADS + threadIdx.x;
    const uint32_t first = item / group.g.lines * BATCH;
    /* Lanes beyond the end take part in writing, with nothing to write. */
    const bool any = first < group.g.instances;
    const uint32_t number = group.g.first_line + (any ? item % group.g.lines : 0);
    const cuzk_shared_line line = side.line[number];
    const uint32_t end = any ? side.line[number + 1].first_term : line.first_term;
    const uint32_t here = any ? group.g.instances - first : 0;
    const cuzk_shared_instance *in = instance + group.g.first_instance + (any ? first : 0);
    cuzk_shared_instance each[BATCH];
    uint32_t first_bit[BATCH];
    int sum[BATCH];
    CUZK_UNROLL
    for (unsigned k = 0; k < BATCH; k++) {
        each[k] = in[k < here ? k : 0];
        first_bit[k] = each[k].first_bit;
        sum[k] = 0;
    }
    add_light(sum, (const uint2 *)side.term, line.first_term, end, each, first_bit, port, bits);
    CUZK_UNROLL
    for (unsigned k = 0; k < BATCH; k++)
        write_small(out, small, k < here ? each[k].first_row + line.row : NO_ROW, sum[k]);
}

static cuzk_status light(const cuzk_cuda_rows *rows, const cuzk_cuda_lines *side,
                         const uint64_t *bits, cuzk_fr *out, cuzk_stream stream, cuzk_error *err)
{
    CUZK_LAUNCH(light_kernel, side->light_blocks, THREADS, 0, stream, *side, rows->instance,
                rows->port, (const uint4 *)rows->small, (const uint32_t *)bits, (uint4 *)out);
    return CUZK_OK;
}

/* sum += coefficient * x. */
static __device__ __forceinline__ void add_product(cuzk_fr *sum, const cuzk_fr *coefs,
                                                   uint32_t coef, const cuzk_fr *x)
{
    if (coef == CUZK_COEF_MINUS_ONE) {
        FR(sub)(sum, sum, x);
        return;
    }
    cuzk_fr t = *x;
    if (coef != CUZK_COEF_ONE) {
        cuzk_fr value;
        load(&value, coefs + coef);
        FR(mul)(&t, &value, x);
    }
    FR(add)(sum, sum, &t);
}

static __global__ void __launch_bounds__(THREADS)
    heavy_kernel(cuzk_cuda_lines side, const cuzk_shared_instance *instance, const uint32_t *port,
                 const cuzk_fr *coefs, const uint32_t *bits, const cuzk_fr *value, cuzk_fr *out)
{
    const cuzk_cuda_group group = find_group(side.heavy, side.n_heavy);
    const uint32_t item = (blockIdx.x - group.first_block) * THREADS + threadIdx.x;
    const uint32_t number = item / group.g.instances;
    if (number >= group.g.lines)
        return;
    const cuzk_shared_line line = side.line[group.g.first_line + number];
    const uint32_t end = side.line[group.g.first_line + number + 1].first_term;
    const cuzk_shared_instance in = instance[group.g.first_instance + item % group.g.instances];
    cuzk_fr sum, x;
    FR(set_zero)(&sum);
    for (uint32_t i = line.first_term; i < end; i++) {
        const uint2 t = __ldg((const uint2 *)side.term + i);
        const uint32_t coef = t.y & COEF, kind = t.y & ~COEF;
        uint32_t at = t.x;
        if (kind == CUZK_TERM_PORT_BIT || kind == CUZK_TERM_PORT_VALUE)
            at = port[in.first_port + at];
        else
            at += kind == CUZK_TERM_BIT ? in.first_bit : in.first_value;
        if (kind == CUZK_TERM_VALUE || kind == CUZK_TERM_PORT_VALUE) {
            load(&x, value + at);
            add_product(&sum, coefs, coef, &x);
        } else if (kind == CUZK_TERM_ONE || read_port(bits, at) != 0) {
            load(&x, coefs + coef);
            FR(add)(&sum, &sum, &x);
        }
    }
    store(out + in.first_row + line.row, &sum);
}

static cuzk_status heavy(const cuzk_cuda_rows *rows, const cuzk_cuda_lines *side,
                         const uint64_t *bits, const cuzk_fr *value, cuzk_fr *out,
                         cuzk_stream stream, cuzk_error *err)
{
    CUZK_LAUNCH(heavy_kernel, side->heavy_blocks, THREADS, 0, stream, *side, rows->instance,
                rows->port, rows->coef, (const uint32_t *)bits, value, out);
    return CUZK_OK;
}

/* sum = the terms first, first + step, ... of a row that ends at `end`. */
static __device__ __forceinline__ void add_row(cuzk_fr *sum, const cuzk_cuda_matrix *m,
                                               const cuzk_fr *z, uint64_t first, uint64_t end,
                                               unsigned step)
{
    FR(set_zero)(sum);
    for (uint64_t i = first; i < end; i += step) {
        cuzk_fr x;
        load(&x, z + m->col[i]);
        add_product(sum, m->value, m->coef[i], &x);
    }
}

static __global__ void __launch_bounds__(THREADS)
    row_kernel(cuzk_cuda_matrix m, cuzk_fr *out, const cuzk_fr *z)
{
    const size_t row = blockIdx.x * (size_t)THREADS + threadIdx.x;
    if (row >= m.rows || m.row_start[row + 1] - m.row_start[row] > CUZK_LONG_ROW)
        return;
    cuzk_fr sum;
    add_row(&sum, &m, z, m.row_start[row], m.row_start[row + 1], 1);
    store(out + row, &sum);
}

static __global__ void __launch_bounds__(THREADS)
    long_kernel(cuzk_cuda_matrix m, cuzk_fr *out, const cuzk_fr *z)
{
    const size_t number = (blockIdx.x * (size_t)THREADS + threadIdx.x) / 32;
    if (number >= m.n_long)
        return;
    const uint32_t row = m.long_row[number];
    cuzk_fr sum, other;
    add_row(&sum, &m, z, m.row_start[row] + threadIdx.x % 32, m.row_start[row + 1], 32);
    for (int distance = 16; distance != 0; distance /= 2) {
        for (int j = 0; j < 4; j++) {
            const uint32_t low = (uint32_t)sum.l[j], high = (uint32_t)(sum.l[j] >> 32);
            other.l[j] = __shfl_xor_sync(0xffffffff, low, distance) |
                         (uint64_t)__shfl_xor_sync(0xffffffff, high, distance) << 32;
        }
        FR(add)(&sum, &sum, &other);
    }
    if (threadIdx.x % 32 == 0)
        store(out + row, &sum);
}

static cuzk_status matrix(const cuzk_cuda_matrix *m, cuzk_fr *out, const cuzk_fr *z,
                          cuzk_stream stream, cuzk_error *err)
{
    if (m->rows != 0)
        CUZK_LAUNCH(row_kernel, cuzk_blocks(m->rows, THREADS), THREADS, 0, stream, *m, out, z);
    if (m->n_long != 0)
        CUZK_LAUNCH(long_kernel, cuzk_blocks(32 * m->n_long, THREADS), THREADS, 0, stream, *m, out,
                    z);
    return CUZK_OK;
}

const cuzk_products_ops PRODUCTS_OPS = {light, heavy, matrix};

#undef FR
#undef THREADS
#undef BATCH
#undef COEF
#undef NO_ROW
