/* What cuzk_pk_new refuses, and what it keeps. */
#include "support/circuit.h"

#include "groth16/prove.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cuzk_error err;

/* A setup, and sources made from it that each test spoils in one place. */
typedef struct bench {
    test_circuit circuit;
    cuzk_setup setup;
} bench;

static bench make_bench(cuzk_curve_id id)
{
    test_rng rng = test_rng_seeded(id);
    bench b;
    const cuzk_curve *curve = cuzk_curve_get(id);
    test_circuit_random(&b.circuit, curve, 12, 2, &rng);
    cuzk_toxic toxic = test_toxic(curve, CUZK_SETUP_SNARKJS, &rng);
    TEST_EXPECT(cuzk_setup_make(&b.setup, &b.circuit.cs, &toxic, CUZK_SETUP_SNARKJS, NULL, &err),
                CUZK_OK, &err);
    return b;
}

static void release_bench(bench *b)
{
    cuzk_setup_release(&b->setup);
    test_circuit_release(&b->circuit);
}

typedef void spoil_fn(cuzk_pk_source *source);

static void shorten_a(cuzk_pk_source *s)
{
    s->a.n--;
}

static void shorten_b1(cuzk_pk_source *s)
{
    s->b1.n--;
}

static void shorten_l(cuzk_pk_source *s)
{
    s->l.n--;
}

static void shorten_h(cuzk_pk_source *s)
{
    s->h.n--;
}

static void lengthen_vars(cuzk_pk_source *s)
{
    s->vars++;
}

static void too_few_vars(cuzk_pk_source *s)
{
    s->vars = 2;
}

static void halve_domain(cuzk_pk_source *s)
{
    s->log_m--;
}

static void other_root(cuzk_pk_source *s)
{
    s->vk.curve->fr_neg(&s->omega, &s->omega);
}

static void other_family(cuzk_pk_source *s)
{
    cuzk_root_of_unity(&s->omega, s->vk.curve, &s->vk.curve->root_zcash, s->log_m);
    /* Equal families would prove nothing; on BN254 both are 5^t. */
    if (s->vk.curve->id == CUZK_BN254)
        s->omega = s->vk.curve->fr_one;
}

static void other_coset(cuzk_pk_source *s)
{
    s->coset = s->vk.curve->coset_zcash;
}

static void column_out_of_range(cuzk_pk_source *s)
{
    s->mat_b.col[3] = (uint32_t)s->vars;
}

static void coefficient_out_of_range(cuzk_pk_source *s)
{
    s->mat_a.coef[3] = (uint32_t)s->coefs.count;
}

static void huge_domain(cuzk_pk_source *s)
{
    s->log_m = s->vk.curve->two_adicity + 1;
}

static void beta_off_curve(cuzk_pk_source *s)
{
    s->beta_g1.l[0] ^= 1;
}

static void delta_infinity(cuzk_pk_source *s)
{
    memset(&s->delta_g1, 0, sizeof s->delta_g1);
}

static void alpha_infinity(cuzk_pk_source *s)
{
    memset(&s->vk.alpha_g1, 0, sizeof s->vk.alpha_g1);
}

static void gamma_is_delta(cuzk_pk_source *s)
{
    s->vk.delta_g2 = s->vk.gamma_g2;
}

static void index_out_of_range(cuzk_pk_source *s)
{
    static uint32_t index[1000];
    for (uint32_t i = 0; i < s->a.n; i++)
        index[i] = i + 1;
    s->a.index = index;
}

static void l_of_public_variable(cuzk_pk_source *s)
{
    static uint32_t index[1000];
    for (uint32_t i = 0; i < s->l.n; i++)
        index[i] = (uint32_t)s->vk.n_public + i;
    s->l.index = index;
}

