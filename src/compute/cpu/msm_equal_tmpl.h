/* Sums of segments of equal length in lanes: a segment per lane, so that between the points
 * themselves and the sums nothing is gathered, packed or scattered. Part of msm_group_tmpl.h, with
 * the formulas of msm_add_tmpl.h; the batch of a level are the additions of all groups.
 *
 * A group's points become vectors on level one, which adds points 2i and 2i + 1 into slot i; each
 * further level adds slots 2i and 2i + 1 into slot i. The first pass of a level walks its additions
 * from the last to the first, and leaves what it computed in places that are free until the second
 * pass, which walks them forwards: x of the first summand and d in slot i (level one), d in place
 * of the second summand's x (further levels). */

/* Coordinates are loose (compute/cpu/README.md). */
typedef struct G(slot) {
    KE x, y;
} G(slot);

/* The level in progress: additions of `pairs` pairs in each group. */
typedef struct G(level) {
    const uint64_t *points;
    const cuzk_ref *ref;
    G(slot) * slot;
    size_t groups, length, stride, pairs; /* points and slots of a group */
    const cuzk_ref *soon;                 /* points to fetch, and how many per product */
    size_t n_soon, share;
} G(level);

/* Of addition number n of a level, counted from its last. */
typedef struct G(place) {
    const cuzk_ref *ref;   /* level one: of the first summands; those of the second follow */
    G(slot) * first, *sum; /* further levels: the summands' slots are first and first + 1 */
} G(place);

static inline G(place) G(place_of)(const G(level) * l, size_t n)
{
    const size_t at = l->groups * l->pairs - 1 - n, group = at / l->pairs, pair = at % l->pairs;
    G(slot) *slot = l->slot + group * l->stride;
    return (G(place)){.ref = l->ref + (group * l->length + 2 * pair) * VFP_W,
                      .first = slot + 2 * pair,
                      .sum = slot + pair};
}

static inline void G(load_half)(KE *r, const uint64_t *points, const cuzk_ref *ref, size_t offset)
{
    const uint64_t *src[VFP_W];
    for (unsigned i = 0; i < VFP_W; i++)
        src[i] = points + (size_t)(ref[i] >> 1) * (2 * K_WORDS) + offset;
    K(load)(r, src);
}

static inline unsigned G(signs)(const cuzk_ref *ref)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < VFP_W; i++)
        bits |= (ref[i] & 1) << i;
    return bits;
}

/* Asks for the points of n references. */
static inline void G(fetch)(const uint64_t *points, const cuzk_ref *ref, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *point = (const char *)(points + (size_t)(ref[i] >> 1) * (2 * K_WORDS));
        for (size_t at = 0; at < 16 * K_WORDS; at += 64)
            __builtin_prefetch(point + at);
        __builtin_prefetch(point + 16 * K_WORDS - 8);
    }
}

/* A share of the points that the next call reads: the arithmetic hides the memory's latency. Few at
 * a time, as loads that miss the first cache wait for the same buffers. */
static inline void G(fetch_share)(G(level) * l)
{
    const size_t n = l->share < l->n_soon ? l->share : l->n_soon;
    for (size_t i = 0; i < n; i++) {
        const char *point = (const char *)(l->points + (size_t)(l->soon[i] >> 1) * (2 * K_WORDS));
        for (size_t at = 0; at < 16 * K_WORDS; at += 64)
            __builtin_prefetch(point + at, 0, 2);
        __builtin_prefetch(point + 16 * K_WORDS - 8, 0, 2);
    }
    l->soon += n;
    l->n_soon -= n;
}

