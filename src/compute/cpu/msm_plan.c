/* The plan of one MSM: capacities before the scalars are seen, windows and rounds after. */
#include "compute/cpu/msm_plan.h"

#include <string.h>

#define ENTRIES_A_ROUND ((size_t)1 << 22) /* sorted at a time, if there is more than one window */
#define BUCKETS_A_ROUND ((size_t)1 << 18)
#define CHUNKS_MAX      32u
#define WINDOWS_MAX     128u /* of 2 bits */
#define POSITIONS_MAX   (256u + 2 * CUZK_WINDOW_MAX)

/* In additions of buckets' points: sorting costs a seventh of one per entry; reduction three per
 * bucket, for its two additions are dearer. */
static double cost(const cuzk_scalar *bits, size_t n, unsigned c)
{
    const double buckets = (double)((size_t)1 << (c - 1));
    return cuzk_digits_windows(bits, c) * (1.15 * (double)n + 3.0 * buckets);
}

/* The best c up to `most` for n wide scalars with these bits. */
static unsigned choose_window(const cuzk_scalar *bits, size_t n, unsigned most)
{
    unsigned best = CUZK_WINDOW_MIN;
    for (unsigned c = CUZK_WINDOW_MIN + 1; c <= most; c++)
        if (cost(bits, n, c) < cost(bits, n, best))
            best = c;
    return best;
}

