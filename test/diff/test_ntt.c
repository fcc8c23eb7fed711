/* The transforms against the definition, against themselves and between CPU levels. */
#include "ntt_support.h"

#define NAIVE_LOG 8

static cuzk_cpu_level best;

static void check_naive(const fixture *f, const cuzk_fr *in, const cuzk_fr *expected,
                        const cuzk_fr *coset)
{
    cuzk_fr *data = guarded_new(f->m * sizeof *data);
    memcpy(data, in, f->m * sizeof *data);
    cuzk_ntt_forward(f->plan, data, coset, f->scratch, f->pool);
    assert_fr_equal(data, expected, f->m);
    cuzk_ntt_inverse(f->plan, data, coset, f->scratch, f->pool);
    assert_fr_equal(data, in, f->m);
    guarded_free(data, f->m * sizeof *data);
}

/* One input, with and without a coset, on every level and with pools of 0 (none), 1, 2, 3 threads.
 */
static void check_domain(test_rng *rng, const cuzk_curve *curve, const cuzk_fr *root,
                         unsigned log_m, const cuzk_fr *coset)
{
    const size_t m = (size_t)1 << log_m;
    cuzk_fr *in = random_vector(rng, curve, m), *expected = guarded_new(m * sizeof *in), omega;
    cuzk_root_of_unity(&omega, curve, root, log_m);
    naive_forward(curve, expected, in, m, &omega, coset);
    for (unsigned level = 0; level <= best; level++) {
        cuzk_cpu_force((cuzk_cpu_level)level);
        for (unsigned threads = 0; threads <= 3; threads++) {
            cuzk_pool *pool = threads == 0 ? NULL : cuzk_pool_new(threads);
            fixture f = fixture_new(curve, root, log_m, pool);
            check_naive(&f, in, expected, coset);
            fixture_free(&f);
            cuzk_pool_free(pool);
        }
    }
    guarded_free(in, m * sizeof *in);
    guarded_free(expected, m * sizeof *in);
}

static void transforms_equal_the_definition(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(1);
    for (int id = 0; id < CUZK_CURVES; id++)
        for (unsigned log_m = 0; log_m <= NAIVE_LOG; log_m++) {
            const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)id);
            const cuzk_fr random = random_fr(&rng, curve);
            check_domain(&rng, curve, &curve->root_iden3, log_m, NULL);
            check_domain(&rng, curve, &curve->root_zcash, log_m, &curve->coset_zcash);
            if (memcmp(&random, &(cuzk_fr){{0}}, sizeof random) != 0)
                check_domain(&rng, curve, &curve->root_iden3, log_m, &random);
        }
}

static void inverse_undoes_forward(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(2);
    for (unsigned log_m = NAIVE_LOG + 1; log_m <= 14; log_m++)
        for (unsigned level = 0; level <= best; level++) {
            cuzk_cpu_force((cuzk_cpu_level)level);
            const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)(log_m % 2));
            fixture f = fixture_new(curve, &curve->root_zcash, log_m, NULL);
            cuzk_fr *in = random_vector(&rng, curve, f.m), *data = guarded_new(f.m * sizeof *in);
            memcpy(data, in, f.m * sizeof *in);
            const cuzk_fr *coset = level % 2 ? &curve->coset_zcash : NULL;
            cuzk_ntt_forward(f.plan, data, coset, f.scratch, NULL);
            cuzk_fr x = coset != NULL ? *coset : curve->fr_one; /* two outputs by the definition */
            const cuzk_fr first = evaluate(curve, in, f.m, &x);
            curve->fr_mul(&x, &x, &f.omega);
            const cuzk_fr second = evaluate(curve, in, f.m, &x);
            assert_fr_equal(&data[0], &first, 1);
            assert_fr_equal(&data[1], &second, 1);
            cuzk_ntt_inverse(f.plan, data, coset, f.scratch, NULL);
            assert_fr_equal(data, in, f.m);
            guarded_free(in, f.m * sizeof *in);
            guarded_free(data, f.m * sizeof *in);
            fixture_free(&f);
        }
}

/* Forward over a coset, then back without it: both directions in one outcome. */
static void mix(const cuzk_curve *curve, unsigned log_m, cuzk_fr *data)
{
    fixture f = fixture_new(curve, &curve->root_iden3, log_m, NULL);
    cuzk_ntt_forward(f.plan, data, &curve->coset_zcash, f.scratch, NULL);
    cuzk_ntt_inverse(f.plan, data, NULL, f.scratch, NULL);
    cuzk_ntt_inverse(f.plan, data, &curve->coset_zcash, f.scratch, NULL);
    fixture_free(&f);
}

static void levels_agree(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(3);
    for (unsigned log_m = 10; log_m <= 15; log_m++)
        for (int id = 0; id < CUZK_CURVES; id++) {
            const size_t m = (size_t)1 << log_m;
            cuzk_cpu_force(CUZK_CPU_PORTABLE);
            const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)id);
            cuzk_fr *in = random_vector(&rng, curve, m), *expected = guarded_new(m * sizeof *in);
            memcpy(expected, in, m * sizeof *in);
            mix(curve, log_m, expected);
            for (unsigned level = 1; level <= best; level++) {
                cuzk_cpu_force((cuzk_cpu_level)level);
                cuzk_fr *data = guarded_new(m * sizeof *in);
                memcpy(data, in, m * sizeof *in);
                mix(cuzk_curve_get((cuzk_curve_id)id), log_m, data);
                assert_fr_equal(data, expected, m);
                guarded_free(data, m * sizeof *in);
            }
            guarded_free(in, m * sizeof *in);
            guarded_free(expected, m * sizeof *in);
        }
}

