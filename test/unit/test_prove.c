/* Setup, prove, verify on random circuits: both curves, both kinds of key, all shapes of domain;
 * and what proving must refuse. */
#include "support/circuit.h"
#include "support/group_pool.h"

#include "base/memory.h"
#include "base/random.h"
#include "groth16/prove.h"
#include "groth16/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cuzk_error err;

static const struct {
    cuzk_curve_id curve;
    cuzk_setup_kind kind;
    bool with_c;
} flavours[] = {{CUZK_BN254, CUZK_SETUP_SNARKJS, false},
                {CUZK_BN254, CUZK_SETUP_SNARKJS, true},
                {CUZK_BLS12_381, CUZK_SETUP_SNARKJS, false},
                {CUZK_BLS12_381, CUZK_SETUP_SNARKJS, true},
                {CUZK_BLS12_381, CUZK_SETUP_BELLPERSON, true}};
#define FLAVOURS (sizeof flavours / sizeof flavours[0])

/* A circuit, its witness and a key. */
typedef struct bench {
    test_circuit circuit;
    cuzk_pk *pk;
    cuzk_assignment assignment;
} bench;

static bench make_bench(size_t flavour, size_t rows, size_t n_public, test_rng *rng)
{
    bench b;
    test_circuit_random(&b.circuit, cuzk_curve_get(flavours[flavour].curve), rows, n_public, rng);
    b.pk = test_pk_random(&b.circuit.cs, flavours[flavour].kind, flavours[flavour].with_c,
                          test_pool, rng);
    b.assignment =
        (cuzk_assignment){.z = b.circuit.z, .n = b.circuit.cs.vars, .name = "test witness"};
    return b;
}

static void release_bench(bench *b)
{
    cuzk_pk_free(b->pk);
    test_circuit_release(&b->circuit);
}

static void wrong_inputs_are_rejected(const bench *b, const cuzk_proof *proof)
{
    size_t n = b->pk->vk.n_public;
    cuzk_scalar *inputs = calloc(n + 1, sizeof *inputs);
    assert_non_null(inputs);
    memcpy(inputs, b->circuit.z + 1, n * sizeof *inputs);
    for (size_t i = 0; i < n; i++) {
        cuzk_scalar kept = inputs[i];
        test_scalar_flip(b->pk->vk.curve, &inputs[i]);
        TEST_EXPECT(cuzk_verify_proof(b->pk->verifier, inputs, n, proof, test_pool, &err),
                    CUZK_ERR_REJECTED, &err);
        inputs[i] = b->pk->vk.curve->r; /* not canonical, though equal to 0 */
        TEST_EXPECT(cuzk_verify_proof(b->pk->verifier, inputs, n, proof, test_pool, &err),
                    CUZK_ERR_FORMAT, &err);
        inputs[i] = kept;
    }
    TEST_EXPECT(cuzk_verify_proof(b->pk->verifier, inputs, n, proof, test_pool, &err), CUZK_OK,
                &err);
    TEST_EXPECT(cuzk_verify_proof(b->pk->verifier, inputs, n + 1, proof, test_pool, &err),
                CUZK_ERR_MISMATCH, &err);
    if (n > 0)
        TEST_EXPECT(cuzk_verify_proof(b->pk->verifier, inputs, n - 1, proof, test_pool, &err),
                    CUZK_ERR_MISMATCH, &err);
    free(inputs);
}

