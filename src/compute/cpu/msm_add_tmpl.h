/* Batched affine additions in lanes. Part of msm_group_tmpl.h: K(name) is the coordinates' field,
 * KE its type, K_WORDS its packed words, G(name) the names of this group.
 *
 * For each addition the slope's denominator d must be inverted; all of a batch share one inversion
 * (Montgomery's trick), done in lanes: a running product per lane and per chain. Two chains, of the
 * even and of the odd vectors, so that the products of one overlap those of the other. Six
 * multiplications per addition.
 *
 * The first pass takes all x to differ. If they do not, the product is zero in some lane; then both
 * passes run in careful mode, which looks at every vector: equal points get 3x^2 / 2y for a slope,
 * opposite ones the denominator 1 and the result infinity. */

static inline const uint64_t *G(ref_point)(const uint64_t *slots, const uint64_t *points,
                                           cuzk_ref ref)
{
    const size_t words = 2 * K_WORDS;
    return ref & CUZK_REF_SLOT ? slots + (ref & ~CUZK_REF_SLOT) * words
                               : points + (ref >> 1) * words;
}

/* The operands of one vector: pointers to their x, and which are negated. Lanes past the end repeat
 * the last addition, and so write its result once more. */
typedef struct G(operands) {
    const uint64_t *a[VFP_W], *b[VFP_W];
    unsigned negate_a, negate_b;
} G(operands);

static inline void G(find)(G(operands) * o, const uint64_t *slots, const uint64_t *points,
                           const cuzk_ref *ref, size_t first, size_t n)
{
    o->negate_a = o->negate_b = 0;
    for (unsigned i = 0; i < VFP_W; i++) {
        const size_t pair = first + i < n ? first + i : n - 1;
        const cuzk_ref a = ref[2 * pair], b = ref[2 * pair + 1];
        o->a[i] = G(ref_point)(slots, points, a);
        o->b[i] = G(ref_point)(slots, points, b);
        o->negate_a |= (a & ~(a >> 31) & 1) << i;
        o->negate_b |= (b & ~(b >> 31) & 1) << i;
    }
}

static inline void G(load_y)(KE *y, const uint64_t *const point[VFP_W], unsigned negate)
{
    const uint64_t *src[VFP_W];
    for (unsigned i = 0; i < VFP_W; i++)
        src[i] = point[i] + K_WORDS;
    K(load)(y, src);
    if (negate != 0) {
        KE minus;
        K(neg)(&minus, y);
        K(select)(y, negate, &minus, y);
    }
}

/* Asks for the points of additions first .. first + W: the next vector of multiply_up. */
static inline void G(prefetch)(const uint64_t *slots, const uint64_t *points, const cuzk_ref *ref,
                               size_t first, size_t n)
{
    const size_t end = first + VFP_W < n ? first + VFP_W : n;
    for (size_t i = 2 * first; i < 2 * end; i++) {
        const char *point = (const char *)G(ref_point)(slots, points, ref[i]);
        for (size_t at = 0; at < 16 * K_WORDS; at += 64)
            __builtin_prefetch(point + at);
        __builtin_prefetch(point + 16 * K_WORDS - 8);
    }
}

/* Where x are equal, d and slope's numerator for a doubling, or d = 1 and a bit in the answer for
 * opposite points. */
static inline unsigned G(mend)(KE *d, KE *numerator, const KE *x, const KE *ya, const KE *yb)
{
    const unsigned equal_x = K(is_zero)(d);
    if (equal_x == 0)
        return 0;
    KE t, one;
    K(sub)(&t, yb, ya);
    const unsigned equal = equal_x & K(is_zero)(&t), opposite = equal_x & ~equal;
    K(dbl)(&t, ya);
    K(select)(d, equal, &t, d);
    K(one)(&one);
    K(select)(d, opposite, &one, d);
    KE sqr;
    K(sqr)(&sqr, x);
    K(dbl)(&t, &sqr);
    K(add)(&t, &t, &sqr);
    K(select)(numerator, equal, &t, numerator);
    return opposite;
}

/* products[v]: product of the denominators of the vectors before v in its chain. Past the end come
 * the totals of the chains. */
