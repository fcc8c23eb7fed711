/* Fixed base: a table of all multiples d 2^(c w) of the base, 1 <= d <= 2^(c-1), so that a scalar
 * times it is a segment of one entry per window. The table's rows are those of equal d, one point
 * per window: row 1 by doublings, rows m+1 .. 2m as row m plus rows 1 .. m. */
#include "compute/cpu/msm_arena.h"
#include "compute/cpu/msm_digits.h"
#include "compute/cpu/msm_segsum.h"

#include <string.h>

#define WINDOW_MIN 4u
#define WINDOW_MAX 15u /* beyond, the table is too large to be reread from a cache */

typedef struct fixed {
    const cuzk_curve *curve;
    const cuzk_msm_kernel *kernel;
    unsigned c, windows, threads;
    cuzk_scalar half, bias;
    uint64_t *table;
    uint8_t *work;
    size_t work_bytes;
    size_t rows; /* of the table that are complete */
    const cuzk_scalar *scalars;
    uint64_t *out;
    size_t n, per_tile; /* scalars */
} fixed;

static void choose_window(fixed *f, size_t n)
{
    double best = 0;
    for (unsigned c = WINDOW_MIN; c <= WINDOW_MAX; c++) {
        const unsigned windows = cuzk_digits_windows(&f->half, c);
        const double cost = windows * ((double)n + 1.3 * (double)((size_t)1 << (c - 1)));
        if (c > WINDOW_MIN && cost >= best)
            continue;
        best = cost;
        f->c = c;
        f->windows = windows;
    }
}

static void plan(fixed *f, const cuzk_curve *curve, cuzk_group group, size_t n, unsigned threads)
{
    *f = (fixed){.curve = curve, .n = n, .threads = threads};
    f->kernel = cuzk_msm_kernel_get(curve, group);
    cuzk_scalar_half_order(&f->half, &curve->r);
    choose_window(f, n);
    cuzk_digits_bias(&f->bias, f->c, f->windows);
    const size_t most = cuzk_segsum_tile(f->kernel) / f->windows,
                 share = n / (4 * (size_t)threads) + 1;
    f->per_tile = share < most ? share : most;
    f->work_bytes = cuzk_segsum_work_bytes(f->kernel, cuzk_segsum_tile(f->kernel));
}

static size_t table_rows(const fixed *f)
{
    return (size_t)1 << (f->c - 1);
}

static void lay_out(fixed *f, cuzk_arena *arena)
{
    const size_t row = f->windows * f->kernel->words * sizeof(uint64_t);
    f->table = cuzk_arena_take(arena, table_rows(f) * row);
    f->work = cuzk_arena_take(arena, f->threads * f->work_bytes);
}

size_t cuzk_fixed_base_scratch(const cuzk_curve *curve, cuzk_group group, size_t n,
                               unsigned threads)
{
    fixed f;
    cuzk_arena arena = cuzk_arena_measure();
    plan(&f, curve, group, n, threads);
    lay_out(&f, &arena);
    return arena.used;
}

static cuzk_segsum_work work_of(const fixed *f, unsigned worker)
{
    cuzk_segsum_work work;
    cuzk_segsum_work_init(&work, f->kernel, cuzk_segsum_tile(f->kernel),
                          f->work + worker * f->work_bytes);
    return work;
}

static void make_first_row(fixed *f, const uint64_t *base)
{
    const bool g1 = f->kernel->group == CUZK_G1;
    void (*add)(uint64_t *, const uint64_t *, const uint64_t *) =
        g1 ? f->curve->g1_add : f->curve->g2_add;
    uint64_t point[CUZK_G2_MAX_WORDS], infinity;
    const size_t bytes = f->kernel->words * sizeof *point;
    memcpy(point, base, bytes);
    for (unsigned w = 0; w < f->windows; w++) {
        f->kernel->import(f->table + w * f->kernel->words, &infinity, (const uint8_t *)point, 1);
        for (unsigned i = 0; i < f->c; i++)
            add(point, point, point);
    }
    f->rows = 1;
}

