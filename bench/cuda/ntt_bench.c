/* Times transforms and quotients on device 0: ntt_bench [least log2 size] [greatest log2 size].
 *
 * A line: op, curve, log2 of the size, median of the milliseconds by events, least, the products in
 * the field that the algorithm makes, in units of 10^9 per second, and the fraction of the bound:
 * the products' multiplier slots (224 for r of BLS12-381, 264 for that of BN254) at 64 slots per
 * processor and clock, of 132 processors at 1.98 GHz. */
#include "compute/cuda/cuda_ntt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPEATS          7
#define SEED_LOG         16 /* so many random elements, again and again */
#define SLOTS_PER_SECOND (64.0 * 132 * 1.98e9)

typedef struct bench {
    const cuzk_curve *curve;
    unsigned log_m;
    cuzk_cuda_ntt_plan plan;
    void *plan_memory, *scratch;
    cuzk_fr *a, *b, *c, *h;
    cuzk_stream stream;
    cuzk_event from, to;
} bench;

typedef cuzk_status op_fn(bench *t, cuzk_error *err);

static cuzk_status run_pair(bench *t, cuzk_error *err)
{
    return cuzk_cuda_ntt_pair(&t->plan, t->a, t->stream, err);
}

static cuzk_status run_forward(bench *t, cuzk_error *err)
{
    return cuzk_cuda_ntt_forward(&t->plan, t->a, false, t->scratch, t->stream, err);
}

static cuzk_status run_forward_coset(bench *t, cuzk_error *err)
{
    return cuzk_cuda_ntt_forward(&t->plan, t->a, true, t->scratch, t->stream, err);
}

static cuzk_status run_inverse(bench *t, cuzk_error *err)
{
    return cuzk_cuda_ntt_inverse(&t->plan, t->a, false, t->scratch, t->stream, err);
}

static cuzk_status run_inverse_coset(bench *t, cuzk_error *err)
{
    return cuzk_cuda_ntt_inverse(&t->plan, t->a, true, t->scratch, t->stream, err);
}

static cuzk_status run_odd(bench *t, cuzk_error *err)
{
    return cuzk_cuda_quotient(&t->plan, CUZK_H_ODD_LAGRANGE, (cuzk_scalar *)t->h, t->a, t->b, t->c,
                              t->stream, err);
}

static cuzk_status run_monomial(bench *t, cuzk_error *err)
{
    return cuzk_cuda_quotient(&t->plan, CUZK_H_COSET_MONOMIAL, (cuzk_scalar *)t->h, t->a, t->b,
                              t->c, t->stream, err);
}

static cuzk_status run_product(bench *t, cuzk_error *err)
{
    return cuzk_cuda_fr_mul_export(t->curve, (cuzk_scalar *)t->h, t->a, t->b, NULL,
                                   (size_t)1 << t->log_m, t->stream, err);
}

/* products: per element, as count + per_level * log_m. A transform's are 1/2 per level, less 7/8
 * for roots that are 1 in the last three levels downwards; the pair's middle multiplies every
 * element once, in place of every other one. */
static const struct {
    const char *name;
    op_fn *run;
    double count, per_level;
} ops[] = {{"pair", run_pair, -0.375, 1},
           {"inverse", run_inverse, 0.125, 0.5},
           {"inverse_coset", run_inverse_coset, 1.125, 0.5},
           {"forward", run_forward, -0.875, 0.5},
           {"forward_coset", run_forward_coset, 1.125, 0.5},
           {"quotient_odd", run_odd, 0.875, 3},
           {"quotient_monomial", run_monomial, 1, 3.5},
           {"mul_export", run_product, 2, 0}};

static cuzk_status alloc(cuzk_fr **vector, size_t m, cuzk_error *err)
{
    void *memory = NULL;
    const cuzk_status status = cuzk_cuda_alloc(&memory, m * sizeof(cuzk_fr), err);
    *vector = memory;
    return status;
}

