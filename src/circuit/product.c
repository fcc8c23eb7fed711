/* Products and checks: rows in tiles, on all threads. */
#include "circuit/product.h"

#include "base/memory.h"
#include "circuit/product_rows.h"
#include "field/bls12_381_fr.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TILE_ROWS ((size_t)1 << 17) /* several instances of the largest templates */
#define SMALL_FR  256               /* products up to that size are looked up */

typedef struct product_run {
    const cuzk_compiled *c;
    const cuzk_witness *w;
    cuzk_row_reader *reader; /* one for each thread */
    void *scratch;
    size_t first, n;
    cuzk_fr *out[3];                 /* NULL: not wanted */
    cuzk_fr small[2 * SMALL_FR + 1]; /* -SMALL_FR ... SMALL_FR */
    _Atomic size_t violated;         /* the lowest row seen; SIZE_MAX: none */
} product_run;

static cuzk_status start(product_run **run, const cuzk_compiled *c, const cuzk_witness *w,
                         const cuzk_pool *pool, cuzk_error *err)
{
    const size_t threads = pool != NULL ? cuzk_pool_threads(pool) : 1;
    const size_t bytes = cuzk_row_bench_bytes(c);
    product_run *r = calloc(1, sizeof *r);
    *run = r;
    if (r != NULL) {
        r->reader = calloc(threads, sizeof *r->reader);
        r->scratch = cuzk_memory_new(threads, bytes);
    }
    if (r == NULL || r->reader == NULL || r->scratch == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for products on %zu threads", threads);
    r->c = c;
    r->w = w;
    atomic_init(&r->violated, SIZE_MAX);
    for (size_t i = 0; i < threads; i++) {
        r->reader[i].c = c;
        r->reader[i].w = w;
        r->reader[i].ops = cuzk_dot_ops_selected();
        cuzk_row_bench_lay_out(&r->reader[i].bench, c, (uint8_t *)r->scratch + i * bytes);
    }
    for (int64_t i = 0; i <= SMALL_FR; i++) {
        bls12_381_fr_from_u64(&r->small[SMALL_FR + i], (uint64_t)i);
        bls12_381_fr_neg(&r->small[SMALL_FR - i], &r->small[SMALL_FR + i]);
    }
    return CUZK_OK;
}

static void finish(product_run *run)
{
    if (run == NULL)
        return;
    free(run->reader);
    free(run->scratch);
    free(run);
}

static void set_small(const product_run *run, cuzk_fr *to, int64_t value)
{
    if (value >= -SMALL_FR && value <= SMALL_FR) {
        *to = run->small[SMALL_FR + value];
        return;
    }
    bls12_381_fr_from_u64(to, (uint64_t)(value < 0 ? -value : value));
    if (value < 0)
        bls12_381_fr_neg(to, to);
}

static cuzk_row_kind kind_of(const cuzk_row_reader *r, size_t row)
{
    if (r->template == 0)
        return CUZK_ROW_WIDE;
    return (cuzk_row_kind)r->c->row_kind[r->t->first_start + row];
}

static void multiply_stretch(const product_run *run, cuzk_row_reader *r, const cuzk_stretch *s)
{
    cuzk_row_reader_open(r, s);
    for (size_t i = 0; i < s->n; i++) {
        const size_t row = s->row + i, at = s->first + i - run->first;
        const cuzk_row_kind kind = kind_of(r, row);
        for (size_t side = 0; side < 3; side++) {
            if (run->out[side] == NULL)
                continue;
            if (kind == CUZK_ROW_SMALL)
                set_small(run, &run->out[side][at], cuzk_row_small(r, 3 * row + side));
            else
                cuzk_row_side(r, 3 * row + side, kind, &run->out[side][at]);
        }
    }
}

/* The rows of a tile, within those that the circuit has of its own. */
static size_t end_of_tile(const product_run *run, size_t first)
{
    const size_t end = run->first + run->n, own = run->c->counts->rows;
    const size_t last = end < own ? end : own;
    return last - first < TILE_ROWS ? last : first + TILE_ROWS;
}

static void multiply_tile(void *context, size_t tile, unsigned worker)
{
    const product_run *run = context;
    size_t row = run->first + tile * TILE_ROWS;
    const size_t end = end_of_tile(run, row);
    while (row < end) {
        cuzk_stretch s = cuzk_compiled_stretch(run->c, row);
        s.n = end - row < s.n ? end - row : s.n;
        multiply_stretch(run, &run->reader[worker], &s);
        row += s.n;
    }
}

/* The rows for public inputs, after the circuit's own. */
static void multiply_inputs(const product_run *run)
{
    const size_t own = run->c->counts->rows;
    for (size_t row = run->first < own ? own : run->first; row < run->first + run->n; row++) {
        const size_t at = row - run->first;
        if (run->out[0] != NULL)
            run->out[0][at] = run->w->input[row - own];
        for (int side = 1; side < 3; side++) {
            if (run->out[side] != NULL)
                run->out[side][at] = (cuzk_fr){{0}};
        }
    }
}

cuzk_status cuzk_compiled_products(const cuzk_compiled *compiled, const cuzk_witness *witness,
                                   size_t first, size_t n, cuzk_fr *a, cuzk_fr *b, cuzk_fr *c,
                                   cuzk_pool *pool, cuzk_error *err)
{
    const size_t own = compiled->counts->rows, end = first + n < own ? first + n : own;
    product_run *run;
    cuzk_status status = start(&run, compiled, witness, pool, err);
    if (status == CUZK_OK) {
        run->first = first;
        run->n = n;
        run->out[0] = a;
        run->out[1] = b;
        run->out[2] = c;
        if (first < end)
            cuzk_pool_run(pool, (end - first + TILE_ROWS - 1) / TILE_ROWS, multiply_tile, run);
        multiply_inputs(run);
    }
    finish(run);
    return status;
}

static bool holds(const cuzk_row_reader *r, size_t row)
{
    const cuzk_row_kind kind = kind_of(r, row);
    cuzk_fr a, b, c;
    if (kind == CUZK_ROW_SMALL)
        return cuzk_row_small(r, 3 * row) * cuzk_row_small(r, 3 * row + 1) ==
               cuzk_row_small(r, 3 * row + 2);
    cuzk_row_side(r, 3 * row, kind, &a);
    cuzk_row_side(r, 3 * row + 1, kind, &b);
    cuzk_row_side(r, 3 * row + 2, kind, &c);
    bls12_381_fr_mul(&a, &a, &b);
    return bls12_381_fr_equal(&a, &c);
}

/* Notes a violated row unless a lower one is known. */
static void note(product_run *run, size_t row)
{
    size_t known = atomic_load_explicit(&run->violated, memory_order_relaxed);
    while (row < known &&
           !atomic_compare_exchange_weak_explicit(&run->violated, &known, row, memory_order_relaxed,
                                                  memory_order_relaxed))
        continue;
}

static void check_tile(void *context, size_t tile, unsigned worker)
{
    product_run *run = context;
    cuzk_row_reader *r = &run->reader[worker];
    size_t row = tile * TILE_ROWS;
    const size_t end = end_of_tile(run, row);
    while (row < end && row < atomic_load_explicit(&run->violated, memory_order_relaxed)) {
        cuzk_stretch s = cuzk_compiled_stretch(run->c, row);
        s.n = end - row < s.n ? end - row : s.n;
        cuzk_row_reader_open(r, &s);
        for (size_t i = 0; i < s.n; i++) {
            if (!holds(r, s.row + i)) {
                note(run, row + i);
                return;
            }
        }
        row += s.n;
    }
}

static void write_hex(char text[65], const cuzk_fr *value)
{
    uint8_t bytes[32];
    bls12_381_fr_to_be(bytes, value);
    for (int i = 0; i < 32; i++)
        (void)snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}

/* Fills in the violation and says it in words. */
static cuzk_status report(const cuzk_compiled *c, const cuzk_witness *w, size_t row,
                          cuzk_violation *v, cuzk_error *err)
{
    char text[3][65];
    v->row = row;
    cuzk_compiled_place(c, row, &v->place);
    CUZK_TRY(cuzk_compiled_products(c, w, row, 1, &v->a, &v->b, &v->c, NULL, err));
    write_hex(text[0], &v->a);
    write_hex(text[1], &v->b);
    write_hex(text[2], &v->c);
    return cuzk_fail(err, CUZK_ERR_UNSATISFIED,
                     "circuit %s: row %zu does not hold (row %zu of %s%s, call %zu): 0x%s * 0x%s "
                     "is not 0x%s",
                     c->names, row, v->place.row,
                     v->place.instance == 0 ? "the circuit itself" : "", v->place.gadget,
                     v->place.instance, text[0], text[1], text[2]);
}

cuzk_status cuzk_compiled_check(const cuzk_compiled *compiled, const cuzk_witness *witness,
                                cuzk_violation *violation, cuzk_pool *pool, cuzk_error *err)
{
    const size_t rows = compiled->counts->rows;
    product_run *run;
    size_t violated = SIZE_MAX;
    cuzk_status status = start(&run, compiled, witness, pool, err);
    if (status == CUZK_OK) {
        run->n = rows;
        cuzk_pool_run(pool, (rows + TILE_ROWS - 1) / TILE_ROWS, check_tile, run);
        violated = atomic_load(&run->violated);
    }
    finish(run);
    if (violated != SIZE_MAX) {
        cuzk_violation found;
        status = report(compiled, witness, violated, &found, err);
        if (violation != NULL)
            *violation = found;
    }
    return status;
}
