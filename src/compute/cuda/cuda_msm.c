/* Multi-scalar multiplication on a GPU: Pippenger's buckets, all additions in affine form.
 *
 * Per pass, a few windows of all scalars of a slice: signed digits, a radix sort by bucket, lists
 * of additions (msm_lists.h), and the additions level by level (msm_group.h), so that a bucket of
 * any length is added up with full parallelism. The buckets of all windows are then reduced at
 * once: sum of i B_i is, with O_t the sum of the buckets whose number has bit t set, the sum of 2^t
 * O_t, and one O more for numbers that begin at 1. A block of 2^k buckets keeps its total at place
 * 0 and its O_t at place 2^t; step k folds neighbouring blocks: place e += place e + 2^k for those
 * k + 1 places, and O_k, the right total, lies at place 2^k already. That is 2 additions per
 * bucket. Blocks of the narrower windows' size are left, whose k + 1 points go to the host. */
#include "compute/cuda/cuda_msm.h"

#include "compute/cuda/msm_lists.h"

#define MIN_WIDTH     4                 /* below, the bias could overflow the highest window */
#define MAX_WIDTH     26                /* more buckets than that never pay */
#define PASS_ELEMENTS ((size_t)1 << 27) /* enough to fill any card for long */
#define MAX_ELEMENTS  (((size_t)1 << 31) - 1)
#define MIN_SLICE     ((size_t)1 << 10)
#define BUCKET_COST   2.5 /* in additions */

const cuzk_msm_group *cuzk_msm_group_get(cuzk_curve_id curve, cuzk_group group)
{
    static const cuzk_msm_group *const groups[CUZK_CURVES][2] = {
        [CUZK_BN254] = {&cuzk_msm_bn254_g1, &cuzk_msm_bn254_g2},
        [CUZK_BLS12_381] = {&cuzk_msm_bls12_381_g1, &cuzk_msm_bls12_381_g2}};
    return groups[curve][group];
}

static unsigned width_of(const cuzk_cuda_msm_plan *plan, unsigned window)
{
    return plan->narrow + (window < plan->wide);
}

static unsigned first_bit_of(const cuzk_cuda_msm_plan *plan, unsigned window)
{
    return plan->narrow * window + (window < plan->wide ? window : plan->wide);
}

/* Buckets of windows 0 ... window - 1. */
static size_t buckets_before(const cuzk_cuda_msm_plan *plan, unsigned window)
{
    const unsigned wide = window < plan->wide ? window : plan->wide;
    return (size_t)(window + wide) << (plan->narrow - 1);
}

static void set_windows(cuzk_cuda_msm_plan *plan, unsigned windows)
{
    const unsigned bits = cuzk_curve_get(plan->curve)->scalar_bits;
    plan->windows = windows;
    plan->narrow = bits / windows;
    plan->wide = bits % windows;
    plan->together = 1;
}

typedef struct layout {
    cuzk_msm_lists lists;
    void *sums, *products, *buckets;
} layout;

/* Elements in a pass, of the largest slice. */
static size_t elements_of(const cuzk_cuda_msm_plan *plan)
{
    return plan->slice * plan->together;
}

static cuzk_status lay_out(layout *l, cuzk_cuda_arena *arena, const cuzk_cuda_msm_plan *plan,
                           cuzk_error *err)
{
    const cuzk_msm_group *group = cuzk_msm_group_get(plan->curve, plan->group);
    const size_t elements = elements_of(plan);
    CUZK_TRY(
        cuzk_msm_lists_take(&l->lists, arena, elements, buckets_before(plan, plan->together), err));
    l->sums = cuzk_cuda_arena_take(arena, (elements / 2 + 1) * group->point);
    l->products = cuzk_cuda_arena_take(arena, group->add_scratch(plan->processors));
    l->buckets = cuzk_cuda_arena_take(arena, buckets_before(plan, plan->windows) * group->point);
    return CUZK_OK;
}

/* Sets plan->scratch. */
static cuzk_status measure(cuzk_cuda_msm_plan *plan, cuzk_error *err)
{
    layout l;
    cuzk_cuda_arena arena = {NULL, 0, 0};
    CUZK_TRY(lay_out(&l, &arena, plan, err));
    plan->scratch = arena.used;
    return CUZK_OK;
}

static double cost(const cuzk_cuda_msm_plan *plan)
{
    return (double)plan->slice * plan->windows +
           BUCKET_COST * (double)buckets_before(plan, plan->windows);
}

/* The windows that cost least, for the plan's slice. */
static unsigned best_windows(const cuzk_cuda_msm_plan *plan)
{
    cuzk_cuda_msm_plan trial = *plan;
    unsigned best = 0;
    double least = 0;
    for (unsigned windows = 10; windows <= CUZK_MSM_MAX_WINDOWS; windows++) {
        set_windows(&trial, windows);
        if (trial.narrow < MIN_WIDTH || width_of(&trial, 0) > MAX_WIDTH)
            continue;
        if (best == 0 || cost(&trial) < least) {
            best = windows;
            least = cost(&trial);
        }
    }
    return best;
}

