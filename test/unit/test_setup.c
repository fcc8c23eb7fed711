/* Setup: the QAP against a naive evaluation, the refusals, the rows for inputs. */
#include "support/circuit.h"

#include "groth16/qap.h"

#include <stdlib.h>
#include <string.h>

static cuzk_error err;

static void domain_sizes(void **state)
{
    (void)state;
    assert_int_equal(cuzk_domain_log(0, 0), 0);
    assert_int_equal(cuzk_domain_log(1, 0), 1);
    assert_int_equal(cuzk_domain_log(0, 1), 1);
    assert_int_equal(cuzk_domain_log(1, 1), 2);
    /* chain6 fills 2^3, chain7 spills; chain30 fills 2^5. */
    assert_int_equal(cuzk_domain_log(6, 1), 3);
    assert_int_equal(cuzk_domain_log(7, 1), 4);
    assert_int_equal(cuzk_domain_log(30, 1), 5);
    assert_int_equal(cuzk_domain_log(31, 1), 6);
    assert_int_equal(cuzk_domain_log(130278541, 327),
                     27); /* PoRep 32 GiB: 130,278,869 with inputs */
    assert_int_equal(cuzk_domain_log(((size_t)1 << 32) - 1, 0), 32);
    assert_int_equal(cuzk_domain_log((size_t)1 << 32, 0), 33);
}

/* Value of column col of a matrix at tau, by definition: the sum over rows of the entry times
 * prod_{k != row} (tau - w^k) / (w^row - w^k). */
static cuzk_fr naive_column(const cuzk_r1cs *cs, const cuzk_matrix *matrix, size_t col, size_t m,
                            const cuzk_fr *roots, const cuzk_fr *tau, bool input_rows)
{
    const cuzk_curve *curve = cs->curve;
    cuzk_fr sum = {{0}};
    for (size_t row = 0; row < m; row++) {
        cuzk_fr entry = {{0}};
        for (uint64_t e = row < cs->rows ? matrix->row_start[row] : 0;
             row < cs->rows && e < matrix->row_start[row + 1]; e++)
            if (matrix->col[e] == col)
                entry = cs->coefs.value[matrix->coef[e]];
        if (input_rows && col <= cs->n_public && row == cs->rows + col)
            entry = curve->fr_one;
        for (size_t k = 0; k < m; k++) {
            cuzk_fr above, below;
            if (k == row)
                continue;
            curve->fr_sub(&above, tau, &roots[k]);
            curve->fr_sub(&below, &roots[row], &roots[k]);
            curve->fr_inv(&below, &below);
            curve->fr_mul(&entry, &entry, &above);
            curve->fr_mul(&entry, &entry, &below);
        }
        curve->fr_add(&sum, &sum, &entry);
    }
    return sum;
}

static void expect_scalar(const cuzk_curve *curve, const cuzk_scalar *found,
                          const cuzk_fr *expected)
{
    cuzk_scalar canonical;
    curve->fr_to_scalar(&canonical, expected);
    assert_memory_equal(found, &canonical, sizeof canonical);
}

static void check_columns(const cuzk_r1cs *cs, const cuzk_qap *qap, const cuzk_toxic *toxic,
                          const cuzk_fr *roots, size_t m)
{
    const cuzk_curve *curve = cs->curve;
    cuzk_fr tau, alpha, beta, gamma, delta;
    curve->fr_from_scalar(&tau, &toxic->tau);
    curve->fr_from_scalar(&alpha, &toxic->alpha);
    curve->fr_from_scalar(&beta, &toxic->beta);
    curve->fr_from_scalar(&gamma, &toxic->gamma);
    curve->fr_from_scalar(&delta, &toxic->delta);
    for (size_t i = 0; i < cs->vars; i++) {
        cuzk_fr u = naive_column(cs, &cs->a, i, m, roots, &tau, true);
        cuzk_fr v = naive_column(cs, &cs->b, i, m, roots, &tau, false);
        cuzk_fr w = naive_column(cs, &cs->c, i, m, roots, &tau, false);
        expect_scalar(curve, &qap->u[i], &u);
        expect_scalar(curve, &qap->v[i], &v);
        /* k * (gamma or delta) = beta u + alpha v + w */
        cuzk_fr k;
        curve->fr_from_scalar(&k, &qap->k[i]);
        curve->fr_mul(&k, &k, i <= cs->n_public ? &gamma : &delta);
        curve->fr_mul(&u, &u, &beta);
        curve->fr_mul(&v, &v, &alpha);
        curve->fr_add(&w, &w, &u);
        curve->fr_add(&w, &w, &v);
        assert_memory_equal(&k, &w, sizeof k);
    }
}

