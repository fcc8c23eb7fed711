/* The NTT kernel: one text for both curves and all CPU levels. A kernel file includes the vector
 * field over Fr, then defines
 *     NTT_FIELD   the scalar field (field/): bn254_fr or bls12_381_fr
 *     NTT_OPS     the name of the exported table
 * and includes this.
 *
 * Algorithm (D. H. Bailey's four-step transform, twice for very long ones). Let m = N1 * S, the
 * input's index i = i1 * S + c, the output's k = k1 + N1 * k'.
 *     Column pass, for each c:  y[k1] = w_m^(c k1) * (transform of length N1 over i1).
 *     Final pass, for each k1:  transform of length S over c, natural order out.
 * Above 2^22 elements the rows are split by the same rule: a second column pass. Passes have about
 * equal lengths, at most 2^11, so that a tile of NTT_TILE columns stays in the L2 cache.
 *
 * Lanes. Everything is vertical: a tile is a matrix of rows of NTT_VECTORS lane-vectors, and a
 * transform runs over its rows, with twiddles broadcast. In column passes the lanes are
 * neighbouring columns. The final pass transposes W x W blocks while it loads, so that its lanes
 * are neighbouring k1: neighbouring outputs. Nothing is bit-reversed in memory, and nothing is
 * shuffled inside transforms.
 *
 * Multiplications per element: the log2(N)/2 of a radix-2 transform less those by 1, which are
 * about one for each pass, and two for each column pass: one advances the twist, one applies it.
 * For 2^20 elements 10, as many as radix 2 over all has butterflies. A coset's powers ride on the
 * twist, but for one more multiplication.
 *
 * Montgomery. Lanes use another R than memory; transforms are linear, so words are loaded and
 * stored raw, and a power of two is owed only where two raw values are multiplied or canonical
 * output is wanted: it joins the twist.
 *
 * Memory traffic per element: the first pass reads 32 bytes and writes 40 (lanes have 5 limbs;
 * one-lane levels 32 everywhere), a second column pass reads and writes 40, the final pass reads 40
 * and writes 32. For 2^20 elements 144 MiB in all, 12 ms at the 12 GB/s at which one core copies;
 * each row of a tile is a run of 256 bytes or more. */
#include "compute/cpu/ntt_plan.h"

#include "base/memory.h"

#include <string.h>

#define NTT_TILE    8u /* elements in a row of a tile */
#define NTT_VECTORS (NTT_TILE / VFR_W)
#define NTT_LIMBS   (sizeof(vfr) / (8 * VFR_W))
/* log2 of the lanes' R / memory's R */
#define NTT_R_EXTRA (VFR_W > 1 ? 52u * (unsigned)NTT_LIMBS - 256u : 0u)
#define NTT_MAX_LOG 30u
#ifndef NTT_PASS_LOG
#define NTT_PASS_LOG 11u /* longest transform inside a tile */
#endif
#define NTT_SMALL_LOG  6u /* shorter ones are done one element at a time */
#define NTT_CAT_(a, b) a##_##b
#define NTT_CAT(a, b)  NTT_CAT_(a, b)
#define FR(name)       NTT_CAT(NTT_FIELD, name)

#include "compute/cpu/ntt_plan_tmpl.h"
#include "compute/cpu/ntt_tile_tmpl.h"
#include "compute/cpu/ntt_transform_tmpl.h"
#include "compute/cpu/ntt_small_tmpl.h"
#include "compute/cpu/ntt_quotient_tmpl.h"
#include "compute/cpu/ntt_vector_tmpl.h"

const cuzk_ntt_ops NTT_OPS = {
    .plan_bytes = plan_bytes,
    .plan_init = plan_init,
    .scratch = scratch_bytes,
    .forward = forward,
    .inverse = inverse,
    .quotient_scratch = scratch_bytes,
    .quotient = quotient,
    .fr_import = fr_import,
    .fr_export = fr_export,
    .fr_mul_vec = fr_mul_vec,
};