static void each_refusal(void **state)
{
    (void)state;
    static const struct {
        spoil_fn *spoil;
        cuzk_status expected;
        const char *word; /* in the message */
    } cases[] = {{shorten_a, CUZK_ERR_MISMATCH, "a has"},
                 {shorten_b1, CUZK_ERR_MISMATCH, "b1 has"},
                 {shorten_l, CUZK_ERR_MISMATCH, "l has"},
                 {shorten_h, CUZK_ERR_MISMATCH, "h has"},
                 {lengthen_vars, CUZK_ERR_MISMATCH, "expected"},
                 {too_few_vars, CUZK_ERR_MISMATCH, "variables"},
                 {halve_domain, CUZK_ERR_MISMATCH, "root"},
                 {other_root, CUZK_ERR_MISMATCH, "root"},
                 {other_family, CUZK_ERR_MISMATCH, "root"},
                 {other_coset, CUZK_ERR_MISMATCH, "coset"},
                 {column_out_of_range, CUZK_ERR_FORMAT, "matrix B"},
                 {coefficient_out_of_range, CUZK_ERR_FORMAT, "matrix A"},
                 {huge_domain, CUZK_ERR_UNSUPPORTED, "domain"},
                 {beta_off_curve, CUZK_ERR_FORMAT, "beta"},
                 {delta_infinity, CUZK_ERR_INSECURE, "delta"},
                 {alpha_infinity, CUZK_ERR_INSECURE, "alpha"},
                 {gamma_is_delta, CUZK_ERR_INSECURE, "gamma"},
                 {index_out_of_range, CUZK_ERR_FORMAT, "a["},
                 {l_of_public_variable, CUZK_ERR_FORMAT, "l[0]"}};
    for (int id = 0; id < CUZK_CURVES; id++) {
        bench b = make_bench((cuzk_curve_id)id);
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            cuzk_pk_source source = test_pk_source(&b.setup, &b.circuit.cs, true);
            cases[i].spoil(&source);
            cuzk_pk *pk;
            TEST_EXPECT(cuzk_pk_new(&pk, &source, CUZK_PK_SKIP_CHECK, NULL, NULL, &err),
                        cases[i].expected, &err);
            if (strstr(err.message, cases[i].word) == NULL ||
                strstr(err.message, "test key") == NULL)
                fail_msg("\"%s\" does not say \"%s\"", err.message, cases[i].word);
            assert_non_null(source.vk.ic); /* still the caller's */
            cuzk_pk_source_release(&source);
        }
        release_bench(&b);
    }
}

/* A bad point in each query is found, and named; skipping the check lets it pass. */
static void bad_point_in_query(uint64_t *points, unsigned words, size_t n, const char *what,
                               const bench *b)
{
    uint64_t *point = points + (n - 1) * words;
    *point ^= 1;
    cuzk_pk_source source = test_pk_source(&b->setup, &b->circuit.cs, false);
    cuzk_pk *pk;
    TEST_EXPECT(cuzk_pk_new(&pk, &source, 0, NULL, NULL, &err), CUZK_ERR_FORMAT, &err);
    char place[32];
    snprintf(place, sizeof place, " %s[%zu] ", what, n - 1);
    if (strstr(err.message, place) == NULL)
        fail_msg("\"%s\" does not name %s", err.message, place);
    TEST_EXPECT(cuzk_pk_new(&pk, &source, CUZK_PK_SKIP_CHECK, NULL, NULL, &err), CUZK_OK, &err);
    cuzk_pk_free(pk);
    *point ^= 1;
}

static void bad_points(void **state)
{
    (void)state;
    for (int id = 0; id < CUZK_CURVES; id++) {
        bench b = make_bench((cuzk_curve_id)id);
        const cuzk_setup *s = &b.setup;
        unsigned g1 = s->curve->g1_words, g2 = s->curve->g2_words;
        bad_point_in_query(s->a, g1, s->n_a, "a", &b);
        bad_point_in_query(s->b1, g1, s->n_b, "b1", &b);
        bad_point_in_query(s->b2, g2, s->n_b, "b2", &b);
        bad_point_in_query(s->l, g1, s->n_l, "l", &b);
        bad_point_in_query(s->h, g1, s->n_h, "h", &b);
        release_bench(&b);
    }
}