/* As many windows in a pass as fit the limit, with the given number of windows and slice. */
static cuzk_status fit(cuzk_cuda_msm_plan *plan, size_t limit, bool *fits, cuzk_error *err)
{
    const size_t most = PASS_ELEMENTS / plan->slice;
    plan->together = most < 1 ? 1 : most > plan->windows ? plan->windows : (unsigned)most;
    /* As few passes, of equal length. */
    const unsigned passes = (plan->windows + plan->together - 1) / plan->together;
    plan->together = (plan->windows + passes - 1) / passes;
    for (;; plan->together--) {
        CUZK_TRY(measure(plan, err));
        *fits = limit == 0 || plan->scratch <= limit;
        if (*fits || plan->together == 1)
            return CUZK_OK;
    }
}

static cuzk_status search(cuzk_cuda_msm_plan *plan, size_t limit, bool *fits, cuzk_error *err)
{
    for (plan->slices = 1;; plan->slices *= 2) {
        plan->slice = (plan->n + plan->slices - 1) / plan->slices;
        if (plan->slice == 0)
            plan->slice = 1;
        plan->slices = plan->n == 0 ? 1 : (plan->n + plan->slice - 1) / plan->slice;
        const unsigned best = best_windows(plan);
        for (unsigned more = 0; more < 4; more++) {
            set_windows(plan, best + more);
            if (plan->windows > CUZK_MSM_MAX_WINDOWS)
                break;
            CUZK_TRY(fit(plan, limit, fits, err));
            if (*fits)
                return CUZK_OK;
        }
        if (plan->slice <= MIN_SLICE)
            return CUZK_OK;
    }
}

static unsigned blocks_of(const cuzk_cuda_msm_plan *plan)
{
    return plan->windows + plan->wide;
}

cuzk_status cuzk_cuda_msm_plan_make(cuzk_cuda_msm_plan *plan, cuzk_curve_id curve, cuzk_group group,
                                    size_t n, size_t limit, const cuzk_cuda_info *device,
                                    cuzk_error *err)
{
    if (n > CUZK_MSM_MAX_POINTS)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "a sum of %zu points; a GPU takes at most %zu", n,
                         CUZK_MSM_MAX_POINTS);
    *plan = (cuzk_cuda_msm_plan){
        .curve = curve, .group = group, .n = n, .processors = device->processors};
    bool fits = false;
    CUZK_TRY(search(plan, limit, &fits, err));
    if (!fits)
        return cuzk_fail(err, CUZK_ERR_MEMORY,
                         "a sum of %zu points needs %zu bytes of scratch on the device at least; "
                         "the limit is %zu",
                         n, plan->scratch, limit);
    plan->points = plan->slices * blocks_of(plan) * plan->narrow;
    plan->bytes = plan->points * cuzk_msm_group_get(curve, group)->point;
    return CUZK_OK;
}

/* The windows from `window` on, of the slice that begins at product `first`. */
static cuzk_msm_pass make_pass(const cuzk_cuda_msm_plan *plan, size_t first, unsigned window)
{
    const unsigned left = plan->windows - window;
    const size_t rest = plan->n - first;
    cuzk_msm_pass pass = {.n = (uint32_t)(rest < plan->slice ? rest : plan->slice),
                          .first = (uint32_t)first,
                          .windows = left < plan->together ? left : plan->together,
                          .r = cuzk_curve_get(plan->curve)->r};
    for (unsigned w = 0; w < plan->windows; w++) {
        const unsigned bit = first_bit_of(plan, w) + width_of(plan, w) - 1;
        pass.bias.l[bit / 64] |= (uint64_t)1 << (bit % 64);
    }
    const size_t origin = buckets_before(plan, window);
    for (unsigned w = 0; w < pass.windows; w++) {
        pass.bit[w] = (uint8_t)first_bit_of(plan, window + w);
        pass.width[w] = (uint8_t)width_of(plan, window + w);
        pass.first_bucket[w] = (uint32_t)(buckets_before(plan, window + w) - origin);
    }
    pass.buckets = (uint32_t)(buckets_before(plan, window + pass.windows) - origin);
    return pass;
}

typedef struct running {
    const cuzk_cuda_msm_plan *plan;
    const cuzk_cuda_msm_job *job;
    const cuzk_msm_group *group;
    const cuzk_event *marks;
    cuzk_stream stream;
    layout l;
} running;

static cuzk_status mark(const running *r, int phase, cuzk_error *err)
{
    return r->marks == NULL ? CUZK_OK : cuzk_cuda_event_record(r->marks[phase], r->stream, err);
}

static cuzk_status add_levels(const running *r, const cuzk_msm_pass *pass, cuzk_error *err)
{
    const size_t elements = (size_t)pass->n * pass->windows;
    cuzk_msm_adds adds = {.kind = CUZK_ADDS_LISTED,
                          .values = r->l.lists.values[0],
                          .bases = r->job->bases,
                          .sums = r->l.sums,
                          .products = r->l.products};
    for (; (pass->n - 1) >> adds.level != 0; adds.level++) {
        const size_t offset = cuzk_msm_list_offset(elements, adds.level);
        adds.list = r->l.lists.lists + offset;
        adds.count = r->l.lists.counts + adds.level;
        adds.limit = (uint32_t)(cuzk_msm_list_offset(elements, adds.level + 1) - offset);
        CUZK_TRY(r->group->add(&adds, r->plan->processors, r->stream, err));
    }
    return CUZK_OK;
}

