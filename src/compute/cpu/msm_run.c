/* Multi-scalar multiplication: buckets by signed windows (Pippenger), the buckets' sums by trees of
 * affine additions. All jobs go through the same phases side by side; a phase is one run of the
 * pool over the tiles of all jobs, so that jobs of any sizes share the threads. */
#include "compute/msm.h"

#include "compute/cpu/msm_plan.h"
#include "compute/cpu/msm_sort.h"

#include <string.h>

typedef struct msm_run {
    cuzk_msm_state *state; /* G2 first: its tiles take longest */
    size_t n;
    size_t *offset; /* first tile of each job in this phase; n + 1 */
    unsigned threads;
    uint8_t *work; /* work_bytes per worker */
    size_t work_bytes;
    void (*tile)(struct msm_run *run, cuzk_msm_state *s, size_t tile, unsigned worker);
    cuzk_pool *pool;
} msm_run;

static void run_tile(void *context, size_t tile, unsigned worker)
{
    msm_run *run = context;
    size_t job = 0;
    while (tile >= run->offset[job + 1])
        job++;
    run->tile(run, &run->state[job], tile - run->offset[job], worker);
}

/* Runs tile(i) for i < tiles(job) of all unfinished jobs. */
static void run_phase(msm_run *run, size_t (*tiles)(const cuzk_msm_state *s),
                      void (*tile)(msm_run *run, cuzk_msm_state *s, size_t tile, unsigned worker))
{
    run->offset[0] = 0;
    for (size_t i = 0; i < run->n; i++) {
        const size_t n = run->state[i].finished ? 0 : tiles(&run->state[i]);
        run->offset[i + 1] = run->offset[i] + n;
    }
    run->tile = tile;
    cuzk_pool_run(run->pool, run->offset[run->n], run_tile, run);
}

static cuzk_segsum_work work_of(const msm_run *run, const cuzk_msm_state *s, unsigned worker)
{
    cuzk_segsum_work work;
    cuzk_segsum_work_init(&work, s->kernel, cuzk_segsum_tile(s->kernel),
                          run->work + worker * run->work_bytes);
    return work;
}

static void count_wide_tile(msm_run *run, cuzk_msm_state *s, size_t tile, unsigned worker)
{
    (void)run;
    (void)worker;
    cuzk_msm_count_wide(s, tile);
}

static void classify_tile(msm_run *run, cuzk_msm_state *s, size_t tile, unsigned worker)
{
    (void)run;
    (void)worker;
    cuzk_msm_classify(s, tile);
}

static void bias_tile(msm_run *run, cuzk_msm_state *s, size_t tile, unsigned worker)
{
    (void)run;
    (void)worker;
    cuzk_msm_bias(s, tile);
}

static size_t sort_tiles(const cuzk_msm_state *s)
{
    return s->count == 0 ? 0 : cuzk_msm_sort_tiles(s);
}

static void count_tile(msm_run *run, cuzk_msm_state *s, size_t tile, unsigned worker)
{
    (void)run;
    (void)worker;
    cuzk_msm_count(s, tile);
}

static size_t prefix_tiles(const cuzk_msm_state *s)
{
    return s->count;
}

static void prefix_tile(msm_run *run, cuzk_msm_state *s, size_t tile, unsigned worker)
{
    (void)run;
    (void)worker;
    cuzk_msm_prefix(s, (unsigned)tile);
}

/* Plans the sums. They need to know how many entries there are, not which. */
static void plan_sums(msm_run *run, cuzk_msm_state *s)
{
    cuzk_equal_plan(&s->equal, &s->segsum, run->threads);
    cuzk_segsum_cut(&s->segsum, run->threads);
    CUZK_ASSERT(s->segsum.tiles <= s->tile_capacity);
}

/* One tile more plans the sums. */
static size_t scatter_tiles(const cuzk_msm_state *s)
{
    return 1 + sort_tiles(s);
}

static void scatter_tile(msm_run *run, cuzk_msm_state *s, size_t tile, unsigned worker)
{
    (void)worker;
    if (tile == 0)
        plan_sums(run, s);
    else
        cuzk_msm_scatter(s, tile - 1);
}

