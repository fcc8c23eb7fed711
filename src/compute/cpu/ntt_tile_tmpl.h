/* Part of ntt_tmpl.h: transforms over the rows of a tile that lies in the cache.
 *
 * Decimation in time: rows enter in bit-reversed order and leave in natural order. A block of length L is four
 * blocks of L/4 (for L = 8: of 2), done first, then L/4 butterflies of radix 4, so the recursion fits every cache.
 *
 * Bounds. Rows enter reduced (below 2p); a block of 2 leaves below 4p, one of 4 below 6p, and the butterflies of
 * any longer block first bring the row that is not multiplied below 2p, so they leave at most 6p (8p where it came
 * out of a block of 2). A factor of 8p with a reduced one: 16 p^2, within the rule for products of every field. */

/* The four rows that a butterfly combines, after their twiddles: all reduced but for `sum` and `difference`. */
typedef struct quad {
    vfr sum, difference; /* x0 + x2, x0 - x2: below 4p */
    vfr even, odd;       /* x1 + x3, (x1 - x3) w_4 */
} quad;

static inline void combine(quad *q, const vfr *x0, const vfr *x1, const vfr *x2, const vfr *x3,
                           const element *quarter)
{
    vfr w;
    broadcast(&w, quarter);
    vfr_add_lazy(&q->sum, x0, x2);
    vfr_sub_lazy(&q->difference, x0, x2);
    vfr_add(&q->even, x1, x3);
    vfr_sub_lazy(&q->odd, x1, x3);
    vfr_mul(&q->odd, &q->odd, &w);
}

/* Bit-reversed storage: the second block holds x2 and the third x1. triple NULL: all twiddles are 1. */
static inline void load_quad(quad *q, const vfr *x, size_t quarter_rows, const element *triple,
                             const element *quarter)
{
    const size_t step = quarter_rows * NTT_VECTORS;
    vfr x0, x1, x2, x3, w;
    vfr_reduce(&x0, &x[0]);
    if (triple != NULL) {
        broadcast(&w, &triple[1]);
        vfr_mul(&x2, &x[step], &w);
        broadcast(&w, &triple[0]);
        vfr_mul(&x1, &x[2 * step], &w);
        broadcast(&w, &triple[2]);
        vfr_mul(&x3, &x[3 * step], &w);
    } else {
        vfr_reduce(&x2, &x[step]);
        vfr_reduce(&x1, &x[2 * step]);
        vfr_reduce(&x3, &x[3 * step]);
    }
    combine(q, &x0, &x1, &x2, &x3, quarter);
}

static inline void store_quad(vfr *x, size_t quarter_rows, const quad *q)
{
    const size_t step = quarter_rows * NTT_VECTORS;
    vfr_add_lazy(&x[0], &q->sum, &q->even);
    vfr_add_lazy(&x[step], &q->difference, &q->odd);
    vfr_sub_lazy(&x[2 * step], &q->sum, &q->even);
    vfr_sub_lazy(&x[3 * step], &q->difference, &q->odd);
}

static void transform_two(vfr *x)
{
    for (size_t v = 0; v < NTT_VECTORS; v++) {
        const vfr a = x[v], b = x[NTT_VECTORS + v];
        vfr_add_lazy(&x[v], &a, &b);
        vfr_sub_lazy(&x[NTT_VECTORS + v], &a, &b);
    }
}

static void transform_four(vfr *x, const side *s)
{
    for (size_t v = 0; v < NTT_VECTORS; v++) {
        quad q;
        combine(&q, &x[v], &x[2 * NTT_VECTORS + v], &x[NTT_VECTORS + v], &x[3 * NTT_VECTORS + v],
                &s->quarter);
        store_quad(&x[v], 1, &q);
    }
}

/* One level of a block of n >= 8 rows. */
static void transform_level(vfr *x, size_t n, const side *s)
{
    const element *triple = level_table(s, n);
    quad q;
    for (size_t v = 0; v < NTT_VECTORS; v++) {
        load_quad(&q, &x[v], n / 4, NULL, &s->quarter);
        store_quad(&x[v], n / 4, &q);
    }
    for (size_t j = 1; j < n / 4; j++)
        for (size_t v = 0; v < NTT_VECTORS; v++) {
            vfr *row = &x[j * NTT_VECTORS + v];
            load_quad(&q, row, n / 4, triple + 3 * j, &s->quarter);
            store_quad(row, n / 4, &q);
        }
}

static void transform_block(vfr *x, size_t n, const side *s)
{
    if (n == 2) {
        transform_two(x);
    } else if (n == 4) {
        transform_four(x, s);
    } else {
        for (size_t i = 0; i < 4; i++)
            transform_block(x + i * (n / 4) * NTT_VECTORS, n / 4, s);
        transform_level(x, n, s);
    }
}

/* All levels but the last, which the passes join with what they do to the outcome. n >= 8. */
static void transform_quarters(vfr *x, size_t n, const side *s)
{
    for (size_t i = 0; i < 4; i++)
        transform_block(x + i * (n / 4) * NTT_VECTORS, n / 4, s);
}

/* Row j of the last level: outputs j, j + n/4, j + n/2, j + 3n/4, below 6p. */
static inline void last_lazy(vfr y[4], const vfr *x, size_t n, size_t j, const side *s)
{
    quad q;
    load_quad(&q, x, n / 4, j == 0 ? NULL : level_table(s, n) + 3 * j, &s->quarter);
    vfr_add_lazy(&y[0], &q.sum, &q.even);
    vfr_add_lazy(&y[1], &q.difference, &q.odd);
    vfr_sub_lazy(&y[2], &q.sum, &q.even);
    vfr_sub_lazy(&y[3], &q.difference, &q.odd);
}
