/* A .zkey from known toxic waste, with its history. */
#include "iden3/zkey.h"

#include "base/memory.h"
#include "base/random.h"
#include "groth16/qap.h"
#include "iden3/ceremony.h"

#include <stdlib.h>
#include <string.h>

static const cuzk_scalar one = {{1, 0, 0, 0}};

/* [tau^(m+i) - tau^i], i < n. */
static cuzk_status make_h_points(uint64_t **out, const cuzk_curve *curve, unsigned log_m, size_t n,
                                 const cuzk_scalar *tau, const cuzk_group_ops *ops, cuzk_error *err)
{
    cuzk_fr base, power;
    cuzk_scalar *scalars = cuzk_memory_new(n, sizeof *scalars);
    if (scalars == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for %zu powers", n);
    curve->fr_from_scalar(&base, tau);
    curve->fr_pow(&power, &base, (uint64_t)1 << log_m);
    curve->fr_sub(&power, &power, &curve->fr_one);
    for (size_t i = 0; i < n; i++) {
        curve->fr_to_scalar(&scalars[i], &power);
        curve->fr_mul(&power, &power, &base);
    }
    cuzk_status status = cuzk_setup_make_points(out, curve, CUZK_G1, scalars, n, ops, err);
    cuzk_wipe(scalars, n * sizeof *scalars);
    free(scalars);
    return status;
}

/* The L points as they were before any contribution to delta. */
static cuzk_status make_first_l(uint64_t **out, const cuzk_setup *setup, const cuzk_r1cs *cs,
                                const cuzk_toxic *toxic, const cuzk_group_ops *ops, cuzk_pool *pool,
                                cuzk_error *err)
{
    cuzk_toxic first = *toxic;
    cuzk_r1cs_columns columns;
    cuzk_qap qap;
    first.delta = one;
    cuzk_r1cs_columns_init(&columns, cs);
    cuzk_status status =
        cuzk_qap_make(&qap, &columns.columns, &first, CUZK_SETUP_SNARKJS, pool, err);
    cuzk_wipe(&first, sizeof first);
    if (status != CUZK_OK)
        return status;
    status = cuzk_setup_make_points(out, cs->curve, CUZK_G1, qap.k + setup->n_public + 1,
                                    setup->n_l, ops, err);
    cuzk_qap_release(&qap);
    return status;
}

static cuzk_status record(cuzk_setup *setup, const cuzk_r1cs *cs, const cuzk_toxic *toxic,
                          const cuzk_group_ops *ops, cuzk_pool *pool, cuzk_error *err)
{
    const cuzk_curve *curve = setup->curve;
    size_t n = cuzk_ceremony_hashed_points((size_t)1 << setup->log_m);
    uint64_t *l = NULL, *h_points = NULL;
    cuzk_setup first = *setup;

    memcpy(&first.delta_g1, curve->g1_generator, sizeof curve->g1_generator);
    memcpy(&first.vk.delta_g2, curve->g2_generator, sizeof curve->g2_generator);
    cuzk_status status = make_first_l(&l, setup, cs, toxic, ops, pool, err);
    first.l = l;
    if (status == CUZK_OK)
        status = make_h_points(&h_points, curve, (unsigned)setup->log_m, n, &toxic->tau, ops, err);
    if (status == CUZK_OK)
        status = cuzk_ceremony_start(&first, h_points, n, err);
    free(l);
    free(h_points);
    if (status != CUZK_OK)
        return status;
    setup->history = first.history;
    setup->history_bytes = first.history_bytes;
    if (memcmp(&toxic->delta, &one, sizeof one) == 0)
        return CUZK_OK;
    return cuzk_ceremony_append(setup, &toxic->delta, err);
}

cuzk_status cuzk_zkey_setup_by(cuzk_setup *setup, const cuzk_r1cs *cs, const cuzk_toxic *toxic,
                               const cuzk_group_ops *ops, cuzk_pool *pool, cuzk_error *err)
{
    cuzk_setup made;
    CUZK_TRY(cuzk_setup_make_by(&made, cs, toxic, CUZK_SETUP_SNARKJS, ops, pool, err));
    cuzk_status status = record(&made, cs, toxic, ops, pool, err);
    if (status != CUZK_OK) {
        cuzk_setup_release(&made);
        return status;
    }
    *setup = made;
    return CUZK_OK;
}

cuzk_status cuzk_zkey_setup(cuzk_setup *setup, const cuzk_r1cs *cs, const cuzk_toxic *toxic,
                            cuzk_pool *pool, cuzk_error *err)
{
    cuzk_group_host host;
    cuzk_group_host_init(&host, pool);
    return cuzk_zkey_setup_by(setup, cs, toxic, &host.ops, pool, err);
}
