/* The passes of the transforms: text that is compiled once per curve. Before including, define
 *     FR(name)  functions of the scalar field
 *
 * A transform of 2^log_m elements is log_m levels of butterflies; a pass does up to ten of them
 * with one reading and one writing of the vector, three levels at a time in registers. Two
 * networks. Downwards, from natural to bit-reversed order, inverse (Gentleman, Sande): level u
 * takes pairs that differ in bit u to u + v and (u - v) W^-j, W of order 2^(u+1), j the bits below
 * u; u falls. Upwards, from bit-reversed to natural order, forward (Cooley, Tukey): u + W^j v and
 * u - W^j v; u rises. As W^-j = -W^(2^u - j), both read one table.
 *
 * The prover's pair, inverse and then forward on a coset, meets at the lowest bits: there one
 * kernel ends the former and begins the latter. The coefficients' powers of g cost little: the
 * power for the bits of the middle pass is part of that pass's roots, and the rest, one factor per
 * sub-transform together with 1/m, joins the first level's products.
 *
 * Bounded by the 32-bit multiplier: see doc/gpu-results.md. The loops are not unrolled, so that
 * four products are all that the compiler can interleave; it would spend instructions on saving
 * carries. */

#include "compute/cuda/ntt_tile.cuh"

/* One level downwards on window bit p: pairs (r, r + 4) go to (2r, 2r + 1), so that the next bit
 * below becomes the top one. plain: level's roots are powers of the fourth or eighth root, for
 * sub-transforms on the lowest bits; half of them at least are 1. */
static __device__ __forceinline__ void level_down(cuzk_fr *x, const ntt_pass *pass,
                                                  const ntt_place *at, unsigned q, unsigned p)
{
    const unsigned u = pass->low + q + p;
    const unsigned j_low = ((at->rest & ((1u << q) - 1)) << pass->low) + at->offset;
    const bool ones = q + pass->low == 0;
    cuzk_fr y[NTT_HELD], w;
    CUZK_UNROLL
    for (unsigned r = 0; r < NTT_HELD / 2; r++) {
        const unsigned j_window = r >> (NTT_WINDOW - 1 - p);
        FR(add)(&y[2 * r], &x[r], &x[r + 4]);
        if (ones && j_window == 0) {
            FR(sub)(&y[2 * r + 1], &x[r], &x[r + 4]);
        } else {
            const unsigned j = (j_window << (q + pass->low)) + j_low;
            fr_read_constant(&w, root_of(pass, u, (1u << u) - j));
            FR(sub)(&y[2 * r + 1], &x[r + 4], &x[r]);
            FR(mul)(&y[2 * r + 1], &w, &y[2 * r + 1]);
        }
    }
    CUZK_UNROLL
    for (unsigned r = 0; r < NTT_HELD; r++)
        x[r] = y[r];
}

/* One level upwards on window bit p: pairs (2r, 2r + 1) go to (r, r + 4). ones: the root is in the
 * second members already. */
static __device__ __forceinline__ void
level_up(cuzk_fr *x, const ntt_pass *pass, const ntt_place *at, unsigned q, unsigned p, bool ones)
{
    const unsigned u = pass->low + q + p;
    const unsigned j_low = ((at->rest & ((1u << q) - 1)) << pass->low) + at->offset;
    cuzk_fr y[NTT_HELD], w;
    CUZK_UNROLL
    for (unsigned r = 0; r < NTT_HELD / 2; r++) {
        const unsigned j_window = r >> (NTT_WINDOW - 1 - p);
        if (ones) {
            w = x[2 * r + 1];
        } else {
            fr_read_constant(&w, root_of(pass, u, (j_window << (q + pass->low)) + j_low));
            FR(mul)(&w, &w, &x[2 * r + 1]);
        }
        FR(add)(&y[r], &x[2 * r], &w);
        FR(sub)(&y[r + 4], &x[2 * r], &w);
    }
    CUZK_UNROLL
    for (unsigned r = 0; r < NTT_HELD; r++)
        x[r] = y[r];
}

/* Multiplies the elements of even number by factors[0], the others by factors[1]. */
static __device__ __forceinline__ void multiply_pairs(cuzk_fr *x, const cuzk_fr *factors)
{
    CUZK_ROLLED
    for (unsigned i = 0; i < 2; i++) {
        cuzk_fr f, t;
        fr_read_constant(&f, &factors[i]);
        CUZK_UNROLL
        for (unsigned r = 0; r < NTT_HELD; r += 2) {
            FR(mul)(&t, &f, &x[r]);
            x[r] = x[r + 1];
            x[r + 1] = t;
        }
    }
}

/* How many levels the topmost window has: the others have three. */
static __device__ __forceinline__ unsigned top_levels(unsigned bits)
{
    return (bits + NTT_WINDOW - 1) % NTT_WINDOW + 1;
}

