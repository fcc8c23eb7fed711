/* The quotient of Groth16 against polynomials by the definition, on every CPU level. */
#include "ntt_support.h"

#define MAX_LOG 6
#define MAX_M   ((size_t)1 << MAX_LOG)

/* Values on the domain: a, b random, c = a * b but for the rows in `violated`. */
typedef struct rows {
    cuzk_fr a[MAX_M], b[MAX_M], c[MAX_M];
} rows;

static void make_rows(rows *r, test_rng *rng, const cuzk_curve *curve, size_t m, uint64_t violated)
{
    for (size_t i = 0; i < m; i++) {
        r->a[i] = random_fr(rng, curve);
        r->b[i] = random_fr(rng, curve);
        curve->fr_mul(&r->c[i], &r->a[i], &r->b[i]);
        if (violated >> i & 1)
            curve->fr_add(&r->c[i], &r->c[i], &curve->fr_one);
    }
}

/* h as cuzk_quotient gives it for these rows (c: NULL when without). Inputs are copied. */
static void run_quotient(const fixture *f, cuzk_h_kind kind, const cuzk_fr *g, const rows *r,
                         bool with_c, cuzk_scalar *h)
{
    const size_t bytes = f->m * sizeof(cuzk_fr);
    cuzk_fr *v[3];
    cuzk_scalar *out = guarded_new(bytes);
    const cuzk_fr *from[3] = {r->a, r->b, r->c};
    for (int k = 0; k < 3; k++) {
        v[k] = guarded_new(bytes);
        memcpy(v[k], from[k], bytes);
    }
    cuzk_quotient(f->plan, kind, g, out, v[0], v[1], with_c ? v[2] : NULL, f->scratch, f->pool);
    memcpy(h, out, bytes);
    for (int k = 0; k < 3; k++)
        guarded_free(v[k], bytes);
    guarded_free(out, bytes);
}

/* p = a * b - c as 2m - 1 coefficients (2m for the sake of the loops). */
static void multiply_out(const cuzk_curve *curve, cuzk_fr *p, const rows *r, size_t m,
                         const cuzk_fr *omega)
{
    cuzk_fr a[MAX_M], b[MAX_M], c[MAX_M], t;
    naive_inverse(curve, a, r->a, m, omega);
    naive_inverse(curve, b, r->b, m, omega);
    naive_inverse(curve, c, r->c, m, omega);
    memset(p, 0, 2 * m * sizeof *p);
    for (size_t i = 0; i < m; i++)
        curve->fr_sub(&p[i], &p[i], &c[i]);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            curve->fr_mul(&t, &a[i], &b[j]);
            curve->fr_add(&p[i + j], &p[i + j], &t);
        }
}

static void assert_scalar_is(const cuzk_curve *curve, const cuzk_scalar *s, const cuzk_fr *expected)
{
    cuzk_scalar canonical;
    curve->fr_to_scalar(&canonical, expected);
    assert_memory_equal(s, &canonical, sizeof canonical);
}

static void check_odd_lagrange(const fixture *f, const cuzk_fr *g, const rows *r, bool with_c)
{
    cuzk_scalar h[MAX_M];
    cuzk_fr p[2 * MAX_M], expected[MAX_M], x = *g;
    multiply_out(f->curve, p, r, f->m, &f->omega);
    for (size_t i = 0; i < f->m; i++) {
        expected[i] = evaluate(f->curve, p, 2 * f->m, &x);
        f->curve->fr_mul(&x, &x, &f->omega);
    }
    run_quotient(f, CUZK_H_ODD_LAGRANGE, g, r, with_c, h);
    for (size_t i = 0; i < f->m; i++)
        assert_scalar_is(f->curve, &h[i], &expected[i]);
}

/* p = q * (X^m - 1), deg p <= 2m - 2: q's coefficients are p's upper ones, and p's lower ones are
 * -q's. */
static void check_monomial(const fixture *f, const cuzk_fr *g, const rows *r, bool with_c)
{
    cuzk_scalar h[MAX_M];
    cuzk_fr p[2 * MAX_M], sum, zero = {{0}};
    multiply_out(f->curve, p, r, f->m, &f->omega);
    run_quotient(f, CUZK_H_COSET_MONOMIAL, g, r, with_c, h);
    for (size_t i = 0; i < f->m; i++) {
        f->curve->fr_add(&sum, &p[i], &p[i + f->m]);
        assert_fr_equal(&sum, &zero, 1);
        assert_scalar_is(f->curve, &h[i], &p[i + f->m]);
    }
    assert_memory_equal(&h[f->m - 1], &zero, sizeof zero);
}