static void prove_shape(size_t flavour, size_t rows, size_t n_public, test_rng *rng)
{
    bench b = make_bench(flavour, rows, n_public, rng);
    cuzk_proof first, second;
    TEST_EXPECT(cuzk_prove(b.pk, &b.assignment, &first, test_pool, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_prove(b.pk, &b.assignment, &second, test_pool, &err), CUZK_OK, &err);
    /* Fresh blinding each time. */
    assert_memory_not_equal(&first.a, &second.a, sizeof first.a);
    assert_memory_not_equal(&first.b, &second.b, sizeof first.b);
    assert_memory_not_equal(&first.c, &second.c, sizeof first.c);
    wrong_inputs_are_rejected(&b, &first);
    release_bench(&b);
}

/* Domains of 2 and more rows, filled to the brim (rows + inputs = 2^k) and one row beyond; no
 * public inputs; only public inputs. */
static void shapes(void **state)
{
    (void)state;
    static const size_t list[][2] = {{1, 0}, {0, 1},  {3, 0},  {4, 0},  {1, 2},  {6, 1},
                                     {7, 1}, {0, 12}, {30, 1}, {31, 1}, {2, 17}, {100, 3}};
    test_rng rng = test_rng_seeded(1);
    for (size_t flavour = 0; flavour < FLAVOURS; flavour++)
        for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
            prove_shape(flavour, list[i][0], list[i][1], &rng);
}

/* A witness that violates exactly the row that defines this variable: no other row uses it. */
static void unsatisfied(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(2);
    enum { ROWS = 20 };
    for (size_t flavour = 0; flavour < FLAVOURS; flavour++) {
        bench b = make_bench(flavour, ROWS, 1, &rng);
        cuzk_scalar *last = &b.circuit.z[b.circuit.cs.vars - 1];
        test_scalar_flip(b.pk->vk.curve, last);
        cuzk_proof proof;
        memset(&proof, 0x5a, sizeof proof);
        cuzk_proof before = proof;
        TEST_EXPECT(cuzk_prove(b.pk, &b.assignment, &proof, test_pool, &err), CUZK_ERR_UNSATISFIED,
                    &err);
        assert_memory_equal(&proof, &before, sizeof proof);
        assert_non_null(strstr(err.message, "test witness"));
        if (flavours[flavour].with_c) {
            char row[32];
            snprintf(row, sizeof row, "row %d ", ROWS - 1);
            assert_non_null(strstr(err.message, row));
        } else {
            assert_non_null(strstr(err.message, "cuzk check"));
        }
        test_scalar_flip(b.pk->vk.curve, last);
        TEST_EXPECT(cuzk_prove(b.pk, &b.assignment, &proof, test_pool, &err), CUZK_OK, &err);
        release_bench(&b);
    }
}

static void malformed_witness(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(3);
    for (size_t flavour = 0; flavour < FLAVOURS; flavour++) {
        bench b = make_bench(flavour, 9, 2, &rng);
        cuzk_proof proof;
        for (int step = -1; step <= 1; step += 2) {
            cuzk_assignment wrong = b.assignment;
            wrong.n = (size_t)((int)wrong.n + step);
            TEST_EXPECT(cuzk_prove(b.pk, &wrong, &proof, test_pool, &err), CUZK_ERR_MISMATCH, &err);
        }
        b.circuit.z[0].l[0] = 2;
        TEST_EXPECT(cuzk_prove(b.pk, &b.assignment, &proof, test_pool, &err), CUZK_ERR_MISMATCH,
                    &err);
        b.circuit.z[0].l[0] = 1;
        for (size_t i = 0; i < b.circuit.cs.vars; i++) {
            cuzk_scalar kept = b.circuit.z[i];
            b.circuit.z[i] = b.pk->vk.curve->r;
            TEST_EXPECT(cuzk_prove(b.pk, &b.assignment, &proof, test_pool, &err), CUZK_ERR_FORMAT,
                        &err);
            char place[32];
            snprintf(place, sizeof place, "value %zu ", i);
            assert_non_null(strstr(err.message, place));
            b.circuit.z[i] = kept;
        }
        release_bench(&b);
    }
}

/* Proving in two steps is the whole; the scratch holds nothing afterwards; r = s = 0 and other
 * values give proofs of one statement. */
static void start_and_finish(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(4);
    for (size_t flavour = 0; flavour < FLAVOURS; flavour++) {
        bench b = make_bench(flavour, 25, 2, &rng);
        size_t size = cuzk_prove_scratch(b.pk, cuzk_pool_threads(test_pool));
        uint8_t *scratch = cuzk_memory_new(size + 64, 1);
        assert_non_null(scratch);
        memset(scratch, 0xa5, size + 64);
        cuzk_sums sums;
        TEST_EXPECT(cuzk_prove_start(b.pk, &b.assignment, &sums, scratch, test_pool, &err), CUZK_OK,
                    &err);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(scratch[i], 0);
        for (size_t i = size; i < size + 64; i++)
            assert_int_equal(scratch[i], 0xa5);
        free(scratch);
        for (uint64_t r = 0; r < 3; r++) {
            cuzk_scalar r_scalar = {{r}}, s_scalar = {{2 * r}};
            cuzk_proof proof, whole;
            cuzk_prove_finish(b.pk, &sums, &r_scalar, &s_scalar, &proof, test_pool);
            TEST_EXPECT(
                cuzk_verify_proof(b.pk->verifier, b.circuit.z + 1, 2, &proof, test_pool, &err),
                CUZK_OK, &err);
            TEST_EXPECT(cuzk_prove_with_blinding(b.pk, &b.assignment, &r_scalar, &s_scalar, &whole,
                                                 NULL, &err),
                        CUZK_OK, &err);
            assert_memory_equal(&proof, &whole, sizeof proof);
        }
        release_bench(&b);
    }
}

/* Keys of other circuits of the same sizes. With matrix C it is known that the witness is not to
 * blame. */
static void key_of_another_circuit(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(5);
    for (size_t flavour = 0; flavour < 4; flavour++) {
        bench b = make_bench(flavour, 12, 1, &rng);
        bench other = make_bench(flavour, 12, 1, &rng);
        cuzk_query kept = b.pk->a;
        b.pk->a = other.pk->a;
        cuzk_proof proof;
        TEST_EXPECT(cuzk_prove(b.pk, &b.assignment, &proof, test_pool, &err),
                    flavours[flavour].with_c ? CUZK_ERR_MISMATCH : CUZK_ERR_UNSATISFIED, &err);
        b.pk->a = kept;
        release_bench(&b);
        release_bench(&other);
    }
}

typedef struct sharing {
    const bench *b;
    cuzk_status statuses[4];
} sharing;

static void prove_in_tile(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    sharing *s = context;
    cuzk_proof proof;
    s->statuses[tile] = cuzk_prove(s->b->pk, &s->b->assignment, &proof, test_pool, NULL);
}

/* Several threads prove with one key on one pool. */
static void concurrent_proofs(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(6);
    cuzk_pool *callers = cuzk_pool_new(4);
    assert_non_null(callers);
    for (size_t flavour = 0; flavour < FLAVOURS; flavour++) {
        bench b = make_bench(flavour, 60, 2, &rng);
        sharing s = {.b = &b};
        cuzk_pool_run(callers, 4, prove_in_tile, &s);
        for (size_t i = 0; i < 4; i++)
            assert_int_equal(s.statuses[i], CUZK_OK);
        release_bench(&b);
    }
    cuzk_pool_free(callers);
}

static int start_pool(void **state)
{
    setenv("CUZK_NO_CACHE", "1", 1);
    return test_pool_start(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),
        cmocka_unit_test(unsatisfied),
        cmocka_unit_test(malformed_witness),
        cmocka_unit_test(start_and_finish),
        cmocka_unit_test(key_of_another_circuit),
        cmocka_unit_test(concurrent_proofs),
    };
    return cmocka_run_group_tests(tests, start_pool, test_pool_stop);
}
