/* Plans: how a domain is divided into passes, and the tables, made on the device. */
#include "compute/cuda/cuda_ntt.h"

#include <string.h>

#include "compute/cuda/ntt_kernels.cuh"

#define MAX_BITS   10 /* of one pass: its tile fills half a processor */
#define MATRIX_LOG 2

/* The most bits go to the lowest pass, whose tiles are contiguous however few columns they have. */
static void divide(cuzk_cuda_ntt_plan *plan)
{
    plan->passes = plan->log_m <= MATRIX_LOG ? 0 : (plan->log_m + MAX_BITS - 1) / MAX_BITS;
    for (unsigned i = 0; i < plan->passes; i++)
        plan->bits[i] = (plan->log_m + plan->passes - 1 - i) / plan->passes;
}

static size_t levels_count(unsigned levels)
{
    return ((size_t)1 << levels) - 1 + levels;
}

/* Levels that lie one by one: all, or all below the topmost pass. */
static unsigned low_levels(const cuzk_cuda_ntt_plan *plan)
{
    return plan->passes < 2 ? plan->log_m : plan->log_m - plan->bits[plan->passes - 1];
}

static cuzk_fr *take(cuzk_cuda_arena *arena, size_t count)
{
    return (cuzk_fr *)cuzk_cuda_arena_take(arena, count * sizeof(cuzk_fr));
}

/* Sets the plan's pointers. */
static void lay_out(cuzk_cuda_ntt_plan *plan, cuzk_cuda_arena *arena)
{
    if (plan->passes == 0)
        return;
    const size_t m = (size_t)1 << plan->log_m, inner = (size_t)1 << plan->bits[0];
    plan->levels = take(arena, levels_count(low_levels(plan)));
    plan->top = plan->passes < 2 ? NULL : take(arena, m / 2 + 1);
    plan->coset_levels = take(arena, levels_count(plan->bits[0]));
    plan->rows = take(arena, 2 * m / inner);
    plan->inverse_m = take(arena, 1);
    plan->inner = take(arena, inner);
    plan->inner_quotient = take(arena, inner);
    plan->outer = take(arena, m / inner);
    plan->twist = take(arena, inner);
    plan->twist_steps = take(arena, m / inner);
}

size_t cuzk_cuda_ntt_plan_bytes(unsigned log_m)
{
    cuzk_cuda_ntt_plan plan;
    cuzk_cuda_arena arena = {NULL, 0, 0};
    memset(&plan, 0, sizeof plan);
    plan.log_m = log_m;
    divide(&plan);
    lay_out(&plan, &arena);
    return arena.used;
}

/* base^(2^log). */
static cuzk_fr power_of_2(const cuzk_curve *curve, cuzk_fr base, unsigned log)
{
    for (unsigned i = 0; i < log; i++)
        curve->fr_mul(&base, &base, &base);
    return base;
}

/* Element x: first * base^x; or, reversed, base^(x with its bits reversed). */
static void set_powers(ntt_powers *powers, const cuzk_curve *curve, const cuzk_fr *first,
                       const cuzk_fr *base, unsigned bits, bool reversed)
{
    cuzk_fr square = *base;
    memset(powers, 0, sizeof *powers);
    powers->first = *first;
    for (unsigned i = 0; i < bits; i++) {
        powers->factor[reversed ? bits - 1 - i : i] = square;
        curve->fr_mul(&square, &square, &square);
    }
}

typedef struct table_maker {
    const cuzk_cuda_ntt_plan *plan;
    const ntt_kernels *kernels;
    cuzk_stream stream;
    cuzk_error *err;
} table_maker;

static cuzk_status make_powers(const table_maker *maker, const cuzk_fr *table, size_t count,
                               const ntt_powers *powers)
{
    return maker->kernels->powers((cuzk_fr *)table, count, powers, maker->stream, maker->err);
}

/* Level u, times first: W^j, 0 <= j <= 2^u. */
static cuzk_status make_level(const table_maker *maker, const cuzk_fr *table, unsigned u,
                              const cuzk_fr *first)
{
    const cuzk_cuda_ntt_plan *plan = maker->plan;
    const cuzk_fr root = power_of_2(plan->curve, plan->omega, plan->log_m - 1 - u);
    ntt_powers powers;
    set_powers(&powers, plan->curve, first, &root, u + 1, false);
    return make_powers(maker, table, ((size_t)1 << u) + 1, &powers);
}

static cuzk_status make_roots(const table_maker *maker)
{
    const cuzk_cuda_ntt_plan *plan = maker->plan;
    const cuzk_fr *one = &plan->curve->fr_one;
    for (unsigned u = 0; u < low_levels(plan); u++)
        CUZK_TRY(make_level(maker, plan->levels + levels_count(u), u, one));
    if (plan->top != NULL)
        CUZK_TRY(make_level(maker, plan->top, plan->log_m - 1, one));
    /* Bit u of a position stands for bit log_m - 1 - u of the coefficient's index. */
    for (unsigned u = 0; u < plan->bits[0]; u++) {
        const cuzk_fr g = power_of_2(plan->curve, plan->coset, plan->log_m - 1 - u);
        CUZK_TRY(make_level(maker, plan->coset_levels + levels_count(u), u, &g));
    }
    return CUZK_OK;
}

