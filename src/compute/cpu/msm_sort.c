/* Classification of scalars, and a counting sort of their digits; see the header. */
#include "compute/cpu/msm_sort.h"

#include <string.h>

#define REGIONS_A_TILE 16u

size_t cuzk_msm_classify_tiles(const cuzk_msm_state *s)
{
    return (s->regions + REGIONS_A_TILE - 1) / REGIONS_A_TILE;
}

static void classify_region(cuzk_msm_state *s, size_t index)
{
    const cuzk_msm_job *job = s->job;
    const size_t begin = index * CUZK_MSM_REGION;
    const size_t end = begin + CUZK_MSM_REGION < job->n ? begin + CUZK_MSM_REGION : job->n;
    size_t wide = begin, ones = end;
    cuzk_msm_region region = {0};
    for (size_t i = begin; i < end; i++) {
        cuzk_scalar k = job->scalars[job->index != NULL ? job->index[i] : i];
        if ((k.l[0] | k.l[1] | k.l[2] | k.l[3]) == 0 || (s->infinity[i / 64] >> (i % 64) & 1))
            continue;
        const bool minus = cuzk_scalar_take_abs(&k, &s->curve->r, &s->half_order);
        const cuzk_ref ref = (cuzk_ref)i << 1 | minus;
        if (k.l[0] == 1 && (k.l[1] | k.l[2] | k.l[3]) == 0) {
            s->ref[--ones] = ref;
            continue;
        }
        for (unsigned j = 0; j < 4; j++)
            region.bits.l[j] |= k.l[j];
        s->wide[wide] = k;
        s->ref[wide++] = ref;
    }
    region.wide = (uint32_t)(wide - begin);
    region.ones = (uint32_t)(end - ones);
    s->region[index] = region;
}

void cuzk_msm_classify(cuzk_msm_state *s, size_t tile)
{
    for (size_t i = tile * REGIONS_A_TILE; i < (tile + 1) * REGIONS_A_TILE && i < s->regions; i++)
        classify_region(s, i);
}

void cuzk_msm_bias(cuzk_msm_state *s, size_t tile)
{
    cuzk_scalar bias;
    cuzk_digits_bias(&bias, s->c, s->windows);
    for (size_t i = tile * REGIONS_A_TILE; i < (tile + 1) * REGIONS_A_TILE && i < s->regions; i++)
        for (size_t k = 0; k < s->region[i].wide; k++)
            cuzk_scalar_add_bias(&s->wide[i * CUZK_MSM_REGION + k], &bias);
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

static share share_of(const cuzk_msm_state *s, size_t tile)
{
    const size_t chunk = tile / s->splits, split = tile % s->splits;
    return (share){.chunk = chunk,
                   .region_begin = s->regions * chunk / s->chunks,
                   .region_end = s->regions * (chunk + 1) / s->chunks,
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
            const cuzk_scalar *k = s->wide + r * CUZK_MSM_REGION;
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
    size_t at = 0, segments = s->count * buckets;
    for (unsigned w = 0; w < s->count; w++) {
        const uint32_t n = s->window_count[w];
        s->window_count[w] = (uint32_t)at;
        for (size_t b = 0; b < buckets; b++)
            s->start[w * buckets + b] += (uint32_t)at;
        at += n;
    }
    s->start[segments] = (uint32_t)at;
    if (s->first == 0 && s->n_one > 0) {
        at += s->n_one;
        s->start[++segments] = (uint32_t)at;
    }
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
            const cuzk_scalar *k = s->wide + r * CUZK_MSM_REGION;
            const cuzk_ref *ref = s->ref + r * CUZK_MSM_REGION;
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

void cuzk_msm_scatter_ones(cuzk_msm_state *s)
{
    cuzk_ref *to = s->entry + s->start[s->count * cuzk_msm_buckets(s)];
    for (size_t r = 0; r < s->regions; r++) {
        const size_t begin = r * CUZK_MSM_REGION;
        const size_t end =
            begin + CUZK_MSM_REGION < s->job->n ? begin + CUZK_MSM_REGION : s->job->n;
        memcpy(to, s->ref + end - s->region[r].ones, s->region[r].ones * sizeof *to);
        to += s->region[r].ones;
    }
}