/* h over the 2m points of the doubled domain: by definition. */
static void check_lagrange_h(const cuzk_curve *curve, const cuzk_qap *qap, const cuzk_toxic *toxic,
                             unsigned log_m)
{
    size_t m = (size_t)1 << log_m;
    cuzk_fr g, tau, delta, *points = calloc(2 * m, sizeof *points);
    assert_non_null(points);
    cuzk_root_of_unity(&g, curve, &curve->root_iden3, log_m + 1);
    for (size_t k = 0; k < 2 * m; k++)
        curve->fr_pow(&points[k], &g, k);
    curve->fr_from_scalar(&tau, &toxic->tau);
    curve->fr_from_scalar(&delta, &toxic->delta);
    for (size_t i = 0; i < m; i++) {
        cuzk_fr value = curve->fr_one, above, below;
        for (size_t k = 0; k < 2 * m; k++) {
            if (k == 2 * i + 1)
                continue;
            curve->fr_sub(&above, &tau, &points[k]);
            curve->fr_sub(&below, &points[2 * i + 1], &points[k]);
            curve->fr_inv(&below, &below);
            curve->fr_mul(&value, &value, &above);
            curve->fr_mul(&value, &value, &below);
        }
        curve->fr_inv(&below, &delta);
        curve->fr_mul(&value, &value, &below);
        expect_scalar(curve, &qap->h[i], &value);
    }
    free(points);
}

static void check_monomial_h(const cuzk_curve *curve, const cuzk_qap *qap, const cuzk_toxic *toxic,
                             size_t m)
{
    cuzk_fr tau, z, delta;
    curve->fr_from_scalar(&tau, &toxic->tau);
    curve->fr_from_scalar(&delta, &toxic->delta);
    curve->fr_inv(&delta, &delta);
    curve->fr_pow(&z, &tau, m);
    curve->fr_sub(&z, &z, &curve->fr_one);
    for (size_t i = 0; i + 1 < m; i++) {
        cuzk_fr value;
        curve->fr_pow(&value, &tau, i);
        curve->fr_mul(&value, &value, &z);
        curve->fr_mul(&value, &value, &delta);
        expect_scalar(curve, &qap->h[i], &value);
    }
}

static void check_qap(const cuzk_curve *curve, cuzk_setup_kind kind, size_t rows, size_t n_public,
                      test_rng *rng)
{
    test_circuit circuit;
    test_circuit_random(&circuit, curve, rows, n_public, rng);
    cuzk_toxic toxic = test_toxic(curve, kind, rng);
    cuzk_r1cs_columns columns;
    cuzk_qap qap;
    cuzk_r1cs_columns_init(&columns, &circuit.cs);
    TEST_EXPECT(cuzk_qap_make(&qap, &columns.columns, &toxic, kind, NULL, &err), CUZK_OK, &err);

    bool bellperson = kind == CUZK_SETUP_BELLPERSON;
    unsigned log_m = cuzk_domain_log(rows, n_public);
    size_t m = (size_t)1 << log_m;
    assert_int_equal(qap.n_h, bellperson ? m - 1 : m);
    cuzk_fr omega, *roots = calloc(m, sizeof *roots);
    assert_non_null(roots);
    cuzk_root_of_unity(&omega, curve, bellperson ? &curve->root_zcash : &curve->root_iden3, log_m);
    for (size_t k = 0; k < m; k++)
        curve->fr_pow(&roots[k], &omega, k);
    check_columns(&circuit.cs, &qap, &toxic, roots, m);
    if (bellperson)
        check_monomial_h(curve, &qap, &toxic, m);
    else
        check_lagrange_h(curve, &qap, &toxic, log_m);
    free(roots);
    cuzk_qap_release(&qap);
    test_circuit_release(&circuit);
}

