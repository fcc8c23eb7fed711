/* The same proof, byte for byte, on every CPU level and for any number of threads; and the same
 * setup. */
#include "support/circuit.h"

#include "base/cpu.h"
#include "groth16/prove.h"

#include <stdlib.h>
#include <string.h>

static cuzk_error err;

typedef struct statement {
    test_circuit circuit;
    cuzk_setup_kind kind;
    cuzk_toxic toxic;
    cuzk_scalar r, s;
} statement;

/* Everything made afresh on the selected level: keys are bound to it. */
static cuzk_proof prove_afresh(const statement *st, unsigned threads, cuzk_setup *setup)
{
    /* The circuit's functions must be those of the level, too. */
    cuzk_r1cs cs = st->circuit.cs;
    cs.curve = cuzk_curve_get(cs.curve->id);
    cuzk_pool *pool = threads == 1 ? NULL : cuzk_pool_new(threads);
    TEST_EXPECT(cuzk_setup_make(setup, &cs, &st->toxic, st->kind, pool, &err), CUZK_OK, &err);
    cuzk_pk *pk = test_pk_new(setup, &cs, true, 0, pool);
    cuzk_assignment assignment = {.z = st->circuit.z, .n = cs.vars, .name = "test witness"};
    cuzk_proof proof;
    TEST_EXPECT(cuzk_prove_with_blinding(pk, &assignment, &st->r, &st->s, &proof, pool, &err),
                CUZK_OK, &err);
    cuzk_pk_free(pk);
    cuzk_pool_free(pool);
    return proof;
}

static void expect_same_points(const uint64_t *a, const uint64_t *b, size_t n, unsigned words)
{
    if (n > 0)
        assert_memory_equal(a, b, n * words * sizeof *a);
}

static void expect_same_setup(const cuzk_setup *a, const cuzk_setup *b)
{
    unsigned g1 = a->curve->g1_words, g2 = a->curve->g2_words;
    expect_same_points(a->vk.ic, b->vk.ic, a->n_public + 1, g1);
    expect_same_points(a->a, b->a, a->n_a, g1);
    expect_same_points(a->b1, b->b1, a->n_b, g1);
    expect_same_points(a->b2, b->b2, a->n_b, g2);
    expect_same_points(a->l, b->l, a->n_l, g1);
    expect_same_points(a->h, b->h, a->n_h, g1);
}

static void compare_levels(const statement *st)
{
    cuzk_setup first, other;
    cuzk_cpu_force(CUZK_CPU_PORTABLE);
    cuzk_proof expected = prove_afresh(st, 1, &first);
    for (int level = CUZK_CPU_PORTABLE; level <= (int)cuzk_cpu_best(); level++) {
        cuzk_cpu_force((cuzk_cpu_level)level);
        for (unsigned threads = 1; threads <= 3; threads += 2) {
            cuzk_proof proof = prove_afresh(st, threads, &other);
            assert_memory_equal(&proof, &expected, sizeof proof);
            expect_same_setup(&first, &other);
            cuzk_setup_release(&other);
        }
    }
    cuzk_setup_release(&first);
    cuzk_cpu_force(cuzk_cpu_best());
}

static void compare_flavour(cuzk_curve_id id, cuzk_setup_kind kind, size_t rows, size_t n_public)
{
    test_rng rng = test_rng_seeded(rows);
    const cuzk_curve *curve = cuzk_curve_get(id);
    statement st = {.kind = kind};
    test_circuit_random(&st.circuit, curve, rows, n_public, &rng);
    st.toxic = test_toxic(curve, kind, &rng);
    st.r = test_scalar(curve, &rng);
    st.s = test_scalar(curve, &rng);
    compare_levels(&st);
    test_circuit_release(&st.circuit);
}

static void levels_agree(void **state)
{
    (void)state;
    static const size_t shapes[][2] = {{1, 0}, {15, 1}, {150, 12}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        compare_flavour(CUZK_BN254, CUZK_SETUP_SNARKJS, shapes[i][0], shapes[i][1]);
        compare_flavour(CUZK_BLS12_381, CUZK_SETUP_SNARKJS, shapes[i][0], shapes[i][1]);
        compare_flavour(CUZK_BLS12_381, CUZK_SETUP_BELLPERSON, shapes[i][0], shapes[i][1]);
    }
}

int main(void)
{
    setenv("CUZK_NO_CACHE", "1", 1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(levels_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
