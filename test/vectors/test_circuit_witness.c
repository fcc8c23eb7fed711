/* Witnesses of the model sectors' circuits: each aux variable and each row's values, as the
 * original Rust code has them (test/data/filecoin/model-2kib.json and vectors/README); public
 * inputs; and that a changed input leaves a row unsatisfied, which is named. */
#include "base/digest.h"
#include "circuit/direct.h"
#include "circuit/filecoin/bincode.h"
#include "field/bls12_381_fr.h"
#include "support/model_circuits.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct witness_case {
    model_kind kind;
    const char *name;
    size_t inputs, aux, rows;
    const char *aux_sha256;
    const char *abc_sha256[3]; /* NULL: not known */
} witness_case;

static const witness_case cases[] = {
    {MODEL_POR,
     "por",
     3,
     1076,
     1063,
     "e43214118838a502290bf06e5c7dbd0cad977ac6addbd86fcd70765f6c0185a5",
     {NULL, NULL, NULL}},
    {MODEL_POREP,
     "porep 2 KiB",
     40,
     2685673,
     2687921,
     "7f798ec42c7d50c95d6db0bfc8286259277a40353d1825215269e239d88fee25",
     {"b918f8aa08e66cd7f89f9c55ad886a2d616f07a8062174c6252af8a6bf1ed324",
      "84fd5e0a2b5c2a0d7476071adf1813d8531a5f4b9f130a085e785e2473788809",
      "3dbd54c606083f7103ba1ae832b1eaa768e3a109524a566dc1da8045cef757f1"}},
    {MODEL_WINDOW,
     "window 2 KiB",
     23,
     22128,
     21866,
     "a67327f4c36c1413bbb1aeba6be6f1ba3fe8e97cebce02e91fc9c9f7541aea00",
     {"e8775a5ab41c45d34d7d4d21c113fdcacd177f5d2f877f3f449274e47402142c",
      "3280728cba4b98546d139f16df1343744d8dd294c8a3df8be9d84336f23e89ec",
      "1767a8826e3e94cf5c00a0099644895f87833c771b62f7479894c8e9033c9690"}},
    {MODEL_WINNING,
     "winning 2 KiB",
     133,
     91674,
     90750,
     "99420f0b45cbe729be22778f74325502978432d4f4ae9a1d7defafc61d630d0a",
     {"97fb55b603c62cf645461b1c6e6bee9df1d3f08bfc2d871eed85a58492963d4f",
      "748d6534ad5d96762ee2d15ad4e640816aef4783d728eeccbb203f5d8b022c69",
      "5070344a7da4b2dac07b8ab083add3f89bfa389f8ab32bb3b9e3c3b8631fe505"}},
    {MODEL_SNAP,
     "update 2 KiB",
     5,
     1703569,
     1705039,
     "1a57497bb1987de26a2e45e0d7e726c82c85e2ad797ff165f95fe76330d28b1b",
     {"b9a2f643c32efe9133d76ac7087acecd810a3864a030a6112cd7f26ef92b0a00",
      "f326c5448d400856b9f9b843481523becc998a5b897ba4d56d8d7c30a57f28d2",
      "0d8837781fff4343fc30cd13d5bdf9fe277a021f0ec71604b5792d1dec89215f"}},
    {MODEL_POREP_SUB,
     "porep 16 KiB",
     40,
     2974867,
     2977173,
     "0ea4b192339660dc9cb53837f26b3e1fe7e84e95579c651b659d3019668362ec",
     {NULL, NULL, NULL}},
    {MODEL_WINDOW_TOP,
     "window 32 KiB",
     12,
     19584,
     19373,
     "942d7fda37b1f1d671c268f1150679d15e236aebda7ac924a8be2780d814f901",
     {NULL, NULL, NULL}},
};

/* SHA-256 of field elements, little-endian. */
static void add_value(cuzk_digest *digest, const cuzk_fr *value)
{
    uint8_t bytes[32];
    bls12_381_fr_to_le(bytes, value);
    assert_int_equal(cuzk_digest_update(digest, bytes, sizeof bytes, NULL), CUZK_OK);
}

