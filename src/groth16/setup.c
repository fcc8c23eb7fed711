#include "groth16/setup.h"

#include "base/memory.h"
#include "base/random.h"
#include "groth16/key_check.h"
#include "groth16/qap.h"

#include <stdlib.h>
#include <string.h>

void cuzk_setup_release(cuzk_setup *setup)
{
    cuzk_vk_release(&setup->vk);
    free(setup->a);
    free(setup->b1);
    free(setup->b2);
    free(setup->l);
    free(setup->h);
    free(setup->history);
    memset(setup, 0, sizeof *setup);
}

static bool is_zero(const cuzk_scalar *a)
{
    return (a->l[0] | a->l[1] | a->l[2] | a->l[3]) == 0;
}

static bool is_one(const cuzk_scalar *a)
{
    return a->l[0] == 1 && (a->l[1] | a->l[2] | a->l[3]) == 0;
}

cuzk_status cuzk_toxic_random(cuzk_toxic *toxic, const cuzk_curve *curve, cuzk_error *err)
{
    cuzk_toxic made;
    cuzk_scalar *members[] = {&made.tau, &made.alpha, &made.beta, &made.gamma, &made.delta};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        do {
            uint8_t wide[64];
            CUZK_TRY(cuzk_random(wide, sizeof wide, err));
            curve->scalar_from_wide(members[i], wide);
            cuzk_wipe(wide, sizeof wide);
        } while (is_zero(members[i]));
    }
    *toxic = made;
    cuzk_wipe(&made, sizeof made);
    return CUZK_OK;
}

static cuzk_status check_toxic(const cuzk_toxic *toxic, const cuzk_curve *curve,
                               cuzk_setup_kind kind, cuzk_error *err)
{
    const struct {
        const char *name;
        const cuzk_scalar *value;
    } members[] = {{"tau", &toxic->tau},
                   {"alpha", &toxic->alpha},
                   {"beta", &toxic->beta},
                   {"gamma", &toxic->gamma},
                   {"delta", &toxic->delta}};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (is_zero(members[i].value) || !curve->scalar_is_canonical(members[i].value))
            return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                             "%s of the setup is zero or not below the order of %s",
                             members[i].name, curve->full_name);
    if (kind == CUZK_SETUP_SNARKJS && !is_one(&toxic->gamma))
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "gamma of a snarkjs setup must be 1");
    return CUZK_OK;
}

static cuzk_status check_circuit(const cuzk_columns *cs, cuzk_setup_kind kind, cuzk_error *err)
{
    const cuzk_curve *curve = cs->curve;
    if (kind == CUZK_SETUP_BELLPERSON && curve->id != CUZK_BLS12_381)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "bellperson's files exist for BLS12-381 only; this circuit is over %s",
                         curve->full_name);
    if (cs->rows == 0 && cs->n_public == 0)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "the circuit has no rows and no public inputs: there is nothing to prove");
    if (cs->vars > UINT32_MAX || cs->vars < cs->n_public + 1)
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "the circuit has %zu variables, of which %zu should be public", cs->vars,
                         cs->n_public);
    unsigned limit =
        curve->two_adicity < CUZK_DOMAIN_LOG_MAX ? curve->two_adicity : CUZK_DOMAIN_LOG_MAX;
    unsigned log_m = cuzk_domain_log(cs->rows, cs->n_public);
    if (log_m > limit)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "%zu rows need a domain of 2^%u; the largest possible one on %s is 2^%u",
                         cs->rows, log_m, curve->full_name, limit);
    return CUZK_OK;
}

/* A zero here would be a private variable in no row; bellperson's format has no infinity to hold
 * it. */
static cuzk_status check_constrained(const cuzk_qap *qap, size_t n_public, cuzk_error *err)
{
    for (size_t i = n_public + 1; i < qap->vars; i++)
        if (is_zero(&qap->k[i]))
            return cuzk_fail(
                err, CUZK_ERR_UNSUPPORTED,
                "variable %zu is in no row; a bellperson key cannot hold it: remove it "
                "from the circuit",
                i);
    return CUZK_OK;
}

static size_t drop_zeros(cuzk_scalar *values, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!is_zero(&values[i]))
            values[kept++] = values[i];
    return kept;
}

/* Where the points of a query go. */
typedef struct place {
    uint8_t *at;
    size_t bytes; /* of a point */
} place;

static cuzk_status keep_points(void *context, const void *points, size_t n, cuzk_error *err)
{
    place *p = context;
    (void)err;
    memcpy(p->at, points, n * p->bytes);
    p->at += n * p->bytes;
    return CUZK_OK;
}

