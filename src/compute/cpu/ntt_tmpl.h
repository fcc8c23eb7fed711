/* The NTT kernel: one text for both curves and all CPU levels. A kernel file includes the vector field over Fr,
 * then defines
 *     NTT_FIELD   the scalar field (field/): bn254_fr or bls12_381_fr
 *     NTT_OPS     the name of the exported table
 * and includes this.
 *
 * Algorithm (D. H. Bailey's four-step transform, twice for very long ones). With m = N1 * S, input index
 * i = i1 * S + c and output index k = k1 + N1 * k':
 *     for each column c:  y[k1] = w_m^(c k1) * (transform of length N1 over i1)     column pass
 *     for each row k1:    transform of length S over c, natural order out           final pass
 * Above 2^22 elements the rows are split by the same rule (a second column pass). Passes have about equal
 * lengths, at most 2^11, so a tile of NTT_TILE columns stays in the L2 cache.
 *
 * Lanes. Everything is vertical: a tile is a matrix of rows of NTT_VECTORS lane-vectors and a transform runs over
 * its rows, with twiddles broadcast. In column passes the lanes are neighbouring columns. The final pass transposes
 * W x W blocks while it loads, so that its lanes are neighbouring k1: neighbouring outputs. No bit reversal of
 * memory, no shuffles inside transforms.
 *
 * Multiplications per element: (log2 N - 1)/2 * ... in effect m/2 log2 m minus the trivial ones, and two per
 * column pass for the twist (one advances the power, one applies it). The powers of a coset ride on the twist; one
 * more multiplication per element does the rest.
 *
 * Montgomery. Lanes use another R than memory; transforms are linear, so words are loaded and stored raw, and a
 * power of two is owed only where two raw values are multiplied or canonical output is wanted: it joins the twist.
 *
 * Memory traffic per element: column pass reads 32 bytes (later ones 40) and writes 40; the final pass reads 40 and
 * writes 32 (lanes of 5 limbs; one-lane levels 32 everywhere). For 2^20 elements 144 MiB in all, 12 ms at the
 * 12 GB/s at which one core copies; every row of a tile is a run of 256 bytes or more. */
#include "compute/cpu/ntt_plan.h"

#include "base/memory.h"

#include <string.h>

#define NTT_TILE        8u                  /* elements in a row of a tile */
#define NTT_VECTORS     (NTT_TILE / VFR_W)
#define NTT_LIMBS       (sizeof(vfr) / (8 * VFR_W))
#define NTT_R_EXTRA     (VFR_W > 1 ? 52u * (unsigned)NTT_LIMBS - 256u : 0u) /* log2 of the lanes' R / memory's R */
#define NTT_MAX_LOG     30u
#ifndef NTT_PASS_LOG
#define NTT_PASS_LOG    11u /* longest transform inside a tile */
#endif
#define NTT_SMALL_LOG   6u                  /* shorter ones are done one element at a time */
#define NTT_CAT_(a, b)  a##_##b
#define NTT_CAT(a, b)   NTT_CAT_(a, b)
#define FR(name)        NTT_CAT(NTT_FIELD, name)

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
