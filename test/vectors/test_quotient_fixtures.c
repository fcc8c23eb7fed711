/* The quotient against what snarkjs and an independent script computed: the circom fixtures'
 * intermediates.json, and bellperson/tiny.json. */
#include "base/cpu.h"
#include "base/decimal.h"
#include "base/memory.h"
#include "compute/ntt.h"
#include "support/test.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define MAX_M 32

/* "123" or "0x7b". */
static cuzk_scalar scalar_of(const json_t *text)
{
    const char *s = json_string_value(text);
    cuzk_scalar value = {{0}};
    assert_non_null(s);
    if (s[0] == '0' && s[1] == 'x') {
        assert_true(strlen(s) <= 2 + 64);
        for (s += 2; *s != '\0'; s++) {
            const uint64_t digit = (uint64_t)(*s <= '9' ? *s - '0' : *s - 'a' + 10);
            for (int i = 3; i > 0; i--)
                value.l[i] = value.l[i] << 4 | value.l[i - 1] >> 60;
            value.l[0] = value.l[0] << 4 | digit;
        }
    } else {
        assert_int_equal(cuzk_decimal_parse((uint8_t *)value.l, sizeof value.l, s, strlen(s)),
                         CUZK_DECIMAL_OK);
    }
    return value;
}

static cuzk_fr fr_of(const cuzk_curve *curve, const json_t *text)
{
    const cuzk_scalar s = scalar_of(text);
    cuzk_fr r;
    curve->fr_from_scalar(&r, &s);
    return r;
}

static void read_vector(const cuzk_curve *curve, cuzk_fr *out, const json_t *array, size_t n)
{
    assert_int_equal(json_array_size(array), n);
    for (size_t i = 0; i < n; i++)
        out[i] = fr_of(curve, json_array_get(array, i));
}

static json_t *load(const char *name)
{
    json_error_t error;
    json_t *root = json_load_file(test_data_path(name), 0, &error);
    if (root == NULL)
        fail_msg("%s: %s", name, error.text);
    return root;
}

typedef struct domain {
    const cuzk_curve *curve;
    size_t m;
    void *memory, *scratch;
    cuzk_ntt_plan *plan;
} domain;

static domain domain_new(const cuzk_curve *curve, size_t m, const cuzk_fr *root,
                         const cuzk_fr *omega)
{
    domain d = {.curve = curve, .m = m};
    unsigned log_m = 0;
    cuzk_fr own;
    while ((size_t)1 << log_m < m)
        log_m++;
    cuzk_root_of_unity(&own, curve, root, log_m);
    assert_memory_equal(&own, omega, sizeof own);
    d.memory = cuzk_memory_new(cuzk_ntt_plan_bytes(curve, log_m), 1);
    d.plan = cuzk_ntt_plan_init(d.memory, curve, log_m, omega, NULL);
    d.scratch = cuzk_memory_new(cuzk_quotient_scratch(d.plan, 1), 1);
    return d;
}

static void domain_free(domain *d)
{
    free(d->memory);
    free(d->scratch);
}

/* --- snarkjs --- */

