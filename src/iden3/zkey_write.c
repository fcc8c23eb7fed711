#include "iden3/zkey.h"

#include "iden3/binwrite.h"
#include "iden3/bytes.h"
#include "iden3/zkey_head.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* The dictionary as section 4 holds it: value * 2^512, which is the Montgomery form of the
 * Montgomery form. */
static uint8_t (*encode_coefs(const cuzk_r1cs *cs))[32]
{
    uint8_t(*encoded)[32] = malloc((cs->coefs.count + 1) * sizeof *encoded);
    for (size_t i = 0; encoded != NULL && i < cs->coefs.count; i++) {
        cuzk_scalar once;
        cuzk_fr twice;
        memcpy(&once, &cs->coefs.value[i], sizeof once);
        cs->curve->fr_from_scalar(&twice, &once);
        for (int k = 0; k < 4; k++)
            cuzk_store_le64(encoded[i] + 8 * k, twice.l[k]);
    }
    return encoded;
}

static void write_entry(cuzk_outfile *file, uint32_t matrix, size_t row, uint32_t wire,
                        const uint8_t value[32])
{
    cuzk_binwrite_u32(file, matrix);
    cuzk_binwrite_u32(file, (uint32_t)row);
    cuzk_binwrite_u32(file, wire);
    cuzk_outfile_write(file, value, 32);
}

static uint64_t count_entries(const cuzk_matrix *matrix)
{
    return matrix->rows == 0 ? 0 : matrix->row_start[matrix->rows];
}

static cuzk_status write_coefs(cuzk_outfile *file, const cuzk_r1cs *cs, cuzk_error *err)
{
    const cuzk_matrix *matrices[2] = {&cs->a, &cs->b};
    uint64_t n = count_entries(&cs->a) + count_entries(&cs->b) + cs->n_public + 1;
    uint8_t(*encoded)[32] = encode_coefs(cs);
    if (n > UINT32_MAX || encoded == NULL) {
        free(encoded);
        return cuzk_fail(err, n > UINT32_MAX ? CUZK_ERR_UNSUPPORTED : CUZK_ERR_MEMORY,
                         "%" PRIu64 " coefficients do not fit a .zkey or memory", n);
    }
    cuzk_binwrite_section(file, CUZK_ZKEY_COEFS, 4 + CUZK_ZKEY_COEF_BYTES * n);
    cuzk_binwrite_u32(file, (uint32_t)n);
    for (size_t row = 0; row < cs->rows; row++)
        for (uint32_t m = 0; m < 2; m++)
            for (uint64_t i = matrices[m]->row_start[row]; i < matrices[m]->row_start[row + 1]; i++)
                write_entry(file, m, row, matrices[m]->col[i], encoded[matrices[m]->coef[i]]);
    for (uint32_t i = 0; i <= cs->n_public; i++)
        write_entry(file, 0, cs->rows + i, i, encoded[CUZK_COEF_ONE]);
    free(encoded);
    return CUZK_OK;
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
                            cuzk_error *err)
{
    const cuzk_curve *curve = setup->curve;
    cuzk_outfile *file = NULL;
    CUZK_TRY(check_fit(path, setup, cs, err));
    CUZK_TRY(cuzk_outfile_open(&file, path, err));
    write_head(file, setup);
    cuzk_status status = write_coefs(file, cs, err);
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
