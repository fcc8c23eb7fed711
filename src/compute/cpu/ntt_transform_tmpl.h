/* Part of ntt_tmpl.h: one transform from an array in memory to another, pass by pass. */

/* What to transform and what to do with it. Sources and targets are packed elements in memory.
 *     x[i] = source[i] * (times_source ? times_source[i] : 1) * (inverse ? 1 : coset^i)
 *     y    = factor * transform of x over omega (inverse: over 1/omega)
 *     z[k] = y[k] * (inverse ? coset^-k : 1)
 *     target[k] = times_target ? times_target[k] * z[k] - target[k] : z[k]
 * coset NULL: 1. factor comes with 1/m where wanted. canonical: z leaves Montgomery form, as what
 * stands in target must have done. */
typedef struct task {
    const plan *plan;
    bool inverse, canonical;
    const cuzk_fr *coset, *source, *times_source, *times_target;
    cuzk_fr factor;
    cuzk_fr *target;
    void *scratch;
    cuzk_pool *pool;
} task;

/* A task under way: the task with its working memory. */
typedef struct run {
    const task *task;
    const side *side;
    unsigned pass;
    vfr *work;  /* all elements between passes */
    vfr *start; /* first twist of each column: factor * coset^c; NULL: factor for all */
    vfr factor;
    vfr ratio[2];      /* inverse coset: what the twist of a column pass advances by beside omega */
    element *in_rows;  /* coset: a factor for each row that the first pass loads; NULL: none */
    element *out_rows; /* inverse coset: the same for each row of the final pass's outputs */
    vfr *tiles;        /* one tile for each worker */
} run;

typedef struct scratch_layout {
    size_t work, start, rows, tiles, tile, total; /* offsets and sizes in bytes */
} scratch_layout;

static scratch_layout lay_out(const plan *p, unsigned threads)
{
    scratch_layout s = {0};
    const size_t longest = (size_t)1 << p->longest_log;
    s.work = 0;
    s.start = s.work + cuzk_align_up(p->m / VFR_W * sizeof(vfr));
    s.rows = s.start + cuzk_align_up(p->pass[0].stride / VFR_W * sizeof(vfr));
    s.tiles = s.rows + cuzk_align_up(longest * sizeof(element));
    s.tile = cuzk_align_up(longest * NTT_VECTORS * sizeof(vfr));
    s.total = s.tiles + threads * s.tile;
    return s;
}

static size_t scratch_bytes(const cuzk_ntt_plan *base, unsigned threads)
{
    const plan *p = (const plan *)base;
    return p->passes == 0 ? 0 : lay_out(p, threads).total;
}

/* --- column passes --- */

/* One row of a tile from the source, elements at .. at + NTT_TILE - 1. */
static inline void load_source(const run *r, vfr *row, size_t at, size_t i)
{
    const task *t = r->task;
    vfr other;
    for (size_t v = 0; v < NTT_VECTORS; v++) {
        vfr_load_seq(&row[v], t->source[at + v * VFR_W].l, 4);
        if (t->times_source != NULL) {
            vfr_load_seq(&other, t->times_source[at + v * VFR_W].l, 4);
            vfr_mul(&row[v], &row[v], &other);
        }
        if (r->in_rows != NULL) {
            broadcast(&other, &r->in_rows[i]);
            vfr_mul(&row[v], &row[v], &other);
        }
    }
}

/* Rows of columns c .. c + NTT_TILE - 1 to the tile, bit-reversed. */
static void load_columns(const run *r, vfr *x, size_t batch, size_t c)
{
    const plan *p = r->task->plan;
    const pass_shape *shape = &p->pass[r->pass];
    const unsigned shift = p->longest_log - shape->log_n;
    for (size_t i = 0; i < shape->n; i++) {
        vfr *row = x + (size_t)(p->reversed[i] >> shift) * NTT_VECTORS;
        const size_t at = (batch * shape->n + i) * shape->stride + c;
        if (r->pass == 0)
            load_source(r, row, at, i);
        else
            memcpy(row, r->work + at / VFR_W, NTT_VECTORS * sizeof *row);
    }
}

/* The twists of one lane-vector of columns for rows j, j + n/4, j + n/2, j + 3n/4: they advance
 * with j. */
typedef struct twist {
    vfr now[4], step;
} twist;

