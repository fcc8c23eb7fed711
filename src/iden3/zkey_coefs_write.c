#include "iden3/zkey_coefs.h"

#include "iden3/binwrite.h"
#include "base/bytes.h"
#include "iden3/r1cs_terms.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The file's form of a value: value * 2^512, which is the Montgomery form of the Montgomery form.
 */
static void encode(uint8_t out[32], const cuzk_curve *curve, const cuzk_fr *value)
{
    cuzk_scalar once;
    cuzk_fr twice;
    memcpy(&once, value, sizeof once);
    curve->fr_from_scalar(&twice, &once);
    for (int i = 0; i < 4; i++)
        cuzk_store_le64(out + 8 * i, twice.l[i]);
}

static void write_entry(cuzk_outfile *file, uint32_t matrix, size_t row, uint32_t wire,
                        const uint8_t value[32])
{
    cuzk_binwrite_u32(file, matrix);
    cuzk_binwrite_u32(file, (uint32_t)row);
    cuzk_binwrite_u32(file, wire);
    cuzk_outfile_write(file, value, 32);
}

static cuzk_status begin_section(cuzk_outfile *file, const cuzk_r1cs *cs, uint64_t terms,
                                 cuzk_error *err)
{
    uint64_t n = terms + cs->n_public + 1;
    if (n > UINT32_MAX)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "%" PRIu64 " coefficients; the .zkey format counts with 32 bits", n);
    cuzk_binwrite_section(file, CUZK_ZKEY_COEFS, 4 + CUZK_ZKEY_COEF_BYTES * n);
    cuzk_binwrite_u32(file, (uint32_t)n);
    return CUZK_OK;
}

struct writer {
    cuzk_outfile *file;
    const cuzk_curve *curve;
};

static void write_term(void *context, unsigned matrix, uint32_t row, uint32_t wire,
                       const cuzk_scalar *coef)
{
    const struct writer *w = context;
    cuzk_fr value;
    uint8_t encoded[32];
    if (matrix > 1)
        return;
    w->curve->fr_from_scalar(&value, coef);
    encode(encoded, w->curve, &value);
    write_entry(w->file, matrix, row, wire, encoded);
}

static cuzk_status write_file_terms(cuzk_outfile *file, const cuzk_r1cs *cs, const cuzk_map *r1cs,
                                    cuzk_error *err)
{
    struct writer w = {file, cs->curve};
    cuzk_r1cs_info info;
    size_t counts[3];
    CUZK_TRY(cuzk_r1cs_info_read(&info, r1cs, err));
    if (info.curve->id != cs->curve->id || info.constraints != cs->rows || info.wires != cs->vars)
        return cuzk_fail(err, CUZK_ERR_MISMATCH, "%s: not the file of this circuit",
                         cuzk_map_name(r1cs));
    CUZK_TRY(cuzk_r1cs_terms(r1cs, counts, NULL, NULL, err));
    CUZK_TRY(begin_section(file, cs, (uint64_t)counts[0] + counts[1], err));
    return cuzk_r1cs_terms(r1cs, counts, write_term, &w, err);
}

static uint64_t count_terms(const cuzk_matrix *matrix)
{
    return matrix->rows == 0 ? 0 : matrix->row_start[matrix->rows];
}

static cuzk_status write_matrix_terms(cuzk_outfile *file, const cuzk_r1cs *cs, cuzk_error *err)
{
    const cuzk_matrix *matrices[2] = {&cs->a, &cs->b};
    CUZK_TRY(begin_section(file, cs, count_terms(&cs->a) + count_terms(&cs->b), err));
    uint8_t(*encoded)[32] = malloc((cs->coefs.count + 1) * sizeof *encoded);
    if (encoded == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for %zu coefficients", cs->coefs.count);
    for (size_t i = 0; i < cs->coefs.count; i++)
        encode(encoded[i], cs->curve, &cs->coefs.value[i]);
    for (size_t row = 0; row < cs->rows; row++)
        for (uint32_t m = 0; m < 2; m++)
            for (uint64_t i = matrices[m]->row_start[row]; i < matrices[m]->row_start[row + 1]; i++)
                write_entry(file, m, row, matrices[m]->col[i], encoded[matrices[m]->coef[i]]);
    free(encoded);
    return CUZK_OK;
}

cuzk_status cuzk_zkey_coefs_write(cuzk_outfile *file, const cuzk_r1cs *cs, const cuzk_map *r1cs,
                                  cuzk_error *err)
{
    uint8_t one[32];
    if (r1cs != NULL)
        CUZK_TRY(write_file_terms(file, cs, r1cs, err));
    else
        CUZK_TRY(write_matrix_terms(file, cs, err));
    encode(one, cs->curve, &cs->curve->fr_one);
    for (uint32_t i = 0; i <= cs->n_public; i++)
        write_entry(file, 0, cs->rows + i, i, one);
    return CUZK_OK;
}
