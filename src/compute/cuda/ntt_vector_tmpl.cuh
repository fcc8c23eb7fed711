/* Part of the transforms' text: vectors, tables of powers, and transforms of up to four elements.
 * Needs FR and ntt_tile.cuh. One element per thread; bounded by memory but for the powers, which
 * are made once per key. */

#define NTT_VECTOR_THREADS 256

static __device__ __forceinline__ size_t vector_index(void)
{
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __global__ void ntt_product_kernel(const ntt_product p)
{
    const size_t i = vector_index();
    if (i >= p.n)
        return;
    cuzk_fr x, y;
    fr_read(&x, &p.a[i]);
    fr_read(&y, &p.b[i]);
    FR(mul)(&x, &x, &y);
    if (p.c != NULL) {
        fr_read(&y, &p.c[i]);
        FR(sub)(&x, &x, &y);
    }
    if (p.canonical) {
        cuzk_scalar canonical;
        FR(to_canon)(&canonical, &x);
        fr_join(&x, make_ulonglong2(canonical.l[0], canonical.l[1]),
                make_ulonglong2(canonical.l[2], canonical.l[3]));
    }
    fr_write(&p.r[i], &x);
}

static __global__ void ntt_scale_kernel(cuzk_fr *r, const cuzk_fr *a, const cuzk_fr factor,
                                        size_t n)
{
    const size_t i = vector_index();
    if (i >= n)
        return;
    cuzk_fr x;
    fr_read(&x, &a[i]);
    FR(mul)(&x, &factor, &x); /* the second factor may be any number of 256 bits */
    fr_write(&r[i], &x);
}

static __global__ void ntt_powers_kernel(cuzk_fr *out, size_t n, const ntt_powers powers)
{
    const size_t x = vector_index();
    if (x >= n)
        return;
    cuzk_fr product = powers.first;
    CUZK_NO_UNROLL
    for (unsigned i = 0; i < NTT_POWERS; i++)
        if (x >> i & 1)
            FR(mul)(&product, &product, &powers.factor[i]);
    fr_write(&out[x], &product);
}

/* data[i] *= steps[i / 2^low_log] * low[i % 2^low_log]. */
static __global__ void ntt_twist_kernel(cuzk_fr *data, const cuzk_fr *low, const cuzk_fr *steps,
                                        unsigned low_log, size_t n)
{
    const size_t i = vector_index();
    if (i >= n)
        return;
    cuzk_fr x, w;
    fr_read(&x, &data[i]);
    fr_read_constant(&w, &low[i & (((size_t)1 << low_log) - 1)]);
    FR(mul)(&x, &w, &x);
    fr_read_constant(&w, &steps[i >> low_log]);
    FR(mul)(&x, &w, &x);
    fr_write(&data[i], &x);
}

/* One thread per row, one block. */
static __global__ void ntt_matrix_kernel(cuzk_fr *out, const cuzk_fr *in, const ntt_matrix matrix)
{
    const unsigned i = threadIdx.x;
    cuzk_fr sum, x;
    FR(set_zero)(&sum);
    CUZK_NO_UNROLL
    for (unsigned j = 0; j < matrix.n; j++) {
        fr_read(&x, &in[j]);
        FR(mul)(&x, &matrix.entry[i][j], &x);
        FR(add)(&sum, &sum, &x);
    }
    __syncthreads(); /* out may be in */
    fr_write(&out[i], &sum);
}
