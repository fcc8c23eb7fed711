/* Columns of a compiled circuit. Instances have variables of their own, so threads share them out;
 * what they add to ports and to ONE is kept apart for each, and added up at the end. */
#include "circuit/compile_columns.h"

#include "circuit/compile_state.h"
#include "field/bls12_381_fr.h"

#include <stdlib.h>
#include <string.h>

#define ZERO_TILE ((size_t)1 << 16) /* elements */
#define TILE      8u                /* instances */

typedef struct product {
    const cuzk_compiled *c;
    cuzk_fr *const *out;
    const cuzk_fr *x;
    size_t vars;
    cuzk_fr *port[3]; /* of each binding */
    cuzk_fr *one[3];  /* of each instance */
} product;

static void zero_tile(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    const product *p = context;
    const size_t first = tile * ZERO_TILE, rest = p->vars - first;
    for (int side = 0; side < 3; side++)
        memset(p->out[side] + first, 0,
               (rest < ZERO_TILE ? rest : ZERO_TILE) * sizeof *p->out[side]);
}

/* sum += coefficient * x */
static void add_term(const cuzk_compiled *c, cuzk_fr *sum, uint32_t coef, const cuzk_fr *x)
{
    cuzk_fr t;
    if (coef == CUZK_COEF_ONE) {
        bls12_381_fr_add(sum, sum, x);
    } else if (coef == CUZK_COEF_MINUS_ONE) {
        bls12_381_fr_sub(sum, sum, x);
    } else {
        bls12_381_fr_mul(&t, &c->coef[coef], x);
        bls12_381_fr_add(sum, sum, &t);
    }
}

/* One side of an instance's rows. */
static void multiply_side(const product *p, size_t number, int side)
{
    const cuzk_compiled *c = p->c;
    const cuzk_instance *in = &c->instance[number];
    const cuzk_template *t = &c->template[in->template];
    const uint32_t *start = c->row_start + t->first_start + side;
    const cuzk_entry *entry = c->entry + t->first_entry;
    cuzk_fr *local = p->out[side] + c->counts->inputs + in->first_aux;
    cuzk_fr *port = p->port[side] + in->first_binding;
    for (uint32_t row = 0; row < t->rows; row++) {
        const cuzk_fr *x = &p->x[in->first_row + row];
        for (uint32_t i = start[3 * row]; i < start[3 * row + 1]; i++) {
            const uint32_t slot = entry[i].slot;
            cuzk_fr *sum = slot >= t->base ? &local[slot - t->base]
                           : slot == 0     ? &p->one[side][number]
                                           : &port[slot - 1];
            add_term(c, sum, entry[i].coef, x);
        }
    }
}

static void multiply_tile(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    const product *p = context;
    const size_t end = (tile + 1) * TILE;
    for (size_t i = tile * TILE; i < end && i < p->c->instances; i++)
        for (int side = 0; side < 3; side++)
            multiply_side(p, i, side);
}

static cuzk_fr *root_sum(const product *p, int side, uint32_t slot)
{
    const size_t var = slot < CUZK_ROOT_BASE ? slot : p->c->counts->inputs + slot - CUZK_ROOT_BASE;
    return &p->out[side][var];
}

/* Adds what instances added to variables that are not theirs; then the root's rows. */
static void finish_side(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    const product *p = context;
    const cuzk_compiled *c = p->c;
    const int side = (int)tile;
    const uint32_t *start = c->row_start + c->template[0].first_start + side;
    const cuzk_entry *entry = c->entry + c->template[0].first_entry;
    uint32_t row = 0, shift = 0;
    for (size_t i = 0; i <= c->instances; i++) {
        const cuzk_instance *in = i < c->instances ? &c->instance[i] : NULL;
        const uint32_t end = in != NULL ? in->root_row : c->template[0].rows;
        for (; row < end; row++)
            for (uint32_t j = start[3 * row]; j < start[3 * row + 1]; j++)
                add_term(c, root_sum(p, side, entry[j].slot), entry[j].coef, &p->x[row + shift]);
        if (in == NULL)
            continue;
        shift += c->template[in->template].rows;
        bls12_381_fr_add(&p->out[side][0], &p->out[side][0], &p->one[side][i]);
        for (size_t j = in->first_binding;
             j < (size_t)in->first_binding + c->template[in->template].ports; j++) {
            cuzk_fr *sum = root_sum(p, side, c->binding[j]);
            bls12_381_fr_add(sum, sum, &p->port[side][j]);
        }
    }
}

static cuzk_status multiply(const cuzk_columns *columns, cuzk_fr *const out[3], const cuzk_fr *x,
                            cuzk_pool *pool, cuzk_error *err)
{
    const cuzk_compiled *c = ((const cuzk_compiled_columns *)columns)->compiled;
    product p = {.c = c, .out = out, .x = x, .vars = columns->vars};
    cuzk_status status = CUZK_OK;
    for (int side = 0; side < 3; side++) {
        p.port[side] = calloc(c->section[CUZK_SECTION_BINDINGS].n + 1, sizeof *p.port[side]);
        p.one[side] = calloc(c->instances + 1, sizeof *p.one[side]);
        if (p.port[side] == NULL || p.one[side] == NULL)
            status = cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the columns of %s", c->names);
    }
    if (status == CUZK_OK) {
        cuzk_pool_run(pool, (p.vars + ZERO_TILE - 1) / ZERO_TILE, zero_tile, &p);
        cuzk_pool_run(pool, (c->instances + TILE - 1) / TILE, multiply_tile, &p);
        cuzk_pool_run(pool, 3, finish_side, &p);
    }
    for (int side = 0; side < 3; side++) {
        free(p.port[side]);
        free(p.one[side]);
    }
    return status;
}

void cuzk_compiled_columns_init(cuzk_compiled_columns *columns, const cuzk_compiled *compiled)
{
    columns->columns = (cuzk_columns){
        .curve = cuzk_curve_get(CUZK_BLS12_381),
        .rows = compiled->counts->rows,
        .vars = (size_t)compiled->counts->inputs + compiled->counts->aux,
        .n_public = compiled->counts->inputs - 1,
        .multiply = multiply,
    };
    columns->compiled = compiled;
}