static inline __attribute__((always_inline)) void
G(multiply_up)(KE *products, const uint64_t *slots, const uint64_t *points, const cuzk_ref *ref,
               size_t n, const bool careful)
{
    for (unsigned c = 0; c < CUZK_MSM_CHAINS; c++)
        K(one)(&products[c]);
    G(prefetch)(slots, points, ref, 0, n);
    for (size_t v = 0; v * VFP_W < n; v++) {
        G(operands) o;
        KE xa, xb, d;
        if ((v + 1) * VFP_W < n)
            G(prefetch)(slots, points, ref, (v + 1) * VFP_W, n);
        G(find)(&o, slots, points, ref, v * VFP_W, n);
        K(load)(&xa, o.a);
        K(load)(&xb, o.b);
        if (careful) {
            KE ya, yb, numerator;
            G(load_y)(&ya, o.a, o.negate_a);
            G(load_y)(&yb, o.b, o.negate_b);
            K(sub)(&d, &xb, &xa);
            K(zero)(&numerator);
            G(mend)(&d, &numerator, &xa, &ya, &yb);
        } else {
            K(sub_lazy)(&d, &xb, &xa);
        }
        K(mul)(&products[v + CUZK_MSM_CHAINS], &products[v], &d);
    }
}

static inline void G(store_sums)(uint64_t *slots, size_t out, size_t first, size_t n, const KE *x,
                                 const KE *y)
{
    uint64_t *dst_x[VFP_W], *dst_y[VFP_W];
    for (unsigned i = 0; i < VFP_W; i++) {
        const size_t pair = first + i < n ? first + i : n - 1;
        dst_x[i] = slots + (out + pair) * 2 * K_WORDS;
        dst_y[i] = dst_x[i] + K_WORDS;
    }
    K(store_reduced)(dst_x, x);
    K(store_reduced)(dst_y, y);
}

/* Asks for the points that later calls will read, a share per vector v of so many: the additions'
 * arithmetic hides the memory's latency. */
static inline void G(fetch_soon)(const uint64_t *points, const cuzk_ref *soon, size_t n_soon,
                                 size_t v, size_t vectors)
{
    const size_t share = (n_soon + vectors - 1) / vectors;
    const size_t begin = v * share, end = begin + share < n_soon ? begin + share : n_soon;
    for (size_t i = begin; i < end; i++) {
        const char *point = (const char *)(points + (soon[i] >> 1) * (2 * K_WORDS));
        for (size_t at = 0; at < 16 * K_WORDS; at += 64)
            __builtin_prefetch(point + at, 0, 2);
        __builtin_prefetch(point + 16 * K_WORDS - 8, 0, 2);
    }
}

/* One vector of additions on its way down: slope s = numerator / d, x = s^2 - xa - xb, y = s (xa -
 * x) - ya. */
typedef struct G(descent) {
    KE xa, xb, ya, d, numerator, slope, x, y;
    unsigned infinite; /* lanes */
} G(descent);

static inline __attribute__((always_inline)) void
G(descent_load)(G(descent) * a, const uint64_t *slots, const uint64_t *points, const cuzk_ref *ref,
                size_t v, size_t n, const bool careful)
{
    G(operands) o;
    KE yb;
    G(find)(&o, slots, points, ref, v * VFP_W, n);
    K(load)(&a->xa, o.a);
    K(load)(&a->xb, o.b);
    G(load_y)(&a->ya, o.a, o.negate_a);
    G(load_y)(&yb, o.b, o.negate_b);
    K(sub_lazy)(&a->numerator, &yb, &a->ya);
    a->infinite = 0;
    if (careful) {
        K(sub)(&a->d, &a->xb, &a->xa);
        a->infinite = G(mend)(&a->d, &a->numerator, &a->xa, &a->ya, &yb);
    } else {
        K(sub_lazy)(&a->d, &a->xb, &a->xa);
    }
}

static inline void G(descent_store)(G(descent) * a, uint64_t *slots, size_t out, size_t v, size_t n)
{
    if (a->infinite != 0) {
        KE zero;
        K(zero)(&zero);
        K(select)(&a->x, a->infinite, &zero, &a->x);
        K(select)(&a->y, a->infinite, &zero, &a->y);
    }
    G(store_sums)(slots, out, v * VFP_W, n, &a->x, &a->y);
}

/* Vectors v .. v + count - 1, each of another chain, step by step side by side: what one waits for,
 * the other computes. Returns whether a sum is infinity. */