static void start_twist(twist *w, const run *r, size_t c)
{
    const unsigned pass = r->pass;
    w->step = r->side->twist[pass][c / VFR_W];
    if (r->out_rows != NULL)
        vfr_mul(&w->step, &w->step, &r->ratio[pass]);
    if (pass > 0)
        vfr_one(&w->now[0]);
    else if (r->start != NULL)
        w->now[0] = r->start[c / VFR_W];
    else
        w->now[0] = r->factor;
    vfr jump = w->step;
    for (size_t i = 1; i < r->task->plan->pass[pass].n / 4; i *= 2)
        vfr_sqr(&jump, &jump);
    for (unsigned i = 1; i < 4; i++)
        vfr_mul(&w->now[i], &w->now[i - 1], &jump);
}

static void store_columns(const run *r, const vfr *x, size_t batch, size_t c)
{
    const pass_shape *shape = &r->task->plan->pass[r->pass];
    const size_t n = shape->n, step = n / 4 * shape->stride / VFR_W;
    twist w[NTT_VECTORS];
    for (size_t v = 0; v < NTT_VECTORS; v++)
        start_twist(&w[v], r, c + v * VFR_W);
    vfr *out = r->work + (batch * n * shape->stride + c) / VFR_W;
    for (size_t j = 0; j < n / 4; j++, out += shape->stride / VFR_W)
        for (size_t v = 0; v < NTT_VECTORS; v++) {
            vfr y[4];
            last_lazy(y, &x[j * NTT_VECTORS + v], n, j, r->side);
            for (unsigned i = 0; i < 4; i++) {
                vfr_mul(&out[i * step + v], &y[i], &w[v].now[i]);
                vfr_mul(&w[v].now[i], &w[v].now[i], &w[v].step);
            }
        }
}

static void column_tile(void *context, size_t tile, unsigned worker)
{
    const run *r = context;
    const plan *p = r->task->plan;
    const pass_shape *shape = &p->pass[r->pass];
    const size_t in_batch = shape->stride / NTT_TILE;
    const size_t batch = tile / in_batch, c = tile % in_batch * NTT_TILE;
    vfr *x = r->tiles + worker * (NTT_VECTORS << p->longest_log);
    const unsigned saved = vfr_begin();
    load_columns(r, x, batch, c);
    transform_quarters(x, shape->n, r->side);
    store_columns(r, x, batch, c);
    vfr_end(saved);
}

/* --- the final pass --- */

/* The rows k1 .. k1 + NTT_TILE - 1 to the lanes of the tile: tile row i is their element i,
 * bit-reversed. */
static void load_rows(const run *r, vfr *x, size_t k1, size_t k2)
{
    const plan *p = r->task->plan;
    const pass_shape *shape = &p->pass[p->passes - 1];
    const unsigned shift = p->longest_log - shape->log_n;
    const size_t row_vectors = p->pass[0].stride / VFR_W;
    for (size_t v = 0; v < NTT_VECTORS; v++) {
        const vfr *in = r->work + (k1 + v * VFR_W) * row_vectors + k2 * (shape->n / VFR_W);
        for (size_t i = 0; i < shape->n; i += VFR_W, in++) {
            vfr block[VFR_W];
            for (unsigned l = 0; l < VFR_W; l++)
                block[l] = in[l * row_vectors];
            vfr_transpose(block);
            for (unsigned l = 0; l < VFR_W; l++)
                x[(size_t)(p->reversed[i + l] >> shift) * NTT_VECTORS + v] = block[l];
        }
    }
}

/* Outputs at target[at ..], the k3-th of the last index. y: below 6p. */
static inline void emit(const run *r, vfr *y, size_t at, size_t k3)
{
    const task *t = r->task;
    vfr other;
    if (r->out_rows != NULL) {
        broadcast(&other, &r->out_rows[k3]);
        vfr_mul(y, y, &other);
    }
    if (t->times_target != NULL) {
        vfr_load_seq(&other, t->times_target[at].l, 4);
        vfr_mul(y, y, &other);
        vfr_load_seq(&other, t->target[at].l, 4);
        vfr_sub(y, y, &other);
    } else {
        vfr_reduce(y, y);
    }
    vfr_store_seq(t->target[at].l, 4, y);
}