static void check_violated(const fixture *f, const cuzk_fr *g, test_rng *rng)
{
    const cuzk_scalar zero = {{0}};
    cuzk_scalar h[MAX_M];
    rows r;
    for (size_t row = 0; row < f->m; row++) {
        make_rows(&r, rng, f->curve, f->m, (uint64_t)1 << row);
        run_quotient(f, CUZK_H_COSET_MONOMIAL, g, &r, true, h);
        assert_memory_not_equal(&h[f->m - 1], &zero, sizeof zero);
    }
}

static void for_all_domains(void (*check)(const fixture *, const cuzk_fr *, test_rng *))
{
    test_rng rng = test_rng_seeded(1);
    cuzk_pool *pool = cuzk_pool_new(2);
    for (int id = 0; id < CUZK_CURVES; id++)
        for (unsigned level = 0; level <= cuzk_cpu_best(); level++)
            for (unsigned log_m = 0; log_m <= MAX_LOG; log_m++) {
                cuzk_cpu_force((cuzk_cpu_level)level);
                const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)id);
                fixture f = fixture_new(curve, &curve->root_zcash, log_m, pool);
                check(&f, &curve->coset_zcash, &rng);
                fixture_free(&f);
                f = fixture_new(curve, &curve->root_iden3, log_m, NULL);
                cuzk_fr g;
                cuzk_root_of_unity(&g, curve, &curve->root_iden3, log_m + 1);
                check(&f, &g, &rng);
                check(&f, &curve->coset_iden3_max, &rng);
                fixture_free(&f);
            }
    cuzk_pool_free(pool);
}

static void check_satisfied(const fixture *f, const cuzk_fr *g, test_rng *rng)
{
    rows r;
    make_rows(&r, rng, f->curve, f->m, 0);
    check_odd_lagrange(f, g, &r, true);
    check_odd_lagrange(f, g, &r, false);
    check_monomial(f, g, &r, true);
    check_monomial(f, g, &r, false);
}

static void check_any_rows(const fixture *f, const cuzk_fr *g, test_rng *rng)
{
    rows r;
    make_rows(&r, rng, f->curve, f->m, test_rng_next(rng));
    check_odd_lagrange(f, g, &r, true);
}

static void satisfied_rows(void **state)
{
    (void)state;
    for_all_domains(check_satisfied);
}

static void odd_values_of_violated_rows(void **state)
{
    (void)state;
    for_all_domains(check_any_rows);
}

static void one_violated_row_shows(void **state)
{
    (void)state;
    for_all_domains(check_violated);
}

/* Larger domains: levels agree byte for byte, and 0 at the end still means satisfied. */
static void levels_agree(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(2);
    const size_t m = 1 << 12, bytes = m * sizeof(cuzk_fr);
    cuzk_fr *in[3], *v[3];
    cuzk_scalar *expected = guarded_new(bytes), *h = guarded_new(bytes);
    for (int id = 0; id < CUZK_CURVES; id++) {
        const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)id);
        for (int k = 0; k < 3; k++) {
            in[k] = random_vector(&rng, curve, m);
            v[k] = guarded_new(bytes);
        }
        for (size_t i = 0; i < m; i++)
            curve->fr_mul(&in[2][i], &in[0][i], &in[1][i]);
        for (int kind = 0; kind < 2; kind++)
            for (unsigned level = 0; level <= cuzk_cpu_best(); level++) {
                cuzk_cpu_force((cuzk_cpu_level)level);
                fixture f = fixture_new(curve, &curve->root_zcash, 12, NULL);
                for (int k = 0; k < 3; k++)
                    memcpy(v[k], in[k], bytes);
                cuzk_quotient(f.plan, (cuzk_h_kind)kind, &curve->coset_zcash, h, v[0], v[1],
                              level % 2 ? v[2] : NULL, f.scratch, NULL);
                if (level == 0)
                    memcpy(expected, h, bytes);
                assert_memory_equal(h, expected, bytes);
                if (kind == CUZK_H_COSET_MONOMIAL)
                    assert_memory_equal(&h[m - 1], &(cuzk_scalar){{0}}, sizeof *h);
                fixture_free(&f);
            }
        for (int k = 0; k < 3; k++) {
            guarded_free(in[k], bytes);
            guarded_free(v[k], bytes);
        }
    }
    guarded_free(expected, bytes);
    guarded_free(h, bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(satisfied_rows),
        cmocka_unit_test(odd_values_of_violated_rows),
        cmocka_unit_test(one_violated_row_shows),
        cmocka_unit_test(levels_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