static void qap_is_the_naive_one(void **state)
{
    (void)state;
    static const size_t shapes[][2] = {{1, 0}, {0, 1}, {1, 1}, {2, 1},
                                       {3, 1}, {7, 0}, {5, 2}, {13, 2}};
    test_rng rng = test_rng_seeded(1);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        for (int id = 0; id < CUZK_CURVES; id++)
            check_qap(cuzk_curve_get((cuzk_curve_id)id), CUZK_SETUP_SNARKJS, shapes[i][0],
                      shapes[i][1], &rng);
        check_qap(cuzk_curve_get(CUZK_BLS12_381), CUZK_SETUP_BELLPERSON, shapes[i][0], shapes[i][1],
                  &rng);
    }
}

static void refuse(const cuzk_r1cs *cs, const cuzk_toxic *toxic, cuzk_setup_kind kind,
                   cuzk_status expected)
{
    cuzk_setup setup;
    TEST_EXPECT(cuzk_setup_make(&setup, cs, toxic, kind, NULL, &err), expected, &err);
}

static void bad_secrets(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(2);
    const cuzk_curve *curve = cuzk_curve_get(CUZK_BLS12_381);
    test_circuit circuit;
    test_circuit_random(&circuit, curve, 6, 1, &rng);
    cuzk_toxic good = test_toxic(curve, CUZK_SETUP_BELLPERSON, &rng);
    for (size_t i = 0; i < 5; i++) {
        cuzk_toxic bad = good;
        cuzk_scalar *members[] = {&bad.tau, &bad.alpha, &bad.beta, &bad.gamma, &bad.delta};
        *members[i] = (cuzk_scalar){{0}};
        refuse(&circuit.cs, &bad, CUZK_SETUP_BELLPERSON, CUZK_ERR_ARGUMENT);
        *members[i] = curve->r;
        refuse(&circuit.cs, &bad, CUZK_SETUP_BELLPERSON, CUZK_ERR_ARGUMENT);
    }
    refuse(&circuit.cs, &good, CUZK_SETUP_SNARKJS, CUZK_ERR_ARGUMENT); /* gamma is not 1 */
    /* tau on the domain of 8, and for snarkjs on the odd points of 16. */
    cuzk_fr root;
    cuzk_toxic bad = good;
    bad.tau = (cuzk_scalar){{1}};
    refuse(&circuit.cs, &bad, CUZK_SETUP_BELLPERSON, CUZK_ERR_ARGUMENT);
    cuzk_root_of_unity(&root, curve, &curve->root_zcash, 3);
    curve->fr_to_scalar(&bad.tau, &root);
    refuse(&circuit.cs, &bad, CUZK_SETUP_BELLPERSON, CUZK_ERR_ARGUMENT);
    bad.gamma = (cuzk_scalar){{1}};
    cuzk_root_of_unity(&root, curve, &curve->root_iden3, 4);
    curve->fr_to_scalar(&bad.tau, &root);
    refuse(&circuit.cs, &bad, CUZK_SETUP_SNARKJS, CUZK_ERR_ARGUMENT);
    test_circuit_release(&circuit);
}