static void final_tile(void *context, size_t tile, unsigned worker)
{
    const run *r = context;
    const plan *p = r->task->plan;
    const size_t n = p->pass[p->passes - 1].n, rows = p->pass[0].n, step = p->m / n;
    const size_t k1 = tile % (rows / NTT_TILE) * NTT_TILE, k2 = tile / (rows / NTT_TILE);
    vfr *x = r->tiles + worker * (NTT_VECTORS << p->longest_log);
    const unsigned saved = vfr_begin();
    load_rows(r, x, k1, k2);
    transform_quarters(x, n, r->side);
    for (size_t j = 0; j < n / 4; j++)
        for (size_t v = 0; v < NTT_VECTORS; v++) {
            vfr y[4];
            last_bounded(y, &x[j * NTT_VECTORS + v], n, j, r->side);
            for (size_t i = 0; i < 4; i++) {
                const size_t k3 = j + i * (n / 4);
                emit(r, &y[i], k1 + v * VFR_W + rows * k2 + step * k3, k3);
            }
        }
    vfr_end(saved);
}

/* --- the whole --- */

/* Everything that the outcome is to be multiplied by, the debts of raw words included. */
static void whole_factor(cuzk_fr *factor, const task *t, unsigned r_extra)
{
    const cuzk_fr one = {{1, 0, 0, 0}}; /* as a Montgomery element: 2^-256 */
    cuzk_fr shift;
    FR(from_u64)(&shift, (uint64_t)1 << r_extra);
    *factor = t->factor;
    if (t->times_source != NULL)
        FR(mul)(factor, factor, &shift);
    if (t->times_target != NULL)
        FR(mul)(factor, factor, &shift);
    if (t->canonical)
        FR(mul)(factor, factor, &one);
}

/* coset^i = (coset^stride)^i1 * coset^c: by row when loaded, by column in the first twist. */
static void prepare_coset(run *r, const task *t, const cuzk_fr *factor)
{
    const pass_shape *first = &t->plan->pass[0];
    cuzk_fr one, row_base;
    FR(set_one)(&one);
    power(&row_base, t->coset, first->stride);
    fill_powers(r->start, first->stride / VFR_W, factor, t->coset);
    fill_elements(r->in_rows, first->n, &one, &row_base);
}

/* coset^-k: the twists of the column passes take k1 and k2, the outputs what is left. */
static void prepare_inverse_coset(run *r, const task *t)
{
    const plan *p = t->plan;
    const pass_shape *last = &p->pass[p->passes - 1];
    cuzk_fr one, base, x;
    FR(set_one)(&one);
    FR(inv_var)(&base, t->coset);
    set_lanes(&r->ratio[0], &base);
    power(&x, &base, p->pass[0].n);
    set_lanes(&r->ratio[1], &x);
    power(&x, &base, p->m / last->n);
    fill_elements(r->out_rows, last->n, &one, &x);
}

static void prepare_run(run *r, const task *t)
{
    const plan *p = t->plan;
    const scratch_layout s = lay_out(p, t->pool == NULL ? 1 : cuzk_pool_threads(t->pool));
    uint8_t *base = t->scratch;
    cuzk_fr factor;
    *r = (run){.task = t, .side = &p->sides[t->inverse]};
    r->work = (vfr *)(void *)(base + s.work);
    r->tiles = (vfr *)(void *)(base + s.tiles);
    const unsigned saved = vfr_begin();
    whole_factor(&factor, t, NTT_R_EXTRA);
    set_lanes(&r->factor, &factor);
    if (t->coset != NULL && t->inverse) {
        r->out_rows = (element *)(void *)(base + s.rows);
        prepare_inverse_coset(r, t);
    } else if (t->coset != NULL) {
        r->start = (vfr *)(void *)(base + s.start);
        r->in_rows = (element *)(void *)(base + s.rows);
        prepare_coset(r, t, &factor);
    }
    vfr_end(saved);
}

static void transform_small(const task *t);

static void transform(const task *t)
{
    const plan *p = t->plan;
    if (p->passes == 0) {
        transform_small(t);
        return;
    }
    run r;
    prepare_run(&r, t);
    for (r.pass = 0; r.pass + 1 < p->passes; r.pass++)
        cuzk_pool_run(t->pool, p->m / p->pass[r.pass].n / NTT_TILE, column_tile, &r);
    cuzk_pool_run(t->pool, p->m / p->pass[r.pass].n / NTT_TILE, final_tile, &r);
}