/* Tiles that one worker does one after the other, each fetching the points of the next meanwhile;
 * few enough that all threads end together. */
static size_t span_of(const cuzk_msm_state *s, size_t tiles)
{
    const size_t span = tiles / (8 * (size_t)s->threads);
    return span < 1 ? 1 : span < 8 ? span : 8;
}

static size_t spans(const cuzk_msm_state *s, size_t tiles)
{
    const size_t span = span_of(s, tiles);
    return (tiles + span - 1) / span;
}

/* The spans of a round: of its ones, of its buckets of equal length, of the other buckets. */
typedef struct round_spans {
    size_t ones, equal, rest;
} round_spans;

static round_spans spans_of(const cuzk_msm_state *s)
{
    round_spans n = {0};
    if (s->ones_pending)
        n.ones = spans(s, s->ones_segsum.tiles);
    if (s->segsum_pending) {
        n.equal = spans(s, s->equal.tiles);
        n.rest = spans(s, s->segsum.tiles);
    }
    return n;
}

static size_t segsum_tiles(const cuzk_msm_state *s)
{
    const round_spans n = spans_of(s);
    return n.ones + n.equal + n.rest;
}

static void run_span(const cuzk_msm_state *s, const cuzk_segsum *sums, size_t number,
                     cuzk_segsum_work *work)
{
    const size_t span = span_of(s, sums->tiles), first = number * span;
    const size_t end = first + span < sums->tiles ? first + span : sums->tiles;
    for (size_t i = first; i < end; i++)
        cuzk_segsum_run_tile(sums, i, i + 1 < end, work);
}

static void run_equal_span(const cuzk_msm_state *s, size_t number, cuzk_segsum_work *work)
{
    const size_t tiles = s->equal.tiles, span = span_of(s, tiles), first = number * span;
    cuzk_equal_run_tiles(&s->equal, first, first + span < tiles ? first + span : tiles, work);
}

static void segsum_tile(msm_run *run, cuzk_msm_state *s, size_t tile, unsigned worker)
{
    cuzk_segsum_work work = work_of(run, s, worker);
    const round_spans n = spans_of(s);
    if (tile < n.ones)
        run_span(s, &s->ones_segsum, tile, &work);
    else if (tile < n.ones + n.equal)
        run_equal_span(s, tile - n.ones, &work);
    else
        run_span(s, &s->segsum, tile - n.ones - n.equal, &work);
}

static size_t reduce_tiles(const cuzk_msm_state *s)
{
    return s->reduce_pending ? s->reduce.tiles : 0;
}

static void reduce_tile(msm_run *run, cuzk_msm_state *s, size_t tile, unsigned worker)
{
    cuzk_segsum_work work = work_of(run, s, worker);
    cuzk_reduce_run_tile(&s->reduce, tile, &work);
}

static void start_segsum(cuzk_msm_state *s)
{
    cuzk_msm_place_windows(s);
    s->segsum.points = s->points;
    s->segsum.entry = s->entry;
    s->segsum.start = s->start;
    s->segsum.from = NULL;
    s->segsum.sum = NULL;
    s->segsum.out = s->bucket;
    s->segsum.pass = 0;
    s->segsum_pending = true;
}

/* After the tiles of a pass: whether another follows. */
static bool next_pass(msm_run *run, cuzk_msm_state *s)
{
    s->equal.tiles = 0;
    s->segsum_pending = s->segsum_pending && cuzk_segsum_next(&s->segsum, run->threads);
    s->ones_pending = s->ones_pending && cuzk_segsum_next(&s->ones_segsum, run->threads);
    return s->segsum_pending || s->ones_pending;
}

/* Fills the buckets of the round, and in the first adds up the ones. */
static void sum_buckets(msm_run *run)
{
    bool more = true;
    while (more) {
        run_phase(run, segsum_tiles, segsum_tile);
        more = false;
        for (size_t i = 0; i < run->n; i++)
            more |= !run->state[i].finished && next_pass(run, &run->state[i]);
    }
}

static void start_reduce(msm_run *run, cuzk_msm_state *s)
{
    s->reduce_pending = s->count > 0;
    if (!s->reduce_pending)
        return;
    s->reduce.kernel = s->kernel;
    s->reduce.points = s->bucket;
    s->reduce.position = s->position + (size_t)s->first * s->c * s->kernel->words;
    s->reduce.log_window = s->c - 1;
    cuzk_reduce_start(&s->reduce, s->count, run->threads);
}