static void add_row(void *user, const cuzk_fr *a, const cuzk_fr *b, const cuzk_fr *c)
{
    cuzk_digest **digest = user;
    add_value(digest[0], a);
    add_value(digest[1], b);
    add_value(digest[2], c);
}

static void expect_digest(cuzk_digest *digest, const char *expected, const char *name,
                          const char *what)
{
    uint8_t out[CUZK_SHA256_BYTES];
    char text[2 * CUZK_SHA256_BYTES + 1];
    assert_int_equal(cuzk_digest_finish(digest, out, NULL), CUZK_OK);
    for (size_t i = 0; i < sizeof out; i++)
        snprintf(text + 2 * i, 3, "%02x", out[i]);
    if (expected != NULL && strcmp(text, expected) != 0)
        fail_msg("%s: %s: %s, not %s", name, what, text, expected);
}

static void run_case(const witness_case *c)
{
    model_circuit m;
    cuzk_digest *digest[4];
    cuzk_direct *d;
    cuzk_error err;
    model_circuit_open(&m, c->kind);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(cuzk_digest_new(&digest[i], CUZK_SHA256, &err), CUZK_OK);
    const cuzk_direct_options options = {
        .inputs = &m.inputs.inputs, .on_row = add_row, .user = digest};
    assert_int_equal(cuzk_direct_new(&d, &options, &err), CUZK_OK);
    if (cuzk_direct_run(d, &m.circuit, &err) != CUZK_OK)
        fail_msg("%s: %s", c->name, err.message);
    const cuzk_circuit_counts *counts = cuzk_direct_counts(d);
    assert_int_equal(counts->inputs, c->inputs);
    assert_int_equal(counts->aux, c->aux);
    assert_int_equal(counts->rows, c->rows);
    if (cuzk_direct_violation(d) != NULL)
        fail_msg("%s: row %zu in %s does not hold", c->name, cuzk_direct_violation(d)->row,
                 cuzk_direct_violation(d)->path);
    for (size_t i = 0; i < counts->aux; i++)
        add_value(digest[3], cuzk_direct_aux(d) + i);
    expect_digest(digest[3], c->aux_sha256, c->name, "aux");
    for (size_t i = 0; i < 3; i++) {
        static const char *const names[3] = {"a", "b", "c"};
        expect_digest(digest[i], c->abc_sha256[i], c->name, names[i]);
    }
    for (size_t i = 0; i < 4; i++)
        cuzk_digest_free(digest[i]);
    cuzk_direct_free(d);
    model_circuit_release(&m);
}

static void witnesses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        /* Update and PoRep, millions of rows each: test_compiled_witness runs them sanitized. */
        if (!TEST_SANITIZED || cases[i].rows < 1000000)
            run_case(&cases[i]);
    }
}

/* Runs with one input changed: a row must fail, and be told where. */
static void expect_violation(model_circuit *m, uint64_t *changed, size_t n)
{
    cuzk_direct *d;
    cuzk_error err;
    const uint64_t kept = *changed;
    *changed ^= 1;
    const cuzk_direct_options options = {.inputs = &m->inputs.inputs};
    assert_int_equal(cuzk_direct_new(&d, &options, &err), CUZK_OK);
    assert_int_equal(cuzk_direct_run(d, &m->circuit, &err), CUZK_OK);
    if (cuzk_direct_violation(d) == NULL)
        fail_msg("%s: input %zu changed, and all rows hold", m->circuit.name, n);
    assert_true(cuzk_direct_violation(d)->row < cuzk_direct_counts(d)->rows);
    cuzk_direct_free(d);
    *changed = kept;
}

/* Each input of the small circuits, one at a time. */
static void changed_inputs(void **state)
{
    (void)state;
    static const model_kind kinds[] = {MODEL_POR, MODEL_WINDOW_TOP};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        model_circuit m;
        model_circuit_open(&m, kinds[k]);
        const size_t step = kinds[k] == MODEL_POR ? 1 : 17;
        for (size_t i = 0; i < m.inputs.inputs.n_field; i += step)
            expect_violation(&m, &m.inputs.field[i].l[0], i);
        for (size_t i = 0; i < m.inputs.inputs.n_word; i += step)
            expect_violation(&m, &m.inputs.word[i], i);
        model_circuit_release(&m);
    }
}

