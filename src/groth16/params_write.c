#include "groth16/params.h"

#include "base/outfile.h"
#include "groth16/params_layout.h"

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

static void write_array(cuzk_outfile *file, const cuzk_curve *curve, cuzk_group group,
                        const uint64_t *points, size_t n)
{
    const uint8_t count[4] = {(uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8),
                              (uint8_t)n};
    cuzk_outfile_write(file, count, sizeof count);
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

cuzk_status cuzk_params_write_vk(const char *path, const cuzk_vk *vk, const cuzk_g1 *beta_g1,
                                 const cuzk_g1 *delta_g1, cuzk_error *err)
{
    CUZK_TRY(check_curve(vk->curve, path, err));
    cuzk_outfile *file;
    CUZK_TRY(cuzk_outfile_open(&file, path, err));
    write_vk(file, vk, beta_g1, delta_g1);
    return cuzk_outfile_commit(file, err);
}
