/* Rates of field and point arithmetic on a card, against what its multipliers allow.
 *
 * Usage: field_bench [T multiplier slots a second]; 16.7 is an H200. A 32 x 32 -> 64 bit product
 * takes two slots, one that keeps only its low half takes one. Exit status 77: there is no device.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compute/cuda/field_ops.h"

enum { REPEATS = 7, DISTINCT = 64, ROUNDS = 1000, POINT_ROUNDS = 100 };

static double slots_per_second = 16.7e12;
static cuzk_stream stream;
static cuzk_event from, to;

static void must(cuzk_status status, const cuzk_error *err)
{
    if (status == CUZK_OK)
        return;
    fprintf(stderr, "%s\n", err->message);
    exit(1);
}

static uint64_t next_random(void)
{
    static uint64_t state = 0x9e3779b97f4a7c15;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Multiplier slots of a product, a square, and a lazy product in Fp2, of fields of that many 32-bit
 * limbs; `cheap`: r of BLS12-381, whose reduction rows are shorter. */
static double mul_slots(unsigned limbs, int cheap)
{
    return cheap ? 224 : 4.0 * limbs * limbs + limbs;
}

static double sqr_slots(unsigned limbs, int cheap)
{
    return cheap ? 224 : limbs * (limbs + 1.0) + 2.0 * limbs * limbs + limbs;
}

static double fp2_mul_slots(unsigned limbs)
{
    return 2.0 * (3 + 2) * limbs * limbs + 2.0 * limbs;
}

