/* Sparse products over a thread pool, on the kernel of the selected CPU level. */
#include "compute/sparse.h"

#include "base/cpu.h"
#include "compute/cpu/sparse_ops.h"

#include <stdatomic.h>
#include <stdlib.h>

#define TILES_PER_THREAD 8u    /* evens out rows that cost more than they look */
#define MIN_TILE_COST    1024u /* entries and rows; below that a tile is not worth its start */

extern const cuzk_sparse_ops cuzk_sparse_ops_bn254_portable, cuzk_sparse_ops_bls12_381_portable;
#if CUZK_X86_LEVELS
extern const cuzk_sparse_ops cuzk_sparse_ops_bn254_adx, cuzk_sparse_ops_bls12_381_adx;
#endif

static const cuzk_sparse_ops *ops_for(const cuzk_curve *curve)
{
    const bool bn254 = curve->id == CUZK_BN254;
#if CUZK_X86_LEVELS
    if (cuzk_cpu_selected() >= CUZK_CPU_ADX)
        return bn254 ? &cuzk_sparse_ops_bn254_adx : &cuzk_sparse_ops_bls12_381_adx;
#endif
    return bn254 ? &cuzk_sparse_ops_bn254_portable : &cuzk_sparse_ops_bls12_381_portable;
}

void cuzk_matrix_release(cuzk_matrix *matrix)
{
    free(matrix->row_start);
    free(matrix->col);
    free(matrix->coef);
    *matrix = (cuzk_matrix){0};
}

void cuzk_r1cs_release(cuzk_r1cs *cs)
{
    cuzk_matrix_release(&cs->a);
    cuzk_matrix_release(&cs->b);
    cuzk_matrix_release(&cs->c);
    free(cs->coefs.value);
    *cs = (cuzk_r1cs){0};
}

/* --- rows in tiles of about equal cost --- */

/* The cost of the rows below `row`: their entries and themselves. */
static uint64_t cost_below(const cuzk_matrix *m, size_t row)
{
    return m->row_start[row] + row;
}

static size_t tiles_for(const cuzk_matrix *m, cuzk_pool *pool)
{
    const size_t threads = pool == NULL ? 1 : cuzk_pool_threads(pool);
    const uint64_t worth = cost_below(m, m->rows) / MIN_TILE_COST + 1;
    return worth < threads * TILES_PER_THREAD ? (size_t)worth : threads * TILES_PER_THREAD;
}

/* The first row of a tile: where its share of the cost begins. tile = tiles: the end. */
static size_t tile_start(const cuzk_matrix *m, size_t tile, size_t tiles)
{
    const uint64_t cost = cost_below(m, m->rows) / tiles * tile;
    size_t low = 0, high = m->rows;
    if (tile == tiles)
        return m->rows;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (cost_below(m, middle) < cost)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

typedef struct product {
    const cuzk_sparse_ops *ops;
    const cuzk_matrix *matrix;
    const cuzk_coefs *coefs;
    cuzk_fr *out;
    const cuzk_fr *z;
    size_t tiles;
} product;

static void multiply_tile(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    const product *p = context;
    p->ops->mul_rows(p->matrix, p->coefs, p->out, p->z, tile_start(p->matrix, tile, p->tiles),
                     tile_start(p->matrix, tile + 1, p->tiles));
}

void cuzk_matrix_mul(const cuzk_curve *curve, const cuzk_matrix *matrix, const cuzk_coefs *coefs,
                     cuzk_fr *out, const cuzk_fr *z, cuzk_pool *pool)
{
    product p = {ops_for(curve), matrix, coefs, out, z, tiles_for(matrix, pool)};
    cuzk_pool_run(pool, p.tiles, multiply_tile, &p);
}

void cuzk_matrix_mul_transposed(const cuzk_curve *curve, const cuzk_matrix *matrix,
                                const cuzk_coefs *coefs, cuzk_fr *out, const cuzk_fr *x)
{
    ops_for(curve)->mul_transposed(matrix, coefs, out, x);
}

/* --- checking --- */

typedef struct check {
    const cuzk_sparse_ops *ops;
    const cuzk_r1cs *cs;
    const cuzk_fr *z;
    size_t tiles;
    atomic_size_t first_bad;
} check;

static void check_tile(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    check *c = context;
    const size_t first = tile_start(&c->cs->a, tile, c->tiles);
    const size_t end = tile_start(&c->cs->a, tile + 1, c->tiles);
    size_t best = atomic_load(&c->first_bad);
    if (first >= best)
        return;
    const size_t bad = c->ops->check_rows(c->cs, c->z, first, end);
    while (bad < end && bad < best && !atomic_compare_exchange_weak(&c->first_bad, &best, bad))
        ;
}

static void row_product(const cuzk_r1cs *cs, const cuzk_matrix *m, const cuzk_fr *z, size_t row,
                        cuzk_fr *out)
{
    const cuzk_matrix one_row = {
        .rows = 1, .row_start = m->row_start + row, .col = m->col, .coef = m->coef};
    if (out != NULL)
        ops_for(cs->curve)->mul_rows(&one_row, &cs->coefs, out, z, 0, 1);
}

size_t cuzk_r1cs_check(const cuzk_r1cs *cs, const cuzk_fr *z, cuzk_fr *a, cuzk_fr *b, cuzk_fr *c,
                       cuzk_pool *pool)
{
    check k = {.ops = ops_for(cs->curve), .cs = cs, .z = z, .tiles = tiles_for(&cs->a, pool)};
    atomic_init(&k.first_bad, cs->rows);
    cuzk_pool_run(pool, k.tiles, check_tile, &k);
    const size_t bad = atomic_load(&k.first_bad);
    if (bad < cs->rows) {
        row_product(cs, &cs->a, z, bad, a);
        row_product(cs, &cs->b, z, bad, b);
        row_product(cs, &cs->c, z, bad, c);
    }
    return bad;
}
