/* Segment sums; see the header. A tile's rounds halve every segment; a segment of one element is
 * done and leaves. */
#include "compute/cpu/msm_segsum.h"

#include "base/status.h"
#include "compute/cpu/msm_arena.h"

#include <string.h>

#define TILE_BYTES ((size_t)384 << 10) /* of slots; measured: flat from half to twice this */
#define TILE_MIN   512                 /* elements: below it the inversions show */

size_t cuzk_segsum_tile(const cuzk_msm_kernel *kernel)
{
    return TILE_BYTES / (kernel->words * sizeof(uint64_t));
}

static void lay_out(cuzk_segsum_work *work, cuzk_arena *arena)
{
    const size_t n = work->capacity;
    work->element = cuzk_arena_take(arena, n * sizeof(cuzk_ref));
    work->length = cuzk_arena_take(arena, n * sizeof(uint32_t));
    work->sum = cuzk_arena_take(arena, n * sizeof(uint64_t *));
    work->pair = cuzk_arena_take(arena, n * sizeof(cuzk_ref));
    work->ahead = cuzk_arena_take(arena, n * sizeof(cuzk_ref));
    work->slots = cuzk_arena_take(arena, n * work->kernel->words * sizeof(uint64_t));
    work->products = cuzk_arena_take(arena, cuzk_msm_products_bytes(work->kernel, n / 2 + 1));
}

size_t cuzk_segsum_work_bytes(const cuzk_msm_kernel *kernel, size_t capacity)
{
    cuzk_segsum_work work = {.kernel = kernel, .capacity = capacity};
    cuzk_arena arena = cuzk_arena_measure();
    lay_out(&work, &arena);
    return arena.used;
}

void cuzk_segsum_work_init(cuzk_segsum_work *work, const cuzk_msm_kernel *kernel, size_t capacity,
                           void *memory)
{
    cuzk_arena arena = cuzk_arena_over(memory, cuzk_segsum_work_bytes(kernel, capacity));
    *work = (cuzk_segsum_work){.kernel = kernel, .capacity = capacity};
    lay_out(work, &arena);
}

/* v = -v mod p for a component that is not 0. v is below 2p; below p if it was (levels with one
 * lane need that). */
static void negate_component(uint64_t *v, const uint64_t *p, unsigned words)
{
    uint64_t bits = 0, borrow = 0, carry = 0;
    for (unsigned i = 0; i < words; i++)
        bits |= v[i];
    if (bits == 0)
        return;
    for (unsigned i = 0; i < words; i++) {
        const uint64_t d = p[i] - v[i];
        const uint64_t out = (uint64_t)(p[i] < v[i]) | (uint64_t)(d < borrow);
        v[i] = d - borrow;
        borrow = out;
    }
    const uint64_t mask = 0 - borrow;
    for (unsigned i = 0; i < words; i++) {
        const uint64_t term = p[i] & mask, sum = v[i] + term;
        const uint64_t out = (uint64_t)(sum < term) | (uint64_t)(sum + carry < carry);
        v[i] = sum + carry;
        carry = out;
    }
}

void cuzk_ref_copy(const cuzk_msm_kernel *kernel, uint64_t *dst, const uint64_t *slots,
                   const uint64_t *points, cuzk_ref ref)
{
    const unsigned words = kernel->words;
    if (ref & CUZK_REF_SLOT) {
        memcpy(dst, slots + (size_t)(ref & ~CUZK_REF_SLOT) * words, words * sizeof *dst);
        return;
    }
    memcpy(dst, points + (size_t)(ref >> 1) * words, words * sizeof *dst);
    if (ref & 1) {
        const uint64_t *p = cuzk_curve_get(kernel->curve)->p;
        for (unsigned i = words / 2; i < words; i += kernel->fp_words)
            negate_component(dst + i, p, kernel->fp_words);
    }
}

/* Pairs neighbours, writes out the segments that are done. Returns the number of pairs; their sums
 * will lie in slots from `slot` on. */
