/* Writing .r1cs and .wtns. */
#include "iden3/r1cs.h"

#include "base/outfile.h"
#include "iden3/binwrite.h"
#include "base/bytes.h"

#define TERM_BYTES (4 + sizeof(cuzk_scalar))

static void write_scalar(cuzk_outfile *file, const cuzk_scalar *value)
{
    uint8_t bytes[32];
    for (int i = 0; i < 4; i++)
        cuzk_store_le64(bytes + 8 * i, value->l[i]);
    cuzk_outfile_write(file, bytes, sizeof bytes);
}

static void write_combination(cuzk_outfile *file, const cuzk_r1cs *cs, const cuzk_matrix *matrix,
                              size_t row)
{
    uint64_t begin = matrix->row_start[row], end = matrix->row_start[row + 1];
    cuzk_binwrite_u32(file, (uint32_t)(end - begin));
    for (uint64_t i = begin; i < end; i++) {
        cuzk_scalar value;
        cs->curve->fr_to_scalar(&value, &cs->coefs.value[matrix->coef[i]]);
        cuzk_binwrite_u32(file, matrix->col[i]);
        write_scalar(file, &value);
    }
}

static void write_r1cs(cuzk_outfile *file, const cuzk_r1cs *cs)
{
    const cuzk_matrix *matrices[3] = {&cs->a, &cs->b, &cs->c};
    uint64_t terms = 0;
    for (int m = 0; m < 3; m++)
        terms += cs->rows == 0 ? 0 : matrices[m]->row_start[cs->rows];

    cuzk_binwrite_header(file, "r1cs", 1, 3);
    cuzk_binwrite_section(file, 1, 64);
    cuzk_binwrite_scalar_prime(file, cs->curve);
    cuzk_binwrite_u32(file, (uint32_t)cs->vars);
    cuzk_binwrite_u32(file, 0);
    cuzk_binwrite_u32(file, (uint32_t)cs->n_public);
    cuzk_binwrite_u32(file, (uint32_t)(cs->vars - cs->n_public - 1));
    cuzk_binwrite_u32(file, (uint32_t)cs->vars);
    cuzk_binwrite_u32(file, 0);
    cuzk_binwrite_u32(file, (uint32_t)cs->rows);

    cuzk_binwrite_section(file, 2, 12 * (uint64_t)cs->rows + TERM_BYTES * terms);
    for (size_t row = 0; row < cs->rows; row++)
        for (int m = 0; m < 3; m++)
            write_combination(file, cs, matrices[m], row);

    cuzk_binwrite_section(file, 3, 8 * (uint64_t)cs->vars);
    for (size_t i = 0; i < cs->vars; i++) {
        cuzk_binwrite_u32(file, (uint32_t)i);
        cuzk_binwrite_u32(file, 0);
    }
}

cuzk_status cuzk_r1cs_write(const char *path, const cuzk_r1cs *cs, cuzk_error *err)
{
    cuzk_outfile *file = NULL;
    if (cs->vars > UINT32_MAX || cs->rows > UINT32_MAX)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "%s: %zu constraints on %zu wires; the .r1cs format counts with 32 bits",
                         path, cs->rows, cs->vars);
    CUZK_TRY(cuzk_outfile_open(&file, path, err));
    write_r1cs(file, cs);
    return cuzk_outfile_commit(file, err);
}

cuzk_status cuzk_wtns_write(const char *path, const cuzk_curve *curve, const cuzk_scalar *z,
                            size_t n, cuzk_error *err)
{
    cuzk_outfile *file = NULL;
    if (n > UINT32_MAX)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "%s: %zu values; the .wtns format counts with 32 bits", path, n);
    CUZK_TRY(cuzk_outfile_open(&file, path, err));
    cuzk_binwrite_header(file, "wtns", 2, 2);
    cuzk_binwrite_section(file, 1, 40);
    cuzk_binwrite_scalar_prime(file, curve);
    cuzk_binwrite_u32(file, (uint32_t)n);
    cuzk_binwrite_section(file, 2, n * sizeof *z);
    for (size_t i = 0; i < n; i++)
        write_scalar(file, &z[i]);
    return cuzk_outfile_commit(file, err);
}