static cuzk_status run_pass(running *r, size_t first, unsigned window, cuzk_error *err)
{
    const cuzk_msm_pass pass = make_pass(r->plan, first, window);
    const size_t elements = (size_t)pass.n * pass.windows;
    cuzk_msm_lists *lists = &r->l.lists;
    CUZK_TRY(mark(r, CUZK_MSM_BEGIN, err));
    CUZK_TRY(cuzk_msm_digits(lists, &pass, r->job, r->stream, err));
    CUZK_TRY(mark(r, CUZK_MSM_DIGITS, err));
    CUZK_TRY(cuzk_msm_sort(lists, elements, pass.buckets, r->stream, err));
    CUZK_TRY(mark(r, CUZK_MSM_SORT, err));
    CUZK_TRY(cuzk_msm_list(lists, elements, pass.buckets, r->stream, err));
    CUZK_TRY(mark(r, CUZK_MSM_LISTS, err));
    CUZK_TRY(add_levels(r, &pass, err));
    CUZK_TRY(mark(r, CUZK_MSM_TREE, err));
    const size_t at = buckets_before(r->plan, window) * r->group->point;
    const cuzk_msm_collect collect = {.starts = lists->starts,
                                      .keys = lists->keys[0],
                                      .values = lists->values[0],
                                      .n = (uint32_t)elements,
                                      .buckets = pass.buckets,
                                      .bases = r->job->bases,
                                      .sums = r->l.sums,
                                      .out = (char *)r->l.buckets + at};
    CUZK_TRY(r->group->collect(&collect, r->stream, err));
    return mark(r, CUZK_MSM_COLLECT, err);
}

/* From the buckets of all windows to the points of one slice. */
static cuzk_status reduce(const running *r, void *out, cuzk_error *err)
{
    const cuzk_cuda_msm_plan *plan = r->plan;
    const unsigned steps = plan->narrow - 1, blocks = blocks_of(plan);
    cuzk_msm_adds adds = {.kind = CUZK_ADDS_FOLD, .sums = r->l.buckets, .products = r->l.products};
    for (; adds.level < steps; adds.level++) {
        adds.limit = (uint32_t)(((size_t)blocks << (steps - adds.level - 1)) * (adds.level + 1));
        CUZK_TRY(r->group->add(&adds, plan->processors, r->stream, err));
    }
    CUZK_TRY(cuzk_msm_extract(out, r->l.buckets, blocks, steps, r->group->point, r->stream, err));
    return mark(r, CUZK_MSM_REDUCE, err);
}

cuzk_status cuzk_cuda_msm(const cuzk_cuda_msm_plan *plan, const cuzk_cuda_msm_job *job,
                          void *scratch, const cuzk_event *marks, cuzk_stream stream,
                          cuzk_error *err)
{
    running r = {.plan = plan,
                 .job = job,
                 .group = cuzk_msm_group_get(plan->curve, plan->group),
                 .marks = marks,
                 .stream = stream};
    if (plan->n == 0)
        return cuzk_cuda_fill(job->points, 0, plan->bytes, stream, err);
    for (size_t i = 0; i < plan->slices; i++) {
        for (unsigned window = 0; window < plan->windows; window += plan->together) {
            cuzk_cuda_arena arena = {scratch, 0, plan->scratch};
            CUZK_TRY(lay_out(&r.l, &arena, plan, err));
            CUZK_TRY(run_pass(&r, i * plan->slice, window, err));
        }
        CUZK_TRY(reduce(&r, (char *)job->points + i * (plan->bytes / plan->slices), err));
    }
    return CUZK_OK;
}

/* Point 0 of a block is its total, point t + 1 its O_t. Buckets count from 1 in their window. */
void cuzk_cuda_msm_finish(const cuzk_cuda_msm_plan *plan, const void *points, uint64_t *result)
{
    cuzk_msm_term terms[2 * CUZK_MSM_BITS + 2 * CUZK_MSM_MAX_WINDOWS];
    size_t n = 0;
    uint32_t point = 0;
    for (unsigned w = 0; w < plan->windows; w++) {
        const unsigned bit = first_bit_of(plan, w), blocks = w < plan->wide ? 2 : 1;
        for (unsigned block = 0; block < blocks; block++) {
            if (block == 1)
                terms[n++] = (cuzk_msm_term){point, bit + plan->narrow - 1};
            terms[n++] = (cuzk_msm_term){point++, bit};
            for (unsigned t = 0; t < plan->narrow - 1; t++)
                terms[n++] = (cuzk_msm_term){point++, bit + t};
        }
    }
    cuzk_msm_group_get(plan->curve, plan->group)
        ->join(result, points, plan->slices, plan->points / plan->slices, terms, n);
}
