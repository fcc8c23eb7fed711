/* Verification, single and in batches: malformed and false proofs, and the lengths. */
#include "support/circuit.h"
#include "support/group_pool.h"

#include "groth16/prove.h"
#include "groth16/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROOFS = 9 };

typedef struct batch {
    cuzk_pk *pk;
    size_t n_public;
    cuzk_scalar *inputs;
    cuzk_proof proofs[PROOFS];
} batch;

static cuzk_error err;

/* Proofs of PROOFS different statements: a circuit without rows has free public inputs. */
static batch make_batch(cuzk_curve_id id, size_t n_public, test_rng *rng)
{
    const cuzk_curve *curve = cuzk_curve_get(id);
    batch b = {.n_public = n_public};
    test_circuit circuit;
    test_circuit_random(&circuit, curve, 0, n_public, rng);
    b.pk = test_pk_random(&circuit.cs, CUZK_SETUP_SNARKJS, true, test_pool, rng);
    b.inputs = calloc(PROOFS * n_public, sizeof *b.inputs);
    assert_non_null(b.inputs);
    for (size_t k = 0; k < PROOFS; k++) {
        for (size_t i = 0; i < n_public; i++)
            circuit.z[1 + i] = test_scalar(curve, rng);
        circuit.z[1] = (cuzk_scalar){{1000 + 2 * k}}; /* no two statements alike */
        memcpy(b.inputs + k * n_public, circuit.z + 1, n_public * sizeof *b.inputs);
        cuzk_assignment assignment = {.z = circuit.z, .n = circuit.cs.vars, .name = "test witness"};
        TEST_EXPECT(cuzk_prove(b.pk, &assignment, &b.proofs[k], test_pool, &err), CUZK_OK, &err);
    }
    test_circuit_release(&circuit);
    return b;
}

static void release_batch(batch *b)
{
    cuzk_pk_free(b->pk);
    free(b->inputs);
}

static void expect_batch(const batch *b, size_t n, cuzk_status expected, size_t expected_bad)
{
    size_t bad = SIZE_MAX;
    TEST_EXPECT(cuzk_verify_batch(b->pk->verifier, b->inputs, b->n_public, b->proofs, n, &bad,
                                  test_pool, &err),
                expected, &err);
    assert_int_equal(bad, expected_bad);
    TEST_EXPECT(
        cuzk_verify_batch(b->pk->verifier, b->inputs, b->n_public, b->proofs, n, NULL, NULL, &err),
        expected, &err);
}

static void expect_one(const batch *b, const cuzk_proof *proof, cuzk_status expected)
{
    TEST_EXPECT(cuzk_verify_proof(b->pk->verifier, b->inputs, b->n_public, proof, test_pool, &err),
                expected, &err);
}

static void all_sizes(const batch *b)
{
    expect_batch(b, 0, CUZK_ERR_ARGUMENT, SIZE_MAX);
    for (size_t n = 1; n <= PROOFS; n++)
        expect_batch(b, n, CUZK_OK, SIZE_MAX);
}

static void one_false_proof(batch *b)
{
    for (size_t i = 0; i < PROOFS; i++) {
        cuzk_scalar *input = &b->inputs[i * b->n_public];
        test_scalar_flip(b->pk->vk.curve, input);
        expect_batch(b, PROOFS, CUZK_ERR_REJECTED, i);
        expect_batch(b, i + 1, CUZK_ERR_REJECTED, i);
        if (i > 0)
            expect_batch(b, i, CUZK_OK, SIZE_MAX);
        test_scalar_flip(b->pk->vk.curve, input);
    }
    /* Two: the first is named. */
    test_scalar_flip(b->pk->vk.curve, &b->inputs[3 * b->n_public]);
    test_scalar_flip(b->pk->vk.curve, &b->inputs[7 * b->n_public]);
    expect_batch(b, PROOFS, CUZK_ERR_REJECTED, 3);
    test_scalar_flip(b->pk->vk.curve, &b->inputs[3 * b->n_public]);
    test_scalar_flip(b->pk->vk.curve, &b->inputs[7 * b->n_public]);
}

/* Two false proofs whose errors cancel without weights: C of one is C + D, of the other C - D. */
static void opposite_errors(batch *b)
{
    const cuzk_curve *curve = b->pk->vk.curve;
    cuzk_g1 kept[2] = {b->proofs[2].c, b->proofs[5].c}, minus;
    curve->g1_neg(minus.l, curve->g1_generator);
    curve->g1_add(b->proofs[2].c.l, kept[0].l, curve->g1_generator);
    curve->g1_add(b->proofs[5].c.l, kept[1].l, minus.l);
    expect_batch(b, PROOFS, CUZK_ERR_REJECTED, 2);
    b->proofs[2].c = kept[0];
    b->proofs[5].c = kept[1];
    /* Exchanged proofs. */
    cuzk_proof swap = b->proofs[6];
    b->proofs[6] = b->proofs[7];
    b->proofs[7] = swap;
    expect_batch(b, PROOFS, CUZK_ERR_REJECTED, 6);
    b->proofs[7] = b->proofs[6];
    b->proofs[6] = swap;
}