/* g^i / m for the coefficient i of each sub-transform's element 0, and of element 1. */
static cuzk_status make_rows(const table_maker *maker, const cuzk_fr *inverse_m)
{
    const cuzk_cuda_ntt_plan *plan = maker->plan;
    const unsigned bits = plan->log_m - plan->bits[0];
    ntt_powers powers;
    set_powers(&powers, plan->curve, inverse_m, &plan->coset, bits, true);
    memmove(powers.factor + 1, powers.factor, bits * sizeof powers.factor[0]);
    powers.factor[0] = power_of_2(plan->curve, plan->coset, plan->log_m - 1);
    return make_powers(maker, plan->rows, (size_t)2 << bits, &powers);
}

/* 1/(g^m - 1) as an integer. As a Montgomery element, multiplying by it also makes canonical. */
static cuzk_fr quotient_factor(const cuzk_cuda_ntt_plan *plan)
{
    const cuzk_curve *curve = plan->curve;
    cuzk_fr z = power_of_2(curve, plan->coset, plan->log_m);
    cuzk_scalar integer;
    curve->fr_sub(&z, &z, &curve->fr_one);
    curve->fr_inv(&z, &z);
    curve->fr_to_scalar(&integer, &z);
    memcpy(&z, &integer, sizeof z);
    return z;
}

static cuzk_status make_inverse_powers(const table_maker *maker, const cuzk_fr *inverse_m)
{
    const cuzk_cuda_ntt_plan *plan = maker->plan;
    const cuzk_curve *curve = plan->curve;
    const unsigned inner = plan->bits[0], outer = plan->log_m - inner;
    const cuzk_fr quotient = quotient_factor(plan);
    cuzk_fr base;
    ntt_powers powers;
    curve->fr_inv(&base, &plan->coset);
    set_powers(&powers, curve, inverse_m, &base, outer, true);
    CUZK_TRY(make_powers(maker, plan->outer, (size_t)1 << outer, &powers));
    CUZK_TRY(make_powers(maker, plan->inverse_m, 1, &powers));
    base = power_of_2(curve, base, outer);
    set_powers(&powers, curve, &curve->fr_one, &base, inner, true);
    CUZK_TRY(make_powers(maker, plan->inner, (size_t)1 << inner, &powers));
    powers.first = quotient;
    return make_powers(maker, plan->inner_quotient, (size_t)1 << inner, &powers);
}

/* The powers of g in two tables. */
static cuzk_status make_twist(const table_maker *maker)
{
    const cuzk_cuda_ntt_plan *plan = maker->plan;
    const cuzk_curve *curve = plan->curve;
    const unsigned inner = plan->bits[0], outer = plan->log_m - inner;
    const cuzk_fr step = power_of_2(curve, plan->coset, inner);
    ntt_powers powers;
    set_powers(&powers, curve, &curve->fr_one, &plan->coset, inner, false);
    CUZK_TRY(make_powers(maker, plan->twist, (size_t)1 << inner, &powers));
    set_powers(&powers, curve, &curve->fr_one, &step, outer, false);
    return make_powers(maker, plan->twist_steps, (size_t)1 << outer, &powers);
}

cuzk_status cuzk_cuda_ntt_plan_init(cuzk_cuda_ntt_plan *plan, void *memory, const cuzk_curve *curve,
                                    unsigned log_m, const cuzk_fr *omega, const cuzk_fr *coset,
                                    cuzk_stream stream, cuzk_error *err)
{
    if (log_m > CUZK_CUDA_NTT_MAX_LOG || log_m > curve->two_adicity)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "transform on a GPU: found 2^%u elements, expected at most 2^%u", log_m,
                         curve->two_adicity < CUZK_CUDA_NTT_MAX_LOG ? curve->two_adicity
                                                                    : CUZK_CUDA_NTT_MAX_LOG);
    memset(plan, 0, sizeof *plan);
    plan->curve = curve;
    plan->log_m = log_m;
    plan->omega = *omega;
    plan->coset = *coset;
    divide(plan);
    cuzk_cuda_arena arena = {(unsigned char *)memory, 0, cuzk_cuda_ntt_plan_bytes(log_m)};
    lay_out(plan, &arena);
    if (plan->passes == 0)
        return CUZK_OK;
    const table_maker maker = {plan, ntt_kernels_of(curve), stream, err};
    cuzk_fr inverse_m, two;
    curve->fr_add(&two, &curve->fr_one, &curve->fr_one);
    curve->fr_pow(&inverse_m, &two, log_m);
    curve->fr_inv(&inverse_m, &inverse_m);
    CUZK_TRY(maker.kernels->prepare(err));
    CUZK_TRY(make_roots(&maker));
    CUZK_TRY(make_rows(&maker, &inverse_m));
    CUZK_TRY(make_twist(&maker));
    return make_inverse_powers(&maker, &inverse_m);
}
