/* compute/ntt.h on the kernel of the selected CPU level. */
#include "compute/cpu/ntt_plan.h"

#include "base/cpu.h"

#include <string.h>

extern const cuzk_ntt_ops cuzk_ntt_ops_bn254_portable, cuzk_ntt_ops_bls12_381_portable;
#if CUZK_X86_LEVELS
extern const cuzk_ntt_ops cuzk_ntt_ops_bn254_adx, cuzk_ntt_ops_bn254_avx2, cuzk_ntt_ops_bn254_ifma;
extern const cuzk_ntt_ops cuzk_ntt_ops_bls12_381_adx, cuzk_ntt_ops_bls12_381_avx2,
    cuzk_ntt_ops_bls12_381_ifma;
#endif

static const cuzk_ntt_ops *ops_for(const cuzk_curve *curve)
{
    static const cuzk_ntt_ops *const table[CUZK_CURVES][CUZK_CPU_LEVELS] = {
#if CUZK_X86_LEVELS
        [CUZK_BN254] = {&cuzk_ntt_ops_bn254_portable, &cuzk_ntt_ops_bn254_adx,
                        &cuzk_ntt_ops_bn254_avx2, &cuzk_ntt_ops_bn254_ifma},
        [CUZK_BLS12_381] = {&cuzk_ntt_ops_bls12_381_portable, &cuzk_ntt_ops_bls12_381_adx,
                            &cuzk_ntt_ops_bls12_381_avx2, &cuzk_ntt_ops_bls12_381_ifma},
#else
        [CUZK_BN254] = {&cuzk_ntt_ops_bn254_portable},
        [CUZK_BLS12_381] = {&cuzk_ntt_ops_bls12_381_portable},
#endif
    };
    return table[curve->id][cuzk_cpu_selected()];
}

size_t cuzk_ntt_plan_bytes(const cuzk_curve *curve, unsigned log_m)
{
    return ops_for(curve)->plan_bytes(log_m);
}

cuzk_ntt_plan *cuzk_ntt_plan_init(void *memory, const cuzk_curve *curve, unsigned log_m,
                                  const cuzk_fr *omega, cuzk_pool *pool)
{
    return ops_for(curve)->plan_init(memory, log_m, omega, pool);
}

void cuzk_root_of_unity(cuzk_fr *omega, const cuzk_curve *curve, const cuzk_fr *root,
                        unsigned log_m)
{
    CUZK_ASSERT(log_m <= curve->two_adicity);
    *omega = *root;
    for (unsigned i = log_m; i < curve->two_adicity; i++)
        curve->fr_mul(omega, omega, omega);
}

size_t cuzk_ntt_scratch(const cuzk_ntt_plan *plan, unsigned threads)
{
    return plan->ops->scratch(plan, threads);
}

void cuzk_ntt_forward(const cuzk_ntt_plan *plan, cuzk_fr *data, const cuzk_fr *coset, void *scratch,
                      cuzk_pool *pool)
{
    plan->ops->forward(plan, data, coset, scratch, pool);
}

void cuzk_ntt_inverse(const cuzk_ntt_plan *plan, cuzk_fr *data, const cuzk_fr *coset, void *scratch,
                      cuzk_pool *pool)
{
    plan->ops->inverse(plan, data, coset, scratch, pool);
}

size_t cuzk_quotient_scratch(const cuzk_ntt_plan *plan, unsigned threads)
{
    return plan->ops->quotient_scratch(plan, threads);
}

void cuzk_quotient(const cuzk_ntt_plan *plan, cuzk_h_kind kind, const cuzk_fr *coset,
                   cuzk_scalar *h, cuzk_fr *a, cuzk_fr *b, cuzk_fr *c, void *scratch,
                   cuzk_pool *pool)
{
    plan->ops->quotient(plan, kind, coset, h, a, b, c, scratch, pool);
}

void cuzk_fr_import(const cuzk_curve *curve, cuzk_fr *r, const cuzk_scalar *a, size_t n,
                    cuzk_pool *pool)
{
    ops_for(curve)->fr_import(r, a, n, pool);
}

void cuzk_fr_export(const cuzk_curve *curve, cuzk_scalar *r, const cuzk_fr *a, size_t n,
                    cuzk_pool *pool)
{
    ops_for(curve)->fr_export(r, a, n, pool);
}

void cuzk_fr_mul_vec(const cuzk_curve *curve, cuzk_fr *r, const cuzk_fr *a, const cuzk_fr *b,
                     size_t n, cuzk_pool *pool)
{
    ops_for(curve)->fr_mul_vec(r, a, b, n, pool);
}

static bool below(const uint64_t *a, const uint64_t *r)
{
    for (int i = 3; i >= 0; i--)
        if (a[i] != r[i])
            return a[i] < r[i];
    return false;
}

size_t cuzk_scalars_check(const cuzk_curve *curve, const void *a, size_t n)
{
    const uint8_t *bytes = a;
    const uint64_t *r = curve->r.l;
    for (size_t i = 0; i < n; i++) {
        uint64_t top;
        memcpy(&top, bytes + 32 * i + 24, sizeof top);
        if (top < r[3]) /* nearly always decides */
            continue;
        uint64_t words[4];
        memcpy(words, bytes + 32 * i, sizeof words);
        if (!below(words, r))
            return i;
    }
    return n;
}
