/* Times of sums on a card: multi-scalar multiplication and subset sums, every result checked.
 *
 * Usage: msm_bench [largest log2 of a size, default 27]. Points are d0 G + i d1 G, so that a sum is
 * known from the scalars alone. A line gives the device's time from first kernel to last, the
 * caller's time with fetching and joining the points, the additions done per second, and the share
 * of what the multiplier allows: 5 products and a square an addition, at 16.7 T slots a second (an
 * H200). Exit status 77: there is no device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compute/cuda/cuda_msm.h"

enum { REPEATS = 5 };
typedef enum shape { UNIFORM, WITNESS, EQUAL, MINUS_ONE } shape;

static const char *const shape_names[] = {"uniform", "0/1 + 1%", "all equal", "all r - 1"};
static cuzk_cuda_info device;
static cuzk_stream stream;
static cuzk_event marks[CUZK_MSM_MARKS], from, to;
static int failures;

#define MUST(call)                                                                                 \
    do {                                                                                           \
        cuzk_error error;                                                                          \
        if ((call) != CUZK_OK) {                                                                   \
            fprintf(stderr, "%s: %s\n", #call, error.message);                                     \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static uint64_t next_random(void)
{
    static uint64_t state = 0x9e3779b97f4a7c15;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Points of one group on the device: (first + i step) G. */
typedef struct points {
    const cuzk_curve *curve;
    cuzk_group group;
    size_t n, point;
    cuzk_scalar first, step;
    void *device;
} points;

static const uint64_t *generator(const points *p)
{
    return p->group == CUZK_G1 ? p->curve->g1_generator : p->curve->g2_generator;
}

static void multiply(const points *p, uint64_t *r, const cuzk_scalar *k)
{
    if (p->group == CUZK_G1)
        p->curve->g1_mul(r, generator(p), k);
    else
        p->curve->g2_mul(r, generator(p), k);
}

static points make_points(cuzk_curve_id curve, cuzk_group group, size_t n)
{
    points p = {.curve = cuzk_curve_get(curve), .group = group, .n = n};
    uint64_t first[CUZK_G2_MAX_WORDS], step[CUZK_G2_MAX_WORDS];
    void *scratch;
    p.point = cuzk_point_words(p.curve, group) * 8;
    for (int i = 0; i < 3; i++) {
        p.first.l[i] = next_random();
        p.step.l[i] = next_random();
    }
    multiply(&p, first, &p.first);
    multiply(&p, step, &p.step);
    MUST(cuzk_cuda_alloc(&p.device, n * p.point, &error));
    MUST(cuzk_cuda_alloc(&scratch, cuzk_cuda_progression_scratch(curve, group, &device), &error));
    MUST(cuzk_cuda_progression(p.curve, group, p.device, first, step, n, scratch, &device, stream,
                               &error));
    MUST(cuzk_cuda_stream_wait(stream, &error));
    cuzk_cuda_free(scratch);
    return p;
}

static cuzk_scalar random_scalar(const cuzk_curve *curve)
{
    cuzk_scalar k = {{next_random(), next_random(), next_random(), next_random()}};
    k.l[3] >>= 256 - curve->scalar_bits;
    if (k.l[3] >= curve->r.l[3])
        k.l[3] -= curve->r.l[3];
    return k;
}

static void fill_scalars(const cuzk_curve *curve, cuzk_scalar *scalars, size_t n, shape form)
{
    cuzk_scalar same = random_scalar(curve);
    if (form == MINUS_ONE) {
        same = curve->r;
        same.l[0]--;
    }
    for (size_t i = 0; i < n; i++) {
        if (form == UNIFORM || (form == WITNESS && next_random() % 100 == 0))
            scalars[i] = random_scalar(curve);
        else if (form == WITNESS)
            scalars[i] = (cuzk_scalar){{next_random() & 1}};
        else
            scalars[i] = same;
    }
}