static size_t pair_up(cuzk_segsum_work *work, const uint64_t *points, size_t slot)
{
    size_t pairs = 0, segments = 0, from = 0, to = 0;
    cuzk_ref *element = work->element;
    for (size_t s = 0; s < work->segments; s++) {
        const uint32_t length = work->length[s];
        if (length <= 1) {
            if (length == 1)
                cuzk_ref_copy(work->kernel, work->sum[s], work->slots, points, element[from++]);
            else
                memset(work->sum[s], 0, work->kernel->words * sizeof(uint64_t));
            continue;
        }
        for (uint32_t i = 0; i < length / 2; i++, from += 2) {
            work->pair[2 * pairs] = element[from];
            work->pair[2 * pairs + 1] = element[from + 1];
            element[to++] = CUZK_REF_SLOT | (cuzk_ref)(slot + pairs++);
        }
        if (length & 1)
            element[to++] = element[from++];
        work->length[segments] = (length + 1) / 2;
        work->sum[segments++] = work->sum[s];
    }
    work->segments = segments;
    work->elements = to;
    return pairs;
}

/* Takes out the elements that have become infinity. */
static void drop_infinity(cuzk_segsum_work *work)
{
    const unsigned words = work->kernel->words;
    size_t from = 0, to = 0;
    for (size_t s = 0; s < work->segments; s++) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < work->length[s]; i++, from++) {
            const cuzk_ref ref = work->element[from];
            const uint64_t *slot = work->slots + (size_t)(ref & ~CUZK_REF_SLOT) * words;
            if ((ref & CUZK_REF_SLOT) && cuzk_packed_is_infinity(work->kernel, slot))
                continue;
            work->element[to++] = ref;
            kept++;
        }
        work->length[s] = kept;
    }
    work->elements = to;
}

void cuzk_segsum_work_run(cuzk_segsum_work *work, const uint64_t *points)
{
    size_t slot = 0, pairs;
    CUZK_ASSERT(work->elements <= work->capacity && work->segments <= work->capacity);
    while (work->segments > 0) {
        pairs = pair_up(work, points, slot);
        CUZK_ASSERT(slot + pairs <= work->capacity);
        if (work->kernel->add(work->slots, slot, points, work->pair, pairs, work->soon,
                              work->n_soon, work->products))
            drop_infinity(work);
        work->n_soon = 0;
        slot += pairs;
    }
}

/* Entries per tile: enough tiles for all threads, none too small to share inversions well. */
static size_t entries_per_tile(const cuzk_msm_kernel *kernel, size_t entries, unsigned threads)
{
    const size_t most = cuzk_segsum_tile(kernel), share = entries / (4 * (size_t)threads) + 1;
    if (share >= most)
        return most;
    return share < TILE_MIN ? TILE_MIN : share;
}

size_t cuzk_segsum_tiles_max(const cuzk_msm_kernel *kernel, size_t entries, unsigned threads)
{
    /* Either tiles of the full size, or at most 4 per thread. */
    const size_t full = entries / cuzk_segsum_tile(kernel) + 1;
    const size_t few = entries / TILE_MIN + 1, shares = 4 * (size_t)threads;
    const size_t limit = few < shares ? few : shares;
    return full > limit ? full : limit;
}

void cuzk_segsum_cut(cuzk_segsum *s, unsigned threads)
{
    const size_t entries = s->start[s->segments];
    s->tile = entries_per_tile(s->kernel, entries, threads);
    s->tiles = entries == 0 ? 1 : (entries + s->tile - 1) / s->tile;
}

/* The first segment that starts at or after entry e. */
static size_t first_segment_from(const cuzk_segsum *s, size_t e)
{
    size_t low = 0, high = s->segments;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->start[middle] < e)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* `length` entries of a segment, from its entry number `skip` on. */
static void append_segment(const cuzk_segsum *s, cuzk_segsum_work *work, uint64_t *sum,
                           size_t segment, size_t skip, size_t length)
{
    const size_t from = s->from != NULL ? s->from[segment] : s->start[segment];
    if (s->ones != NULL)
        cuzk_ones_list(s->ones, from + skip, length, work->element + work->elements);
    else
        memcpy(work->element + work->elements, s->entry + from + skip, length * sizeof(cuzk_ref));
    work->elements += length;
    work->length[work->segments] = (uint32_t)length;
    work->sum[work->segments++] = sum;
}

