/* Part of ntt_tmpl.h: products of long vectors, and the change between canonical and Montgomery
 * form. */

#define NTT_VECTOR_TILE ((size_t)4096)

/* r[i] = a[i] * (b ? b[i] : 1) * factor. */
typedef struct product {
    cuzk_fr *r;
    const cuzk_fr *a, *b;
    size_t n;
    cuzk_fr factor; /* of single elements */
    vfr lanes;      /* of lane-vectors: 1/R' too where b is */
} product;

static void multiply_tile(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    const product *p = context;
    const size_t end = (tile + 1) * NTT_VECTOR_TILE < p->n ? (tile + 1) * NTT_VECTOR_TILE : p->n;
    size_t i = tile * NTT_VECTOR_TILE;
    const unsigned saved = vfr_begin();
    for (; i + VFR_W <= end; i += VFR_W) {
        vfr x, y;
        vfr_load_seq(&x, p->a[i].l, 4);
        if (p->b != NULL) {
            vfr_load_seq(&y, p->b[i].l, 4);
            vfr_mul(&x, &x, &y);
        }
        vfr_mul(&x, &x, &p->lanes);
        vfr_store_seq(p->r[i].l, 4, &x);
    }
    vfr_end(saved);
    for (; i < end; i++) {
        cuzk_fr x = p->a[i];
        if (p->b != NULL)
            FR(mul)(&x, &x, &p->b[i]);
        FR(mul)(&p->r[i], &x, &p->factor);
    }
}

static void multiply(product *p, cuzk_pool *pool)
{
    cuzk_fr factor = p->factor, shift;
    if (p->b != NULL) {
        FR(from_u64)(&shift, (uint64_t)1 << NTT_R_EXTRA);
        FR(mul)(&factor, &factor, &shift);
    }
    const unsigned saved = vfr_begin();
    set_lanes(&p->lanes, &factor);
    vfr_end(saved);
    cuzk_pool_run(pool, (p->n + NTT_VECTOR_TILE - 1) / NTT_VECTOR_TILE, multiply_tile, p);
}

static void fr_import(cuzk_fr *r, const cuzk_scalar *a, size_t n, cuzk_pool *pool)
{
    product p = {.r = r, .a = (const cuzk_fr *)a, .n = n};
    cuzk_scalar one_words;
    FR(set_one)(&p.factor);
    memcpy(&one_words, &p.factor, sizeof one_words); /* the integer 2^256 mod r */
    FR(from_canon)(&p.factor, &one_words);
    multiply(&p, pool);
}

static void fr_export(cuzk_scalar *r, const cuzk_fr *a, size_t n, cuzk_pool *pool)
{
    product p = {.r = (cuzk_fr *)r, .a = a, .n = n, .factor = {{1, 0, 0, 0}}};
    multiply(&p, pool);
}

static void fr_mul_vec(cuzk_fr *r, const cuzk_fr *a, const cuzk_fr *b, size_t n, cuzk_pool *pool)
{
    product p = {.r = r, .a = a, .b = b, .n = n};
    FR(set_one)(&p.factor);
    multiply(&p, pool);
}