/* Random elements, some hundred thousand of them in each vector at the most. */
static cuzk_status fill(bench *t, cuzk_fr *vector, uint64_t seed, cuzk_error *err)
{
    const size_t m = (size_t)1 << t->log_m;
    size_t done = m < (size_t)1 << SEED_LOG ? m : (size_t)1 << SEED_LOG;
    cuzk_fr *host = malloc(done * sizeof *host);
    if (host == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for %zu elements", done);
    uint64_t *words = host->l;
    for (size_t i = 0; i < 4 * done; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        words[i] = seed ^ seed >> 29;
        if (i % 4 == 3)
            words[i] >>= 3;
    }
    cuzk_status status = cuzk_cuda_upload(vector, host, done * sizeof *host, t->stream, err);
    if (status == CUZK_OK)
        status = cuzk_cuda_stream_wait(t->stream, err);
    free(host);
    for (; status == CUZK_OK && done < m; done *= 2)
        status = cuzk_cuda_copy(vector + done, vector, done * sizeof *vector, t->stream, err);
    return status;
}

static cuzk_status prepare(bench *t, cuzk_error *err)
{
    const size_t m = (size_t)1 << t->log_m;
    cuzk_fr omega;
    cuzk_root_of_unity(&omega, t->curve, &t->curve->root_zcash, t->log_m);
    CUZK_TRY(cuzk_cuda_alloc(&t->plan_memory, cuzk_cuda_ntt_plan_bytes(t->log_m), err));
    CUZK_TRY(cuzk_cuda_event_record(t->from, t->stream, err));
    CUZK_TRY(cuzk_cuda_ntt_plan_init(&t->plan, t->plan_memory, t->curve, t->log_m, &omega,
                                     &t->curve->coset_zcash, t->stream, err));
    CUZK_TRY(cuzk_cuda_event_record(t->to, t->stream, err));
    CUZK_TRY(cuzk_cuda_alloc(&t->scratch, m * sizeof(cuzk_fr), err));
    CUZK_TRY(alloc(&t->a, m, err));
    CUZK_TRY(alloc(&t->b, m, err));
    CUZK_TRY(alloc(&t->c, m, err));
    CUZK_TRY(alloc(&t->h, m, err));
    CUZK_TRY(fill(t, t->a, 1, err));
    CUZK_TRY(fill(t, t->b, 2, err));
    CUZK_TRY(fill(t, t->c, 3, err));
    float ms = 0;
    CUZK_TRY(cuzk_cuda_stream_wait(t->stream, err));
    CUZK_TRY(cuzk_cuda_event_elapsed(&ms, t->from, t->to, err));
    printf("%-18s %-8s 2^%-2u %10.4f ms once, %zu bytes\n", "plan", t->curve->name, t->log_m,
           (double)ms, cuzk_cuda_ntt_plan_bytes(t->log_m));
    return CUZK_OK;
}

static void release(bench *t)
{
    cuzk_cuda_free(t->plan_memory);
    cuzk_cuda_free(t->scratch);
    cuzk_cuda_free(t->a);
    cuzk_cuda_free(t->b);
    cuzk_cuda_free(t->c);
    cuzk_cuda_free(t->h);
    t->plan_memory = t->scratch = NULL;
    t->a = t->b = t->c = t->h = NULL;
}

static int compare(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static cuzk_status time_op(bench *t, size_t op, cuzk_error *err)
{
    float ms[REPEATS];
    CUZK_TRY(ops[op].run(t, err));
    for (unsigned i = 0; i < REPEATS; i++) {
        CUZK_TRY(cuzk_cuda_event_record(t->from, t->stream, err));
        CUZK_TRY(ops[op].run(t, err));
        CUZK_TRY(cuzk_cuda_event_record(t->to, t->stream, err));
        CUZK_TRY(cuzk_cuda_stream_wait(t->stream, err));
        CUZK_TRY(cuzk_cuda_event_elapsed(&ms[i], t->from, t->to, err));
    }
    qsort(ms, REPEATS, sizeof *ms, compare);
    const double products =
        (ops[op].count + ops[op].per_level * t->log_m) * (double)((size_t)1 << t->log_m);
    const double slots = t->curve->id == CUZK_BLS12_381 ? 224 : 264;
    const double seconds = (double)ms[REPEATS / 2] / 1e3;
    printf("%-18s %-8s 2^%-2u %10.4f ms, least %10.4f, %6.2f G products/s, %.3f of the bound\n",
           ops[op].name, t->curve->name, t->log_m, (double)ms[REPEATS / 2], (double)ms[0],
           products / seconds / 1e9, products * slots / SLOTS_PER_SECOND / seconds);
    fflush(stdout);
    return CUZK_OK;
}

static cuzk_status run_all(unsigned least, unsigned greatest, cuzk_error *err)
{
    bench t;
    memset(&t, 0, sizeof t);
    CUZK_TRY(cuzk_cuda_use(0, err));
    CUZK_TRY(cuzk_cuda_stream_new(&t.stream, err));
    CUZK_TRY(cuzk_cuda_event_new(&t.from, true, err));
    CUZK_TRY(cuzk_cuda_event_new(&t.to, true, err));
    for (int id = CUZK_CURVES; id-- > 0;)
        for (unsigned log_m = greatest; log_m + 1 > least; log_m--) {
            t.curve = cuzk_curve_get((cuzk_curve_id)id);
            t.log_m = log_m;
            cuzk_status status = prepare(&t, err);
            for (size_t op = 0; status == CUZK_OK && op < sizeof ops / sizeof *ops; op++)
                status = time_op(&t, op, err);
            release(&t);
            CUZK_TRY(status);
        }
    return CUZK_OK;
}

int main(int count, char **words)
{
    cuzk_error err;
    const unsigned least = count > 1 ? (unsigned)atoi(words[1]) : 10;
    const unsigned greatest = count > 2 ? (unsigned)atoi(words[2]) : 28;
    if (run_all(least, greatest, &err) != CUZK_OK) {
        fprintf(stderr, "ntt_bench: %s\n", err.message);
        return 1;
    }
    return 0;
}
