/* A prepared .ptau from a known tau: scalars in Fr first, then fixed-base multiplication. Level p
 * of a Lagrange section is the inverse transform of 1, tau, .., tau^(2^p - 1) over the root 5^t. */
#include "iden3/ptau.h"

#include "base/memory.h"
#include "compute/msm.h"
#include "compute/ntt.h"
#include "iden3/binwrite.h"
#include "iden3/ptau_head.h"

#include <stdlib.h>
#include <string.h>

struct writer {
    cuzk_outfile *file;
    const cuzk_curve *curve;
    cuzk_pool *pool;
    unsigned power;
    cuzk_fr *powers;      /* 1, tau, ..; 2^(power+1) - 1 of them, then a zero */
    cuzk_fr *values;      /* room for as many: what the section multiplies the generator by */
    cuzk_scalar *scalars; /* the same, canonical */
    cuzk_error *err;
};

/* Writes [factor * values[i]], i < n. */
static cuzk_status write_points(const struct writer *w, cuzk_group group, const cuzk_fr *values,
                                size_t n, const cuzk_fr *factor)
{
    const cuzk_curve *curve = w->curve;
    unsigned threads = w->pool == NULL ? 1 : cuzk_pool_threads(w->pool);
    uint64_t *points = cuzk_memory_new(n, 8 * (size_t)cuzk_point_words(curve, group));
    void *scratch = cuzk_memory_new(1, cuzk_fixed_base_scratch(curve, group, n, threads));
    if (points == NULL || scratch == NULL) {
        free(points);
        free(scratch);
        return cuzk_fail(w->err, CUZK_ERR_MEMORY, "no memory for %zu points of a .ptau", n);
    }
    for (size_t i = 0; i < n; i++) {
        cuzk_fr value;
        curve->fr_mul(&value, &values[i], factor);
        curve->fr_to_scalar(&w->scalars[i], &value);
    }
    cuzk_fixed_base(curve, group, points,
                    group == CUZK_G1 ? curve->g1_generator : curve->g2_generator, w->scalars, n,
                    scratch, w->pool);
    cuzk_binwrite_points(w->file, curve, group, points, n);
    free(points);
    free(scratch);
    return CUZK_OK;
}

static cuzk_status write_powers(const struct writer *w, uint32_t id, cuzk_group group, size_t n,
                                const cuzk_fr *factor)
{
    cuzk_binwrite_section(w->file, id, 8 * (uint64_t)cuzk_point_words(w->curve, group) * n);
    return write_points(w, group, w->powers, n, factor);
}

/* values = the inverse transform of the first 2^level powers. */
static cuzk_status transform(const struct writer *w, unsigned level)
{
    const cuzk_curve *curve = w->curve;
    unsigned threads = w->pool == NULL ? 1 : cuzk_pool_threads(w->pool);
    cuzk_status status = CUZK_OK;
    void *scratch = NULL;
    cuzk_fr omega;

    cuzk_root_of_unity(&omega, curve, &curve->root_iden3, level);
    void *memory = cuzk_memory_new(1, cuzk_ntt_plan_bytes(curve, level));
    cuzk_ntt_plan *plan =
        memory == NULL ? NULL : cuzk_ntt_plan_init(memory, curve, level, &omega, w->pool);
    if (plan != NULL)
        scratch = cuzk_memory_new(1, cuzk_ntt_scratch(plan, threads));
    if (scratch == NULL) {
        status = cuzk_fail(w->err, CUZK_ERR_MEMORY, "no memory for a transform of 2^%u", level);
    } else {
        memcpy(w->values, w->powers, sizeof *w->values << level);
        cuzk_ntt_inverse(plan, w->values, NULL, scratch, w->pool);
    }
    free(scratch);
    free(memory);
    return status;
}

static cuzk_status write_lagrange(const struct writer *w, uint32_t id, cuzk_group group,
                                  unsigned levels, const cuzk_fr *factor)
{
    uint64_t points = ((uint64_t)1 << levels) - 1;
    cuzk_binwrite_section(w->file, id, 8 * (uint64_t)cuzk_point_words(w->curve, group) * points);
    for (unsigned level = 0; level < levels; level++) {
        CUZK_TRY(transform(w, level));
        CUZK_TRY(write_points(w, group, w->values, (size_t)1 << level, factor));
    }
    return CUZK_OK;
}

