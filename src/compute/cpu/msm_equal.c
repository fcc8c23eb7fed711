/* Segments of equal length; see the header. */
#include "compute/cpu/msm_equal.h"

#include "base/status.h"

#include <string.h>

#define ADDITIONS_MIN 512 /* of a class or a tile: below it the inversions show */

/* Of cuzk_equal_plan: per length, the places in order for its segments. */
typedef struct places {
    uint32_t most; /* the longest that is taken */
    uint32_t next[CUZK_EQUAL_LENGTH_MAX + 1], end[CUZK_EQUAL_LENGTH_MAX + 1];
} places;

void cuzk_equal_init(cuzk_equal *e, const cuzk_msm_kernel *kernel, size_t segments,
                     cuzk_arena *arena)
{
    *e = (cuzk_equal){.kernel = kernel};
    e->order = cuzk_arena_take(arena, segments * sizeof *e->order);
    e->class = cuzk_arena_take(arena, CUZK_EQUAL_LENGTH_MAX * sizeof *e->class);
    e->rest_from = cuzk_arena_take(arena, segments * sizeof *e->rest_from);
    e->rest_start = cuzk_arena_take(arena, (segments + 1) * sizeof *e->rest_start);
    e->rest_sum = cuzk_arena_take(arena, segments * sizeof *e->rest_sum);
}

static uint32_t length_of(const cuzk_equal *e, size_t segment)
{
    return e->start[segment + 1] - e->start[segment];
}

static void count_lengths(const cuzk_equal *e, size_t segments, places *p)
{
    memset(p->end, 0, sizeof p->end);
    for (size_t s = 0; s < segments; s++) {
        const uint32_t length = length_of(e, s);
        if (length <= p->most)
            p->end[length]++;
    }
}

static uint32_t smaller(size_t a, size_t b)
{
    return (uint32_t)(a < b ? a : b);
}

static uint32_t larger(size_t a, size_t b)
{
    return (uint32_t)(a > b ? a : b);
}

/* Makes the classes, and turns the counts of p into places. */
static void make_classes(cuzk_equal *e, places *p, uint32_t tile)
{
    uint32_t at = 0;
    e->classes = e->tiles = 0;
    for (uint32_t length = p->most; length > 0; length--) {
        const uint32_t groups = p->end[length] / e->kernel->lanes;
        const uint32_t points = groups * e->kernel->lanes;
        p->next[length] = p->end[length] = at;
        if (length < 2 || (size_t)points * (length - 1) < ADDITIONS_MIN)
            continue;
        cuzk_equal_class *c = &e->class[e->classes++];
        *c = (cuzk_equal_class){.length = length, .first = at, .groups = groups};
        c->per_tile = smaller(groups, larger(1, tile / (e->kernel->lanes * length)));
        c->first_tile = e->tiles;
        e->tiles += (groups + c->per_tile - 1) / c->per_tile;
        at += points;
        p->end[length] = at;
    }
    p->next[0] = p->end[0] = at;
}

static void sort_segments(cuzk_equal *e, cuzk_segsum *s, places *p)
{
    size_t rest = 0;
    uint32_t at = 0;
    for (size_t i = 0; i < s->segments; i++) {
        const uint32_t length = length_of(e, i);
        if (length <= p->most && p->next[length] < p->end[length]) {
            e->order[p->next[length]++] = (uint32_t)i;
            continue;
        }
        e->rest_from[rest] = e->start[i];
        e->rest_start[rest] = at;
        e->rest_sum[rest++] = e->out + i * e->kernel->words;
        at += length;
    }
    e->rest_start[rest] = at;
    s->from = e->rest_from;
    s->start = e->rest_start;
    s->sum = e->rest_sum;
    s->segments = rest;
}