static unsigned smaller_unsigned(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Capacities for whatever the scalars turn out to be: c is at most the best one for as many as can
 * be wide, all of full size, and a round takes as many windows as fit, at least one. */
static void set_capacities(cuzk_msm_state *s)
{
    const size_t n = larger(s->wide_capacity, 1);
    s->c_most = choose_window(&s->half_order, n, CUZK_WINDOW_MAX);
    const size_t windows = cuzk_digits_windows(&s->half_order, s->c_most);
    const size_t buckets = (size_t)1 << (s->c_most - 1);
    s->entry_capacity = n * larger(1, smaller(windows, ENTRIES_A_ROUND / n));
    s->bucket_capacity = larger(buckets, smaller(windows * buckets, BUCKETS_A_ROUND));
    s->histogram_capacity =
        larger(s->bucket_capacity,
               smaller(s->bucket_capacity * smaller(2 * (size_t)s->threads, CHUNKS_MAX),
                       s->entry_capacity / 2));
    s->tile_capacity = cuzk_segsum_tiles_max(s->kernel, s->entry_capacity, s->threads);
}

static void take_segsum(cuzk_segsum *s, const cuzk_msm_kernel *kernel, size_t tiles,
                        cuzk_arena *arena)
{
    const size_t parts = 2 * tiles, point = kernel->words * sizeof(uint64_t);
    s->kernel = kernel;
    for (unsigned i = 0; i < 2; i++) {
        s->part[i] = cuzk_arena_take(arena, parts * point);
        s->part_sum[i] = cuzk_arena_take(arena, parts * sizeof(uint64_t *));
    }
    s->next_entry = cuzk_arena_take(arena, parts * sizeof(cuzk_ref));
    s->next_start = cuzk_arena_take(arena, (parts + 1) * sizeof(uint32_t));
    s->next_sum = cuzk_arena_take(arena, parts * sizeof(uint64_t *));
}

static void take_ones(cuzk_msm_state *s, cuzk_arena *arena)
{
    const size_t words = s->regions * CUZK_MSM_REGION_WORDS;
    s->ones.regions = s->regions;
    s->ones.one = cuzk_arena_take(arena, words * sizeof(uint64_t));
    s->ones.minus = cuzk_arena_take(arena, words * sizeof(uint64_t));
    s->ones.before = cuzk_arena_take(arena, (s->regions + 1) * sizeof(uint32_t));
    s->ones_sum = cuzk_arena_take(arena, s->kernel->words * sizeof(uint64_t));
    take_segsum(&s->ones_segsum, s->kernel, cuzk_segsum_tiles_max(s->kernel, s->job->n, s->threads),
                arena);
}

void cuzk_msm_state_init(cuzk_msm_state *s, const cuzk_curve *curve, const cuzk_msm_job *job,
                         unsigned threads, cuzk_arena *arena)
{
    const size_t n = job->n;
    CUZK_ASSERT(n <= CUZK_MSM_MAX_POINTS && (job->packed == NULL || job->n_wide <= n));
    *s = (cuzk_msm_state){.job = job, .curve = curve, .threads = threads};
    s->kernel = cuzk_msm_kernel_get(curve, job->group);
    cuzk_scalar_half_order(&s->half_order, &curve->r);
    s->wide_capacity = job->packed != NULL ? job->n_wide : n;
    set_capacities(s);
    const size_t point = s->kernel->words * sizeof(uint64_t);
    s->regions = (n + CUZK_MSM_REGION - 1) / CUZK_MSM_REGION;
    s->points = job->bases;
    if (n > 0)
        s->infinity = s->points + cuzk_bases_points_bytes(s->kernel, n) / sizeof *s->points;
    s->region = cuzk_arena_take(arena, s->regions * sizeof(cuzk_msm_region));
    s->wide = cuzk_arena_take(arena, s->wide_capacity * sizeof(cuzk_scalar));
    s->ref = cuzk_arena_take(arena, s->wide_capacity * sizeof(cuzk_ref));
    s->entry = cuzk_arena_take(arena, s->entry_capacity * sizeof(cuzk_ref));
    s->histogram = cuzk_arena_take(arena, s->histogram_capacity * sizeof(uint32_t));
    s->start = cuzk_arena_take(arena, (s->bucket_capacity + 1) * sizeof(uint32_t));
    s->window_count = cuzk_arena_take(arena, WINDOWS_MAX * sizeof(uint32_t));
    s->bucket = cuzk_arena_take(arena, s->bucket_capacity * point);
    s->position = cuzk_arena_take(arena, POSITIONS_MAX * point);
    cuzk_equal_init(&s->equal, s->kernel, s->bucket_capacity, arena);
    take_segsum(&s->segsum, s->kernel, s->tile_capacity, arena);
    take_ones(s, arena);
}

/* Windows per round, so that entries and buckets fit, and all rounds are alike. */
static void choose_rounds(cuzk_msm_state *s)
{
    const size_t by_entries = s->entry_capacity / s->n_wide;
    const size_t by_buckets = s->bucket_capacity / cuzk_msm_buckets(s);
    const size_t most = smaller(s->windows, smaller(by_entries, by_buckets));
    CUZK_ASSERT(most >= 1);
    const size_t rounds = (s->windows + most - 1) / most;
    s->per_round = (unsigned)((s->windows + rounds - 1) / rounds);
}

void cuzk_msm_state_place(cuzk_msm_state *s)
{
    size_t place = 0;
    for (size_t i = 0; i < s->regions; i++) {
        s->region[i].place = (uint32_t)place;
        place += s->region[i].wide;
    }
    CUZK_ASSERT(place <= s->wide_capacity);
}

/* The sum of the ones is one segment, if there are any. */
static void start_ones(cuzk_msm_state *s)
{
    cuzk_ones_rank(&s->ones);
    s->ones_start[1] = s->ones.before[s->regions];
    s->ones_pending = s->ones_start[1] > 0;
    memset(s->ones_sum, 0, s->kernel->words * sizeof(uint64_t));
    if (!s->ones_pending)
        return;
    s->ones_segsum.points = s->points;
    s->ones_segsum.ones = &s->ones;
    s->ones_segsum.start = s->ones_start;
    s->ones_segsum.segments = 1;
    s->ones_segsum.out = s->ones_sum;
    cuzk_segsum_cut(&s->ones_segsum, s->threads);
}

void cuzk_msm_state_choose(cuzk_msm_state *s)
{
    cuzk_scalar bits = {{0}};
    for (size_t i = 0; i < s->regions; i++) {
        s->n_wide += s->region[i].wide;
        for (unsigned j = 0; j < 4; j++)
            bits.l[j] |= s->region[i].bits.l[j];
    }
    s->c = choose_window(&bits, s->n_wide, s->c_most);
    s->windows = s->n_wide == 0 ? 0 : cuzk_digits_windows(&bits, s->c);
    CUZK_ASSERT(s->windows <= WINDOWS_MAX && (size_t)s->windows * s->c <= POSITIONS_MAX);
    if (s->windows > 0)
        choose_rounds(s);
    start_ones(s);
}

/* Sorting tiles: a chunk of regions has a histogram for all windows of the round, which must be
 * worth its entries; what is missing for all threads to have work comes from splitting the windows.
 */
static void choose_sorting(cuzk_msm_state *s)
{
    const size_t round_buckets = s->count * cuzk_msm_buckets(s), wanted = 2 * (size_t)s->threads;
    const size_t by_memory = s->histogram_capacity / round_buckets;
    const size_t by_worth = s->n_wide / (2 * cuzk_msm_buckets(s)) + 1;
    s->chunks = smaller(smaller(wanted, s->regions), smaller(by_memory, by_worth));
    s->splits = smaller((wanted + s->chunks - 1) / s->chunks, s->count);
    CUZK_ASSERT(s->chunks >= 1 && s->chunks * round_buckets <= s->histogram_capacity);
}

bool cuzk_msm_state_next_round(cuzk_msm_state *s)
{
    const bool begins = !s->started;
    s->first += s->count;
    s->count = smaller_unsigned(s->per_round, s->windows - s->first);
    s->started = true;
    s->finished = s->count == 0 && !(begins && s->ones_pending);
    if (s->count > 0)
        choose_sorting(s);
    return !s->finished;
}
