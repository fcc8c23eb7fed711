/* Classification of scalars, and a counting sort of their digits; see the header. */
#include "compute/cpu/msm_sort.h"

#include <string.h>

#define REGIONS_A_TILE 16u

size_t cuzk_msm_classify_tiles(const cuzk_msm_state *s)
{
    return (s->regions + REGIONS_A_TILE - 1) / REGIONS_A_TILE;
}

static size_t region_end(const cuzk_msm_state *s, size_t region)
{
    const size_t end = (region + 1) * CUZK_MSM_REGION;
    return end < s->job->n ? end : s->job->n;
}

/* The scalars of bases begin .. begin + n - 1. */
static cuzk_packed_range range_of(const cuzk_msm_job *job, size_t begin, size_t n)
{
    const cuzk_packed_range all = {.index = job->index, .first = job->first, .n = job->n};
    return cuzk_packed_part(&all, begin, n);
}

static void count_region(cuzk_msm_state *s, size_t region)
{
    const cuzk_msm_job *job = s->job;
    const size_t begin = region * CUZK_MSM_REGION, n = region_end(s, region) - begin;
    const cuzk_packed_range range = range_of(job, begin, n);
    s->region[region].wide =
        (uint32_t)(job->packed == NULL ? n : cuzk_packed_count(job->packed->map, &range));
}

static void run_regions(cuzk_msm_state *s, size_t tile,
                        void (*run)(cuzk_msm_state *s, size_t region))
{
    for (size_t i = tile * REGIONS_A_TILE; i < (tile + 1) * REGIONS_A_TILE && i < s->regions; i++)
        run(s, i);
}

void cuzk_msm_count_wide(cuzk_msm_state *s, size_t tile)
{
    run_regions(s, tile, count_region);
}

/* What is known of 64 bases at first: those to look at, and ones. */
typedef struct signs {
    uint64_t wide, one, minus;
} signs;

/* Of an array's scalars: 0 and 1 are told apart without branches, which nobody could predict. */
static signs array_signs(const cuzk_msm_job *job, size_t begin, size_t n)
{
    signs found = {0};
    for (size_t i = 0; i < n; i++) {
        const size_t at = job->index != NULL ? job->index[begin + i] : job->first + begin + i;
        const cuzk_scalar *k = &job->scalars[at];
        const uint64_t is_bit = (k->l[0] >> 1 | k->l[1] | k->l[2] | k->l[3]) == 0;
        found.one |= (k->l[0] & is_bit) << i;
        found.wide |= (is_bit ^ 1) << i;
    }
    return found;
}

static signs packed_signs(const cuzk_msm_job *job, size_t begin, size_t n)
{
    const cuzk_packed_range range = range_of(job, begin, n);
    const uint64_t wide = cuzk_packed_wide(job->packed->map, &range);
    return (signs){.wide = wide, .one = cuzk_packed_bits(job->packed, &range) & ~wide};
}

static signs first_signs(const cuzk_msm_state *s, size_t begin, size_t n)
{
    const uint64_t finite = ~s->infinity[begin / 64];
    signs found =
        s->job->packed != NULL ? packed_signs(s->job, begin, n) : array_signs(s->job, begin, n);
    found.wide &= finite;
    found.one &= finite;
    return found;
}

static const cuzk_scalar *scalar_of(const cuzk_msm_job *job, size_t base)
{
    const size_t i = job->index != NULL ? job->index[base] : job->first + base;
    return job->packed != NULL ? cuzk_packed_value(job->packed, i) : &job->scalars[i];
}

/* A base to look at: keeps it if its scalar is wide indeed, and turns it into a one if that is +-1.
 */
static void classify_base(cuzk_msm_state *s, cuzk_msm_region *region, size_t base, signs *found)
{
    cuzk_scalar k = *scalar_of(s->job, base);
    if ((k.l[0] | k.l[1] | k.l[2] | k.l[3]) == 0)
        return;
    const bool minus = cuzk_scalar_take_abs(&k, &s->curve->r, &s->half_order);
    if (k.l[0] == 1 && (k.l[1] | k.l[2] | k.l[3]) == 0) {
        found->one |= (uint64_t)1 << (base % 64);
        found->minus |= (uint64_t)minus << (base % 64);
        return;
    }
    for (unsigned j = 0; j < 4; j++)
        region->bits.l[j] |= k.l[j];
    s->wide[region->place + region->wide] = k;
    s->ref[region->place + region->wide++] = (cuzk_ref)base << 1 | minus;
}

static void classify_region(cuzk_msm_state *s, size_t index)
{
    const size_t end = region_end(s, index);
    cuzk_msm_region region = {.place = s->region[index].place};
    uint32_t ones = 0;
    for (size_t i = 0; i < CUZK_MSM_REGION_WORDS; i++) {
        const size_t word = index * CUZK_MSM_REGION_WORDS + i, begin = 64 * word;
        signs found = {0};
        if (begin < end)
            found = first_signs(s, begin, end - begin < 64 ? end - begin : 64);
        for (uint64_t left = found.wide; left != 0; left &= left - 1)
            classify_base(s, &region, begin + (unsigned)__builtin_ctzll(left), &found);
        s->ones.one[word] = found.one;
        s->ones.minus[word] = found.minus;
        ones += (uint32_t)__builtin_popcountll(found.one);
    }
    s->ones.before[index + 1] = ones;
    s->region[index] = region;
}

void cuzk_msm_classify(cuzk_msm_state *s, size_t tile)
{
    run_regions(s, tile, classify_region);
}

