/* Sparse matrices over Fr: the constraint system as the prover sees it. */
#ifndef CUZK_COMPUTE_SPARSE_H
#define CUZK_COMPUTE_SPARSE_H

#include "base/pool.h"
#include "base/status.h"
#include "curve/curve.h"

/* Coefficients are ids into a dictionary of values, most of them distinct: circuits use few. Ids 0
 * and 1 are always +1 and -1, which cost an addition. */
#define CUZK_COEF_ONE       0u
#define CUZK_COEF_MINUS_ONE 1u

typedef struct cuzk_coefs {
    cuzk_fr *value;
    size_t count;
} cuzk_coefs;

/* Compressed rows: entries row_start[i] .. row_start[i+1] of col and coef. Within a row columns
 * rise and are distinct, and no coefficient is zero: that is what densities are counted from. */
typedef struct cuzk_matrix {
    size_t rows;
    uint64_t *row_start; /* rows + 1 */
    uint32_t *col;
    uint32_t *coef;
} cuzk_matrix;

/* A rank-1 constraint system: for every row i, <A_i,z> * <B_i,z> = <C_i,z>; z = (1, public..,
 * private..). Owns its arrays. The rows a Groth16 setup appends for the public inputs are not in
 * here. */
typedef struct cuzk_r1cs {
    const cuzk_curve *curve;
    size_t rows, vars, n_public; /* vars includes the constant; n_public does not */
    cuzk_coefs coefs;
    cuzk_matrix a, b, c;
} cuzk_r1cs;
void cuzk_r1cs_release(cuzk_r1cs *cs);

/* Builds matrices from entries in any order of columns, row after row: duplicates are added up,
 * zeros dropped. Used by every reader and by circuits. cuzk_coef_intern returns the id of a value.
 * After a failure a builder is good for cuzk_matrix_builder_free only. */
typedef struct cuzk_matrix_builder cuzk_matrix_builder;
/* The hash table behind a cuzk_coefs under construction. */
typedef struct cuzk_coef_table cuzk_coef_table;

cuzk_status cuzk_coef_table_new(cuzk_coef_table **table, const cuzk_curve *curve, cuzk_error *err);
void cuzk_coef_table_free(cuzk_coef_table *table);
/* Moves the dictionary out of the table; the table is empty afterwards. */
void cuzk_coef_table_take(cuzk_coef_table *table, cuzk_coefs *out);
cuzk_status cuzk_coef_intern(cuzk_coef_table *table, const cuzk_fr *value, uint32_t *id,
                             cuzk_error *err);
/* The value behind an id, until the next value is interned. */
const cuzk_fr *cuzk_coef_value(const cuzk_coef_table *table, uint32_t id);

cuzk_status cuzk_matrix_builder_new(cuzk_matrix_builder **builder, cuzk_coef_table *table,
                                    size_t expected_rows, size_t expected_entries, cuzk_error *err);
void cuzk_matrix_builder_free(cuzk_matrix_builder *builder);
/* Adds value * z[col] to the row under construction. */
cuzk_status cuzk_matrix_builder_add(cuzk_matrix_builder *builder, uint32_t col,
                                    const cuzk_fr *value, cuzk_error *err);
/* The same where the caller has interned the value, which is not zero. */
cuzk_status cuzk_matrix_builder_add_id(cuzk_matrix_builder *builder, uint32_t col, uint32_t coef,
                                       cuzk_error *err);
cuzk_status cuzk_matrix_builder_end_row(cuzk_matrix_builder *builder, cuzk_error *err);
/* Moves the finished matrix out; the builder is then good for cuzk_matrix_builder_free only. */
void cuzk_matrix_builder_take(cuzk_matrix_builder *builder, cuzk_matrix *out);
void cuzk_matrix_release(cuzk_matrix *matrix);

/* out[i] = <M_i, z>, i < rows. z: Montgomery. */
void cuzk_matrix_mul(const cuzk_curve *curve, const cuzk_matrix *matrix, const cuzk_coefs *coefs,
                     cuzk_fr *out, const cuzk_fr *z, cuzk_pool *pool);

/* out[j] += <column j of M, x>, x has rows entries; out has cols entries (setup: values of the
 * QAP's polynomials at tau from the Lagrange values x). Single pass, one thread. */
void cuzk_matrix_mul_transposed(const cuzk_curve *curve, const cuzk_matrix *matrix,
                                const cuzk_coefs *coefs, cuzk_fr *out, const cuzk_fr *x);

/* Returns the first row that z (Montgomery, z[0] = 1) violates, or cs->rows. When violated, a, b, c
 * (may be NULL) receive the three products of that row. */
size_t cuzk_r1cs_check(const cuzk_r1cs *cs, const cuzk_fr *z, cuzk_fr *a, cuzk_fr *b, cuzk_fr *c,
                       cuzk_pool *pool);

#endif
