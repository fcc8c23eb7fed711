/* The GPU's field products, their carry chains in C, against the host's; and the lazy products. */
#include "support/test.h"

#include <stdbool.h>
#include <string.h>

#include "curve/bls12_381.h"
#include "curve/bn254.h"
#include "field/mont_ptx.h"

enum { ROUNDS = 20000 };

static bool below(const uint64_t *a, const uint64_t *p, int limbs)
{
    for (int i = limbs - 1; i >= 0; i--)
        if (a[i] != p[i])
            return a[i] < p[i];
    return false;
}

/* An element: 0, 1, p - 1, p - 2, limbs of ones, long runs of bits; below p. */
static void fill(uint64_t *x, const uint64_t *p, int limbs, test_rng *rng)
{
    uint64_t kind = test_rng_below(rng, 10);
    do {
        test_rng_bytes(rng, x, (size_t)limbs * 8);
        if (kind < 2)
            memset(x, 0, (size_t)limbs * 8), x[0] = kind;
        if (kind == 2 || kind == 3)
            memcpy(x, p, (size_t)limbs * 8), x[0] -= kind - 1;
        if (kind == 4)
            memset(x, 0xff, (size_t)(limbs - 1) * 8), x[limbs - 1] = p[limbs - 1] - 1;
        x[limbs - 1] = x[limbs - 1] > p[limbs - 1] ? x[limbs - 1] % p[limbs - 1] : x[limbs - 1];
    } while (!below(x, p, limbs));
}

#define FIELD_CHECK(field, limbs)                                                                  \
    static void test_##field(void **state)                                                         \
    {                                                                                              \
        (void)state;                                                                               \
        test_rng rng = test_rng_seeded(1);                                                         \
        uint64_t p[limbs], t[limbs], wide[2 * limbs], n0 = 1;                                      \
        modulus_of_##field(p);                                                                     \
        for (int i = 0; i < 6; i++)                                                                \
            n0 *= 2 - p[0] * n0;                                                                   \
        n0 = 0 - n0;                                                                               \
        for (int round = 0; round < ROUNDS; round++) {                                             \
            field a, b, want, got;                                                                 \
            field##_wide product, other;                                                           \
            fill(a.l, p, limbs, &rng);                                                             \
            fill(b.l, p, limbs, &rng);                                                             \
            field##_mul(&want, &a, &b);                                                            \
            cuzk_ptx_mul(2 * limbs, t, a.l, b.l, p, n0);                                           \
            cuzk_ptx_reduce_once(limbs, got.l, t, p);                                              \
            assert_memory_equal(&want, &got, sizeof want);                                         \
            field##_mul_wide(&product, &a, &b);                                                    \
            cuzk_ptx_mul_wide(2 * limbs, wide, a.l, b.l);                                          \
            assert_memory_equal(&product, wide, sizeof wide);                                      \
            field##_wide_reduce(&got, &product);                                                   \
            assert_memory_equal(&want, &got, sizeof want);                                         \
            cuzk_ptx_reduce_wide(2 * limbs, t, wide, p, n0);                                       \
            cuzk_ptx_reduce_once(limbs, got.l, t, p);                                              \
            assert_memory_equal(&want, &got, sizeof want);                                         \
            field##_mul(&want, &a, &a);                                                            \
            field##_mul_wide(&other, &a, &a);                                                      \
            cuzk_ptx_sqr_wide(2 * limbs, wide, a.l);                                               \
            assert_memory_equal(&other, wide, sizeof wide);                                        \
            cuzk_ptx_sqr(2 * limbs, t, a.l, p, n0);                                                \
            cuzk_ptx_reduce_once(limbs, got.l, t, p);                                              \
            assert_memory_equal(&want, &got, sizeof want);                                         \
            /* (a b - a^2) / R, either sign */                                                     \
            field##_mul(&got, &a, &b);                                                             \
            field##_sub(&want, &got, &want);                                                       \
            field##_wide_sub_mod(&product, &product, &other);                                      \
            field##_wide_reduce(&got, &product);                                                   \
            assert_memory_equal(&want, &got, sizeof want);                                         \
        }                                                                                          \
    }

#define MODULUS_OF(field)                                                                          \
    static void modulus_of_##field(uint64_t *p)                                                    \
    {                                                                                              \
        field one, zero, minus_one;                                                                \
        field##_canon canon;                                                                       \
        field##_set_one(&one);                                                                     \
        field##_set_zero(&zero);                                                                   \
        field##_sub(&minus_one, &zero, &one);                                                      \
        field##_to_canon(&canon, &minus_one);                                                      \
        memcpy(p, &canon, sizeof canon);                                                           \
        p[0]++; /* p - 1 is even */                                                                \
    }

MODULUS_OF(bn254_fp)
MODULUS_OF(bn254_fr)
MODULUS_OF(bls12_381_fp)
MODULUS_OF(bls12_381_fr)
FIELD_CHECK(bn254_fp, 4)
FIELD_CHECK(bn254_fr, 4)
FIELD_CHECK(bls12_381_fp, 6)
FIELD_CHECK(bls12_381_fr, 4)

#define FP2_CHECK(curve, limbs)                                                                    \
    static void test_##curve##_fp2(void **state)                                                   \
    {                                                                                              \
        (void)state;                                                                               \
        test_rng rng = test_rng_seeded(2);                                                         \
        uint64_t p[limbs];                                                                         \
        modulus_of_##curve##_fp(p);                                                                \
        for (int round = 0; round < ROUNDS; round++) {                                             \
            curve##_fp2 a, b, want, got;                                                           \
            fill(a.c0.l, p, limbs, &rng);                                                          \
            fill(a.c1.l, p, limbs, &rng);                                                          \
            fill(b.c0.l, p, limbs, &rng);                                                          \
            fill(b.c1.l, p, limbs, &rng);                                                          \
            curve##_fp2_mul(&want, &a, &b);                                                        \
            curve##_fp2_mul_lazy(&got, &a, &b);                                                    \
            assert_memory_equal(&want, &got, sizeof want);                                         \
            curve##_fp2_mul_lazy(&want, &a, &a);                                                   \
            curve##_fp2_sqr(&got, &a);                                                             \
            assert_memory_equal(&want, &got, sizeof want);                                         \
            got = a; /* outputs may be inputs */                                                   \
            curve##_fp2_mul_lazy(&got, &got, &got);                                                \
            assert_memory_equal(&want, &got, sizeof want);                                         \
        }                                                                                          \
    }

FP2_CHECK(bn254, 4)
FP2_CHECK(bls12_381, 6)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bn254_fp),     cmocka_unit_test(test_bn254_fr),
        cmocka_unit_test(test_bls12_381_fp), cmocka_unit_test(test_bls12_381_fr),
        cmocka_unit_test(test_bn254_fp2),    cmocka_unit_test(test_bls12_381_fp2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
