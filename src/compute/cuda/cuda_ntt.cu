/* The ops of cuda_ntt.h as launches of the curve's kernels. */
#include "compute/cuda/cuda_ntt.h"

#include "compute/cuda/ntt_kernels.cuh"
#include "compute/cuda/ntt_small.h"

/* log2 of a tile's elements where columns are neighbours (128 bytes of them together, for passes of
 * 9 bits), and where sub-transforms are contiguous. Less, but a warp's, where that leaves fewer
 * than 2^TILES_WANTED tiles: a card has a hundred processors and more. */
#define COLUMN_TILE  11
#define ROW_TILE     10
#define LEAST_TILE   8
#define TILES_WANTED 8

static unsigned tile_log(unsigned log_m, unsigned most)
{
    if (log_m < LEAST_TILE + TILES_WANTED)
        return LEAST_TILE;
    return log_m - TILES_WANTED < most ? log_m - TILES_WANTED : most;
}

static ntt_pass describe(const cuzk_cuda_ntt_plan *plan, unsigned index, cuzk_fr *out,
                         const cuzk_fr *in)
{
    ntt_pass pass = {in, out, plan->levels, NULL, plan->log_m, 0, plan->bits[index], 0};
    for (unsigned i = 0; i < index; i++)
        pass.low += plan->bits[i];
    if (index > 0 && index == plan->passes - 1)
        pass.top = plan->top;
    const unsigned tile = tile_log(pass.log_m, index == 0 ? ROW_TILE : COLUMN_TILE);
    const unsigned most = index == 0 ? pass.log_m - pass.bits : pass.low;
    pass.columns = tile > pass.bits ? tile - pass.bits : 0;
    if (pass.columns > most)
        pass.columns = most;
    return pass;
}

/* All passes but the lowest, downwards: from `in` to `work`. Sets *now to where the vector is. */
static cuzk_status run_down(const cuzk_cuda_ntt_plan *plan, const cuzk_fr **now, cuzk_fr *work,
                            const cuzk_fr *in, cuzk_stream stream, cuzk_error *err)
{
    *now = in;
    for (unsigned i = plan->passes; i-- > 1;) {
        const ntt_pass pass = describe(plan, i, work, *now);
        CUZK_TRY(ntt_kernels_of(plan->curve)->down(&pass, stream, err));
        *now = work;
    }
    return CUZK_OK;
}

/* A transform in natural order from `in` to `out`, by way of `work`; work may be `in`, and so may
 * out if work is not out. */
static cuzk_status transform(const cuzk_cuda_ntt_plan *plan, cuzk_fr *out, const cuzk_fr *in,
                             cuzk_fr *work, const ntt_outcome *outcome, cuzk_stream stream,
                             cuzk_error *err)
{
    const cuzk_fr *now;
    CUZK_TRY(run_down(plan, &now, work, in, stream, err));
    const ntt_pass pass = describe(plan, 0, out, now);
    return ntt_kernels_of(plan->curve)->last(&pass, outcome, stream, err);
}

size_t cuzk_cuda_ntt_scratch(const cuzk_cuda_ntt_plan *plan)
{
    return plan->passes < 2 ? 0 : sizeof(cuzk_fr) << plan->log_m;
}

cuzk_status cuzk_cuda_ntt_forward(const cuzk_cuda_ntt_plan *plan, cuzk_fr *data, bool coset,
                                  void *scratch, cuzk_stream stream, cuzk_error *err)
{
    const ntt_outcome outcome = {NULL, NULL, 0, true};
    const ntt_kernels *kernels = ntt_kernels_of(plan->curve);
    if (plan->passes == 0)
        return ntt_small_forward(plan, data, coset, stream, err);
    if (coset)
        CUZK_TRY(kernels->twist(data, plan->twist, plan->twist_steps, plan->bits[0],
                                (size_t)1 << plan->log_m, stream, err));
    return transform(plan, data, data, (cuzk_fr *)scratch, &outcome, stream, err);
}

cuzk_status cuzk_cuda_ntt_inverse(const cuzk_cuda_ntt_plan *plan, cuzk_fr *data, bool coset,
                                  void *scratch, cuzk_stream stream, cuzk_error *err)
{
    const unsigned mask = plan->passes == 0 ? 0 : (1u << plan->bits[0]) - 1;
    const ntt_outcome plain = {plan->inverse_m, NULL, 0, false},
                      shifted = {plan->inner, plan->outer, mask, false};
    if (plan->passes == 0)
        return ntt_small_inverse(plan, data, coset, stream, err);
    return transform(plan, data, data, (cuzk_fr *)scratch, coset ? &shifted : &plain, stream, err);
}

cuzk_status cuzk_cuda_ntt_pair(const cuzk_cuda_ntt_plan *plan, cuzk_fr *data, cuzk_stream stream,
                               cuzk_error *err)
{
    const ntt_kernels *kernels = ntt_kernels_of(plan->curve);
    const cuzk_fr *now;
    if (plan->passes == 0)
        return ntt_small_pair(plan, data, stream, err);
    CUZK_TRY(run_down(plan, &now, data, data, stream, err));
    const ntt_pass middle = describe(plan, 0, data, data);
    CUZK_TRY(kernels->middle(&middle, plan->coset_levels, plan->rows, stream, err));
    for (unsigned i = 1; i < plan->passes; i++) {
        const ntt_pass pass = describe(plan, i, data, data);
        CUZK_TRY(kernels->up(&pass, stream, err));
    }
    return CUZK_OK;
}

/* In terms of coefficients: divided by Z = g^m - 1, canonical. */
static cuzk_status quotient_coefficients(const cuzk_cuda_ntt_plan *plan, cuzk_fr *h, cuzk_fr *work,
                                         cuzk_stream stream, cuzk_error *err)
{
    if (plan->passes == 0)
        return ntt_small_quotient(plan, h, work, stream, err);
    const ntt_outcome outcome = {plan->inner_quotient, plan->outer, (1u << plan->bits[0]) - 1,
                                 false};
    return transform(plan, h, work, work, &outcome, stream, err);
}

/* Without c, a*b waits for its place in h. */
cuzk_status cuzk_cuda_quotient(const cuzk_cuda_ntt_plan *plan, cuzk_h_kind kind, cuzk_scalar *h,
                               cuzk_fr *a, cuzk_fr *b, cuzk_fr *c, cuzk_stream stream,
                               cuzk_error *err)
{
    const size_t m = (size_t)1 << plan->log_m;
    cuzk_fr *values = (cuzk_fr *)h;
    if (c == NULL) {
        CUZK_TRY(cuzk_cuda_fr_mul_vec(plan->curve, values, a, b, NULL, m, stream, err));
        c = values;
    }
    CUZK_TRY(cuzk_cuda_ntt_pair(plan, c, stream, err));
    CUZK_TRY(cuzk_cuda_ntt_pair(plan, a, stream, err));
    CUZK_TRY(cuzk_cuda_ntt_pair(plan, b, stream, err));
    if (kind == CUZK_H_ODD_LAGRANGE)
        return cuzk_cuda_fr_mul_export(plan->curve, h, a, b, c, m, stream, err);
    CUZK_TRY(cuzk_cuda_fr_mul_vec(plan->curve, a, a, b, c, m, stream, err));
    return quotient_coefficients(plan, values, a, stream, err);
}
