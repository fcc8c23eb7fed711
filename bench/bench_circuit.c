#include "bench_circuit.h"

#include "bench.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Operands come from variables at most this far back. */
#define REACH 4096u

/* Variables: 0 the constant, 1 public and wide, then one per row. */
#define FIRST 2u

enum part { A, B, C, PARTS };

struct maker {
    const cuzk_curve *curve;
    cuzk_coef_table *table;
    cuzk_matrix_builder *builder[PARTS];
    cuzk_scalar *z;
    uint64_t random;
    /* The latest variables of each sort, in rings. */
    uint32_t free_bits[REACH], all_bits[REACH], wide[REACH];
    size_t n_free, n_bits, n_wide;
    cuzk_fr one, minus_one, two;
    cuzk_error *err;
    cuzk_status status;
};

static void add(struct maker *m, enum part part, size_t var, const cuzk_fr *value)
{
    if (m->status == CUZK_OK)
        m->status = cuzk_matrix_builder_add(m->builder[part], (uint32_t)var, value, m->err);
}

static void end_row(struct maker *m)
{
    for (int part = 0; part < PARTS && m->status == CUZK_OK; part++)
        m->status = cuzk_matrix_builder_end_row(m->builder[part], m->err);
}

static void push(uint32_t *ring, size_t *n, size_t var)
{
    ring[(*n)++ % REACH] = (uint32_t)var;
}

static size_t pick(struct maker *m, const uint32_t *ring, size_t n)
{
    return ring[cuzk_bench_random(&m->random) % (n < REACH ? n : REACH)];
}

static void make_free_bit(struct maker *m, size_t var)
{
    m->z[var] = (cuzk_scalar){{cuzk_bench_random(&m->random) >> 63}};
    add(m, A, var, &m->one);
    add(m, B, 0, &m->one);
    add(m, B, var, &m->minus_one);
    push(m->free_bits, &m->n_free, var);
    push(m->all_bits, &m->n_bits, var);
}

static void make_xor(struct maker *m, size_t var)
{
    size_t b = pick(m, m->free_bits, m->n_free), a = pick(m, m->all_bits, m->n_bits);
    m->z[var] = (cuzk_scalar){{m->z[a].l[0] ^ m->z[b].l[0]}};
    add(m, A, a, &m->two);
    add(m, B, b, &m->one);
    add(m, C, a, &m->one);
    add(m, C, b, &m->one);
    add(m, C, var, &m->minus_one);
    push(m->all_bits, &m->n_bits, var);
}

static void make_product(struct maker *m, size_t var)
{
    size_t a = pick(m, m->wide, m->n_wide), b = pick(m, m->wide, m->n_wide);
    cuzk_fr x, y;
    m->curve->fr_from_scalar(&x, &m->z[a]);
    m->curve->fr_from_scalar(&y, &m->z[b]);
    m->curve->fr_mul(&x, &x, &y);
    m->curve->fr_to_scalar(&m->z[var], &x);
    add(m, A, a, &m->one);
    add(m, B, b, &m->one);
    add(m, C, var, &m->one);
    push(m->wide, &m->n_wide, var);
}

static void make_rows(struct maker *m, size_t rows, unsigned bits)
{
    unsigned free_share = bits < 50 ? bits / 2 : 25;
    m->z[0] = (cuzk_scalar){{1}};
    m->z[1] = (cuzk_scalar){{7, 7, 7, 7}};
    push(m->wide, &m->n_wide, 1);
    for (size_t row = 0; row < rows && m->status == CUZK_OK; row++) {
        unsigned die = (unsigned)(cuzk_bench_random(&m->random) % 100);
        if (die >= bits)
            make_product(m, FIRST + row);
        else if (die < free_share || m->n_free == 0)
            make_free_bit(m, FIRST + row);
        else
            make_xor(m, FIRST + row);
        end_row(m);
    }
}

static void start(struct maker *m, size_t rows, cuzk_error *err)
{
    const cuzk_curve *curve = m->curve;
    m->one = curve->fr_one;
    curve->fr_neg(&m->minus_one, &m->one);
    curve->fr_add(&m->two, &m->one, &m->one);
    m->status = cuzk_coef_table_new(&m->table, curve, err);
    for (int part = 0; part < PARTS && m->status == CUZK_OK; part++)
        m->status = cuzk_matrix_builder_new(&m->builder[part], m->table, rows, 3 * rows, err);
    m->z = cuzk_memory_new(rows + FIRST, sizeof *m->z);
    if (m->status == CUZK_OK && m->z == NULL)
        m->status = cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for %zu variables", rows);
}

cuzk_status cuzk_bench_circuit(cuzk_r1cs *cs, cuzk_scalar **z, const cuzk_curve *curve,
                               unsigned log_rows, unsigned bits, cuzk_error *err)
{
    size_t rows = ((size_t)1 << log_rows) - 2; /* setup appends one per input */
    struct maker *m = calloc(1, sizeof *m);
    if (m == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a circuit");
    m->curve = curve;
    m->random = 1;
    m->err = err;
    start(m, rows, err);
    if (m->status == CUZK_OK)
        make_rows(m, rows, bits);
    cuzk_status status = m->status;
    if (status == CUZK_OK) {
        *cs = (cuzk_r1cs){.curve = curve, .rows = rows, .vars = rows + FIRST, .n_public = 1};
        cuzk_matrix_builder_take(m->builder[A], &cs->a);
        cuzk_matrix_builder_take(m->builder[B], &cs->b);
        cuzk_matrix_builder_take(m->builder[C], &cs->c);
        cuzk_coef_table_take(m->table, &cs->coefs);
        *z = m->z;
        m->z = NULL;
    }
    for (int part = 0; part < PARTS; part++)
        cuzk_matrix_builder_free(m->builder[part]);
    cuzk_coef_table_free(m->table);
    free(m->z);
    free(m);
    return status;
}