/* Vectors of one value: their transform is known, and extreme values meet extreme sums everywhere.
 */
static void constant_vectors(void **state)
{
    (void)state;
    for (int id = 0; id < CUZK_CURVES; id++)
        for (unsigned level = 0; level <= best; level++)
            for (int which = 0; which < 3; which++) {
                cuzk_cpu_force((cuzk_cpu_level)level);
                const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)id);
                fixture f = fixture_new(curve, &curve->root_iden3, 11, NULL);
                cuzk_fr *data = guarded_new(f.m * sizeof *data), value = {{0}}, zero = {{0}};
                if (which == 1)
                    value = curve->fr_one;
                else if (which == 2)
                    curve->fr_sub(&value, &zero, &(cuzk_fr){{1, 0, 0, 0}}); /* all words of r - 1 */
                for (size_t i = 0; i < f.m; i++)
                    data[i] = value;
                cuzk_ntt_inverse(f.plan, data, NULL, f.scratch, NULL);
                assert_fr_equal(&data[0], &value, 1);
                for (size_t i = 1; i < f.m; i++)
                    assert_fr_equal(&data[i], &zero, 1);
                cuzk_ntt_forward(f.plan, data, NULL, f.scratch, NULL);
                for (size_t i = 0; i < f.m; i++)
                    assert_fr_equal(&data[i], &value, 1);
                guarded_free(data, f.m * sizeof *data);
                fixture_free(&f);
            }
}

/* --- vectors --- */

static void check_vector_functions(test_rng *rng, const cuzk_curve *curve, size_t n,
                                   cuzk_pool *pool)
{
    const size_t bytes = n * sizeof(cuzk_fr);
    cuzk_fr *a = random_vector(rng, curve, n), *b = random_vector(rng, curve, n);
    cuzk_fr *r = guarded_new(bytes), expected;
    cuzk_scalar *s = guarded_new(bytes), scalar;
    cuzk_fr_mul_vec(curve, r, a, b, n, pool);
    cuzk_fr_export(curve, s, a, n, pool);
    for (size_t i = 0; i < n; i++) {
        curve->fr_mul(&expected, &a[i], &b[i]);
        assert_fr_equal(&r[i], &expected, 1);
        curve->fr_to_scalar(&scalar, &a[i]);
        assert_memory_equal(&s[i], &scalar, sizeof scalar);
    }
    assert_int_equal(cuzk_scalars_check(curve, s, n), n);
    cuzk_fr_import(curve, (cuzk_fr *)s, s, n, pool);
    assert_memory_equal(s, a, bytes);
    cuzk_fr_mul_vec(curve, a, a, b, n, pool);
    assert_memory_equal(a, r, bytes);
    guarded_free(a, bytes);
    guarded_free(b, bytes);
    guarded_free(r, bytes);
    guarded_free(s, bytes);
}

static void vectors_equal_single_elements(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(4);
    const size_t lengths[] = {0, 1, 2, 3, 7, 8, 9, 15, 64, 100, 4095, 4096, 4099, 9001};
    cuzk_pool *pool = cuzk_pool_new(2);
    for (int id = 0; id < CUZK_CURVES; id++)
        for (unsigned level = 0; level <= best; level++)
            for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
                cuzk_cpu_force((cuzk_cpu_level)level);
                check_vector_functions(&rng, cuzk_curve_get((cuzk_curve_id)id), lengths[i],
                                       i % 2 ? pool : NULL);
            }
    cuzk_pool_free(pool);
}

static void scalars_check_finds_the_first(void **state)
{
    (void)state;
    for (int id = 0; id < CUZK_CURVES; id++) {
        const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)id);
        uint8_t bytes[1 + 20 * 32] = {0};
        for (size_t limb = 0; limb < 4; limb++)
            for (size_t at = 0; at < 20; at++) {
                cuzk_scalar below = curve->r, above = curve->r;
                below.l[limb]--;
                if (limb == 3) /* a smaller top limb decides whatever lies below it */
                    below.l[0] = UINT64_MAX;
                above.l[limb]++;
                for (size_t i = 0; i < 20; i++)
                    memcpy(bytes + 1 + 32 * i, &below, 32);
                assert_int_equal(cuzk_scalars_check(curve, bytes + 1, 20), 20);
                memcpy(bytes + 1 + 32 * 19, &above, 32);
                memcpy(bytes + 1 + 32 * at, &curve->r, 32);
                assert_int_equal(cuzk_scalars_check(curve, bytes + 1, 20), at);
                assert_int_equal(cuzk_scalars_check(curve, bytes + 1, at), at);
            }
    }
}

int main(void)
{
    best = cuzk_cpu_best();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transforms_equal_the_definition),
        cmocka_unit_test(inverse_undoes_forward),
        cmocka_unit_test(levels_agree),
        cmocka_unit_test(constant_vectors),
        cmocka_unit_test(vectors_equal_single_elements),
        cmocka_unit_test(scalars_check_finds_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