static inline __attribute__((always_inline)) bool
G(descend)(uint64_t *slots, size_t out, KE inverse[CUZK_MSM_CHAINS], const KE *products,
           const uint64_t *points, const cuzk_ref *ref, size_t v, size_t n, const unsigned count,
           const bool careful)
{
    G(descent) a[CUZK_MSM_CHAINS];
    KE t[CUZK_MSM_CHAINS];
    unsigned infinite = 0;
    for (unsigned k = 0; k < count; k++)
        G(descent_load)(&a[k], slots, points, ref, v + k, n, careful);
    for (unsigned k = 0; k < count; k++)
        K(mul)(&t[k], &inverse[(v + k) % CUZK_MSM_CHAINS], &products[v + k]);
    for (unsigned k = 0; k < count; k++)
        K(mul)(&a[k].slope, &a[k].numerator, &t[k]);
    for (unsigned k = 0; k < count; k++)
        K(sqr)(&t[k], &a[k].slope);
    for (unsigned k = 0; k < count; k++) {
        KE *chain = &inverse[(v + k) % CUZK_MSM_CHAINS];
        K(mul)(chain, chain, &a[k].d);
    }
    for (unsigned k = 0; k < count; k++) {
        K(sub_sub)(&a[k].x, &t[k], &a[k].xa, &a[k].xb);
        K(sub_lazy)(&t[k], &a[k].xa, &a[k].x);
    }
    for (unsigned k = 0; k < count; k++)
        K(mul)(&t[k], &t[k], &a[k].slope);
    for (unsigned k = 0; k < count; k++) {
        K(sub)(&a[k].y, &t[k], &a[k].ya);
        G(descent_store)(&a[k], slots, out, v + k, n);
        infinite |= a[k].infinite;
    }
    return infinite != 0;
}

/* inverse[v % CHAINS]: of the total of v's chain. Walks the vectors backwards. Returns whether a
 * sum is infinity. */
static inline __attribute__((always_inline)) bool
G(divide_down)(uint64_t *slots, size_t out, KE inverse[CUZK_MSM_CHAINS], const KE *products,
               const uint64_t *points, const cuzk_ref *ref, size_t n, const cuzk_ref *soon,
               size_t n_soon, const bool careful)
{
    bool infinite = false;
    const size_t vectors = (n + VFP_W - 1) / VFP_W, blocks = vectors / CUZK_MSM_CHAINS;
    for (size_t v = vectors; v-- > blocks * CUZK_MSM_CHAINS;)
        infinite |= G(descend)(slots, out, inverse, products, points, ref, v, n, 1, careful);
    for (size_t block = blocks; block-- > 0;) {
        G(fetch_soon)(points, soon, n_soon, blocks - 1 - block, blocks);
        infinite |= G(descend)(slots, out, inverse, products, points, ref, block * CUZK_MSM_CHAINS,
                               n, CUZK_MSM_CHAINS, careful);
    }
    return infinite;
}

/* The two totals are totals[0], totals[1], of the chains first and first ^ 1. */
static inline void G(invert_totals)(KE inverse[CUZK_MSM_CHAINS], const KE *totals, unsigned first)
{
    KE both;
    K(mul)(&both, &totals[0], &totals[1]);
    K(inv)(&both, &both);
    K(mul)(&inverse[first], &both, &totals[1]);
    K(mul)(&inverse[first ^ 1], &both, &totals[0]);
}

static bool G(add_carefully)(uint64_t *slots, size_t out, const uint64_t *points,
                             const cuzk_ref *ref, size_t n, KE *products)
{
    const size_t vectors = (n + VFP_W - 1) / VFP_W;
    KE inverse[CUZK_MSM_CHAINS];
    G(multiply_up)(products, slots, points, ref, n, true);
    G(invert_totals)(inverse, products + vectors, vectors % CUZK_MSM_CHAINS);
    return G(divide_down)(slots, out, inverse, products, points, ref, n, NULL, 0, true);
}

static bool G(add)(uint64_t *slots, size_t out, const uint64_t *points, const cuzk_ref *ref,
                   size_t n, const cuzk_ref *soon, size_t n_soon, void *memory)
{
    if (n == 0)
        return false;
    const unsigned saved = vfp_begin();
    const size_t vectors = (n + VFP_W - 1) / VFP_W;
    KE *products = memory, *totals = products + vectors, inverse[CUZK_MSM_CHAINS];
    bool infinity = false;
    G(multiply_up)(products, slots, points, ref, n, false);
    if ((K(is_zero)(&totals[0]) | K(is_zero)(&totals[1])) != 0) {
        infinity = G(add_carefully)(slots, out, points, ref, n, products);
    } else {
        G(invert_totals)(inverse, totals, vectors % CUZK_MSM_CHAINS);
        G(divide_down)(slots, out, inverse, products, points, ref, n, soon, n_soon, false);
    }
    vfp_end(saved);
    return infinity;
}
