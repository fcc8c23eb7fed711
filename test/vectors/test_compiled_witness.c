/* Compiled circuits of the model sectors: all rows hold, aux variables and products are those of
 * the original Rust code, and a changed input is found in the row in which the direct system finds
 * it. */
#include "base/digest.h"
#include "circuit/direct.h"
#include "circuit/product.h"
#include "field/bls12_381_fr.h"
#include "support/model_circuits.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)1 << 16)

/* SHA-256 of the elements, little-endian; NULL: not known (vectors/README). */
static const struct witness_case {
    model_kind kind;
    const char *aux, *product[3];
} cases[] = {
    {MODEL_POREP,
     "7f798ec42c7d50c95d6db0bfc8286259277a40353d1825215269e239d88fee25",
     {"b918f8aa08e66cd7f89f9c55ad886a2d616f07a8062174c6252af8a6bf1ed324",
      "84fd5e0a2b5c2a0d7476071adf1813d8531a5f4b9f130a085e785e2473788809",
      "3dbd54c606083f7103ba1ae832b1eaa768e3a109524a566dc1da8045cef757f1"}},
    {MODEL_WINDOW,
     "a67327f4c36c1413bbb1aeba6be6f1ba3fe8e97cebce02e91fc9c9f7541aea00",
     {"e8775a5ab41c45d34d7d4d21c113fdcacd177f5d2f877f3f449274e47402142c",
      "3280728cba4b98546d139f16df1343744d8dd294c8a3df8be9d84336f23e89ec",
      "1767a8826e3e94cf5c00a0099644895f87833c771b62f7479894c8e9033c9690"}},
    {MODEL_WINNING,
     "99420f0b45cbe729be22778f74325502978432d4f4ae9a1d7defafc61d630d0a",
     {"97fb55b603c62cf645461b1c6e6bee9df1d3f08bfc2d871eed85a58492963d4f",
      "748d6534ad5d96762ee2d15ad4e640816aef4783d728eeccbb203f5d8b022c69",
      "5070344a7da4b2dac07b8ab083add3f89bfa389f8ab32bb3b9e3c3b8631fe505"}},
    {MODEL_SNAP,
     "1a57497bb1987de26a2e45e0d7e726c82c85e2ad797ff165f95fe76330d28b1b",
     {"b9a2f643c32efe9133d76ac7087acecd810a3864a030a6112cd7f26ef92b0a00",
      "f326c5448d400856b9f9b843481523becc998a5b897ba4d56d8d7c30a57f28d2",
      "0d8837781fff4343fc30cd13d5bdf9fe277a021f0ec71604b5792d1dec89215f"}},
    {MODEL_POREP_SUB,
     "0ea4b192339660dc9cb53837f26b3e1fe7e84e95579c651b659d3019668362ec",
     {NULL, NULL, NULL}},
    {MODEL_WINDOW_TOP,
     "942d7fda37b1f1d671c268f1150679d15e236aebda7ac924a8be2780d814f901",
     {NULL, NULL, NULL}},
};

static void add(cuzk_digest *digest, const void *data, size_t n)
{
    assert_int_equal(cuzk_digest_update(digest, data, n, NULL), CUZK_OK);
}

static void expect_digest(cuzk_digest *digest, const char *expected, const char *what)
{
    uint8_t out[CUZK_SHA256_BYTES];
    char text[2 * CUZK_SHA256_BYTES + 1];
    assert_int_equal(cuzk_digest_finish(digest, out, NULL), CUZK_OK);
    for (size_t i = 0; i < sizeof out; i++)
        snprintf(text + 2 * i, 3, "%02x", out[i]);
    if (expected != NULL && strcmp(text, expected) != 0)
        fail_msg("%s: %s, not %s", what, text, expected);
}

static void expect_aux(const cuzk_compiled *c, const cuzk_witness *w, const char *expected)
{
    cuzk_scalar *z = malloc((w->inputs + w->aux) * sizeof *z);
    cuzk_digest *digest;
    assert_non_null(z);
    assert_int_equal(cuzk_digest_new(&digest, CUZK_SHA256, NULL), CUZK_OK);
    cuzk_witness_expand(c, w, z);
    add(digest, z + w->inputs, w->aux * sizeof *z); /* limbs are little-endian, as the machine */
    expect_digest(digest, expected, "aux");
    cuzk_digest_free(digest);
    free(z);
}