static void wrong_lengths(batch *b)
{
    for (int step = -1; step <= 1; step += 2) {
        size_t n_inputs = (size_t)((int)b->n_public + step), bad = SIZE_MAX;
        TEST_EXPECT(cuzk_verify_batch(b->pk->verifier, b->inputs, n_inputs, b->proofs, 2, &bad,
                                      test_pool, &err),
                    CUZK_ERR_MISMATCH, &err);
    }
    if (b->n_public > 1) /* the number of inputs overflows */
        TEST_EXPECT(cuzk_verify_batch(b->pk->verifier, b->inputs, b->n_public, b->proofs, SIZE_MAX,
                                      NULL, test_pool, &err),
                    CUZK_ERR_ARGUMENT, &err);
    for (size_t i = 0; i < PROOFS; i++) {
        cuzk_scalar *input = &b->inputs[(i + 1) * b->n_public - 1], kept = *input;
        *input = b->pk->vk.curve->r;
        expect_batch(b, PROOFS, CUZK_ERR_FORMAT, i);
        *input = kept;
    }
}

/* Each of A, B, C at infinity, off the curve, with coordinates >= p. */
static void malformed_points(batch *b)
{
    const cuzk_curve *curve = b->pk->vk.curve;
    const cuzk_proof good = b->proofs[4];
    const struct {
        size_t at, words;
        char letter;
    } parts[] = {{offsetof(cuzk_proof, a), curve->g1_words, 'A'},
                 {offsetof(cuzk_proof, b), curve->g2_words, 'B'},
                 {offsetof(cuzk_proof, c), curve->g1_words, 'C'}};
    for (size_t i = 0; i < 3; i++) {
        char point[16];
        snprintf(point, sizeof point, "point %c ", parts[i].letter);
        for (int how = 0; how < 3; how++) {
            cuzk_proof bad = good;
            uint64_t *words = (uint64_t *)((uint8_t *)&bad + parts[i].at);
            if (how == 0)
                memset(words, 0, parts[i].words * sizeof *words);
            else if (how == 1)
                words[0] ^= 1;
            else
                memcpy(words, curve->p, curve->fp_words * sizeof *words);
            expect_one(b, &bad, CUZK_ERR_FORMAT);
            assert_non_null(strstr(err.message, point));
            b->proofs[4] = bad;
            expect_batch(b, PROOFS, CUZK_ERR_FORMAT, 4);
            assert_non_null(strstr(err.message, "proof 4"));
        }
    }
    b->proofs[4] = good;
}

/* The order-3 point (0, 2) of BLS12-381: A + (0, 2) passes verifiers that check the curve only. */
static void outside_the_subgroup(const batch *b)
{
    const cuzk_curve *curve = b->pk->vk.curve;
    if (curve->id != CUZK_BLS12_381)
        return;
    uint8_t torsion[CUZK_FP_MAX_WORDS * 8] = {2};
    cuzk_g1 order3 = {{0}};
    assert_true(curve->fp_from_le(order3.l + curve->fp_words, torsion));
    assert_int_equal(curve->g1_check(order3.l, false), CUZK_POINT_OK);
    cuzk_proof bad = b->proofs[0];
    curve->g1_add(bad.a.l, bad.a.l, order3.l);
    expect_one(b, &bad, CUZK_ERR_FORMAT);
    bad = b->proofs[0];
    curve->g1_add(bad.c.l, bad.c.l, order3.l);
    expect_one(b, &bad, CUZK_ERR_FORMAT);
}

/* Groth16 proofs can be re-randomised by anyone: not a defect, but equations must hold for them
 * too. (k A, 1/k B, C) is valid, (k A, B, C) is not. */
static void malleability(const batch *b)
{
    const cuzk_curve *curve = b->pk->vk.curve;
    cuzk_scalar k = {{7}}, inverse;
    cuzk_fr element;
    curve->fr_from_scalar(&element, &k);
    curve->fr_inv(&element, &element);
    curve->fr_to_scalar(&inverse, &element);
    cuzk_proof other = b->proofs[0];
    curve->g1_mul(other.a.l, other.a.l, &k);
    expect_one(b, &other, CUZK_ERR_REJECTED);
    curve->g2_mul(other.b.l, other.b.l, &inverse);
    expect_one(b, &other, CUZK_OK);
}

static void check_curve(cuzk_curve_id id, size_t n_public)
{
    test_rng rng = test_rng_seeded(id);
    batch b = make_batch(id, n_public, &rng);
    all_sizes(&b);
    one_false_proof(&b);
    opposite_errors(&b);
    wrong_lengths(&b);
    malleability(&b);
    outside_the_subgroup(&b);
    malformed_points(&b);
    release_batch(&b);
}

static void few_inputs(void **state)
{
    (void)state;
    check_curve(CUZK_BN254, 3);
    check_curve(CUZK_BLS12_381, 1);
}

static void many_inputs(void **state)
{
    (void)state;
    check_curve(CUZK_BN254, 20);
    check_curve(CUZK_BLS12_381, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_inputs),
        cmocka_unit_test(many_inputs),
    };
    return cmocka_run_group_tests(tests, test_pool_start, test_pool_stop);
}
