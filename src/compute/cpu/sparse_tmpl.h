/* The sparse products' kernel. Before including: the scalar field's header, and
 *     SPARSE_FIELD  bn254_fr or bls12_381_fr
 *     SPARSE_OPS    the name of the exported table */
#include "compute/cpu/sparse_ops.h"

#define SPARSE_CAT_(a, b) a##_##b
#define SPARSE_CAT(a, b)  SPARSE_CAT_(a, b)
#define FR(name)          SPARSE_CAT(SPARSE_FIELD, name)

/* sum += coefficient * x. Most coefficients are +1 or -1 and most witness values 0 or 1. */
static inline void add_term(cuzk_fr *sum, const cuzk_coefs *coefs, uint32_t coef, const cuzk_fr *x,
                            const cuzk_fr *one)
{
    if (coef == CUZK_COEF_ONE) {
        FR(add)(sum, sum, x);
    } else if (coef == CUZK_COEF_MINUS_ONE) {
        FR(sub)(sum, sum, x);
    } else if (FR(is_zero)(x)) {
        return;
    } else if (FR(equal)(x, one)) {
        FR(add)(sum, sum, &coefs->value[coef]);
    } else {
        cuzk_fr product;
        FR(mul)(&product, &coefs->value[coef], x);
        FR(add)(sum, sum, &product);
    }
}

static inline void multiply_row(cuzk_fr *sum, const cuzk_matrix *m, const cuzk_coefs *coefs,
                                const cuzk_fr *z, size_t row, const cuzk_fr *one)
{
    FR(set_zero)(sum);
    for (uint64_t e = m->row_start[row]; e < m->row_start[row + 1]; e++)
        add_term(sum, coefs, m->coef[e], &z[m->col[e]], one);
}

static void mul_rows(const cuzk_matrix *matrix, const cuzk_coefs *coefs, cuzk_fr *out,
                     const cuzk_fr *z, size_t first, size_t end)
{
    cuzk_fr one;
    FR(set_one)(&one);
    for (size_t i = first; i < end; i++)
        multiply_row(&out[i], matrix, coefs, z, i, &one);
}

static void mul_transposed(const cuzk_matrix *matrix, const cuzk_coefs *coefs, cuzk_fr *out,
                           const cuzk_fr *x)
{
    cuzk_fr one;
    FR(set_one)(&one);
    for (size_t i = 0; i < matrix->rows; i++)
        for (uint64_t e = matrix->row_start[i]; e < matrix->row_start[i + 1]; e++)
            add_term(&out[matrix->col[e]], coefs, matrix->coef[e], &x[i], &one);
}

static size_t check_rows(const cuzk_r1cs *cs, const cuzk_fr *z, size_t first, size_t end)
{
    cuzk_fr one, a, b, c;
    FR(set_one)(&one);
    for (size_t i = first; i < end; i++) {
        multiply_row(&a, &cs->a, &cs->coefs, z, i, &one);
        multiply_row(&b, &cs->b, &cs->coefs, z, i, &one);
        multiply_row(&c, &cs->c, &cs->coefs, z, i, &one);
        FR(mul)(&a, &a, &b);
        if (!FR(equal)(&a, &c))
            return i;
    }
    return end;
}

extern const cuzk_sparse_ops SPARSE_OPS;
const cuzk_sparse_ops SPARSE_OPS = {
    .mul_rows = mul_rows,
    .mul_transposed = mul_transposed,
    .check_rows = check_rows,
};