/* All levels of the pass, from the topmost window, which x holds, to that from bit 0 on. */
static __device__ __forceinline__ void levels_down(cuzk_fr *x, ulonglong2 *shared,
                                                   const ntt_pass *pass, const ntt_place *at)
{
    unsigned q = pass->bits - NTT_WINDOW, d = top_levels(pass->bits);
    for (;;) {
        CUZK_ROLLED
        for (unsigned p = NTT_WINDOW; p-- > NTT_WINDOW - d;)
            level_down(x, pass, at, q, p);
        if (q == 0)
            return;
        change_window(x, shared, at, q, NTT_WINDOW - d, q - d, 0);
        q -= d;
        d = NTT_WINDOW;
    }
}

/* From the window from bit 0 on, which x holds, to the topmost one. ones: see level_up, of the
 * first level. */
static __device__ __forceinline__ void
levels_up(cuzk_fr *x, ulonglong2 *shared, const ntt_pass *pass, const ntt_place *at, bool ones)
{
    const unsigned last = pass->bits - NTT_WINDOW;
    unsigned q = 0, d = NTT_WINDOW;
    for (;;) {
        CUZK_ROLLED
        for (unsigned p = NTT_WINDOW - d; p < NTT_WINDOW; p++) {
            level_up(x, pass, at, q, p, ones);
            ones = false;
        }
        if (q == last)
            return;
        d = q + NTT_WINDOW > last ? last - q : NTT_WINDOW;
        change_window(x, shared, at, q, 0, q + d, NTT_WINDOW - d);
        q += d;
    }
}

/* An outer pass downwards. */
static __global__ void __launch_bounds__(NTT_MAX_THREADS, 2) ntt_down_kernel(const ntt_pass pass)
{
    CUZK_SHARED(ulonglong2, shared);
    const ntt_place at = place_columns(&pass);
    cuzk_fr x[NTT_HELD];
    read_window(x, pass.in, &at, pass.low, pass.bits - NTT_WINDOW);
    levels_down(x, shared, &pass, &at);
    write_window(x, pass.out, &at, pass.low, 0);
}

/* An outer pass upwards. */
static __global__ void __launch_bounds__(NTT_MAX_THREADS, 2) ntt_up_kernel(const ntt_pass pass)
{
    CUZK_SHARED(ulonglong2, shared);
    const ntt_place at = place_columns(&pass);
    cuzk_fr x[NTT_HELD];
    read_window(x, pass.in, &at, pass.low, 0);
    levels_up(x, shared, &pass, &at, false);
    write_window(x, pass.out, &at, pass.low, pass.bits - NTT_WINDOW);
}

/* The lowest bits of the pair. coset: the levels of the roots with their part of g's powers;
 * rows[2 i], rows[2 i + 1]: sub-transform i's factors for elements of even and of odd number, in
 * which level 0 of the coset's roots is contained. */
static __global__ void __launch_bounds__(NTT_MAX_THREADS, 2)
    ntt_middle_kernel(const ntt_pass pass, const cuzk_fr *coset, const cuzk_fr *rows)
{
    CUZK_SHARED(ulonglong2, shared);
    unsigned row;
    const ntt_place at = place_rows(&pass, &row);
    ntt_pass up = pass;
    cuzk_fr x[NTT_HELD];
    read_window(x, pass.in, &at, 0, pass.bits - NTT_WINDOW);
    levels_down(x, shared, &pass, &at);
    up.levels = coset;
    multiply_pairs(x, &rows[2 * (size_t)row]);
    levels_up(x, shared, &up, &at, true);
    write_window(x, pass.out, &at, 0, pass.bits - NTT_WINDOW);
}

/* The lowest bits of a transform whose outcome is in natural order; pass.out is not pass.in, unless
 * there is but one block. Element i of sub-transform k is multiplied by inner[i & inner_mask] and
 * by outer[k], if these are not NULL. forward: element i is the inverse transform's -i, but for
 * 1/m. */
static __global__ void __launch_bounds__(NTT_MAX_THREADS, 2)
    ntt_last_kernel(const ntt_pass pass, const ntt_outcome outcome)
{
    CUZK_SHARED(ulonglong2, shared);
    const unsigned rows_log = pass.log_m - pass.bits;
    unsigned reversed;
    ntt_place at = place_rows(&pass, &reversed);
    const unsigned row = reverse_bits(reversed, rows_log);
    cuzk_fr x[NTT_HELD], w;
    at.base = row << pass.bits;
    read_window(x, pass.in, &at, 0, pass.bits - NTT_WINDOW);
    levels_down(x, shared, &pass, &at);
    CUZK_ROLLED
    for (unsigned r = 0; r < NTT_HELD; r++) {
        const unsigned number = number_of(&at, 0, r);
        if (outcome.outer != NULL) {
            fr_read_constant(&w, &outcome.outer[row]);
            FR(mul)(&x[0], &w, &x[0]);
        }
        if (outcome.inner != NULL) {
            fr_read_constant(&w, &outcome.inner[number & outcome.inner_mask]);
            FR(mul)(&x[0], &w, &x[0]);
        }
        unsigned to = (reverse_bits(number, pass.bits) << rows_log) + reversed;
        if (outcome.forward)
            to = (0u - to) & ((1u << pass.log_m) - 1);
        fr_write(&pass.out[to], &x[0]);
        CUZK_UNROLL
        for (unsigned i = 1; i < NTT_HELD; i++)
            x[i - 1] = x[i];
    }
}