static int compare_ms(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

typedef struct measured {
    const cuzk_curve *curve;
    int point; /* 0: a field */
    int kind;  /* cuzk_cuda_field or cuzk_group */
    int op;
    const char *name;
    double slots; /* of one operation */
} measured;

static void run(const measured *m, uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n,
                unsigned rounds)
{
    cuzk_error err;
    if (m->point)
        must(cuzk_cuda_point_run(m->curve, (cuzk_group)m->kind, (cuzk_cuda_point_op)m->op, r, a, b,
                                 n, rounds, stream, &err),
             &err);
    else
        must(cuzk_cuda_field_run(m->curve, (cuzk_cuda_field)m->kind, (cuzk_cuda_field_op)m->op, r,
                                 a, b, n, rounds, stream, &err),
             &err);
}

static float median_ms(const measured *m, uint64_t *r, const uint64_t *a, const uint64_t *b,
                       size_t n, unsigned rounds)
{
    float ms[REPEATS];
    cuzk_error err;
    run(m, r, a, b, n, rounds);
    for (int i = 0; i < REPEATS; i++) {
        must(cuzk_cuda_event_record(from, stream, &err), &err);
        run(m, r, a, b, n, rounds);
        must(cuzk_cuda_event_record(to, stream, &err), &err);
        must(cuzk_cuda_event_wait(to, &err), &err);
        must(cuzk_cuda_event_elapsed(&ms[i], from, to, &err), &err);
    }
    qsort(ms, REPEATS, sizeof *ms, compare_ms);
    return ms[REPEATS / 2];
}

/* Elements below p; or a Jacobian point with z = 1, multiples of the generator; b of mixed sums is
 * affine. */
static void fill(const measured *m, uint64_t *out, unsigned words, uint64_t first)
{
    const cuzk_curve *curve = m->curve;
    if (!m->point) {
        const uint64_t *p = m->kind == CUZK_CUDA_FR ? curve->r.l : curve->p;
        unsigned half = m->kind == CUZK_CUDA_FR ? 4 : curve->fp_words;
        for (unsigned i = 0; i < words; i++)
            out[i] = i % half == half - 1 ? next_random() % p[half - 1] : next_random();
        return;
    }
    unsigned affine = cuzk_point_words(curve, (cuzk_group)m->kind);
    cuzk_scalar k = {{first, 0, 0, 0}};
    if (m->kind == CUZK_G1)
        curve->g1_mul(out, curve->g1_generator, &k);
    else
        curve->g2_mul(out, curve->g2_generator, &k);
    if (words == affine)
        return;
    uint8_t one[48] = {1};
    memset(out + affine, 0, (words - affine) * 8);
    curve->fp_from_le(out + affine, one);
}

static uint64_t *upload(const measured *m, unsigned words, size_t n, uint64_t first)
{
    cuzk_error err;
    void *device = NULL;
    uint64_t *host = malloc(n * words * 8);
    if (host == NULL)
        exit(1);
    for (size_t i = 0; i < n; i++) {
        if (i < DISTINCT)
            fill(m, host + i * words, words, first + 3 * i);
        else
            memcpy(host + i * words, host + i % DISTINCT * words, words * 8);
    }
    must(cuzk_cuda_alloc(&device, n * words * 8, &err), &err);
    must(cuzk_cuda_upload(device, host, n * words * 8, stream, &err), &err);
    must(cuzk_cuda_stream_wait(stream, &err), &err);
    free(host);
    return device;
}

static void measure(const measured *m, size_t n)
{
    cuzk_error err;
    void *r = NULL;
    unsigned words = m->point ? cuzk_point_words(m->curve, (cuzk_group)m->kind) / 2 * 3
                              : cuzk_cuda_field_words(m->curve, (cuzk_cuda_field)m->kind);
    unsigned words_b = m->point && m->op == CUZK_CUDA_POINT_ADD_MIXED
                           ? cuzk_point_words(m->curve, (cuzk_group)m->kind)
                           : words;
    uint64_t *a = upload(m, words, n, 1), *b = upload(m, words_b, n, 1000003);
    must(cuzk_cuda_alloc(&r, n * words * 8, &err), &err);
    const unsigned rounds = m->point ? POINT_ROUNDS : ROUNDS;
    float ms = median_ms(m, r, a, b, n, rounds);
    double rate = (double)n * rounds / (ms * 1e-3);
    printf("%-10s %-10s %8zu x %4u %9.3f ms %8.3f G/s %6.1f %% of %.3f G/s\n", m->name,
           m->curve->full_name, n, rounds, (double)ms, rate / 1e9,
           100 * rate * m->slots / slots_per_second, slots_per_second / m->slots / 1e9);
    cuzk_cuda_free(a);
    cuzk_cuda_free(b);
    cuzk_cuda_free(r);
}

static void measure_curve(const cuzk_curve *curve, size_t n)
{
    const unsigned limbs = 2 * curve->fp_words;
    const int cheap = curve->id == CUZK_BLS12_381;
    const double mul = mul_slots(limbs, 0), sqr = sqr_slots(limbs, 0);
    const double mul2 = fp2_mul_slots(limbs), sqr2 = 2 * mul;
    const measured all[] = {
        {curve, 0, CUZK_CUDA_FP, CUZK_CUDA_MUL, "fp_mul", mul},
        {curve, 0, CUZK_CUDA_FP, CUZK_CUDA_SQR, "fp_sqr", sqr},
        {curve, 0, CUZK_CUDA_FR, CUZK_CUDA_MUL, "fr_mul", mul_slots(8, cheap)},
        {curve, 0, CUZK_CUDA_FR, CUZK_CUDA_SQR, "fr_sqr", sqr_slots(8, cheap)},
        {curve, 0, CUZK_CUDA_FP2, CUZK_CUDA_MUL, "fp2_mul", mul2},
        {curve, 0, CUZK_CUDA_FP2, CUZK_CUDA_SQR, "fp2_sqr", sqr2},
        {curve, 1, CUZK_G1, CUZK_CUDA_POINT_ADD, "g1_add", 12 * mul + 4 * sqr},
        {curve, 1, CUZK_G1, CUZK_CUDA_POINT_ADD_MIXED, "g1_mixed", 8 * mul + 3 * sqr},
        {curve, 1, CUZK_G1, CUZK_CUDA_POINT_DBL, "g1_dbl", 2 * mul + 5 * sqr},
        {curve, 1, CUZK_G2, CUZK_CUDA_POINT_ADD, "g2_add", 12 * mul2 + 4 * sqr2},
        {curve, 1, CUZK_G2, CUZK_CUDA_POINT_ADD_MIXED, "g2_mixed", 8 * mul2 + 3 * sqr2},
        {curve, 1, CUZK_G2, CUZK_CUDA_POINT_DBL, "g2_dbl", 2 * mul2 + 5 * sqr2},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        measure(&all[i], n);
}

int main(int argc, char **argv)
{
    cuzk_error err = {0};
    cuzk_cuda_info info;
    if (cuzk_cuda_count(&err) == 0) {
        printf("no device: %s\n", err.message);
        return 77;
    }
    if (argc > 1)
        slots_per_second = strtod(argv[1], NULL) * 1e12;
    must(cuzk_cuda_info_get(&info, 0, &err), &err);
    printf("%s, %u processors; bounds for %.1f T slots/s\n", info.name, info.processors,
           slots_per_second / 1e12);
    must(cuzk_cuda_stream_new(&stream, &err), &err);
    must(cuzk_cuda_event_new(&from, true, &err), &err);
    must(cuzk_cuda_event_new(&to, true, &err), &err);
    const size_t n = (size_t)info.processors * 2048;
    measure_curve(cuzk_curve_get(CUZK_BLS12_381), n);
    measure_curve(cuzk_curve_get(CUZK_BN254), n);
    cuzk_cuda_event_free(from);
    cuzk_cuda_event_free(to);
    cuzk_cuda_stream_free(stream);
    return 0;
}
