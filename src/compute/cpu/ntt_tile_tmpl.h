/* Part of ntt_tmpl.h: transforms over the rows of a tile that lies in the cache.
 *
 * Decimation in time: rows enter in bit-reversed order and leave in natural order. A block of
 * length L is four blocks of L/4 (for L = 8: of 2), done first, then L/4 butterflies of radix 4, so
 * the recursion fits every cache.
 *
 * Bounds, in lanes, where R > 35 p for either curve. Rows enter below 2p; each radix-4 level adds
 * at most 4p and a block of two 2p, so after all levels of the longest tile (2, 8, 32, 128, 512,
 * 2048) a row is below 24p. Rows are never reduced on the way, because a product brings them down:
 * twiddles and twists are products themselves, of factors below 2p, so below (1 + 4/35) p, and 24p
 * times that is below 27 p^2, the outcome below (1 + 27/35) p. */

/* Half of a butterfly. */
typedef struct quad {
    vfr sum, difference; /* x0 + x2, x0 - x2 */
    vfr even, odd;       /* x1 + x3, (x1 - x3) w_4, reduced */
} quad;

/* x1, x2, x3 reduced. */
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

/* Bit-reversed storage: the second block holds x2 and the third x1. */
static inline void load_quad(quad *q, const vfr *x, size_t quarter_rows, const element *triple,
                             const element *quarter)
{
    const size_t step = quarter_rows * NTT_VECTORS;
    vfr x1, x2, x3, w;
    broadcast(&w, &triple[1]);
    vfr_mul(&x2, &x[step], &w);
    broadcast(&w, &triple[0]);
    vfr_mul(&x1, &x[2 * step], &w);
    broadcast(&w, &triple[2]);
    vfr_mul(&x3, &x[3 * step], &w);
    combine(q, &x[0], &x1, &x2, &x3, quarter);
}

/* The same with twiddles 1, for rows below 8p. */
static inline void load_quad_trivial(quad *q, const vfr *x, size_t quarter_rows,
                                     const element *quarter)
{
    const size_t step = quarter_rows * NTT_VECTORS;
    vfr x1, x2, x3;
    vfr_reduce(&x2, &x[step]);
    vfr_reduce(&x1, &x[2 * step]);
    vfr_reduce(&x3, &x[3 * step]);
    combine(q, &x[0], &x1, &x2, &x3, quarter);
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

/* Blocks up to this length meet rows below 8p: the twiddles 1 need no product there. Beyond, they
 * are few. */
#define NTT_TRIVIAL_MAX 32u

/* One level of a block of n >= 8 rows. */
static void transform_level(vfr *x, size_t n, const side *s)
{
    const element *triples = level_table(s, n);
    const size_t first = n <= NTT_TRIVIAL_MAX ? 1 : 0;
    quad q;
    for (size_t v = 0; v < NTT_VECTORS && first == 1; v++) {
        load_quad_trivial(&q, &x[v], n / 4, &s->quarter);
        store_quad(&x[v], n / 4, &q);
    }
    for (size_t j = first; j < n / 4; j++)
        for (size_t v = 0; v < NTT_VECTORS; v++) {
            vfr *row = &x[j * NTT_VECTORS + v];
            load_quad(&q, row, n / 4, triples + 3 * j, &s->quarter);
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

static inline void unfold(vfr y[4], const quad *q)
{
    vfr_add_lazy(&y[0], &q->sum, &q->even);
    vfr_add_lazy(&y[1], &q->difference, &q->odd);
    vfr_sub_lazy(&y[2], &q->sum, &q->even);
    vfr_sub_lazy(&y[3], &q->difference, &q->odd);
}

/* Row j of the last level: outputs j, j + n/4, j + n/2, j + 3n/4, good for a product. */
static inline void last_lazy(vfr y[4], const vfr *x, size_t n, size_t j, const side *s)
{
    quad q;
    load_quad(&q, x, n / 4, level_table(s, n) + 3 * j, &s->quarter);
    unfold(y, &q);
}

/* The same with outputs below 6p: the row that has no twiddle is multiplied by one. */
static inline void last_bounded(vfr y[4], vfr *x, size_t n, size_t j, const side *s)
{
#if VFR_W > 1
    vfr one;
    vfr_one(&one);
    vfr_mul(x, x, &one);
#endif
    last_lazy(y, x, n, j, s);
}
