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

/* The root of the pair r at window bit p, for elements whose bits below p in the window are those
 * that r has at the top: r is what is left of an index of three bits, turned by the levels before.
 */
static __device__ __forceinline__ const cuzk_fr *
root_at(const ntt_pass *pass, const ntt_place *at, unsigned q, unsigned p, unsigned r, bool inverse)
{
    const unsigned u = pass->low + q + p;
    const unsigned j_window = r >> (NTT_WINDOW - 1 - p);
    const unsigned j = (((at->rest & ((1u << q) - 1)) + (j_window << q)) << pass->low) + at->offset;
    return root_of(pass, u, inverse ? (1u << u) - j : j);
}

/* One level downwards on window bit p: pairs (r, r + 4) go to (2r, 2r + 1), so that the next bit
 * below becomes the top one. Roots are fetched one product ahead: *w is the first one, and becomes
 * *next, the next level's. */
static __device__ __forceinline__ void level_down(cuzk_fr *x, cuzk_fr *w, const cuzk_fr *next,
                                                  const ntt_pass *pass, const ntt_place *at,
                                                  unsigned q, unsigned p)
{
    const bool ones = q + pass->low == 0; /* then half of the roots at least are 1 */
    cuzk_fr y[NTT_HELD], ahead;
    CUZK_UNROLL
    for (unsigned r = 0; r < NTT_HELD / 2; r++) {
        FR(add)(&y[2 * r], &x[r], &x[r + 4]);
        if (ones && r >> (NTT_WINDOW - 1 - p) == 0)
            FR(sub)(&y[2 * r + 1], &x[r], &x[r + 4]);
        else
            FR(sub_loose)(&y[2 * r + 1], &x[r + 4], &x[r]);
    }
    CUZK_UNROLL
    for (unsigned r = 0; r < NTT_HELD / 2; r++) {
        fr_read_constant(&ahead,
                         r + 1 < NTT_HELD / 2 ? root_at(pass, at, q, p, r + 1, true) : next);
        if (!(ones && r >> (NTT_WINDOW - 1 - p) == 0))
            FR(mul)(&y[2 * r + 1], w, &y[2 * r + 1]);
        *w = ahead;
    }
    CUZK_UNROLL
    for (unsigned r = 0; r < NTT_HELD; r++)
        x[r] = y[r];
}

/* One level upwards on window bit p: pairs (2r, 2r + 1) go to (r, r + 4). ones: the root is in the
 * second members already. *w, *next: as downwards. */
static __device__ __forceinline__ void level_up(cuzk_fr *x, cuzk_fr *w, const cuzk_fr *next,
                                                const ntt_pass *pass, const ntt_place *at,
                                                unsigned q, unsigned p, bool ones)
{
    cuzk_fr y[NTT_HELD], ahead;
    CUZK_UNROLL
    for (unsigned r = 0; r < NTT_HELD / 2; r++) {
        fr_read_constant(&ahead,
                         r + 1 < NTT_HELD / 2 ? root_at(pass, at, q, p, r + 1, false) : next);
        if (!ones)
            FR(mul)(&x[2 * r + 1], w, &x[2 * r + 1]);
        *w = ahead;
    }
    CUZK_UNROLL
    for (unsigned r = 0; r < NTT_HELD / 2; r++) {
        FR(add)(&y[r], &x[2 * r], &x[2 * r + 1]);
        FR(sub)(&y[r + 4], &x[2 * r], &x[2 * r + 1]);
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
    cuzk_fr w;
    fr_read_constant(&w, root_at(pass, at, q, NTT_WINDOW - 1, 0, true));
    for (;;) {
        CUZK_ROLLED
        for (unsigned p = NTT_WINDOW; p-- > NTT_WINDOW - d;) {
            const bool stays = p > NTT_WINDOW - d || q == 0;
            const unsigned next_q = stays ? q : q - d,
                           next_p = stays ? p - (p > 0) : NTT_WINDOW - 1;
            level_down(x, &w, root_at(pass, at, next_q, next_p, 0, true), pass, at, q, p);
        }
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
    unsigned q = 0, p = 0, next_q = 0;
    cuzk_fr w;
    fr_read_constant(&w, root_at(pass, at, 0, 0, 0, false));
    for (;;) {
        next_q = q + NTT_WINDOW > last ? last : q + NTT_WINDOW;
        const unsigned next_p = q + NTT_WINDOW - next_q;
        CUZK_ROLLED
        for (; p < NTT_WINDOW; p++) {
            const bool stays = p + 1 < NTT_WINDOW || q == last;
            const cuzk_fr *next = root_at(pass, at, stays ? q : next_q,
                                          stays ? p + (p + 1 < NTT_WINDOW) : next_p, 0, false);
            level_up(x, &w, next, pass, at, q, p, ones);
            ones = false;
        }
        if (q == last)
            return;
        change_window(x, shared, at, q, 0, next_q, next_p);
        q = next_q;
        p = next_p;
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