static inline __attribute__((always_inline)) void G(level_up)(G(level) * l, KE *products,
                                                              const bool first)
{
    const size_t additions = l->groups * l->pairs;
    for (unsigned c = 0; c < CUZK_MSM_CHAINS; c++)
        K(one)(&products[c]);
    for (size_t n = 0; n < additions; n++) {
        const G(place) p = G(place_of)(l, n);
        KE d;
        if (first) {
            if (n + 1 < additions)
                G(fetch)(l->points, G(place_of)(l, n + 1).ref, 2 * VFP_W);
            KE xa, xb;
            G(load_half)(&xa, l->points, p.ref, 0);
            G(load_half)(&xb, l->points, p.ref + VFP_W, 0);
            K(loose_diff)(&d, &xb, &xa);
            p.sum->x = xa;
            p.sum->y = d;
        } else {
            K(loose_diff)(&d, &p.first[1].x, &p.first[0].x);
            p.first[1].x = d;
        }
        G(fetch_share)(l);
        K(mul)(&products[n + CUZK_MSM_CHAINS], &products[n], &d);
    }
}

/* One addition on its way down: slope s = numerator / d, x = s^2 - 2 xa - d, y = s (xa - x) - ya,
 * where ya is negated in some lanes. */
typedef struct G(fall) {
    G(place) place;
    KE xa, ya, d, numerator, slope;
    unsigned negate;
} G(fall);

static inline __attribute__((always_inline)) void G(fall_load)(G(fall) * a, const G(level) * l,
                                                               size_t n, const bool first)
{
    a->place = G(place_of)(l, n);
    if (first) {
        const cuzk_ref *ref = a->place.ref;
        KE yb;
        a->xa = a->place.sum->x;
        a->d = a->place.sum->y;
        a->negate = G(signs)(ref);
        G(load_half)(&a->ya, l->points, ref, K_WORDS);
        G(load_half)(&yb, l->points, ref + VFP_W, K_WORDS);
        K(sub_signed_lazy)(&a->numerator, &yb, G(signs)(ref + VFP_W), &a->ya, a->negate);
    } else {
        a->xa = a->place.first[0].x;
        a->d = a->place.first[1].x;
        a->ya = a->place.first[0].y;
        K(loose_diff)(&a->numerator, &a->place.first[1].y, &a->ya);
    }
}

/* Additions n, n - 1, ..., count of them, each of another chain, step by step side by side. */
static inline __attribute__((always_inline)) void
G(level_fall)(G(level) * l, KE inverse[CUZK_MSM_CHAINS], const KE *products, size_t n,
              const unsigned count, const bool first)
{
    G(fall) a[CUZK_MSM_CHAINS];
    KE t[CUZK_MSM_CHAINS];
    for (unsigned k = 0; k < count; k++)
        G(fall_load)(&a[k], l, n - k, first);
    for (unsigned k = 0; k < count; k++) {
        G(fetch_share)(l);
        K(mul)(&t[k], &inverse[(n - k) % CUZK_MSM_CHAINS], &products[n - k]);
    }
    for (unsigned k = 0; k < count; k++) {
        G(fetch_share)(l);
        K(mul)(&a[k].slope, &a[k].numerator, &t[k]);
    }
    for (unsigned k = 0; k < count; k++) {
        G(fetch_share)(l);
        K(sqr)(&t[k], &a[k].slope);
    }
    for (unsigned k = 0; k < count; k++) {
        KE *chain = &inverse[(n - k) % CUZK_MSM_CHAINS];
        G(fetch_share)(l);
        K(mul)(chain, chain, &a[k].d);
    }
    for (unsigned k = 0; k < count; k++) {
        G(slot) *sum = a[k].place.sum;
        K(loose_chord_x)(&sum->x, &t[k], &a[k].xa, &a[k].d);
        K(loose_diff)(&t[k], &a[k].xa, &sum->x);
    }
    for (unsigned k = 0; k < count; k++) {
        G(fetch_share)(l);
        K(mul)(&t[k], &t[k], &a[k].slope);
    }
    for (unsigned k = 0; k < count; k++) {
        KE *y = &a[k].place.sum->y;
        if (first)
            K(loose_sub_signed)(y, &t[k], &a[k].ya, a[k].negate);
        else
            K(loose_sub)(y, &t[k], &a[k].ya);
    }
}