/* r := a mod r, of six limbs, by Horner's rule in Fr. */
static void reduce(const cuzk_curve *curve, cuzk_fr *r, const uint64_t *a)
{
    const cuzk_scalar radix = {{0, 1}};
    cuzk_fr shift, limb;
    memset(r, 0, sizeof *r);
    curve->fr_from_scalar(&shift, &radix);
    for (int i = 5; i >= 0; i--) {
        const cuzk_scalar word = {{a[i]}};
        curve->fr_from_scalar(&limb, &word);
        curve->fr_mul(r, r, &shift);
        curve->fr_add(r, r, &limb);
    }
}

/* sum += factor * a, as integers of six limbs. */
static void accumulate(uint64_t *sum, const cuzk_scalar *a, uint64_t factor)
{
    __extension__ typedef unsigned __int128 wide;
    wide carry = 0;
    for (int i = 0; i < 6; i++) {
        carry += sum[i];
        if (i < 4)
            carry += (wide)a->l[i] * factor;
        sum[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

/* (first * sum s_i + step * sum i s_i) G, from the two sums. */
static void expected_point(const points *p, const uint64_t *plain, const uint64_t *weighted,
                           uint64_t *result)
{
    cuzk_fr a, b, first, step;
    cuzk_scalar log;
    reduce(p->curve, &a, plain);
    reduce(p->curve, &b, weighted);
    p->curve->fr_from_scalar(&first, &p->first);
    p->curve->fr_from_scalar(&step, &p->step);
    p->curve->fr_mul(&a, &a, &first);
    p->curve->fr_mul(&b, &b, &step);
    p->curve->fr_add(&a, &a, &b);
    p->curve->fr_to_scalar(&log, &a);
    multiply(p, result, &log);
}

/* Multiplier slots of an addition of affine points, as the kernels do it. */
static double addition_slots(const points *p)
{
    const double limbs = 2.0 * p->curve->fp_words, product = 4 * limbs * limbs + limbs,
                 square = 3 * limbs * limbs + 2 * limbs;
    if (p->group == CUZK_G1)
        return 5 * product + square;
    return 5 * (10 * limbs * limbs + 2 * limbs) + 2 * product;
}

static void print_line(const points *p, const char *what, size_t n, const char *form, double ms,
                       double wall, double additions, bool right)
{
    const double rate = additions / ms / 1e6;
    printf("%-8s %-9s G%d n=%-10zu %-10s %9.3f ms  wall %9.3f ms  %6.3f G add/s  %5.1f %% of the "
           "multiplier  %s\n",
           what, p->curve->full_name, p->group + 1, n, form, ms, wall, rate,
           100 * rate * 1e9 * addition_slots(p) / 16.7e12, right ? "right" : "WRONG");
    failures += !right;
}

static void print_phases(const cuzk_cuda_msm_plan *plan)
{
    static const char *const names[] = {"", "digits", "sort", "lists", "tree", "collect", "reduce"};
    printf(
        "         %u windows of %u bits (%u wider), %u together, %zu slices, %.2f GB; last pass:",
        plan->windows, plan->narrow, plan->wide, plan->together, plan->slices,
        (double)plan->scratch / 1e9);
    for (int i = 1; i < CUZK_MSM_MARKS; i++) {
        float ms;
        MUST(cuzk_cuda_event_elapsed(&ms, marks[i - 1], marks[i], &error));
        printf(" %s %.3f", names[i], (double)ms);
    }
    printf(" ms\n");
}

static void time_msm(const points *p, const cuzk_scalar *scalars, const cuzk_scalar *on_device,
                     size_t n, shape form)
{
    uint64_t plain[6] = {0}, weighted[6] = {0}, expected[CUZK_G2_MAX_WORDS],
             result[CUZK_G2_MAX_WORDS];
    for (size_t i = 0; i < n; i++) {
        accumulate(plain, &scalars[i], 1);
        accumulate(weighted, &scalars[i], i);
    }
    expected_point(p, plain, weighted, expected);
    cuzk_cuda_msm_plan plan;
    MUST(cuzk_cuda_msm_plan_make(&plan, p->curve->id, p->group, n, 0, &device, &error));
    void *scratch, *host;
    cuzk_cuda_msm_job job = {.bases = p->device, .scalars = on_device};
    MUST(cuzk_cuda_alloc(&scratch, plan.scratch, &error));
    MUST(cuzk_cuda_alloc(&job.points, plan.bytes, &error));
    MUST(cuzk_cuda_pinned_alloc(&host, plan.bytes, &error));
    double ms[REPEATS], wall[REPEATS];
    bool right = true;
    for (int i = -1; i < REPEATS; i++) {
        float elapsed;
        MUST(cuzk_cuda_fill(job.points, 0xa5, plan.bytes, stream, &error));
        MUST(cuzk_cuda_stream_wait(stream, &error));
        const double begin = now_ms();
        MUST(cuzk_cuda_event_record(from, stream, &error));
        MUST(cuzk_cuda_msm(&plan, &job, scratch, marks, stream, &error));
        MUST(cuzk_cuda_event_record(to, stream, &error));
        MUST(cuzk_cuda_download(host, job.points, plan.bytes, stream, &error));
        MUST(cuzk_cuda_stream_wait(stream, &error));
        cuzk_cuda_msm_finish(&plan, host, result);
        const double end = now_ms();
        MUST(cuzk_cuda_event_elapsed(&elapsed, from, to, &error));
        right = right && memcmp(result, expected, p->point) == 0;
        if (i >= 0) {
            ms[i] = (double)elapsed;
            wall[i] = end - begin;
        }
    }
    qsort(ms, REPEATS, sizeof *ms, compare);
    qsort(wall, REPEATS, sizeof *wall, compare);
    print_line(p, "msm", n, shape_names[form], ms[REPEATS / 2], wall[REPEATS / 2],
               (double)n * plan.windows, right);
    print_phases(&plan);
    cuzk_cuda_free(scratch);
    cuzk_cuda_free(job.points);
    cuzk_cuda_pinned_free(host);
}

/* All sizes 2^least, 2^(least + step), ... and the largest. */
static void time_sizes(const points *p, unsigned least, unsigned step, unsigned largest, shape form)
{
    const size_t most = (size_t)1 << largest;
    cuzk_scalar *scalars = malloc(most * sizeof *scalars);
    void *on_device;
    if (scalars == NULL)
        exit(1);
    fill_scalars(p->curve, scalars, most, form);
    MUST(cuzk_cuda_alloc(&on_device, most * sizeof *scalars, &error));
    MUST(cuzk_cuda_upload(on_device, scalars, most * sizeof *scalars, stream, &error));
    MUST(cuzk_cuda_stream_wait(stream, &error));
    for (unsigned size = least; size < largest; size += step)
        time_msm(p, scalars, on_device, (size_t)1 << size, form);
    time_msm(p, scalars, on_device, most, form);
    cuzk_cuda_free(on_device);
    free(scalars);
}

/* Random bits: half of them set. */
static void time_bits(const points *p)
{
    const size_t n = p->n, words = (n + 63) / 64;
    uint64_t *bits = malloc(words * 8), plain[6] = {0}, weighted[6] = {0};
    uint64_t expected[CUZK_G2_MAX_WORDS], result[CUZK_G2_MAX_WORDS];
    if (bits == NULL)
        exit(1);
    for (size_t i = 0; i < words; i++)
        bits[i] = next_random();
    const cuzk_scalar one = {{1}};
    for (size_t i = 0; i < n; i++)
        if (bits[i / 64] >> (i % 64) & 1) {
            plain[0]++;
            accumulate(weighted, &one, i);
        }
    expected_point(p, plain, weighted, expected);
    cuzk_cuda_bits_plan plan;
    MUST(cuzk_cuda_bits_plan_make(&plan, p->curve->id, p->group, n, 0, &device, &error));
    void *scratch, *out, *on_device, *host;
    MUST(cuzk_cuda_alloc(&scratch, plan.scratch, &error));
    MUST(cuzk_cuda_alloc(&out, plan.bytes, &error));
    MUST(cuzk_cuda_alloc(&on_device, words * 8, &error));
    MUST(cuzk_cuda_pinned_alloc(&host, plan.bytes, &error));
    MUST(cuzk_cuda_upload(on_device, bits, words * 8, stream, &error));
    double ms[REPEATS], wall[REPEATS];
    bool right = true;
    for (int i = -1; i < REPEATS; i++) {
        float elapsed;
        MUST(cuzk_cuda_fill(out, 0xa5, plan.bytes, stream, &error));
        MUST(cuzk_cuda_stream_wait(stream, &error));
        const double begin = now_ms();
        MUST(cuzk_cuda_event_record(from, stream, &error));
        MUST(cuzk_cuda_sum_bits(&plan, p->device, on_device, out, scratch, stream, &error));
        MUST(cuzk_cuda_event_record(to, stream, &error));
        MUST(cuzk_cuda_download(host, out, plan.bytes, stream, &error));
        MUST(cuzk_cuda_stream_wait(stream, &error));
        cuzk_cuda_bits_finish(&plan, host, result);
        const double end = now_ms();
        MUST(cuzk_cuda_event_elapsed(&elapsed, from, to, &error));
        right = right && memcmp(result, expected, p->point) == 0;
        if (i >= 0) {
            ms[i] = (double)elapsed;
            wall[i] = end - begin;
        }
    }
    qsort(ms, REPEATS, sizeof *ms, compare);
    qsort(wall, REPEATS, sizeof *wall, compare);
    print_line(p, "bits", n, "half set", ms[REPEATS / 2], wall[REPEATS / 2], (double)plain[0],
               right);
    cuzk_cuda_free(scratch);
    cuzk_cuda_free(out);
    cuzk_cuda_free(on_device);
    cuzk_cuda_pinned_free(host);
    free(bits);
}

static unsigned least_of(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Everything of one group; large: the largest size. */
static void time_group(cuzk_curve_id curve, cuzk_group group, unsigned large, size_t n_bits,
                       bool every)
{
    const size_t most = (size_t)1 << large;
    points p = make_points(curve, group, n_bits > most ? n_bits : most);
    time_sizes(&p, every ? 10 : least_of(20, large), every ? 2 : 4, large, UNIFORM);
    if (every)
        for (int form = WITNESS; form <= MINUS_ONE; form++)
            time_sizes(&p, least_of(20, large), 4, least_of(24, large), (shape)form);
    p.n = n_bits;
    if (n_bits > 0)
        time_bits(&p);
    cuzk_cuda_free(p.device);
}

int main(int argc, char **argv)
{
    const unsigned most = argc > 1 ? (unsigned)atoi(argv[1]) : 27;
    cuzk_error none;
    if (cuzk_cuda_count(&none) == 0) {
        printf("no device: %s\n", none.message);
        return 77;
    }
    if (most < 1 || most > 28) {
        fprintf(stderr, "usage: msm_bench [1 ... 28]\n");
        return 2;
    }
    MUST(cuzk_cuda_use(0, &error));
    MUST(cuzk_cuda_info_get(&device, 0, &error));
    MUST(cuzk_cuda_stream_new(&stream, &error));
    MUST(cuzk_cuda_event_new(&from, true, &error));
    MUST(cuzk_cuda_event_new(&to, true, &error));
    for (int i = 0; i < CUZK_MSM_MARKS; i++)
        MUST(cuzk_cuda_event_new(&marks[i], true, &error));
    const size_t bits = most >= 27 ? 130169893 : ((size_t)1 << most) - 3;
    time_group(CUZK_BLS12_381, CUZK_G1, most, bits, true);
    time_group(CUZK_BLS12_381, CUZK_G2, least_of(most, 22),
               least_of(most, 25) == 25 ? 33554432 : bits, true);
    time_group(CUZK_BN254, CUZK_G1, least_of(most, 24), 0, false);
    time_group(CUZK_BN254, CUZK_G2, least_of(most, 22), 0, false);
    return failures == 0 ? 0 : 1;
}
