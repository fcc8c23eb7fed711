/* Part of ntt_tmpl.h: the plan and its tables. */

/* One element as limbs: what a broadcast reads. */
typedef struct element {
    uint64_t l[NTT_LIMBS];
} element;

/* A pass transforms over an index of length n whose neighbours lie stride elements apart. */
typedef struct pass_shape {
    unsigned log_n;
    size_t n, stride;
} pass_shape;

/* Tables of one direction. levels: for each L = 8, 16, .., longest the triples w^j, w^2j, w^3j,
 * j < L/4, w of order L. twist[p]: w^c, c < stride, w of order n * stride of column pass p. */
typedef struct side {
    element *levels, quarter; /* quarter: w_4 */
    vfr *twist[2];
} side;

typedef struct plan {
    cuzk_ntt_plan base;
    size_t m;
    cuzk_fr omega[2]; /* omega, 1/omega */
    cuzk_fr m_inv;
    unsigned passes; /* 0: small, no tables */
    unsigned longest_log;
    pass_shape pass[3];
    uint16_t *reversed; /* bit reversals of longest_log bits */
    side sides[2];      /* forward, inverse */
} plan;

static inline void broadcast(vfr *r, const element *a)
{
#if VFR_W > 1
    vfr_constant(r, a->l);
#else
    memcpy(r, a, sizeof *r);
#endif
}

/* Lane 0 of a: lanes keep limb j of their first LANE_W elements side by side. */
static inline void take_element(element *r, const vfr *a)
{
    uint64_t words[sizeof *a / 8];
    memcpy(words, a, sizeof words);
#if VFR_W > 1
    for (size_t j = 0; j < NTT_LIMBS; j++)
        r->l[j] = words[j * LANE_W];
#else
    memcpy(r, words, sizeof *r);
#endif
}

static inline void set_lanes(vfr *r, const cuzk_fr *a)
{
    vfr_set1(r, a->l);
    vfr_from_mem(r, r);
}

static inline void set_element(element *r, const cuzk_fr *a)
{
    vfr lanes;
    set_lanes(&lanes, a);
    take_element(r, &lanes);
}

static void power(cuzk_fr *r, const cuzk_fr *a, uint64_t exponent)
{
    FR(pow_var)(r, a, &exponent, 1);
}

/* out, over all lanes of all vectors: first, first * base, first * base^2, ... */
static void fill_powers(vfr *out, size_t vectors, const cuzk_fr *first, const cuzk_fr *base)
{
    cuzk_fr head[VFR_W], step;
    head[0] = *first;
    for (unsigned i = 1; i < VFR_W; i++)
        FR(mul)(&head[i], &head[i - 1], base);
    power(&step, base, VFR_W);
    vfr lanes;
    set_lanes(&lanes, &step);
    vfr_load_seq(&out[0], head[0].l, 4);
    vfr_from_mem(&out[0], &out[0]);
    for (size_t i = 1; i < vectors; i++)
        vfr_mul(&out[i], &out[i - 1], &lanes);
}

static void fill_elements(element *out, size_t n, const cuzk_fr *first, const cuzk_fr *base)
{
    cuzk_fr x = *first;
    for (size_t i = 0; i < n; i++) {
        set_element(&out[i], &x);
        FR(mul)(&x, &x, base);
    }
}

static inline size_t level_offset(size_t length)
{
    return 3 * (length / 4 - 2);
}

static inline const element *level_table(const side *s, size_t length)
{
    return s->levels + level_offset(length);
}

static void fill_level(element *triple, size_t length, const cuzk_fr *root)
{
    cuzk_fr x, square, cube;
    FR(set_one)(&x);
    for (size_t j = 0; j < length / 4; j++, triple += 3) {
        FR(sqr)(&square, &x);
        FR(mul)(&cube, &square, &x);
        set_element(&triple[0], &x);
        set_element(&triple[1], &square);
        set_element(&triple[2], &cube);
        FR(mul)(&x, &x, root);
    }
}

