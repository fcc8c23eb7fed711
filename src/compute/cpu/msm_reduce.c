/* Bucket reduction; see the header. Each tile makes per_tile units of the next size, with the lists
 * of all of them in common batches. */
#include "compute/cpu/msm_reduce.h"

#include <string.h>

/* What a tile works on, in the memory of a segment sum's work. Per unit: the E of the joined units
 * and then of the levels, 2^join references; the lists of the O that come with the units, 2^join
 * each; the lists that the levels make, 2^join in all. */
typedef struct lists {
    const cuzk_reduce *r;
    cuzk_segsum_work *work;
    size_t units, stride; /* of this tile; references per unit */
    unsigned per_unit;    /* lists */
    size_t slot, pairs;   /* slots that are full; pairs of the batch under construction */
} lists;

/* References per unit that a tile makes. */
static size_t unit_stride(const cuzk_reduce *r)
{
    return ((size_t)r->log + 2) << r->join;
}

static void plan(cuzk_reduce *r, unsigned threads)
{
    const size_t capacity = cuzk_segsum_tile(r->kernel);
    r->join = 0;
    while (r->log + r->join < r->log_window && 2 * unit_stride(r) <= capacity)
        r->join++;
    CUZK_ASSERT(r->join > 0);
    const size_t made = r->units >> r->join, share = (made - 1) / (2 * (size_t)threads) + 1;
    r->per_tile = capacity / unit_stride(r);
    if (r->per_tile > share)
        r->per_tile = share;
    r->tiles = (made + r->per_tile - 1) / r->per_tile;
}

void cuzk_reduce_start(cuzk_reduce *r, size_t windows, unsigned threads)
{
    r->units = windows << r->log_window;
    r->log = 0;
    plan(r, threads);
}

bool cuzk_reduce_next(cuzk_reduce *r, unsigned threads)
{
    r->units >>= r->join;
    r->log += r->join;
    if (r->log == r->log_window)
        return false;
    plan(r, threads);
    return true;
}

static cuzk_ref *sums(const lists *l, size_t unit)
{
    return l->work->element + unit * l->stride;
}

/* List i of a unit: O_i. */
static cuzk_ref *list(const lists *l, size_t unit, unsigned i)
{
    const size_t m = (size_t)1 << l->r->join;
    cuzk_ref *made = sums(l, unit) + ((size_t)l->r->log + 1) * m;
    return i < l->r->log ? sums(l, unit) + (i + 1) * m : made + (m - (m >> (i - l->r->log)));
}

static uint32_t *list_length(const lists *l, size_t unit, unsigned i)
{
    return l->work->length + unit * l->per_unit + i;
}

static void append(const lists *l, size_t unit, unsigned i, cuzk_ref ref)
{
    if (ref != CUZK_REF_NONE)
        list(l, unit, i)[(*list_length(l, unit, i))++] = ref;
}

/* The reference to point i, or NONE if it is infinity. */
static cuzk_ref reference(const cuzk_reduce *r, size_t i)
{
    const bool none = cuzk_packed_is_infinity(r->kernel, r->points + i * r->kernel->words);
    return none ? CUZK_REF_NONE : (cuzk_ref)i << 1;
}

/* Fills the lists of all units with the points of the units that they join. */
static void fill(lists *l, size_t first)
{
    const cuzk_reduce *r = l->r;
    const size_t m = (size_t)1 << r->join;
    memset(l->work->length, 0, l->units * l->per_unit * sizeof(uint32_t));
    for (size_t u = 0; u < l->units; u++)
        for (size_t i = 0; i < m; i++) {
            const size_t at = ((first + u) * m + i) << r->log;
            for (unsigned b = 0; b < r->log; b++)
                append(l, u, b, reference(r, at + b));
            sums(l, u)[i] = reference(r, at + r->log);
        }
}

/* The reference to x + y, which becomes a pair of the batch if neither is infinity. */
static cuzk_ref join(lists *l, cuzk_ref x, cuzk_ref y)
{
    if (x == CUZK_REF_NONE)
        return y;
    if (y == CUZK_REF_NONE)
        return x;
    l->work->pair[2 * l->pairs] = x;
    l->work->pair[2 * l->pairs + 1] = y;
    return CUZK_REF_SLOT | (cuzk_ref)(l->slot + l->pairs++);
}

static void halve_list(lists *l, size_t unit, unsigned i)
{
    cuzk_ref *ref = list(l, unit, i);
    uint32_t *length = list_length(l, unit, i);
    for (uint32_t k = 0; k < *length / 2; k++)
        ref[k] = join(l, ref[2 * k], ref[2 * k + 1]);
    if (*length & 1)
        ref[*length / 2] = ref[*length - 1];
    *length = (*length + 1) / 2;
}

/* One level of a unit's E, and one round of all its lists. */
static void halve_unit(lists *l, size_t unit, unsigned level)
{
    if (level < l->r->join) {
        cuzk_ref *e = sums(l, unit);
        for (size_t i = 0; i < (size_t)1 << (l->r->join - level - 1); i++) {
            append(l, unit, l->r->log + level, e[2 * i + 1]);
            e[i] = join(l, e[2 * i], e[2 * i + 1]);
        }
    }
    for (unsigned i = 0; i < l->per_unit; i++)
        halve_list(l, unit, i);
}

