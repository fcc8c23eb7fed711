/* The direct system's matrices. The number of inputs, which come before aux, is known only at the
 * end: until then an aux variable's column is marked by the top bit, so that columns rise. */
#include "circuit/direct_state.h"

#define AUX_MARK UINT32_C(0x80000000)

cuzk_status cuzk_direct_matrices_start(cuzk_direct *d, cuzk_error *err)
{
    cuzk_direct_matrices *m = &d->matrices;
    CUZK_TRY(cuzk_coef_table_new(&m->table, cuzk_curve_get(CUZK_BLS12_381), err));
    for (int i = 0; i < 3; i++)
        CUZK_TRY(cuzk_matrix_builder_new(&m->builder[i], m->table, 0, 0, err));
    return CUZK_OK;
}

static cuzk_status add_row(cuzk_matrix_builder *builder, const cuzk_lc *lc, cuzk_error *err)
{
    for (size_t i = 0; i < lc->n; i++) {
        const cuzk_var var = lc->term[i].var;
        const uint32_t col = (var & CUZK_VAR_INPUT) != 0 ? var & ~CUZK_VAR_SPACE : var | AUX_MARK;
        CUZK_TRY(cuzk_matrix_builder_add(builder, col, &lc->term[i].coef, err));
    }
    return cuzk_matrix_builder_end_row(builder, err);
}

void cuzk_direct_matrices_row(cuzk_direct *d, const cuzk_lc *const lc[3])
{
    cuzk_error err;
    for (int i = 0; i < 3; i++) {
        if (add_row(d->matrices.builder[i], lc[i], &err) != CUZK_OK)
            cuzk_cs_fail(&d->cs, err.status, "%s", err.message);
    }
}

void cuzk_direct_matrices_release(cuzk_direct *d)
{
    for (int i = 0; i < 3; i++)
        cuzk_matrix_builder_free(d->matrices.builder[i]);
    cuzk_coef_table_free(d->matrices.table);
}

static void take_matrix(cuzk_matrix_builder *builder, cuzk_matrix *out, size_t inputs)
{
    cuzk_matrix_builder_take(builder, out);
    for (uint64_t i = 0; i < out->row_start[out->rows]; i++) {
        if ((out->col[i] & AUX_MARK) != 0)
            out->col[i] = (out->col[i] & ~AUX_MARK) + (uint32_t)inputs;
    }
}

cuzk_status cuzk_direct_take_r1cs(cuzk_direct *direct, cuzk_r1cs *r1cs, cuzk_error *err)
{
    cuzk_direct_matrices *m = &direct->matrices;
    const cuzk_circuit_counts *counts = &direct->counts;
    CUZK_TRY(cuzk_cs_status(&direct->cs, err));
    *r1cs = (cuzk_r1cs){.curve = cuzk_curve_get(CUZK_BLS12_381),
                        .rows = counts->rows,
                        .vars = counts->inputs + counts->aux,
                        .n_public = counts->inputs - 1};
    cuzk_matrix *const out[3] = {&r1cs->a, &r1cs->b, &r1cs->c};
    for (int i = 0; i < 3; i++)
        take_matrix(m->builder[i], out[i], counts->inputs);
    cuzk_coef_table_take(m->table, &r1cs->coefs);
    return CUZK_OK;
}