static size_t count_finite(const uint64_t *points, size_t n, unsigned words)
{
    size_t finite = 0;
    for (size_t i = 0; i < n; i++)
        finite += !cuzk_point_is_infinity(points + i * words, words);
    return finite;
}

/* Infinity is dropped, the others keep their variables, and the source may be unaligned. */
static void infinity_is_dropped(void **state)
{
    (void)state;
    for (int id = 0; id < CUZK_CURVES; id++) {
        bench b = make_bench((cuzk_curve_id)id);
        const cuzk_setup *s = &b.setup;
        unsigned words = s->curve->g1_words;
        size_t bytes = s->n_b * words * sizeof(uint64_t);
        uint8_t *shifted = malloc(bytes + 1);
        assert_non_null(shifted);
        memcpy(shifted + 1, s->b1, bytes);
        cuzk_pk_source source = test_pk_source(&b.setup, &b.circuit.cs, true);
        source.b1.points = shifted + 1;
        cuzk_pk *pk;
        TEST_EXPECT(cuzk_pk_new(&pk, &source, 0, NULL, NULL, &err), CUZK_OK, &err);
        free(shifted);
        assert_int_equal(pk->b1.n, count_finite(s->b1, s->n_b, words));
        assert_true(pk->b1.n < s->n_b); /* the last variable is in no B */
        size_t at = 0;
        for (size_t i = 0; i < s->n_b; i++)
            if (!cuzk_point_is_infinity(s->b1 + i * words, words))
                assert_int_equal(pk->b1.index[at++], i);
        assert_int_equal(at, pk->b1.n);
        assert_null(pk->h.index);
        assert_int_equal(pk->l.offset, 3);
        cuzk_assignment assignment = {
            .z = b.circuit.z, .n = b.circuit.cs.vars, .name = "test witness"};
        cuzk_proof proof;
        TEST_EXPECT(cuzk_prove(pk, &assignment, &proof, NULL, &err), CUZK_OK, &err);
        assert_true(pk->bytes > sizeof *pk + bytes);
        cuzk_pk_free(pk);
        release_bench(&b);
    }
}

/* A key whose phase 2 was never run proves, when allowed. */
static void insecure_key_allowed(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(9);
    const cuzk_curve *curve = cuzk_curve_get(CUZK_BN254);
    test_circuit circuit;
    test_circuit_random(&circuit, curve, 5, 1, &rng);
    cuzk_toxic toxic = test_toxic(curve, CUZK_SETUP_SNARKJS, &rng);
    toxic.delta = toxic.gamma;
    cuzk_setup setup;
    TEST_EXPECT(cuzk_setup_make(&setup, &circuit.cs, &toxic, CUZK_SETUP_SNARKJS, NULL, &err),
                CUZK_OK, &err);
    cuzk_pk_source source = test_pk_source(&setup, &circuit.cs, false);
    cuzk_pk *pk;
    TEST_EXPECT(cuzk_pk_new(&pk, &source, 0, NULL, NULL, &err), CUZK_ERR_INSECURE, &err);
    TEST_EXPECT(cuzk_pk_new(&pk, &source, CUZK_PK_ALLOW_INSECURE, NULL, NULL, &err), CUZK_OK, &err);
    cuzk_assignment assignment = {.z = circuit.z, .n = circuit.cs.vars, .name = "test witness"};
    cuzk_proof proof;
    TEST_EXPECT(cuzk_prove(pk, &assignment, &proof, NULL, &err), CUZK_OK, &err);
    cuzk_pk_free(pk);
    cuzk_setup_release(&setup);
    test_circuit_release(&circuit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_refusal),
        cmocka_unit_test(bad_points),
        cmocka_unit_test(infinity_is_dropped),
        cmocka_unit_test(insecure_key_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
