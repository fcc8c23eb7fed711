#include "compute/columns.h"

#include <string.h>

typedef struct product {
    const cuzk_r1cs *cs;
    cuzk_fr *const *out;
    const cuzk_fr *x;
} product;

static void multiply_matrix(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    const product *p = context;
    const cuzk_r1cs *cs = p->cs;
    const cuzk_matrix *matrix[] = {&cs->a, &cs->b, &cs->c};
    memset(p->out[tile], 0, cs->vars * sizeof *p->out[tile]);
    if (cs->rows > 0)
        cuzk_matrix_mul_transposed(cs->curve, matrix[tile], &cs->coefs, p->out[tile], p->x);
}

static cuzk_status multiply(const cuzk_columns *columns, cuzk_fr *const out[3], const cuzk_fr *x,
                            cuzk_pool *pool, cuzk_error *err)
{
    product p = {((const cuzk_r1cs_columns *)columns)->cs, out, x};
    (void)err;
    cuzk_pool_run(pool, 3, multiply_matrix, &p);
    return CUZK_OK;
}

void cuzk_r1cs_columns_init(cuzk_r1cs_columns *columns, const cuzk_r1cs *cs)
{
    columns->columns = (cuzk_columns){cs->curve, cs->rows, cs->vars, cs->n_public, multiply};
    columns->cs = cs;
}