static uint64_t *sum_of(const cuzk_segsum *s, size_t segment)
{
    return s->sum != NULL ? s->sum[segment] : s->out + segment * s->kernel->words;
}

/* A part of a segment that is cut: remembers in which sum it belongs. */
static void append_part(const cuzk_segsum *s, cuzk_segsum_work *work, size_t part, size_t segment,
                        size_t skip, size_t length)
{
    s->part_sum[s->pass][part] = sum_of(s, segment);
    append_segment(s, work, s->part[s->pass] + part * s->kernel->words, segment, skip, length);
}

/* Entry `next` and those after it will be wanted by the next tile. */
static void look_ahead(const cuzk_segsum *s, size_t next, cuzk_segsum_work *work)
{
    const size_t rest = s->start[s->segments] - next;
    work->n_soon = rest < s->tile ? rest : s->tile;
    if (s->ones != NULL)
        cuzk_ones_list(s->ones, next, work->n_soon, work->ahead);
    work->soon = s->ones != NULL ? work->ahead : s->entry + next;
}

void cuzk_segsum_run_tile(const cuzk_segsum *s, size_t tile, bool goes_on, cuzk_segsum_work *work)
{
    const size_t entries = s->start[s->segments], begin = tile * s->tile;
    const size_t end = begin + s->tile < entries ? begin + s->tile : entries;
    const bool last = tile + 1 == s->tiles;
    size_t segment = first_segment_from(s, begin);
    work->segments = work->elements = work->n_soon = 0;
    if (goes_on && s->from == NULL)
        look_ahead(s, end, work);
    s->part_sum[s->pass][2 * tile] = s->part_sum[s->pass][2 * tile + 1] = NULL;
    if (begin > 0 && s->start[segment] > begin) {
        const size_t stop = s->start[segment] < end ? s->start[segment] : end;
        append_part(s, work, 2 * tile, segment - 1, begin - s->start[segment - 1], stop - begin);
    }
    for (; segment < s->segments && (last || s->start[segment] < end); segment++) {
        const size_t from = s->start[segment], to = s->start[segment + 1];
        if (from == to)
            memset(sum_of(s, segment), 0, s->kernel->words * sizeof(uint64_t));
        else if (to > end)
            append_part(s, work, 2 * tile + 1, segment, 0, end - from);
        else
            append_segment(s, work, sum_of(s, segment), segment, 0, to - from);
    }
    cuzk_segsum_work_run(work, s->points);
}

/* Makes a segment of each run of parts that belong to one sum; parts that are infinity stay out. */
static size_t list_parts(cuzk_segsum *s)
{
    uint64_t *const *part_sum = s->part_sum[s->pass];
    size_t segments = 0, entries = 0;
    for (size_t part = 0; part < 2 * s->tiles; part++) {
        if (part_sum[part] == NULL)
            continue;
        if (segments == 0 || s->next_sum[segments - 1] != part_sum[part]) {
            s->next_start[segments] = (uint32_t)entries;
            s->next_sum[segments++] = part_sum[part];
        }
        if (!cuzk_packed_is_infinity(s->kernel, s->part[s->pass] + part * s->kernel->words))
            s->next_entry[entries++] = (cuzk_ref)part << 1;
    }
    s->next_start[segments] = (uint32_t)entries;
    return segments;
}

bool cuzk_segsum_next(cuzk_segsum *s, unsigned threads)
{
    const size_t segments = list_parts(s);
    if (segments == 0)
        return false;
    s->points = s->part[s->pass];
    s->pass ^= 1;
    s->entry = s->next_entry;
    s->ones = NULL;
    s->start = s->next_start;
    s->from = NULL;
    s->sum = s->next_sum;
    s->segments = segments;
    cuzk_segsum_cut(s, threads);
    return true;
}