/* The row and the gadgets around it. */
static void violation_is_named(void **state)
{
    (void)state;
    model_circuit m;
    cuzk_direct *d;
    model_circuit_open(&m, MODEL_POR);
    m.inputs.field[m.inputs.inputs.n_field - 1].l[0] ^= 1; /* the root */
    const cuzk_direct_options options = {.inputs = &m.inputs.inputs};
    assert_int_equal(cuzk_direct_new(&d, &options, NULL), CUZK_OK);
    assert_int_equal(cuzk_direct_run(d, &m.circuit, NULL), CUZK_OK);
    const cuzk_row_violation *v = cuzk_direct_violation(d);
    assert_non_null(v);
    assert_int_equal(v->row, 1061); /* computed root * 1 = root; the last one makes it public */
    assert_string_equal(v->path, "");
    assert_memory_equal(&v->c, cuzk_direct_inputs(d) + 2, sizeof v->c);
    cuzk_direct_free(d);
    model_circuit_release(&m);
}

/* Too few, too many, not below r. */
static void wrong_inputs(void **state)
{
    (void)state;
    for (int fault = 0; fault < 5; fault++) {
        model_circuit m;
        cuzk_direct *d;
        cuzk_error err;
        model_circuit_open(&m, MODEL_POR);
        cuzk_circuit_inputs *inputs = &m.inputs.inputs;
        if (fault < 2)
            inputs->n_field += fault == 0 ? (size_t)-1 : 1;
        else if (fault < 4)
            inputs->n_word += fault == 2 ? (size_t)-1 : 1;
        else
            m.inputs.field[3] = (cuzk_scalar){{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
        const cuzk_direct_options options = {.inputs = inputs};
        assert_int_equal(cuzk_direct_new(&d, &options, &err), CUZK_OK);
        assert_int_equal(cuzk_direct_run(d, &m.circuit, &err), CUZK_ERR_FORMAT);
        assert_non_null(strstr(err.message, "circuit por"));
        cuzk_direct_free(d);
        model_circuit_release(&m);
    }
}

/* A real sector's WindowPoSt vanilla proof, 32 GiB, where it is at hand: each row holds. */
static void real_sector(void **state)
{
    (void)state;
    const char *path = test_shared_path("spec/vectors/public/post32g.vproof");
    if (path == NULL)
        skip();
    cuzk_arena arena = {0};
    cuzk_fil_proof proof;
    cuzk_post_sector sector;
    test_inputs inputs = {0};
    cuzk_direct *d;
    cuzk_error err;
    size_t size;
    uint8_t *blob = test_read_file(path, &size);
    assert_int_equal(cuzk_fil_proof_get(&proof, CUZK_FIL_WINDOW, 8, &err), CUZK_OK);
    assert_int_equal(cuzk_post_read(&sector, &arena, &proof, blob, size, path, &err), CUZK_OK);
    test_inputs_sector(&inputs, &sector, sector.path, sector.n_paths);
    const cuzk_post_params params = {proof.tree, 1, (uint32_t)sector.n_paths};
    const cuzk_circuit circuit = {"window, one sector", cuzk_post_build, &params};
    const cuzk_direct_options options = {.inputs = &inputs.inputs};
    assert_int_equal(cuzk_direct_new(&d, &options, &err), CUZK_OK);
    assert_int_equal(cuzk_direct_run(d, &circuit, &err), CUZK_OK);
    assert_null(cuzk_direct_violation(d));
    assert_int_equal(cuzk_direct_counts(d)->rows, 53333); /* 125,279,217 / 2,349 */
    cuzk_direct_free(d);
    test_inputs_release(&inputs);
    cuzk_arena_release(&arena);
    free(blob);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(witnesses),          cmocka_unit_test(changed_inputs),
        cmocka_unit_test(violation_is_named), cmocka_unit_test(wrong_inputs),
        cmocka_unit_test(real_sector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