static void expect_product(const cuzk_compiled *c, const cuzk_witness *w, size_t rows, int side,
                           cuzk_pool *pool, const char *expected)
{
    static cuzk_fr out[CHUNK];
    static cuzk_scalar plain[CHUNK];
    static const char *const name[] = {"a", "b", "c"};
    cuzk_digest *digest;
    assert_int_equal(cuzk_digest_new(&digest, CUZK_SHA256, NULL), CUZK_OK);
    for (size_t first = 0; first < rows; first += CHUNK) {
        const size_t n = rows - first < CHUNK ? rows - first : CHUNK;
        assert_int_equal(cuzk_compiled_products(c, w, first, n, side == 0 ? out : NULL,
                                                side == 1 ? out : NULL, side == 2 ? out : NULL,
                                                pool, NULL),
                         CUZK_OK);
        for (size_t i = 0; i < n; i++)
            bls12_381_fr_to_canon(&plain[i], &out[i]);
        add(digest, plain, n * sizeof *plain);
    }
    expect_digest(digest, expected, name[side]);
    cuzk_digest_free(digest);
}

static void witnesses(void **state)
{
    (void)state;
    cuzk_pool *pool = cuzk_pool_new(2);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        model_circuit m;
        cuzk_compiled *c;
        cuzk_compiled_info info;
        cuzk_witness w;
        cuzk_error err;
        if (TEST_SANITIZED && cases[i].kind == MODEL_POREP_SUB)
            continue; /* the text of MODEL_POREP, one node more in its trees */
        model_circuit_open(&m, cases[i].kind);
        assert_int_equal(cuzk_compile(&c, &m.circuit, &err), CUZK_OK);
        assert_int_equal(cuzk_witness_make(&w, c, &m.inputs.inputs, pool, &err), CUZK_OK);
        if (cuzk_compiled_check(c, &w, NULL, pool, &err) != CUZK_OK)
            fail_msg("%s", err.message);
        cuzk_compiled_describe(c, &info);
        expect_aux(c, &w, cases[i].aux);
        for (int side = 0; side < 3 && cases[i].product[side] != NULL; side++)
            expect_product(c, &w, info.rows, side, pool, cases[i].product[side]);
        cuzk_witness_release(&w);
        cuzk_compiled_free(c);
        model_circuit_release(&m);
    }
    cuzk_pool_free(pool);
}

/* Both systems find the same row. */
static void expect_violation(const cuzk_compiled *c, model_circuit *m, uint64_t *changed)
{
    const cuzk_direct_options options = {.inputs = &m->inputs.inputs};
    cuzk_direct *d;
    cuzk_witness w;
    cuzk_violation v;
    cuzk_error err;
    *changed ^= 1;
    assert_int_equal(cuzk_direct_new(&d, &options, &err), CUZK_OK);
    assert_int_equal(cuzk_direct_run(d, &m->circuit, &err), CUZK_OK);
    assert_int_equal(cuzk_witness_make(&w, c, &m->inputs.inputs, NULL, &err), CUZK_OK);
    assert_int_equal(cuzk_compiled_check(c, &w, &v, NULL, &err), CUZK_ERR_UNSATISFIED);
    assert_non_null(cuzk_direct_violation(d));
    assert_int_equal(v.row, cuzk_direct_violation(d)->row);
    cuzk_witness_release(&w);
    cuzk_direct_free(d);
    *changed ^= 1;
}

static void changed_inputs(void **state)
{
    (void)state;
    const struct {
        model_kind kind;
        size_t step;
    } kinds[] = {{MODEL_POR, 1}, {MODEL_WINDOW_TOP, 17}, {MODEL_SNAP, TEST_SANITIZED ? 970 : 97}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        model_circuit m;
        cuzk_compiled *c;
        model_circuit_open(&m, kinds[k].kind);
        assert_int_equal(cuzk_compile(&c, &m.circuit, NULL), CUZK_OK);
        for (size_t i = 0; i < m.inputs.inputs.n_field; i += kinds[k].step)
            expect_violation(c, &m, &m.inputs.field[i].l[0]);
        for (size_t i = 0; i < m.inputs.inputs.n_word; i += kinds[k].step)
            expect_violation(c, &m, &m.inputs.word[i]);
        cuzk_compiled_free(c);
        model_circuit_release(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(witnesses),
        cmocka_unit_test(changed_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
