/* The way of very long transforms, three passes, on short ones: the portable kernel is compiled
 * here with tiles of at most 2^4 rows, so that three passes begin at 2^9 elements and not at 2^23.
 */
#include "compute/cpu/vf_bls12_381_fr.h"

#define NTT_PASS_LOG 4u
#define NTT_FIELD    bls12_381_fr
#define NTT_OPS      test_ntt_ops_short_tiles
#include "compute/cpu/ntt_tmpl.h"

#include "ntt_support.h"

static void check_long(test_rng *rng, unsigned log_m, bool with_coset)
{
    cuzk_cpu_force(CUZK_CPU_PORTABLE);
    const cuzk_curve *curve = cuzk_curve_get(CUZK_BLS12_381);
    const cuzk_fr *coset = with_coset ? &curve->coset_zcash : NULL;
    cuzk_pool *pool = cuzk_pool_new(3);
    fixture f = fixture_new(curve, &curve->root_zcash, log_m, pool);
    const size_t bytes = f.m * sizeof(cuzk_fr), plan_size = plan_bytes(log_m);
    cuzk_fr *in = random_vector(rng, curve, f.m), *expected = guarded_new(bytes);
    void *memory = guarded_new(plan_size);
    const cuzk_ntt_plan *three = plan_init(memory, log_m, &f.omega, pool);
    const size_t scratch_size = scratch_bytes(three, 3);
    void *scratch = guarded_new(scratch_size);
    assert_int_equal(((const plan *)three)->passes, 3);

    memcpy(expected, in, bytes);
    cuzk_ntt_forward(f.plan, expected, coset, f.scratch, pool);
    forward(three, in, coset, scratch, pool);
    assert_fr_equal(in, expected, f.m);
    cuzk_ntt_inverse(f.plan, expected, coset, f.scratch, pool);
    cuzk_ntt_inverse(f.plan, expected, coset, f.scratch, pool);
    inverse(three, in, coset, scratch, pool);
    inverse(three, in, coset, scratch, pool);
    assert_fr_equal(in, expected, f.m);

    guarded_free(in, bytes);
    guarded_free(expected, bytes);
    guarded_free(memory, plan_size);
    guarded_free(scratch, scratch_size);
    fixture_free(&f);
    cuzk_pool_free(pool);
}

static void three_passes_equal_two(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(1);
    for (unsigned log_m = 9; log_m <= 12; log_m++) {
        check_long(&rng, log_m, false);
        check_long(&rng, log_m, true);
    }
}

static void quotient_in_three_passes(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(2);
    cuzk_cpu_force(CUZK_CPU_PORTABLE);
    const cuzk_curve *curve = cuzk_curve_get(CUZK_BLS12_381);
    fixture f = fixture_new(curve, &curve->root_iden3, 10, NULL);
    const size_t bytes = f.m * sizeof(cuzk_fr);
    void *memory = guarded_new(plan_bytes(10));
    const cuzk_ntt_plan *three = plan_init(memory, 10, &f.omega, NULL);
    void *scratch = guarded_new(scratch_bytes(three, 1));
    for (int kind = 0; kind < 2; kind++) {
        cuzk_fr *v[2][2];
        cuzk_scalar *h[2] = {guarded_new(bytes), guarded_new(bytes)};
        for (int k = 0; k < 2; k++) {
            v[0][k] = random_vector(&rng, curve, f.m);
            v[1][k] = guarded_new(bytes);
            memcpy(v[1][k], v[0][k], bytes);
        }
        cuzk_quotient(f.plan, (cuzk_h_kind)kind, &curve->coset_zcash, h[0], v[0][0], v[0][1], NULL,
                      f.scratch, NULL);
        quotient(three, (cuzk_h_kind)kind, &curve->coset_zcash, h[1], v[1][0], v[1][1], NULL,
                 scratch, NULL);
        assert_memory_equal(h[0], h[1], bytes);
        for (int i = 0; i < 2; i++) {
            guarded_free(h[i], bytes);
            guarded_free(v[i][0], bytes);
            guarded_free(v[i][1], bytes);
        }
    }
    guarded_free(scratch, scratch_bytes(three, 1));
    guarded_free(memory, plan_bytes(10));
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_passes_equal_two),
        cmocka_unit_test(quotient_in_three_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