static void write_head(const struct writer *w)
{
    cuzk_binwrite_header(w->file, "ptau", 1, 11);
    cuzk_binwrite_section(w->file, CUZK_PTAU_HEADER, 4 + 8 * w->curve->fp_words + 8);
    cuzk_binwrite_base_prime(w->file, w->curve);
    cuzk_binwrite_u32(w->file, w->power);
    cuzk_binwrite_u32(w->file, w->power);
}

static cuzk_status write_sections(const struct writer *w, const cuzk_fr *alpha, const cuzk_fr *beta)
{
    size_t n = (size_t)1 << w->power;
    const cuzk_fr *one = &w->curve->fr_one;
    write_head(w);
    CUZK_TRY(write_powers(w, CUZK_PTAU_TAU_G1, CUZK_G1, 2 * n - 1, one));
    CUZK_TRY(write_powers(w, CUZK_PTAU_TAU_G2, CUZK_G2, n, one));
    CUZK_TRY(write_powers(w, CUZK_PTAU_ALPHA_G1, CUZK_G1, n, alpha));
    CUZK_TRY(write_powers(w, CUZK_PTAU_BETA_G1, CUZK_G1, n, beta));
    CUZK_TRY(write_powers(w, CUZK_PTAU_BETA_G2, CUZK_G2, 1, beta));
    cuzk_binwrite_section(w->file, CUZK_PTAU_CONTRIBUTIONS, 4);
    cuzk_binwrite_u32(w->file, 0);
    /* One level more in the first section: setup takes H from there. */
    CUZK_TRY(write_lagrange(w, CUZK_PTAU_LAGRANGE_TAU_G1, CUZK_G1, w->power + 2, one));
    CUZK_TRY(write_lagrange(w, CUZK_PTAU_LAGRANGE_TAU_G2, CUZK_G2, w->power + 1, one));
    CUZK_TRY(write_lagrange(w, CUZK_PTAU_LAGRANGE_ALPHA_G1, CUZK_G1, w->power + 1, alpha));
    return write_lagrange(w, CUZK_PTAU_LAGRANGE_BETA_G1, CUZK_G1, w->power + 1, beta);
}

static cuzk_status make_powers(struct writer *w, const cuzk_scalar *tau)
{
    size_t n = (size_t)2 << w->power;
    cuzk_fr step;
    w->powers = cuzk_memory_new(n, sizeof *w->powers);
    w->values = cuzk_memory_new(n, sizeof *w->values);
    w->scalars = cuzk_memory_new(n, sizeof *w->scalars);
    if (w->powers == NULL || w->values == NULL || w->scalars == NULL)
        return cuzk_fail(w->err, CUZK_ERR_MEMORY, "no memory for %zu powers", n);
    w->curve->fr_from_scalar(&step, tau);
    w->powers[0] = w->curve->fr_one;
    for (size_t i = 1; i < n; i++)
        w->curve->fr_mul(&w->powers[i], &w->powers[i - 1], &step);
    memset(&w->powers[n - 1], 0, sizeof w->powers[0]);
    return CUZK_OK;
}

cuzk_status cuzk_ptau_write_known(const char *path, const cuzk_curve *curve, unsigned power,
                                  const cuzk_scalar *tau, const cuzk_scalar *alpha,
                                  const cuzk_scalar *beta, cuzk_pool *pool, cuzk_error *err)
{
    struct writer w = {.curve = curve, .pool = pool, .power = power, .err = err};
    cuzk_fr alpha_fr, beta_fr;
    if (power >= curve->two_adicity)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: power %u; below %u is possible on %s", path,
                         power, curve->two_adicity, curve->name);
    CUZK_TRY(cuzk_outfile_open(&w.file, path, err));
    curve->fr_from_scalar(&alpha_fr, alpha);
    curve->fr_from_scalar(&beta_fr, beta);
    cuzk_status status = make_powers(&w, tau);
    if (status == CUZK_OK)
        status = write_sections(&w, &alpha_fr, &beta_fr);
    free(w.powers);
    free(w.values);
    free(w.scalars);
    if (status == CUZK_OK)
        return cuzk_outfile_commit(w.file, err);
    cuzk_outfile_abandon(w.file);
    return status;
}