cuzk_status cuzk_setup_make_points(uint64_t **out, const cuzk_curve *curve, cuzk_group group,
                                   const cuzk_scalar *scalars, size_t n, const cuzk_group_ops *ops,
                                   cuzk_error *err)
{
    place p = {.bytes = cuzk_point_words(curve, group) * sizeof(uint64_t)};
    const cuzk_multiples_job job = {.curve = curve,
                                    .group = group,
                                    .base = cuzk_generator(curve, group),
                                    .scalars = scalars,
                                    .n = n,
                                    .sink = keep_points,
                                    .context = &p};
    *out = cuzk_memory_new(n, p.bytes);
    if (*out == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for %zu points of the key", n);
    p.at = (uint8_t *)*out;
    return ops->multiples(ops, &job, err);
}

static void make_head(cuzk_setup *setup, const cuzk_toxic *toxic)
{
    const cuzk_curve *curve = setup->curve;
    cuzk_vk *vk = &setup->vk;
    vk->curve = curve;
    vk->n_public = setup->n_public;
    curve->g1_mul(vk->alpha_g1.l, curve->g1_generator, &toxic->alpha);
    curve->g1_mul(setup->beta_g1.l, curve->g1_generator, &toxic->beta);
    curve->g1_mul(setup->delta_g1.l, curve->g1_generator, &toxic->delta);
    curve->g2_mul(vk->beta_g2.l, curve->g2_generator, &toxic->beta);
    curve->g2_mul(vk->gamma_g2.l, curve->g2_generator, &toxic->gamma);
    curve->g2_mul(vk->delta_g2.l, curve->g2_generator, &toxic->delta);
}

cuzk_status cuzk_setup_start(cuzk_setup *setup, cuzk_qap *qap, const cuzk_columns *cs,
                             const cuzk_toxic *toxic, cuzk_setup_kind kind, cuzk_pool *pool,
                             cuzk_error *err)
{
    CUZK_TRY(check_toxic(toxic, cs->curve, kind, err));
    CUZK_TRY(check_circuit(cs, kind, err));
    CUZK_TRY(cuzk_qap_make(qap, cs, toxic, kind, pool, err));
    *setup = (cuzk_setup){.curve = cs->curve,
                          .kind = kind,
                          .vars = cs->vars,
                          .n_public = cs->n_public,
                          .log_m = cuzk_domain_log(cs->rows, cs->n_public),
                          .n_a = cs->vars,
                          .n_b = cs->vars,
                          .n_l = cs->vars - (cs->n_public + 1),
                          .n_h = qap->n_h};
    make_head(setup, toxic);
    if (kind != CUZK_SETUP_BELLPERSON)
        return CUZK_OK;
    cuzk_status status = check_constrained(qap, setup->n_public, err);
    if (status != CUZK_OK) {
        cuzk_qap_release(qap);
        return status;
    }
    setup->n_a = drop_zeros(qap->u, qap->vars);
    setup->n_b = drop_zeros(qap->v, qap->vars);
    return CUZK_OK;
}

cuzk_status cuzk_setup_make_ic(cuzk_setup *setup, const cuzk_qap *qap, const cuzk_group_ops *ops,
                               cuzk_error *err)
{
    return cuzk_setup_make_points(&setup->vk.ic, setup->curve, CUZK_G1, qap->k, setup->n_public + 1,
                                  ops, err);
}

static cuzk_status make_queries(cuzk_setup *setup, const cuzk_qap *qap, const cuzk_group_ops *ops,
                                cuzk_error *err)
{
    const cuzk_curve *curve = setup->curve;
    const cuzk_scalar *k = qap->k + setup->n_public + 1;
    CUZK_TRY(cuzk_setup_make_ic(setup, qap, ops, err));
    CUZK_TRY(cuzk_setup_make_points(&setup->l, curve, CUZK_G1, k, setup->n_l, ops, err));
    CUZK_TRY(cuzk_setup_make_points(&setup->a, curve, CUZK_G1, qap->u, setup->n_a, ops, err));
    CUZK_TRY(cuzk_setup_make_points(&setup->b1, curve, CUZK_G1, qap->v, setup->n_b, ops, err));
    CUZK_TRY(cuzk_setup_make_points(&setup->b2, curve, CUZK_G2, qap->v, setup->n_b, ops, err));
    return cuzk_setup_make_points(&setup->h, curve, CUZK_G1, qap->h, setup->n_h, ops, err);
}

cuzk_status cuzk_setup_make_by(cuzk_setup *setup, const cuzk_r1cs *cs, const cuzk_toxic *toxic,
                               cuzk_setup_kind kind, const cuzk_group_ops *ops, cuzk_pool *pool,
                               cuzk_error *err)
{
    cuzk_r1cs_columns columns;
    cuzk_setup made;
    cuzk_qap qap;
    cuzk_r1cs_columns_init(&columns, cs);
    CUZK_TRY(cuzk_setup_start(&made, &qap, &columns.columns, toxic, kind, pool, err));
    cuzk_status status = make_queries(&made, &qap, ops, err);
    cuzk_qap_release(&qap);
    if (status == CUZK_OK)
        *setup = made;
    else
        cuzk_setup_release(&made);
    return status;
}

cuzk_status cuzk_setup_make(cuzk_setup *setup, const cuzk_r1cs *cs, const cuzk_toxic *toxic,
                            cuzk_setup_kind kind, cuzk_pool *pool, cuzk_error *err)
{
    cuzk_group_host host;
    cuzk_group_host_init(&host, pool);
    return cuzk_setup_make_by(setup, cs, toxic, kind, &host.ops, pool, err);
}