static size_t pairs_a_tile(const fixed *f)
{
    return cuzk_segsum_tile(f->kernel) / 2;
}

/* Part of the doubling of the table: points index .. of the new rows. */
static void extend_tile(void *context, size_t tile, unsigned worker)
{
    const fixed *f = context;
    const size_t made = f->rows * f->windows, first = tile * pairs_a_tile(f);
    const size_t end = first + pairs_a_tile(f) < made ? first + pairs_a_tile(f) : made;
    cuzk_segsum_work work = work_of(f, worker);
    for (size_t i = first; i < end; i++) {
        const size_t in_last_row = (f->rows - 1) * f->windows + i % f->windows;
        work.pair[2 * (i - first)] = (cuzk_ref)in_last_row << 1;
        work.pair[2 * (i - first) + 1] = (cuzk_ref)i << 1;
    }
    const bool infinity = f->kernel->add(f->table, made + first, f->table, work.pair, end - first,
                                         NULL, 0, work.products);
    CUZK_ASSERT(!infinity); /* the base has order r */
}

static void make_table(fixed *f, const uint64_t *base, cuzk_pool *pool)
{
    make_first_row(f, base);
    for (; f->rows < table_rows(f); f->rows *= 2) {
        const size_t made = f->rows * f->windows;
        cuzk_pool_run(pool, (made + pairs_a_tile(f) - 1) / pairs_a_tile(f), extend_tile, f);
    }
}

/* Appends the entries of one scalar to the work's elements; returns how many. */
static uint32_t append_digits(const fixed *f, cuzk_segsum_work *work, const cuzk_scalar *scalar)
{
    cuzk_scalar k = *scalar;
    uint32_t count = 0;
    const bool minus = cuzk_scalar_take_abs(&k, &f->curve->r, &f->half);
    cuzk_scalar_add_bias(&k, &f->bias);
    for (unsigned w = 0; w < f->windows; w++) {
        const cuzk_digit d = cuzk_digit_of(w, f->c, f->windows);
        const int64_t value = cuzk_digit_extract(&d, &k);
        if (value == 0)
            continue;
        const size_t at = cuzk_digit_bucket(value) * f->windows + w;
        work->element[work->elements++] = (cuzk_ref)at << 1 | (cuzk_ref)((value < 0) != minus);
        count++;
    }
    return count;
}

static void multiply_tile(void *context, size_t tile, unsigned worker)
{
    const fixed *f = context;
    const size_t first = tile * f->per_tile, words = f->kernel->words;
    const size_t end = first + f->per_tile < f->n ? first + f->per_tile : f->n;
    cuzk_segsum_work work = work_of(f, worker);
    for (size_t i = first; i < end; i++) {
        work.length[i - first] = append_digits(f, &work, &f->scalars[i]);
        work.sum[i - first] = f->out + i * words;
    }
    work.segments = end - first;
    cuzk_segsum_work_run(&work, f->table);
    f->kernel->export(f->out + first * words, f->out + first * words, end - first);
}

void cuzk_fixed_base(const cuzk_curve *curve, cuzk_group group, uint64_t *out, const uint64_t *base,
                     const cuzk_scalar *scalars, size_t n, void *scratch, cuzk_pool *pool)
{
    fixed f;
    cuzk_arena arena = cuzk_arena_over(scratch, SIZE_MAX);
    plan(&f, curve, group, n, pool == NULL ? 1 : cuzk_pool_threads(pool));
    if (cuzk_point_is_infinity(base, f.kernel->words)) {
        memset(out, 0, n * f.kernel->words * sizeof *out);
        return;
    }
    lay_out(&f, &arena);
    f.scalars = scalars;
    f.out = out;
    make_table(&f, base, pool);
    cuzk_pool_run(pool, (n + f.per_tile - 1) / f.per_tile, multiply_tile, &f);
}
