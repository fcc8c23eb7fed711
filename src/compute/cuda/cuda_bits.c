/* Sums of subsets, as one run of elements (msm_group.h); and points in arithmetic progression. */
#include "compute/cuda/cuda_msm.h"

#include <string.h>

#include "compute/cuda/msm_lists.h"

#define MIN_SLICE ((size_t)1 << 12)

typedef struct layout {
    uint32_t *values, *count, *counts;
    void *scan, *sums, *products;
    size_t scan_bytes;
} layout;

static cuzk_status lay_out(layout *l, cuzk_cuda_arena *arena, const cuzk_cuda_bits_plan *plan,
                           cuzk_error *err)
{
    const cuzk_msm_group *group = cuzk_msm_group_get(plan->curve, plan->group);
    l->scan_bytes = 0;
    CUZK_TRY(cuzk_msm_scan_scratch(&l->scan_bytes, plan->slice, err));
    l->values = cuzk_cuda_arena_take(arena, plan->slice * 4);
    l->count = cuzk_cuda_arena_take(arena, 4);
    l->counts = cuzk_cuda_arena_take(arena, plan->slice / 64 * 4);
    l->scan = cuzk_cuda_arena_take(arena, l->scan_bytes);
    l->sums = cuzk_cuda_arena_take(arena, plan->slice / 2 * group->point);
    l->products = cuzk_cuda_arena_take(arena, group->add_scratch(plan->processors));
    return CUZK_OK;
}

cuzk_status cuzk_cuda_bits_plan_make(cuzk_cuda_bits_plan *plan, cuzk_curve_id curve,
                                     cuzk_group group, size_t n, size_t limit,
                                     const cuzk_cuda_info *device, cuzk_error *err)
{
    if (n > CUZK_MSM_MAX_POINTS)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "a sum over a subset of %zu points; a GPU takes at most %zu", n,
                         CUZK_MSM_MAX_POINTS);
    *plan = (cuzk_cuda_bits_plan){
        .curve = curve, .group = group, .n = n, .processors = device->processors};
    for (plan->slices = 1;; plan->slices *= 2) {
        layout l;
        cuzk_cuda_arena arena = {NULL, 0, 0};
        plan->slice = (n / plan->slices + 64) / 64 * 64;
        CUZK_TRY(lay_out(&l, &arena, plan, err));
        plan->scratch = arena.used;
        if (limit == 0 || plan->scratch <= limit)
            break;
        if (plan->slice <= MIN_SLICE)
            return cuzk_fail(err, CUZK_ERR_MEMORY,
                             "a sum over a subset of %zu points needs %zu bytes of scratch on the "
                             "device at least; the limit is %zu",
                             n, plan->scratch, limit);
    }
    plan->slices = n == 0 ? 1 : (n + plan->slice - 1) / plan->slice;
    plan->bytes = plan->slices * cuzk_msm_group_get(curve, group)->point;
    return CUZK_OK;
}

/* Of the points from `first` on. */
static cuzk_status sum_slice(const cuzk_cuda_bits_plan *plan, const layout *l, size_t first,
                             const void *bases, const uint64_t *bits, void *out, cuzk_stream stream,
                             cuzk_error *err)
{
    const cuzk_msm_group *group = cuzk_msm_group_get(plan->curve, plan->group);
    const size_t rest = plan->n - first, n = rest < plan->slice ? rest : plan->slice;
    const void *points = (const char *)bases + first * group->point;
    CUZK_TRY(cuzk_msm_bits(l->values, l->count, l->counts, l->scan, l->scan_bytes,
                           bits + first / 64, n, stream, err));
    cuzk_msm_adds adds = {.kind = CUZK_ADDS_RUN,
                          .count = l->count,
                          .values = l->values,
                          .bases = points,
                          .sums = l->sums,
                          .products = l->products};
    for (; n > 1 && (n - 1) >> adds.level != 0; adds.level++) {
        adds.limit = (uint32_t)((((n - 1) >> adds.level) + 1) / 2);
        CUZK_TRY(group->add(&adds, plan->processors, stream, err));
    }
    return group->pick(out, l->count, l->values, points, l->sums, stream, err);
}

cuzk_status cuzk_cuda_sum_bits(const cuzk_cuda_bits_plan *plan, const void *bases,
                               const uint64_t *bits, void *points, void *scratch,
                               cuzk_stream stream, cuzk_error *err)
{
    const size_t point = plan->bytes / plan->slices;
    layout l;
    cuzk_cuda_arena arena = {scratch, 0, plan->scratch};
    CUZK_TRY(lay_out(&l, &arena, plan, err));
    for (size_t i = 0; i < plan->slices; i++)
        CUZK_TRY(sum_slice(plan, &l, i * plan->slice, bases, bits, (char *)points + i * point,
                           stream, err));
    return CUZK_OK;
}

void cuzk_cuda_bits_finish(const cuzk_cuda_bits_plan *plan, const void *points, uint64_t *result)
{
    const cuzk_msm_term term = {0, 0};
    cuzk_msm_group_get(plan->curve, plan->group)->join(result, points, plan->slices, 1, &term, 1);
}

size_t cuzk_cuda_progression_scratch(cuzk_curve_id curve, cuzk_group group,
                                     const cuzk_cuda_info *device)
{
    const cuzk_msm_group *functions = cuzk_msm_group_get(curve, group);
    return 256 + functions->add_scratch(device->processors);
}

cuzk_status cuzk_cuda_progression(const cuzk_curve *curve, cuzk_group group, void *out,
                                  const uint64_t *first, const uint64_t *step, size_t n,
                                  void *scratch, const cuzk_cuda_info *device, cuzk_stream stream,
                                  cuzk_error *err)
{
    const cuzk_msm_group *functions = cuzk_msm_group_get(curve->id, group);
    cuzk_g2 power;
    cuzk_msm_adds adds = {
        .kind = CUZK_ADDS_SHIFT, .bases = scratch, .sums = out, .products = (char *)scratch + 256};
    if (n == 0)
        return CUZK_OK;
    memcpy(power.l, step, functions->point);
    CUZK_TRY(cuzk_cuda_upload(out, first, functions->point, stream, err));
    for (; (n - 1) >> adds.level != 0; adds.level++) {
        const size_t done = (size_t)1 << adds.level;
        CUZK_TRY(cuzk_cuda_upload(scratch, power.l, functions->point, stream, err));
        CUZK_TRY(cuzk_cuda_stream_wait(stream, err)); /* `power` is not pinned */
        adds.limit = (uint32_t)(n - done < done ? n - done : done);
        CUZK_TRY(functions->add(&adds, device->processors, stream, err));
        if (group == CUZK_G1)
            curve->g1_add(power.l, power.l, power.l);
        else
            curve->g2_add(power.l, power.l, power.l);
    }
    return CUZK_OK;
}