static inline __attribute__((always_inline)) void
G(level_down)(G(level) * l, KE inverse[CUZK_MSM_CHAINS], const KE *products, const bool first)
{
    size_t n = l->groups * l->pairs;
    for (; n % CUZK_MSM_CHAINS != 0; n--)
        G(level_fall)(l, inverse, products, n - 1, 1, first);
    for (; n > 0; n -= CUZK_MSM_CHAINS) {
        if (first && n > CUZK_MSM_CHAINS)
            for (unsigned k = 1; k <= CUZK_MSM_CHAINS; k++)
                G(fetch)(l->points, G(place_of)(l, n - CUZK_MSM_CHAINS - k).ref, 2 * VFP_W);
        G(level_fall)(l, inverse, products, n - 1, CUZK_MSM_CHAINS, first);
    }
}

/* The point that has no partner on level one becomes the group's last slot. */
static inline void G(lift_last)(const G(level) * l)
{
    for (size_t g = 0; g < l->groups; g++) {
        const cuzk_ref *ref = l->ref + ((g + 1) * l->length - 1) * VFP_W;
        G(slot) *slot = l->slot + g * l->stride + l->pairs;
        KE minus;
        G(load_half)(&slot->x, l->points, ref, 0);
        G(load_half)(&slot->y, l->points, ref, K_WORDS);
        K(neg)(&minus, &slot->y);
        K(select)(&slot->y, G(signs)(ref), &minus, &slot->y);
    }
}

static inline void G(store_groups)(uint64_t *const *sum, const G(level) * l)
{
    for (size_t g = 0; g < l->groups; g++) {
        const G(slot) *slot = l->slot + g * l->stride;
        uint64_t *y[VFP_W];
        for (unsigned i = 0; i < VFP_W; i++)
            y[i] = sum[g * VFP_W + i] + K_WORDS;
        KE t;
        K(tighten)(&t, &slot->x);
        K(store_reduced)(sum + g * VFP_W, &t);
        K(tighten)(&t, &slot->y);
        K(store_reduced)(y, &t);
    }
}

/* Additions of one level; false if summands were equal or opposite. */
static inline __attribute__((always_inline)) bool G(add_level)(G(level) * l, KE *products,
                                                               const bool first)
{
    const size_t additions = l->groups * l->pairs;
    KE *totals = products + additions, inverse[CUZK_MSM_CHAINS];
    G(level_up)(l, products, first);
    if ((K(is_zero)(&totals[0]) | K(is_zero)(&totals[1])) != 0)
        return false;
    G(invert_totals)(inverse, totals, additions % CUZK_MSM_CHAINS);
    G(level_down)(l, inverse, products, first);
    return true;
}

static bool G(sum_levels)(G(level) * l, KE *products)
{
    if (!G(add_level)(l, products, true))
        return false;
    if (l->length & 1)
        G(lift_last)(l);
    for (size_t count = l->stride; count > 1; count -= l->pairs) {
        l->pairs = count / 2;
        if (!G(add_level)(l, products, false))
            return false;
        if (count & 1)
            for (size_t g = 0; g < l->groups; g++)
                l->slot[g * l->stride + l->pairs] = l->slot[g * l->stride + count - 1];
    }
    return true;
}

static bool G(sum_equal)(uint64_t *const *sum, const uint64_t *points, const cuzk_ref *ref,
                         size_t groups, size_t length, const cuzk_ref *soon, size_t n_soon,
                         void *slots, void *products)
{
    const size_t products_made = 6 * groups * (length - 1);
    G(level)
    l = {.points = points,
         .ref = ref,
         .slot = slots,
         .groups = groups,
         .length = length,
         .stride = (length + 1) / 2,
         .pairs = length / 2,
         .soon = soon,
         .n_soon = n_soon,
         .share = (n_soon + products_made - 1) / products_made};
    const unsigned saved = vfp_begin();
    const bool summed = G(sum_levels)(&l, products);
    if (summed)
        G(store_groups)(sum, &l);
    vfp_end(saved);
    return summed;
}