void cuzk_equal_plan(cuzk_equal *e, cuzk_segsum *s, unsigned threads)
{
    e->points = s->points;
    e->entry = s->entry;
    e->start = s->start;
    e->out = s->out;
    const size_t most = cuzk_segsum_tile(e->kernel), entries = s->start[s->segments];
    const uint32_t tile = smaller(most, larger(ADDITIONS_MIN, entries / (4 * (size_t)threads)));
    places p = {.most = smaller(CUZK_EQUAL_LENGTH_MAX, tile / e->kernel->lanes)};
    count_lengths(e, s->segments, &p);
    make_classes(e, &p, tile);
    if (e->classes > 0)
        sort_segments(e, s, &p);
}

/* The groups of a tile. */
typedef struct share {
    const uint32_t *segment;
    size_t groups, length;
} share;

static share share_of(const cuzk_equal *e, size_t tile)
{
    size_t low = 0, high = e->classes;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (e->class[middle].first_tile <= tile)
            low = middle;
        else
            high = middle;
    }
    const cuzk_equal_class *c = &e->class[low];
    const size_t first = (tile - c->first_tile) * c->per_tile;
    return (share){.segment = e->order + c->first + first * e->kernel->lanes,
                   .groups = smaller(c->per_tile, c->groups - first),
                   .length = c->length};
}

static size_t points_of(const cuzk_equal *e, const share *t)
{
    return t->groups * t->length * e->kernel->lanes;
}

/* Writes the references of a tile in the order of sum_equal. */
static void interleave(const cuzk_equal *e, const share *t, cuzk_ref *ref)
{
    const unsigned lanes = e->kernel->lanes;
    for (size_t g = 0; g < t->groups; g++)
        for (unsigned k = 0; k < lanes; k++) {
            const cuzk_ref *entry = e->entry + e->start[t->segment[g * lanes + k]];
            cuzk_ref *to = ref + g * t->length * lanes + k;
            for (size_t i = 0; i < t->length; i++)
                to[i * lanes] = entry[i];
        }
}

/* Segment after segment, for summands that are equal or opposite. */
static void run_carefully(const cuzk_equal *e, const share *t, cuzk_segsum_work *work)
{
    work->segments = t->groups * e->kernel->lanes;
    work->elements = points_of(e, t);
    work->n_soon = 0;
    for (size_t i = 0; i < work->segments; i++) {
        memcpy(work->element + i * t->length, e->entry + e->start[t->segment[i]],
               t->length * sizeof(cuzk_ref));
        work->length[i] = (uint32_t)t->length;
        work->sum[i] = e->out + t->segment[i] * e->kernel->words;
    }
    cuzk_segsum_work_run(work, e->points);
}

static bool run_tile(const cuzk_equal *e, const share *t, const cuzk_ref *ref, const cuzk_ref *soon,
                     size_t n_soon, cuzk_segsum_work *work)
{
    const size_t segments = t->groups * e->kernel->lanes;
    CUZK_ASSERT(points_of(e, t) <= work->capacity);
    CUZK_ASSERT(cuzk_msm_equal_bytes(e->kernel, t->groups, t->length) <=
                work->capacity * e->kernel->words * sizeof(uint64_t));
    for (size_t i = 0; i < segments; i++)
        work->sum[i] = e->out + t->segment[i] * e->kernel->words;
    return e->kernel->sum_equal(work->sum, e->points, ref, t->groups, t->length, soon, n_soon,
                                work->slots, work->products);
}

/* The references of a tile and of the next take turns in work's two lists. */
void cuzk_equal_run_tiles(const cuzk_equal *e, size_t first, size_t end, cuzk_segsum_work *work)
{
    cuzk_ref *ref = work->element, *next_ref = work->pair;
    share t = share_of(e, first), next = {0};
    interleave(e, &t, ref);
    for (size_t tile = first; tile < end; tile++, t = next) {
        size_t n_soon = 0;
        if (tile + 1 < end) {
            next = share_of(e, tile + 1);
            interleave(e, &next, next_ref);
            n_soon = points_of(e, &next);
        }
        if (!run_tile(e, &t, ref, next_ref, n_soon, work)) {
            run_carefully(e, &t, work);
            if (tile + 1 < end)
                interleave(e, &next, next_ref);
        }
        cuzk_ref *const done = ref;
        ref = next_ref;
        next_ref = done;
    }
}