static void check_intermediates(const char *name, const cuzk_curve *curve)
{
    json_t *root = load(name);
    const size_t m = (size_t)json_integer_value(json_object_get(root, "domain"));
    assert_true(m > 0 && m <= MAX_M);
    const char *const evals[] = {"a_evals", "b_evals", "c_evals"};
    const char *const odd[] = {"a_odd", "b_odd", "c_odd"};
    const cuzk_fr omega = fr_of(curve, json_object_get(root, "omega"));
    const cuzk_fr g = fr_of(curve, json_object_get(root, "omega_2n"));
    domain d = domain_new(curve, m, &curve->root_iden3, &omega);
    cuzk_fr v[3][MAX_M], expected[MAX_M], x[MAX_M];
    for (int k = 0; k < 3; k++) {
        read_vector(curve, v[k], json_object_get(root, evals[k]), m);
        read_vector(curve, expected, json_object_get(root, odd[k]), m);
        memcpy(x, v[k], m * sizeof *x);
        cuzk_ntt_inverse(d.plan, x, NULL, d.scratch, NULL);
        cuzk_ntt_forward(d.plan, x, &g, d.scratch, NULL);
        assert_memory_equal(x, expected, m * sizeof *x);
    }
    const json_t *scalars = json_object_get(root, "h_scalars");
    assert_int_equal(json_array_size(scalars), m);
    cuzk_scalar h[MAX_M];
    cuzk_quotient(d.plan, CUZK_H_ODD_LAGRANGE, &g, h, v[0], v[1], NULL, d.scratch, NULL);
    for (size_t i = 0; i < m; i++) {
        const cuzk_scalar s = scalar_of(json_array_get(scalars, i));
        assert_memory_equal(&h[i], &s, sizeof s);
    }
    domain_free(&d);
    json_decref(root);
}

static void snarkjs_intermediates(void **state)
{
    (void)state;
    for (unsigned level = 0; level <= cuzk_cpu_best(); level++) {
        cuzk_cpu_force((cuzk_cpu_level)level);
        const cuzk_curve *bn = cuzk_curve_get(CUZK_BN254), *bls = cuzk_curve_get(CUZK_BLS12_381);
        check_intermediates("circom/chain6-bn128/intermediates.json", bn);
        check_intermediates("circom/chain30-bn128/intermediates.json", bn);
        check_intermediates("circom/nopublic-bn128/intermediates.json", bn);
        check_intermediates("circom/chain6-bls12381/intermediates.json", bls);
        check_intermediates("circom/chain30-bls12381/intermediates.json", bls);
        check_intermediates("circom/nopublic-bls12381/intermediates.json", bls);
    }
}

/* --- bellperson --- */

/* Rows, zero-padded to the domain. */
static void read_rows(const cuzk_curve *curve, cuzk_fr *out, const json_t *array, size_t m)
{
    assert_in_range(json_array_size(array), 1, m);
    memset(out, 0, m * sizeof *out);
    read_vector(curve, out, array, json_array_size(array));
}

static void bellperson_coefficients(void **state)
{
    (void)state;
    json_t *root = load("bellperson/tiny.json");
    const size_t m = (size_t)json_integer_value(json_object_get(root, "domain"));
    assert_true(m > 0 && m <= MAX_M);
    const json_t *coefficients = json_object_get(root, "h_coeffs");
    assert_int_equal(json_array_size(coefficients), m - 1);
    for (unsigned level = 0; level <= cuzk_cpu_best(); level++) {
        cuzk_cpu_force((cuzk_cpu_level)level);
        const cuzk_curve *curve = cuzk_curve_get(CUZK_BLS12_381);
        const cuzk_fr omega = fr_of(curve, json_object_get(root, "omega"));
        const cuzk_scalar zero = {{0}};
        domain d = domain_new(curve, m, &curve->root_zcash, &omega);
        cuzk_fr a[MAX_M], b[MAX_M], c[MAX_M];
        cuzk_scalar h[MAX_M];
        read_rows(curve, a, json_object_get(root, "a_evals"), m);
        read_rows(curve, b, json_object_get(root, "b_evals"), m);
        read_rows(curve, c, json_object_get(root, "c_evals"), m);
        cuzk_quotient(d.plan, CUZK_H_COSET_MONOMIAL, &curve->coset_zcash, h, a, b, c, d.scratch,
                      NULL);
        for (size_t i = 0; i < m - 1; i++) {
            const cuzk_scalar s = scalar_of(json_array_get(coefficients, i));
            assert_memory_equal(&h[i], &s, sizeof s);
        }
        assert_memory_equal(&h[m - 1], &zero, sizeof zero);
        domain_free(&d);
    }
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(snarkjs_intermediates),
        cmocka_unit_test(bellperson_coefficients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