static void bad_circuits(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(3);
    const cuzk_curve *bls = cuzk_curve_get(CUZK_BLS12_381), *bn = cuzk_curve_get(CUZK_BN254);
    cuzk_toxic toxic = test_toxic(bls, CUZK_SETUP_BELLPERSON, &rng);
    cuzk_toxic iden3 = test_toxic(bn, CUZK_SETUP_SNARKJS, &rng);
    test_circuit circuit;

    test_circuit_random(&circuit, bls, 0, 0, &rng);
    refuse(&circuit.cs, &toxic, CUZK_SETUP_BELLPERSON, CUZK_ERR_ARGUMENT);
    test_circuit_release(&circuit);

    test_circuit_random(&circuit, bn, 5, 1, &rng);
    refuse(&circuit.cs, &iden3, CUZK_SETUP_BELLPERSON, CUZK_ERR_UNSUPPORTED);
    circuit.cs.rows = (size_t)1 << 28; /* looked at before any row is */
    refuse(&circuit.cs, &iden3, CUZK_SETUP_SNARKJS, CUZK_ERR_UNSUPPORTED);
    circuit.cs.rows = 5;
    test_circuit_release(&circuit);

    test_circuit_random(&circuit, bls, 5, 1, &rng);
    circuit.cs.vars++; /* one more, in no row */
    refuse(&circuit.cs, &toxic, CUZK_SETUP_BELLPERSON, CUZK_ERR_UNSUPPORTED);
    test_circuit_release(&circuit);
}

static void input_rows(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(4);
    test_circuit circuit;
    test_circuit_random(&circuit, cuzk_curve_get(CUZK_BN254), 9, 3, &rng);
    const cuzk_r1cs *cs = &circuit.cs;
    cuzk_matrix made[3];
    TEST_EXPECT(cuzk_append_input_rows(cs, &made[0], &made[1], &made[2], &err), CUZK_OK, &err);
    const cuzk_matrix *from[] = {&cs->a, &cs->b, &cs->c};
    for (size_t k = 0; k < 3; k++) {
        uint64_t entries = from[k]->row_start[9];
        assert_int_equal(made[k].rows, 13);
        assert_memory_equal(made[k].row_start, from[k]->row_start, 10 * sizeof(uint64_t));
        assert_memory_equal(made[k].col, from[k]->col, entries * sizeof(uint32_t));
        assert_memory_equal(made[k].coef, from[k]->coef, entries * sizeof(uint32_t));
        for (size_t i = 0; i < 4; i++) {
            assert_int_equal(made[k].row_start[10 + i], entries + (k == 0 ? i + 1 : 0));
            if (k != 0)
                continue;
            assert_int_equal(made[k].col[entries + i], i);
            assert_int_equal(made[k].coef[entries + i], CUZK_COEF_ONE);
        }
        cuzk_matrix_release(&made[k]);
    }
    test_circuit_release(&circuit);
}

static void random_secrets_differ(void **state)
{
    (void)state;
    for (int id = 0; id < CUZK_CURVES; id++) {
        const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)id);
        cuzk_toxic t[2];
        TEST_EXPECT(cuzk_toxic_random(&t[0], curve, &err), CUZK_OK, &err);
        TEST_EXPECT(cuzk_toxic_random(&t[1], curve, &err), CUZK_OK, &err);
        const cuzk_scalar *all = &t[0].tau;
        for (size_t i = 0; i < 10; i++) {
            const cuzk_scalar *value = i < 5 ? &all[i] : &(&t[1].tau)[i - 5];
            assert_true(curve->scalar_is_canonical(value));
            for (size_t k = 0; k < i; k++) {
                const cuzk_scalar *other = k < 5 ? &all[k] : &(&t[1].tau)[k - 5];
                assert_memory_not_equal(value, other, sizeof *value);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(domain_sizes), cmocka_unit_test(qap_is_the_naive_one),
        cmocka_unit_test(bad_secrets),  cmocka_unit_test(bad_circuits),
        cmocka_unit_test(input_rows),   cmocka_unit_test(random_secrets_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
