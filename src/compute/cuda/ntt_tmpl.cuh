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
 * Bounded by the 32-bit multiplier: see doc/gpu-results.md. */

#include "compute/cuda/ntt_tile.cuh"

/* The root of level p of the window from bit q on, for pairs whose bits below p in the window are
 * j. At each level there are 2^p of them in a window, each for 4 / 2^p pairs. */
static __device__ __forceinline__ const cuzk_fr *
root_at(const ntt_pass *pass, const ntt_place *at, unsigned q, unsigned p, unsigned j, bool inverse)
{
    const unsigned u = pass->low + q + p;
    const unsigned all = (((at->rest & ((1u << q) - 1)) + (j << q)) << pass->low) + at->offset;
    return root_of(pass, u, inverse ? (1u << u) - all : all);
}

/* The first member of pair i of level p, in the order of the roots; the second has bit p too. */
static __device__ __forceinline__ unsigned pair_of(unsigned i, unsigned p)
{
    const unsigned each = NTT_HELD / 2 >> p; /* pairs of one root */
    return i / each + (i % each << (p + 1));
}

/* Level p downwards. Roots are fetched one ahead: *w is the first one, and becomes *next. */
static __device__ __forceinline__ void level_down(cuzk_fr *x, cuzk_fr *w, const cuzk_fr *next,
                                                  const ntt_pass *pass, const ntt_place *at,
                                                  unsigned q, unsigned p)
{
    const unsigned each = NTT_HELD / 2 >> p;
    const bool ones = q + pass->low == 0; /* then the first root is 1 */
    cuzk_fr ahead, sum;
    CUZK_UNROLL
    for (unsigned i = 0; i < NTT_HELD / 2; i++) {
        cuzk_fr *u = &x[pair_of(i, p)], *v = &x[pair_of(i, p) + (1u << p)];
        FR(add)(&sum, u, v);
        if (ones && i < each)
            FR(sub)(v, u, v);
        else
            FR(sub_loose)(v, v, u);
        *u = sum;
    }
    CUZK_UNROLL
    for (unsigned i = 0; i < NTT_HELD / 2; i++) {
        cuzk_fr *v = &x[pair_of(i, p) + (1u << p)];
        if (i % each == 0)
            fr_read_constant(&ahead, i + each < NTT_HELD / 2
                                         ? root_at(pass, at, q, p, i / each + 1, true)
                                         : next);
        if (!(ones && i < each))
            FR(mul)(v, w, v);
        if (i % each == each - 1)
            *w = ahead;
    }
}

/* Level p upwards. ones: the root is in the second members already. *w, *next: as downwards. */
static __device__ __forceinline__ void level_up(cuzk_fr *x, cuzk_fr *w, const cuzk_fr *next,
                                                const ntt_pass *pass, const ntt_place *at,
                                                unsigned q, unsigned p, bool ones)
{
    const unsigned each = NTT_HELD / 2 >> p;
    cuzk_fr ahead, sum;
    CUZK_UNROLL
    for (unsigned i = 0; i < NTT_HELD / 2; i++) {
        cuzk_fr *v = &x[pair_of(i, p) + (1u << p)];
        if (i % each == 0)
            fr_read_constant(&ahead, i + each < NTT_HELD / 2
                                         ? root_at(pass, at, q, p, i / each + 1, false)
                                         : next);
        if (!ones)
            FR(mul)(v, w, v);
        if (i % each == each - 1)
            *w = ahead;
    }
    CUZK_UNROLL
    for (unsigned i = 0; i < NTT_HELD / 2; i++) {
        cuzk_fr *u = &x[pair_of(i, p)], *v = &x[pair_of(i, p) + (1u << p)];
        FR(add)(&sum, u, v);
        FR(sub)(v, u, v);
        *u = sum;
    }
}

/* Multiplies the elements of even number by factors[0], the others by factors[1]. */
static __device__ __forceinline__ void multiply_pairs(cuzk_fr *x, const cuzk_fr *factors)
{
    CUZK_NO_UNROLL
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

/* All levels of the pass, from the topmost window, which x holds, to that from bit 0 on. Of the
 * topmost window only those levels that no other window has. */
static __device__ __forceinline__ void levels_down(cuzk_fr *x, ulonglong2 *shared,
                                                   const ntt_pass *pass, const ntt_place *at)
{
    unsigned q = pass->bits - NTT_WINDOW;
    cuzk_fr w;
    fr_read_constant(&w, root_at(pass, at, q, NTT_WINDOW - 1, 0, true));
    for (;;) {
        const unsigned next_q = q == 0 ? 0 : (q - 1) / NTT_WINDOW * NTT_WINDOW;
        const unsigned last = q == 0 ? 0 : next_q + NTT_WINDOW - q; /* the last level here */
        CUZK_UNROLL
        for (unsigned p = NTT_WINDOW; p-- > 0;) {
            if (p < last)
                break;
            const cuzk_fr *next = root_at(pass, at, p == last ? next_q : q,
                                          p == last ? NTT_WINDOW - 1 : p - 1, 0, true);
            level_down(x, &w, next, pass, at, q, p);
        }
        if (q == 0)
            return;
        change_window(x, shared, at, q, next_q);
        q = next_q;
    }
}

/* From the window from bit 0 on, which x holds, to the topmost one. ones: see level_up, of the
 * first level. */
static __device__ __forceinline__ void
levels_up(cuzk_fr *x, ulonglong2 *shared, const ntt_pass *pass, const ntt_place *at, bool ones)
{
    const unsigned last = pass->bits - NTT_WINDOW;
    unsigned q = 0, first = 0; /* window, and its first level to be done */
    cuzk_fr w;
    fr_read_constant(&w, root_at(pass, at, 0, 0, 0, false));
    for (;;) {
        const unsigned next_q = q + NTT_WINDOW > last ? last : q + NTT_WINDOW;
        const unsigned next_first = q + NTT_WINDOW - next_q;
        CUZK_UNROLL
        for (unsigned p = 0; p < NTT_WINDOW; p++) {
            if (p < first)
                continue;
            const bool ends = p + 1 == NTT_WINDOW && q != last;
            const cuzk_fr *next =
                root_at(pass, at, ends ? next_q : q,
                        ends ? next_first : (p + 1 < NTT_WINDOW ? p + 1 : p), 0, false);
            level_up(x, &w, next, pass, at, q, p, ones && p == 0 && q == 0);
        }
        if (q == last)
            return;
        change_window(x, shared, at, q, next_q);
        q = next_q;
        first = next_first;
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
    CUZK_NO_UNROLL
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