void cuzk_msm_bias(cuzk_msm_state *s, size_t tile)
{
    cuzk_scalar bias;
    cuzk_digits_bias(&bias, s->c, s->windows);
    for (size_t i = tile * REGIONS_A_TILE; i < (tile + 1) * REGIONS_A_TILE && i < s->regions; i++)
        for (size_t k = 0; k < s->region[i].wide; k++)
            cuzk_scalar_add_bias(&s->wide[s->region[i].place + k], &bias);
}

/* The part of the work of a sorting tile. */
typedef struct share {
    size_t chunk, region_begin, region_end;
    unsigned window_begin, window_end; /* within the round */
} share;

size_t cuzk_msm_sort_tiles(const cuzk_msm_state *s)
{
    return s->chunks * s->splits;
}

/* The first region of a chunk: chunks have about as many wide scalars. */
static size_t chunk_begin(const cuzk_msm_state *s, size_t chunk)
{
    const cuzk_msm_region *last = &s->region[s->regions - 1];
    const size_t wide = last->place + last->wide, place = wide * chunk / s->chunks;
    size_t low = 0, high = s->regions;
    if (chunk == s->chunks)
        return s->regions;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->region[middle].place < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static share share_of(const cuzk_msm_state *s, size_t tile)
{
    const size_t chunk = tile / s->splits, split = tile % s->splits;
    return (share){.chunk = chunk,
                   .region_begin = chunk_begin(s, chunk),
                   .region_end = chunk_begin(s, chunk + 1),
                   .window_begin = (unsigned)(s->count * split / s->splits),
                   .window_end = (unsigned)(s->count * (split + 1) / s->splits)};
}

static uint32_t *histogram(const cuzk_msm_state *s, size_t chunk, unsigned window)
{
    return s->histogram + (chunk * s->count + window) * cuzk_msm_buckets(s);
}

void cuzk_msm_count(cuzk_msm_state *s, size_t tile)
{
    const share mine = share_of(s, tile);
    for (unsigned w = mine.window_begin; w < mine.window_end; w++)
        memset(histogram(s, mine.chunk, w), 0, cuzk_msm_buckets(s) * sizeof(uint32_t));
    for (size_t r = mine.region_begin; r < mine.region_end; r++)
        for (unsigned w = mine.window_begin; w < mine.window_end; w++) {
            const cuzk_digit d = cuzk_digit_of(s->first + w, s->c, s->windows);
            const cuzk_scalar *k = s->wide + s->region[r].place;
            uint32_t *count = histogram(s, mine.chunk, w);
            for (size_t i = 0; i < s->region[r].wide; i++) {
                const int64_t value = cuzk_digit_extract(&d, &k[i]);
                if (value != 0)
                    count[cuzk_digit_bucket(value)]++;
            }
        }
}

void cuzk_msm_prefix(cuzk_msm_state *s, unsigned window)
{
    const size_t buckets = cuzk_msm_buckets(s), stride = s->count * buckets;
    uint32_t *start = s->start + window * buckets, *count = histogram(s, 0, window), sum = 0;
    for (size_t b = 0; b < buckets; b++) {
        start[b] = sum;
        for (size_t chunk = 0; chunk < s->chunks; chunk++) {
            uint32_t *here = &count[chunk * stride + b];
            const uint32_t n = *here;
            *here = sum;
            sum += n;
        }
    }
    s->window_count[window] = sum;
}

void cuzk_msm_place_windows(cuzk_msm_state *s)
{
    const size_t buckets = cuzk_msm_buckets(s);
    const size_t segments = s->count * buckets;
    size_t at = 0;
    for (unsigned w = 0; w < s->count; w++) {
        const uint32_t n = s->window_count[w];
        s->window_count[w] = (uint32_t)at;
        for (size_t b = 0; b < buckets; b++)
            s->start[w * buckets + b] += (uint32_t)at;
        at += n;
    }
    s->start[segments] = (uint32_t)at;
    CUZK_ASSERT(at <= s->entry_capacity);
    s->segsum.segments = segments;
}

/* Stores that miss the caches wait for one another; lines asked for in advance come side by side.
 */
#define SCATTER_AHEAD 24

static void fetch_target(const cuzk_ref *entry, const uint32_t *next, int64_t value)
{
    if (value != 0)
        __builtin_prefetch(&entry[next[cuzk_digit_bucket(value)]], 1);
}

void cuzk_msm_scatter(cuzk_msm_state *s, size_t tile)
{
    const share mine = share_of(s, tile);
    for (size_t r = mine.region_begin; r < mine.region_end; r++)
        for (unsigned w = mine.window_begin; w < mine.window_end; w++) {
            const cuzk_digit d = cuzk_digit_of(s->first + w, s->c, s->windows);
            const cuzk_scalar *k = s->wide + s->region[r].place;
            const cuzk_ref *ref = s->ref + s->region[r].place;
            uint32_t *next = histogram(s, mine.chunk, w);
            cuzk_ref *entry = s->entry + s->window_count[w];
            for (size_t i = 0; i < s->region[r].wide; i++) {
                const int64_t value = cuzk_digit_extract(&d, &k[i]);
                if (i + SCATTER_AHEAD < s->region[r].wide)
                    fetch_target(entry, next, cuzk_digit_extract(&d, &k[i + SCATTER_AHEAD]));
                if (value != 0)
                    entry[next[cuzk_digit_bucket(value)]++] = ref[i] ^ (cuzk_ref)(value < 0);
            }
        }
}