static bool became_infinity(const lists *l, cuzk_ref ref)
{
    const uint64_t *slot = l->work->slots + (size_t)(ref & ~CUZK_REF_SLOT) * l->r->kernel->words;
    return ref != CUZK_REF_NONE && (ref & CUZK_REF_SLOT) &&
           cuzk_packed_is_infinity(l->r->kernel, slot);
}

static void drop_infinity(lists *l, unsigned level)
{
    const unsigned left = level < l->r->join ? l->r->join - level - 1 : 0;
    for (size_t u = 0; u < l->units; u++) {
        for (size_t i = 0; i < (size_t)1 << left; i++)
            if (became_infinity(l, sums(l, u)[i]))
                sums(l, u)[i] = CUZK_REF_NONE;
        for (unsigned i = 0; i < l->per_unit; i++) {
            const uint32_t length = *list_length(l, u, i);
            *list_length(l, u, i) = 0;
            for (uint32_t k = 0; k < length; k++)
                if (!became_infinity(l, list(l, u, i)[k]))
                    append(l, u, i, list(l, u, i)[k]);
        }
    }
}

static void add_batch(lists *l, unsigned level)
{
    cuzk_segsum_work *work = l->work;
    if (work->kernel->add(work->slots, l->slot, l->r->points, work->pair, l->pairs, NULL, 0,
                          work->products))
        drop_infinity(l, level);
    l->slot += l->pairs;
    l->pairs = 0;
    CUZK_ASSERT(l->slot <= work->capacity);
}

/* Point i of the unit that is made: O_i, or E. */
static cuzk_ref result(const lists *l, size_t unit, unsigned i)
{
    if (i == l->per_unit)
        return sums(l, unit)[0];
    return *list_length(l, unit, i) == 0 ? CUZK_REF_NONE : list(l, unit, i)[0];
}

static void write_point(const lists *l, uint64_t *dst, cuzk_ref ref)
{
    const cuzk_msm_kernel *kernel = l->r->kernel;
    if (ref == CUZK_REF_NONE)
        memset(dst, 0, kernel->words * sizeof *dst);
    else
        cuzk_ref_copy(kernel, dst, l->work->slots, l->r->points, ref);
}

/* The points of all units take the places of those they came from: through the slots, as a result
 * may be one of the points itself. */
static void write_units(lists *l, size_t first)
{
    const cuzk_reduce *r = l->r;
    const size_t words = r->kernel->words, points = (size_t)l->per_unit + 1;
    for (size_t u = 0; u < l->units; u++) {
        uint64_t *unit = r->points + ((first + u) << (r->log + r->join)) * words;
        for (unsigned i = 0; i < points; i++) {
            const cuzk_ref ref = result(l, u, i);
            if (ref == CUZK_REF_NONE || (ref & CUZK_REF_SLOT))
                continue;
            write_point(l, l->work->slots + l->slot * words, ref);
            (i == l->per_unit ? sums(l, u) : list(l, u, i))[0] =
                CUZK_REF_SLOT | (cuzk_ref)l->slot++;
        }
        CUZK_ASSERT(l->slot <= l->work->capacity);
        for (unsigned i = 0; i < points; i++)
            write_point(l, unit + i * words, result(l, u, i));
    }
}

/* The last pass: E goes to O_0, as weights start from 1, and the highest position is empty. */
static void write_positions(lists *l, size_t first)
{
    const cuzk_reduce *r = l->r;
    const size_t words = r->kernel->words, points = (size_t)l->per_unit + 1;
    for (size_t u = 0; u < l->units; u++) {
        cuzk_ref *e = sums(l, u);
        e[0] = join(l, e[0], result(l, u, 0));
    }
    add_batch(l, r->join);
    for (size_t u = 0; u < l->units; u++) {
        uint64_t *position = r->position + (first + u) * points * words;
        write_point(l, position, sums(l, u)[0]);
        for (unsigned i = 1; i < l->per_unit; i++)
            write_point(l, position + i * words, result(l, u, i));
        write_point(l, position + l->per_unit * words, CUZK_REF_NONE);
    }
}

void cuzk_reduce_run_tile(const cuzk_reduce *r, size_t tile, cuzk_segsum_work *work)
{
    const size_t made = r->units >> r->join, first = tile * r->per_tile;
    lists l = {.r = r, .work = work, .stride = unit_stride(r), .per_unit = r->log + r->join};
    l.units = first + r->per_tile < made ? r->per_tile : made - first;
    CUZK_ASSERT(l.units * l.stride <= work->capacity);
    fill(&l, first);
    unsigned level = 0;
    do {
        for (size_t u = 0; u < l.units; u++)
            halve_unit(&l, u, level);
        if (l.pairs == 0 && level + 1 >= r->join)
            break;
        add_batch(&l, level++);
    } while (true);
    if (r->log + r->join == r->log_window)
        write_positions(&l, first);
    else
        write_units(&l, first);
}
