#include "iden3/ptau.h"

#include "base/memory.h"
#include "base/random.h"
#include "iden3/ceremony.h"

#include <stdlib.h>
#include <string.h>

/* Points per tile. */
#define TILE 64

struct scaling {
    const cuzk_curve *curve;
    cuzk_scalar factor;
    const uint64_t *in;
    uint64_t *out;
    size_t n;
};

static void scale_tile(void *context, size_t tile, unsigned worker)
{
    const struct scaling *job = context;
    size_t words = job->curve->g1_words;
    (void)worker;
    for (size_t i = tile * TILE; i < (tile + 1) * TILE && i < job->n; i++)
        job->curve->g1_mul_secret(job->out + words * i, job->in + words * i, &job->factor);
}

/* *out = factor * points[i], i < n, owned by the caller. */
static cuzk_status scale(uint64_t **out, const cuzk_curve *curve, const uint64_t *points, size_t n,
                         const cuzk_scalar *factor, cuzk_pool *pool, cuzk_error *err)
{
    struct scaling job = {curve, *factor, points, NULL, n};
    job.out = cuzk_memory_new(n, 8 * (size_t)curve->g1_words);
    if (job.out == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for %zu points", n);
    cuzk_pool_run(pool, (n + TILE - 1) / TILE, scale_tile, &job);
    cuzk_wipe(&job.factor, sizeof job.factor);
    *out = job.out;
    return CUZK_OK;
}

static cuzk_status draw_factor(cuzk_scalar *factor, cuzk_scalar *inverse, const cuzk_curve *curve,
                               cuzk_error *err)
{
    uint8_t wide[64];
    cuzk_fr value;
    do {
        CUZK_TRY(cuzk_random(wide, sizeof wide, err));
        curve->scalar_from_wide(factor, wide);
    } while ((factor->l[0] | factor->l[1] | factor->l[2] | factor->l[3]) == 0);
    curve->fr_from_scalar(&value, factor);
    curve->fr_inv(&value, &value);
    curve->fr_to_scalar(inverse, &value);
    cuzk_wipe(wide, sizeof wide);
    cuzk_wipe(&value, sizeof value);
    return CUZK_OK;
}

/* Makes the new l and h, then the record; only then is setup changed. */
static cuzk_status contribute(cuzk_setup *setup, const cuzk_scalar *factor,
                              const cuzk_scalar *inverse, cuzk_pool *pool, cuzk_error *err)
{
    const cuzk_curve *curve = setup->curve;
    cuzk_setup made = *setup;
    made.l = made.h = NULL;
    curve->g1_mul_secret(made.delta_g1.l, setup->delta_g1.l, factor);
    curve->g2_mul_secret(made.vk.delta_g2.l, setup->vk.delta_g2.l, factor);
    cuzk_status status = scale(&made.l, curve, setup->l, setup->n_l, inverse, pool, err);
    if (status == CUZK_OK)
        status = scale(&made.h, curve, setup->h, setup->n_h, inverse, pool, err);
    if (status == CUZK_OK && setup->history != NULL)
        status = cuzk_ceremony_append(&made, factor, err);
    if (status != CUZK_OK) {
        free(made.l);
        free(made.h);
        return status;
    }
    free(setup->l);
    free(setup->h);
    *setup = made;
    return CUZK_OK;
}

cuzk_status cuzk_setup_contribute(cuzk_setup *setup, cuzk_pool *pool, cuzk_error *err)
{
    cuzk_scalar factor, inverse;
    CUZK_TRY(draw_factor(&factor, &inverse, setup->curve, err));
    cuzk_status status = contribute(setup, &factor, &inverse, pool, err);
    cuzk_wipe(&factor, sizeof factor);
    cuzk_wipe(&inverse, sizeof inverse);
    return status;
}
