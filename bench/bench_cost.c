#include "bench_cost.h"

#define MAX_WINDOW 24u

/* Windows of c bits of a signed scalar. */
static unsigned count_windows(const cuzk_curve *curve, unsigned c)
{
    return (curve->scalar_bits + 1 + c - 1) / c;
}

/* The width that needs fewest additions, two per bucket included; these are then left out, as the
 * bound does for n much larger than the buckets. */
static unsigned choose_windows(const cuzk_curve *curve, size_t n)
{
    unsigned best = count_windows(curve, 1);
    double least = (double)best * ((double)n + 2);
    for (unsigned c = 2; c <= MAX_WINDOW; c++) {
        unsigned windows = count_windows(curve, c);
        double additions = (double)windows * ((double)n + (double)((size_t)1 << c));
        if (additions < least) {
            least = additions;
            best = windows;
        }
    }
    return best;
}

double cuzk_bench_msm_cost(cuzk_bench *bench, const cuzk_curve *curve, cuzk_group group,
                           size_t n_one, size_t n_wide)
{
    double products = group == CUZK_G1 ? CUZK_BENCH_ADD_G1 : CUZK_BENCH_ADD_G2;
    double additions = (double)n_one + (double)choose_windows(curve, n_wide) * (double)n_wide;
    return additions * products * cuzk_bench_mul(bench, curve, CUZK_FIELD_FP);
}

double cuzk_bench_ntt_cost(cuzk_bench *bench, const cuzk_curve *curve, unsigned log_m)
{
    double butterflies = (double)log_m * (double)((size_t)1 << log_m) / 2;
    return butterflies * (cuzk_bench_mul(bench, curve, CUZK_FIELD_FR) +
                          2 * cuzk_bench_add(bench, curve, CUZK_FIELD_FR));
}

double cuzk_bench_query_cost(cuzk_bench *bench, const cuzk_pk *pk, const cuzk_query *query,
                             cuzk_group group, const cuzk_scalar *z)
{
    size_t n_one = 0, n_wide = 0;
    for (size_t i = 0; i < query->n; i++) {
        const cuzk_scalar *k = &z[query->index != NULL ? query->index[i] : query->offset + i];
        bool small = (k->l[1] | k->l[2] | k->l[3]) == 0 && k->l[0] <= 1;
        n_one += small && k->l[0] == 1;
        n_wide += !small;
    }
    return cuzk_bench_msm_cost(bench, pk->vk.curve, group, n_one, n_wide);
}

/* Each of a, b and c goes to coefficients and to the coset; bellperson's form comes back once. */
double cuzk_bench_quotient_cost(cuzk_bench *bench, const cuzk_pk *pk)
{
    unsigned transforms = pk->h_kind == CUZK_H_ODD_LAGRANGE ? 6 : 7;
    return transforms * cuzk_bench_ntt_cost(bench, pk->vk.curve, pk->log_m);
}

double cuzk_bench_proof_cost(cuzk_bench *bench, const cuzk_pk *pk, const cuzk_scalar *z)
{
    return cuzk_bench_quotient_cost(bench, pk) +
           cuzk_bench_msm_cost(bench, pk->vk.curve, CUZK_G1, 0, pk->h.n) +
           cuzk_bench_query_cost(bench, pk, &pk->l, CUZK_G1, z) +
           cuzk_bench_query_cost(bench, pk, &pk->a, CUZK_G1, z) +
           cuzk_bench_query_cost(bench, pk, &pk->b1, CUZK_G1, z) +
           cuzk_bench_query_cost(bench, pk, &pk->b2, CUZK_G2, z);
}