static void fill_side(const plan *p, side *s, const cuzk_fr *omega)
{
    cuzk_fr root, one;
    FR(set_one)(&one);
    power(&root, omega, p->m / 4);
    set_element(&s->quarter, &root);
    for (size_t length = 8; length <= (size_t)1 << p->longest_log; length *= 2) {
        power(&root, omega, p->m / length);
        fill_level(s->levels + level_offset(length), length, &root);
    }
    for (unsigned i = 0; i + 1 < p->passes; i++) {
        power(&root, omega, p->m / (p->pass[i].n * p->pass[i].stride));
        fill_powers(s->twist[i], p->pass[i].stride / VFR_W, &one, &root);
    }
}

/* Splits log_m into passes of nearly equal length, the longer ones first. */
static void shape_plan(plan *p, unsigned log_m)
{
    p->base.log_m = log_m;
    p->m = (size_t)1 << log_m;
    p->passes = log_m < NTT_SMALL_LOG ? 0 : log_m <= 2 * NTT_PASS_LOG ? 2 : 3;
    p->longest_log = 0;
    unsigned left = log_m;
    for (unsigned i = 0; i < p->passes; i++) {
        const unsigned rest = p->passes - i, log_n = (left + rest - 1) / rest;
        left -= log_n;
        p->pass[i] = (pass_shape){log_n, (size_t)1 << log_n, (size_t)1 << left};
        if (log_n > p->longest_log)
            p->longest_log = log_n;
    }
}

/* Lays the tables out behind the plan at memory (NULL: only counts). Returns the bytes in all. */
static size_t place_tables(plan *p, uint8_t *memory)
{
    size_t used = cuzk_align_up(sizeof *p);
    if (p->passes == 0)
        return used;
    const size_t longest = (size_t)1 << p->longest_log;
    p->reversed = memory ? (uint16_t *)(void *)(memory + used) : NULL;
    used += cuzk_align_up(longest * sizeof *p->reversed);
    for (unsigned d = 0; d < 2; d++) {
        side *s = &p->sides[d];
        s->levels = memory ? (element *)(void *)(memory + used) : NULL;
        used += cuzk_align_up(level_offset(2 * longest) * sizeof(element));
        for (unsigned i = 0; i + 1 < p->passes; i++) {
            s->twist[i] = memory ? (vfr *)(void *)(memory + used) : NULL;
            used += cuzk_align_up(p->pass[i].stride / VFR_W * sizeof(vfr));
        }
    }
    return used;
}

static size_t plan_bytes(unsigned log_m)
{
    plan p;
    shape_plan(&p, log_m);
    return place_tables(&p, NULL);
}

extern const cuzk_ntt_ops NTT_OPS;

static cuzk_ntt_plan *plan_init(void *memory, unsigned log_m, const cuzk_fr *omega, cuzk_pool *pool)
{
    (void)pool; /* the tables are small: about 4 * sqrt(m) elements */
    CUZK_ASSERT(log_m <= NTT_MAX_LOG);
    plan *p = memory;
    memset(p, 0, sizeof *p);
    shape_plan(p, log_m);
    p->base.ops = &NTT_OPS;
    p->omega[0] = *omega;
    FR(inv_var)(&p->omega[1], omega);
    cuzk_fr m;
    FR(from_u64)(&m, p->m);
    FR(inv_var)(&p->m_inv, &m);
    place_tables(p, memory);
    if (p->passes == 0)
        return &p->base;
    p->reversed[0] = 0;
    for (size_t i = 1; i < (size_t)1 << p->longest_log; i++)
        p->reversed[i] = (uint16_t)(p->reversed[i / 2] / 2 + ((i & 1) << (p->longest_log - 1)));
    const unsigned saved = vfr_begin();
    fill_side(p, &p->sides[0], &p->omega[0]);
    fill_side(p, &p->sides[1], &p->omega[1]);
    vfr_end(saved);
    return &p->base;
}
