/* Prepared bases, and the check of points. */
#include "compute/cpu/msm_plan.h"

#include <stdatomic.h>
#include <string.h>

/* Multiples of 64: tiles own whole words of the infinity bits. */
#define POINTS_A_TILE 512u
#define POINTS_PICKED 64u /* at a time */

size_t cuzk_bases_bytes(const cuzk_curve *curve, cuzk_group group, size_t n)
{
    const size_t bits = (n + 63) / 64 * sizeof(uint64_t);
    return cuzk_bases_points_bytes(cuzk_msm_kernel_get(curve, group), n) +
           ((bits + 63) & ~(size_t)63);
}

typedef struct preparation {
    const cuzk_msm_kernel *kernel;
    uint64_t *points, *infinity;
    const uint8_t *src;
    const uint32_t *pick;
    size_t n;
} preparation;

/* Bases first .. first + n-1, n <= POINTS_PICKED. */
static void prepare_picked(const preparation *p, size_t first, size_t n)
{
    uint8_t points[POINTS_PICKED * CUZK_G2_MAX_WORDS * sizeof(uint64_t)];
    const size_t bytes = p->kernel->words * sizeof(uint64_t);
    for (size_t i = 0; i < n; i++)
        memcpy(points + i * bytes, p->src + p->pick[first + i] * bytes, bytes);
    p->kernel->import(p->points + first * p->kernel->words, p->infinity + first / 64, points, n);
}

static void prepare_tile(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    const preparation *p = context;
    const size_t first = tile * POINTS_A_TILE, rest = p->n - first;
    const size_t end = first + (rest < POINTS_A_TILE ? rest : POINTS_A_TILE);
    if (p->pick == NULL) {
        p->kernel->import(p->points + first * p->kernel->words, p->infinity + first / 64,
                          p->src + first * p->kernel->words * sizeof(uint64_t), end - first);
        return;
    }
    for (size_t i = first; i < end; i += POINTS_PICKED)
        prepare_picked(p, i, end - i < POINTS_PICKED ? end - i : POINTS_PICKED);
}

void cuzk_bases_prepare(const cuzk_curve *curve, cuzk_group group, void *dst, const void *points,
                        const uint32_t *pick, size_t n, cuzk_pool *pool)
{
    preparation p = {.kernel = cuzk_msm_kernel_get(curve, group),
                     .points = dst,
                     .src = points,
                     .pick = pick,
                     .n = n};
    p.infinity = (uint64_t *)((char *)dst + cuzk_bases_points_bytes(p.kernel, n));
    cuzk_pool_run(pool, (n + POINTS_A_TILE - 1) / POINTS_A_TILE, prepare_tile, &p);
}

typedef struct check {
    const cuzk_curve *curve;
    const cuzk_msm_kernel *kernel;
    const uint8_t *src;
    size_t n;
    bool subgroup;
    atomic_size_t first_bad; /* the lowest index found so far; n: none */
} check;

static cuzk_point_status check_exactly(const check *c, size_t i)
{
    uint64_t point[CUZK_G2_MAX_WORDS];
    memcpy(point, c->src + i * c->kernel->words * sizeof *point, c->kernel->words * sizeof *point);
    return c->kernel->group == CUZK_G1 ? c->curve->g1_check(point, c->subgroup)
                                       : c->curve->g2_check(point, c->subgroup);
}

static void report(check *c, size_t i)
{
    size_t lowest = atomic_load(&c->first_bad);
    while (i < lowest && !atomic_compare_exchange_weak(&c->first_bad, &lowest, i))
        ;
}

/* The kernel says which points may be bad, and misses none. */
static void check_tile(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    check *c = context;
    const size_t first = tile * POINTS_A_TILE, bytes = c->kernel->words * sizeof(uint64_t);
    const size_t end = first + POINTS_A_TILE < c->n ? first + POINTS_A_TILE : c->n;
    for (size_t i = first; i < end && i < atomic_load(&c->first_bad); i += c->kernel->lanes) {
        const size_t count = end - i < c->kernel->lanes ? end - i : c->kernel->lanes;
        unsigned suspects = c->kernel->suspect(c->src + i * bytes, count, c->subgroup);
        for (; suspects != 0; suspects &= suspects - 1) {
            const size_t at = i + (unsigned)__builtin_ctz(suspects);
            if (check_exactly(c, at) != CUZK_POINT_OK)
                report(c, at);
        }
    }
}

cuzk_point_status cuzk_points_check(const cuzk_curve *curve, cuzk_group group, const void *points,
                                    size_t n, bool subgroup, size_t *bad, cuzk_pool *pool)
{
    check c = {.curve = curve, .src = points, .n = n, .subgroup = subgroup};
    c.kernel = cuzk_msm_kernel_get(curve, group);
    atomic_init(&c.first_bad, n);
    cuzk_pool_run(pool, (n + POINTS_A_TILE - 1) / POINTS_A_TILE, check_tile, &c);
    const size_t first = atomic_load(&c.first_bad);
    if (first == n)
        return CUZK_POINT_OK;
    *bad = first;
    return check_exactly(&c, first);
}
