/* Transforms of up to four elements: see ntt_small.h. */
#include "compute/cuda/ntt_small.h"

#include <string.h>

#include "compute/cuda/ntt_kernels.cuh"

/* Entry (i, j) is (g w^i)^j: values from coefficients. */
static void forward_matrix(ntt_matrix *matrix, const cuzk_cuda_ntt_plan *plan, const cuzk_fr *g)
{
    const cuzk_curve *curve = plan->curve;
    memset(matrix, 0, sizeof *matrix);
    matrix->n = 1u << plan->log_m;
    for (unsigned i = 0; i < matrix->n; i++) {
        cuzk_fr point;
        curve->fr_pow(&point, &plan->omega, i);
        curve->fr_mul(&point, &point, g);
        for (unsigned j = 0; j < matrix->n; j++)
            curve->fr_pow(&matrix->entry[i][j], &point, j);
    }
}

/* Entry (i, j) is factor (g w^j)^-i: coefficients from values, where factor is 1/m. */
static void inverse_matrix(ntt_matrix *matrix, const cuzk_cuda_ntt_plan *plan, const cuzk_fr *g,
                           const cuzk_fr *factor)
{
    const cuzk_curve *curve = plan->curve;
    ntt_matrix forward;
    forward_matrix(&forward, plan, g);
    memset(matrix, 0, sizeof *matrix);
    matrix->n = forward.n;
    for (unsigned i = 0; i < matrix->n; i++)
        for (unsigned j = 0; j < matrix->n; j++) {
            curve->fr_inv(&matrix->entry[i][j], &forward.entry[j][i]);
            curve->fr_mul(&matrix->entry[i][j], &matrix->entry[i][j], factor);
        }
}

static cuzk_fr inverse_m(const cuzk_cuda_ntt_plan *plan)
{
    cuzk_fr two, r;
    plan->curve->fr_add(&two, &plan->curve->fr_one, &plan->curve->fr_one);
    plan->curve->fr_pow(&r, &two, plan->log_m);
    plan->curve->fr_inv(&r, &r);
    return r;
}

cuzk_status ntt_small_forward(const cuzk_cuda_ntt_plan *plan, cuzk_fr *data, bool coset,
                              cuzk_stream stream, cuzk_error *err)
{
    ntt_matrix matrix;
    forward_matrix(&matrix, plan, coset ? &plan->coset : &plan->curve->fr_one);
    return ntt_kernels_of(plan->curve)->matrix(data, data, &matrix, stream, err);
}

cuzk_status ntt_small_inverse(const cuzk_cuda_ntt_plan *plan, cuzk_fr *data, bool coset,
                              cuzk_stream stream, cuzk_error *err)
{
    const cuzk_fr factor = inverse_m(plan);
    ntt_matrix matrix;
    inverse_matrix(&matrix, plan, coset ? &plan->coset : &plan->curve->fr_one, &factor);
    return ntt_kernels_of(plan->curve)->matrix(data, data, &matrix, stream, err);
}

cuzk_status ntt_small_pair(const cuzk_cuda_ntt_plan *plan, cuzk_fr *data, cuzk_stream stream,
                           cuzk_error *err)
{
    CUZK_TRY(ntt_small_inverse(plan, data, false, stream, err));
    return ntt_small_forward(plan, data, true, stream, err);
}

cuzk_status ntt_small_quotient(const cuzk_cuda_ntt_plan *plan, cuzk_fr *h, const cuzk_fr *values,
                               cuzk_stream stream, cuzk_error *err)
{
    const cuzk_curve *curve = plan->curve;
    cuzk_fr factor = inverse_m(plan), z;
    cuzk_scalar integer;
    ntt_matrix matrix;
    curve->fr_pow(&z, &plan->coset, (uint64_t)1 << plan->log_m);
    curve->fr_sub(&z, &z, &curve->fr_one);
    curve->fr_inv(&z, &z);
    curve->fr_mul(&factor, &factor, &z);
    curve->fr_to_scalar(&integer, &factor); /* as a factor it makes canonical, too */
    memcpy(&factor, &integer, sizeof factor);
    inverse_matrix(&matrix, plan, &plan->coset, &factor);
    return ntt_kernels_of(curve)->matrix(h, values, &matrix, stream, err);
}