/* From the buckets of the round to positions. */
static void reduce_buckets(msm_run *run)
{
    bool more = true;
    while (more) {
        run_phase(run, reduce_tiles, reduce_tile);
        more = false;
        for (size_t i = 0; i < run->n; i++) {
            cuzk_msm_state *s = &run->state[i];
            s->reduce_pending =
                s->reduce_pending && !s->finished && cuzk_reduce_next(&s->reduce, run->threads);
            more |= s->reduce_pending;
        }
    }
}

static void run_round(msm_run *run)
{
    run_phase(run, sort_tiles, count_tile);
    run_phase(run, prefix_tiles, prefix_tile);
    for (size_t i = 0; i < run->n; i++)
        if (!run->state[i].finished)
            start_segsum(&run->state[i]);
    run_phase(run, scatter_tiles, scatter_tile);
    sum_buckets(run);
    for (size_t i = 0; i < run->n; i++)
        if (!run->state[i].finished)
            start_reduce(run, &run->state[i]);
    reduce_buckets(run);
}

static bool next_round(msm_run *run)
{
    bool any = false;
    for (size_t i = 0; i < run->n; i++)
        any |= cuzk_msm_state_next_round(&run->state[i]);
    return any;
}

static void finish_job(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    const msm_run *run = context;
    const cuzk_msm_state *s = &run->state[tile];
    s->kernel->horner(s->job->result, s->position, (size_t)s->windows * s->c, s->ones_sum);
}

/* Takes all memory: states in the order of their costs, and the workers' parts. */
static void lay_out(msm_run *run, const cuzk_curve *curve, const cuzk_msm_job *jobs, size_t n,
                    cuzk_arena *arena)
{
    cuzk_msm_state measured;
    run->n = n;
    run->state = cuzk_arena_take(arena, n * sizeof *run->state);
    run->offset = cuzk_arena_take(arena, (n + 1) * sizeof *run->offset);
    run->work_bytes = 0;
    size_t at = 0;
    for (int group = CUZK_G2; group >= CUZK_G1; group--)
        for (size_t i = 0; i < n; i++) {
            if ((int)jobs[i].group != group)
                continue;
            cuzk_msm_state *s = run->state == NULL ? &measured : &run->state[at++];
            cuzk_msm_state_init(s, curve, &jobs[i], run->threads, arena);
            const size_t bytes = cuzk_segsum_work_bytes(s->kernel, cuzk_segsum_tile(s->kernel));
            if (run->work_bytes < bytes)
                run->work_bytes = bytes;
        }
    run->work = cuzk_arena_take(arena, run->threads * run->work_bytes);
}

size_t cuzk_msm_scratch(const cuzk_curve *curve, const cuzk_msm_job *jobs, size_t n_jobs,
                        unsigned threads)
{
    msm_run run = {.threads = threads};
    cuzk_arena arena = cuzk_arena_measure();
    lay_out(&run, curve, jobs, n_jobs, &arena);
    return arena.used;
}

void cuzk_msm(const cuzk_curve *curve, const cuzk_msm_job *jobs, size_t n_jobs, void *scratch,
              cuzk_pool *pool)
{
    msm_run run = {.threads = pool == NULL ? 1 : cuzk_pool_threads(pool), .pool = pool};
    cuzk_arena arena = cuzk_arena_over(scratch, SIZE_MAX);
    lay_out(&run, curve, jobs, n_jobs, &arena);
    run_phase(&run, cuzk_msm_classify_tiles, count_wide_tile);
    for (size_t i = 0; i < n_jobs; i++)
        cuzk_msm_state_place(&run.state[i]);
    run_phase(&run, cuzk_msm_classify_tiles, classify_tile);
    for (size_t i = 0; i < n_jobs; i++)
        cuzk_msm_state_choose(&run.state[i]);
    run_phase(&run, cuzk_msm_classify_tiles, bias_tile);
    while (next_round(&run))
        run_round(&run);
    cuzk_pool_run(pool, n_jobs, finish_job, &run);
}
