#include "iden3/zkey.h"

#include "iden3/binwrite.h"
#include "iden3/zkey_coefs.h"
#include "iden3/zkey_head.h"

/* Section 10 of a setup without history: an empty hash, no contributions. */
#define EMPTY_HISTORY_BYTES 68

static void write_head(cuzk_outfile *file, const cuzk_setup *setup)
{
    const cuzk_curve *curve = setup->curve;
    const cuzk_vk *vk = &setup->vk;
    uint64_t points = 24 * (uint64_t)curve->g1_words + 24 * (uint64_t)curve->g2_words;

    cuzk_binwrite_header(file, "zkey", 1, 10);
    cuzk_binwrite_section(file, CUZK_ZKEY_PROTOCOL, 4);
    cuzk_binwrite_u32(file, 1);
    cuzk_binwrite_section(file, CUZK_ZKEY_HEADER, 4 + 8 * curve->fp_words + 36 + 12 + points);
    cuzk_binwrite_base_prime(file, curve);
    cuzk_binwrite_scalar_prime(file, curve);
    cuzk_binwrite_u32(file, (uint32_t)setup->vars);
    cuzk_binwrite_u32(file, (uint32_t)setup->n_public);
    cuzk_binwrite_u32(file, (uint32_t)1 << setup->log_m);
    cuzk_binwrite_points(file, curve, CUZK_G1, vk->alpha_g1.l, 1);
    cuzk_binwrite_points(file, curve, CUZK_G1, setup->beta_g1.l, 1);
    cuzk_binwrite_points(file, curve, CUZK_G2, vk->beta_g2.l, 1);
    cuzk_binwrite_points(file, curve, CUZK_G2, vk->gamma_g2.l, 1);
    cuzk_binwrite_points(file, curve, CUZK_G1, setup->delta_g1.l, 1);
    cuzk_binwrite_points(file, curve, CUZK_G2, vk->delta_g2.l, 1);
}

static void write_query(cuzk_outfile *file, const cuzk_curve *curve, uint32_t id, cuzk_group group,
                        const uint64_t *points, size_t n)
{
    cuzk_binwrite_section(file, id, 8 * (uint64_t)cuzk_point_words(curve, group) * n);
    cuzk_binwrite_points(file, curve, group, points, n);
}

static void write_history(cuzk_outfile *file, const cuzk_setup *setup)
{
    static const uint8_t empty[EMPTY_HISTORY_BYTES];
    bool known = setup->history != NULL;
    size_t bytes = known ? setup->history_bytes : sizeof empty;
    cuzk_binwrite_section(file, CUZK_ZKEY_CONTRIBUTIONS, bytes);
    cuzk_outfile_write(file, known ? setup->history : empty, bytes);
}

static cuzk_status check_fit(const char *path, const cuzk_setup *setup, const cuzk_r1cs *cs,
                             cuzk_error *err)
{
    if (setup->kind != CUZK_SETUP_SNARKJS)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: a .zkey holds a setup of snarkjs' kind only",
                         path);
    if (setup->vars != cs->vars || setup->n_public != cs->n_public ||
        setup->curve->id != cs->curve->id ||
        setup->log_m != cuzk_domain_log(cs->rows, cs->n_public))
        return cuzk_fail(err, CUZK_ERR_MISMATCH, "%s: the setup is not of this circuit", path);
    if (setup->vars > UINT32_MAX || setup->log_m > 31)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "%s: %zu variables, domain 2^%zu; the .zkey format counts with 32 bits",
                         path, setup->vars, setup->log_m);
    return CUZK_OK;
}

cuzk_status cuzk_zkey_write(const char *path, const cuzk_setup *setup, const cuzk_r1cs *cs,
                            const cuzk_map *r1cs, cuzk_error *err)
{
    const cuzk_curve *curve = setup->curve;
    cuzk_outfile *file = NULL;
    CUZK_TRY(check_fit(path, setup, cs, err));
    CUZK_TRY(cuzk_outfile_open(&file, path, err));
    write_head(file, setup);
    cuzk_status status = cuzk_zkey_coefs_write(file, cs, r1cs, err);
    if (status != CUZK_OK) {
        cuzk_outfile_abandon(file);
        return status;
    }
    write_query(file, curve, CUZK_ZKEY_IC, CUZK_G1, setup->vk.ic, setup->n_public + 1);
    write_query(file, curve, CUZK_ZKEY_H, CUZK_G1, setup->h, setup->n_h);
    write_query(file, curve, CUZK_ZKEY_L, CUZK_G1, setup->l, setup->n_l);
    write_query(file, curve, CUZK_ZKEY_A, CUZK_G1, setup->a, setup->n_a);
    write_query(file, curve, CUZK_ZKEY_B1, CUZK_G1, setup->b1, setup->n_b);
    write_query(file, curve, CUZK_ZKEY_B2, CUZK_G2, setup->b2, setup->n_b);
    write_history(file, setup);
    return cuzk_outfile_commit(file, err);
}
