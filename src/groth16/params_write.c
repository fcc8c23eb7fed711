#include "groth16/params.h"

#include "base/outfile.h"
#include "groth16/params_layout.h"
#include "groth16/qap.h"

static void write_g1(cuzk_outfile *file, const cuzk_curve *curve, const uint64_t *point)
{
    uint8_t bytes[CUZK_PARAMS_G1];
    curve->g1_encode(bytes, point, CUZK_ENC_ZCASH);
    cuzk_outfile_write(file, bytes, sizeof bytes);
}

static void write_g2(cuzk_outfile *file, const cuzk_curve *curve, const uint64_t *point)
{
    uint8_t bytes[CUZK_PARAMS_G2];
    curve->g2_encode(bytes, point, CUZK_ENC_ZCASH);
    cuzk_outfile_write(file, bytes, sizeof bytes);
}

static void write_count(cuzk_outfile *file, size_t n)
{
    const uint8_t count[4] = {(uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8),
                              (uint8_t)n};
    cuzk_outfile_write(file, count, sizeof count);
}

static void write_array(cuzk_outfile *file, const cuzk_curve *curve, cuzk_group group,
                        const uint64_t *points, size_t n)
{
    write_count(file, n);
    for (size_t i = 0; i < n; i++)
        if (group == CUZK_G1)
            write_g1(file, curve, points + i * curve->g1_words);
        else
            write_g2(file, curve, points + i * curve->g2_words);
}

static void write_vk(cuzk_outfile *file, const cuzk_vk *vk, const cuzk_g1 *beta_g1,
                     const cuzk_g1 *delta_g1)
{
    write_g1(file, vk->curve, vk->alpha_g1.l);
    write_g1(file, vk->curve, beta_g1->l);
    write_g2(file, vk->curve, vk->beta_g2.l);
    write_g2(file, vk->curve, vk->gamma_g2.l);
    write_g1(file, vk->curve, delta_g1->l);
    write_g2(file, vk->curve, vk->delta_g2.l);
    write_array(file, vk->curve, CUZK_G1, vk->ic, vk->n_public + 1);
}

static cuzk_status check_curve(const cuzk_curve *curve, const char *path, cuzk_error *err)
{
    if (curve->id == CUZK_BLS12_381)
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                     "%s: bellperson's files exist for BLS12-381 only, not for %s", path,
                     curve->full_name);
}

cuzk_status cuzk_params_write(const char *path, const cuzk_setup *setup, cuzk_error *err)
{
    const cuzk_curve *curve = setup->curve;
    CUZK_TRY(check_curve(curve, path, err));
    if (setup->kind != CUZK_SETUP_BELLPERSON)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "%s: a setup for snarkjs cannot be written as .params; make it for "
                         "bellperson",
                         path);
    cuzk_outfile *file;
    CUZK_TRY(cuzk_outfile_open(&file, path, err));
    write_vk(file, &setup->vk, &setup->beta_g1, &setup->delta_g1);
    write_array(file, curve, CUZK_G1, setup->h, setup->n_h);
    write_array(file, curve, CUZK_G1, setup->l, setup->n_l);
    write_array(file, curve, CUZK_G1, setup->a, setup->n_a);
    write_array(file, curve, CUZK_G1, setup->b1, setup->n_b);
    write_array(file, curve, CUZK_G2, setup->b2, setup->n_b);
    return cuzk_outfile_commit(file, err);
}

/* Points as they are made. */
typedef struct stream {
    cuzk_outfile *file;
    size_t bytes; /* of a point */
} stream;

static cuzk_status write_points(void *context, const void *points, size_t n, cuzk_error *err)
{
    const stream *s = context;
    (void)err;
    cuzk_outfile_write(s->file, points, n * s->bytes);
    return CUZK_OK;
}

static cuzk_status make_array(cuzk_outfile *file, const cuzk_curve *curve, cuzk_group group,
                              const cuzk_scalar *scalars, size_t n, const cuzk_group_ops *ops,
                              cuzk_error *err)
{
    stream s = {file, group == CUZK_G1 ? CUZK_PARAMS_G1 : CUZK_PARAMS_G2};
    const cuzk_multiples_job job = {.curve = curve,
                                    .group = group,
                                    .base = cuzk_generator(curve, group),
                                    .scalars = scalars,
                                    .n = n,
                                    .zcash = true,
                                    .sink = write_points,
                                    .context = &s};
    write_count(file, n);
    return ops->multiples(ops, &job, err);
}

static cuzk_status make_file(cuzk_outfile *file, cuzk_setup *setup, const cuzk_qap *qap,
                             const cuzk_group_ops *ops, cuzk_error *err)
{
    const cuzk_curve *curve = setup->curve;
    const cuzk_scalar *k = qap->k + setup->n_public + 1;
    CUZK_TRY(cuzk_setup_make_ic(setup, qap, ops, err));
    write_vk(file, &setup->vk, &setup->beta_g1, &setup->delta_g1);
    CUZK_TRY(make_array(file, curve, CUZK_G1, qap->h, setup->n_h, ops, err));
    CUZK_TRY(make_array(file, curve, CUZK_G1, k, setup->n_l, ops, err));
    CUZK_TRY(make_array(file, curve, CUZK_G1, qap->u, setup->n_a, ops, err));
    CUZK_TRY(make_array(file, curve, CUZK_G1, qap->v, setup->n_b, ops, err));
    return make_array(file, curve, CUZK_G2, qap->v, setup->n_b, ops, err);
}

cuzk_status cuzk_params_make(const char *path, cuzk_setup *setup, const cuzk_columns *cs,
                             const cuzk_toxic *toxic, const cuzk_group_ops *ops, cuzk_pool *pool,
                             cuzk_error *err)
{
    cuzk_setup made;
    cuzk_qap qap;
    cuzk_outfile *file;
    CUZK_TRY(check_curve(cs->curve, path, err));
    CUZK_TRY(cuzk_setup_start(&made, &qap, cs, toxic, CUZK_SETUP_BELLPERSON, pool, err));
    cuzk_status status = cuzk_outfile_open(&file, path, err);
    if (status == CUZK_OK) {
        status = make_file(file, &made, &qap, ops, err);
        if (status == CUZK_OK)
            status = cuzk_outfile_commit(file, err);
        else
            cuzk_outfile_abandon(file);
    }
    cuzk_qap_release(&qap);
    if (status == CUZK_OK)
        *setup = made;
    else
        cuzk_setup_release(&made);
    return status;
}

cuzk_status cuzk_params_write_vk(const char *path, const cuzk_vk *vk, const cuzk_g1 *beta_g1,
                                 const cuzk_g1 *delta_g1, cuzk_error *err)
{
    CUZK_TRY(check_curve(vk->curve, path, err));
    cuzk_outfile *file;
    CUZK_TRY(cuzk_outfile_open(&file, path, err));
    write_vk(file, vk, beta_g1, delta_g1);
    return cuzk_outfile_commit(file, err);
}
