/* Files written by the original Rust generator and prover (bellperson): parameters, verifying key
 * and proof of Filecoin's PoR circuit with a public root. The circuit itself is not needed to read
 * them. */
#include "support/circuit.h"

#include "groth16/decode.h"
#include "groth16/params.h"
#include "groth16/verify.h"

#include <stdlib.h>
#include <string.h>

/* Public inputs: the path's bits, packed (index 7 at the leaf, then 5, of 8 each), and the root, a
 * little-endian number in vectors/model-2kib-c1.json. */
#define PATH "000000000000000000000000000000000000000000000000000000000000002f"
#define ROOT "722eeb7f8bd0544fb12908445c815548f8fd11ea659e8f4c1b5e595454d99d44"

static cuzk_error err;

static cuzk_map *borrow_file(const char *name, uint8_t **data)
{
    size_t size;
    cuzk_map *map;
    *data = test_read_data(name, &size);
    TEST_EXPECT(cuzk_map_borrow(&map, *data, size, name, &err), CUZK_OK, &err);
    return map;
}

static void counts_are_those_of_the_generator(void **state)
{
    (void)state;
    uint8_t *data;
    cuzk_map *map = borrow_file("vectors/rust-por.params", &data);
    cuzk_params_info info;
    TEST_EXPECT(cuzk_params_info_read(&info, map, &err), CUZK_OK, &err);
    assert_int_equal(info.ic_len, 3);
    assert_int_equal(info.h_len, 2047);
    assert_int_equal(info.l_len, 1076);
    assert_int_equal(info.a_len, 818);
    assert_int_equal(info.b_len, 779);
    cuzk_map_close(map);
    free(data);
}

static void expect_same_vk(const cuzk_vk *a, const cuzk_vk *b)
{
    assert_int_equal(a->n_public, b->n_public);
    assert_memory_equal(&a->alpha_g1, &b->alpha_g1, sizeof a->alpha_g1);
    assert_memory_equal(&a->beta_g2, &b->beta_g2, sizeof a->beta_g2);
    assert_memory_equal(&a->gamma_g2, &b->gamma_g2, sizeof a->gamma_g2);
    assert_memory_equal(&a->delta_g2, &b->delta_g2, sizeof a->delta_g2);
    assert_memory_equal(a->ic, b->ic, (a->n_public + 1) * a->curve->g1_words * sizeof *a->ic);
}

static void head_is_the_verifying_key(void **state)
{
    (void)state;
    uint8_t *params_data, *vk_data;
    cuzk_map *params = borrow_file("vectors/rust-por.params", &params_data);
    cuzk_map *file = borrow_file("vectors/rust-por.vk", &vk_data);
    cuzk_vk head, vk;
    TEST_EXPECT(cuzk_params_read_vk(&head, NULL, NULL, params, true, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_params_read_vk(&vk, NULL, NULL, file, false, &err), CUZK_OK, &err);
    expect_same_vk(&head, &vk);
    cuzk_vk_release(&head);
    cuzk_vk_release(&vk);
    cuzk_map_close(params);
    cuzk_map_close(file);
    free(params_data);
    free(vk_data);
}

static void points_decode(void **state)
{
    (void)state;
    uint8_t *data;
    cuzk_map *map = borrow_file("vectors/rust-por.params", &data);
    cuzk_params_info info;
    TEST_EXPECT(cuzk_params_info_read(&info, map, &err), CUZK_OK, &err);
    const struct {
        cuzk_group group;
        size_t at, n;
    } parts[] = {{CUZK_G1, info.h_at, info.h_len},
                 {CUZK_G1, info.l_at, info.l_len},
                 {CUZK_G1, info.a_at, info.a_len},
                 {CUZK_G1, info.b_g1_at, info.b_len},
                 {CUZK_G2, info.b_g2_at, info.b_len}};
    cuzk_pool *pool = cuzk_pool_new(2);
    assert_non_null(pool);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        cuzk_decode_place place = {.curve = cuzk_curve_get(CUZK_BLS12_381),
                                   .group = parts[i].group,
                                   .name = "rust-por.params",
                                   .what = "points",
                                   .subgroup = true};
        uint64_t *out = malloc(parts[i].n * sizeof(cuzk_g2));
        assert_non_null(out);
        TEST_EXPECT(cuzk_decode_zcash(out, data + parts[i].at, parts[i].n, &place, pool, &err),
                    CUZK_OK, &err);
        free(out);
    }
    cuzk_pool_free(pool);
    cuzk_map_close(map);
    free(data);
}

static void proof_of_the_original_prover_holds(void **state)
{
    (void)state;
    uint8_t *data;
    cuzk_map *file = borrow_file("vectors/rust-por.vk", &data);
    cuzk_vk vk;
    TEST_EXPECT(cuzk_params_read_vk(&vk, NULL, NULL, file, false, &err), CUZK_OK, &err);
    cuzk_verifier *verifier;
    TEST_EXPECT(cuzk_verifier_new(&verifier, &vk, NULL, &err), CUZK_OK, &err);
    size_t size;
    uint8_t *bytes = test_read_data("vectors/rust-por.proof", &size);
    cuzk_proof proof;
    TEST_EXPECT(cuzk_proof_decode(&proof, 1, bytes, size, &err), CUZK_OK, &err);
    cuzk_scalar inputs[2] = {test_scalar_hex(PATH), test_scalar_hex(ROOT)};
    TEST_EXPECT(cuzk_verify_proof(verifier, inputs, 2, &proof, NULL, &err), CUZK_OK, &err);
    inputs[0].l[0] ^= 1;
    TEST_EXPECT(cuzk_verify_proof(verifier, inputs, 2, &proof, NULL, &err), CUZK_ERR_REJECTED,
                &err);
    cuzk_verifier_free(verifier);
    cuzk_vk_release(&vk);
    cuzk_map_close(file);
    free(bytes);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_generator),
        cmocka_unit_test(head_is_the_verifying_key),
        cmocka_unit_test(points_decode),
        cmocka_unit_test(proof_of_the_original_prover_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
