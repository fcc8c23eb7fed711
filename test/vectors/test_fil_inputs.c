/* From files to satisfied circuits: the model's vanilla proofs are read, flattened and evaluated.
 * Every row holds, and witness and public inputs are those that the model and the original program
 * have computed from the same files. */
#include "support/filecoin.h"
#include "support/vanilla.h"

#include "circuit/direct.h"
#include "circuit/filecoin/bincode.h"
#include "circuit/filecoin/c1.h"
#include "circuit/filecoin/inputs.h"
#include "field/bls12_381_fr.h"

static cuzk_error err;
static cuzk_arena arena;

/* Arrays for one partition. */
static cuzk_fil_inputs new_inputs(const cuzk_fil_proof *proof)
{
    cuzk_fil_sizes sizes = cuzk_fil_sizes_get(proof);
    cuzk_fil_inputs inputs = {
        .field = cuzk_arena_new(&arena, sizes.field, sizeof(cuzk_scalar)),
        .word = cuzk_arena_new(&arena, sizes.word, sizeof(uint64_t)),
        .statement = cuzk_arena_new(&arena, sizes.statement, sizeof(cuzk_scalar)),
    };
    assert_non_null(inputs.field);
    assert_non_null(inputs.word);
    assert_non_null(inputs.statement);
    return inputs;
}

static void check_aux(const cuzk_direct *direct, const char *hex)
{
    uint8_t digest[32], expected[32], bytes[32];
    cuzk_digest *sha256 = NULL;
    assert_ok(cuzk_digest_new(&sha256, CUZK_SHA256, &err));
    const cuzk_fr *aux = cuzk_direct_aux(direct);
    for (size_t i = 0; i < cuzk_direct_counts(direct)->aux; i++) {
        bls12_381_fr_to_le(bytes, &aux[i]);
        assert_ok(cuzk_digest_update(sha256, bytes, sizeof bytes, &err));
    }
    assert_ok(cuzk_digest_finish(sha256, digest, &err));
    cuzk_digest_free(sha256);
    test_hex_32(expected, hex);
    assert_memory_equal(digest, expected, 32);
}

/* statement NULL: not known. */
static void check_circuit(const cuzk_fil_proof *proof, const cuzk_fil_inputs *inputs,
                          const json_t *statement, const char *aux_sha256)
{
    cuzk_fil_sizes sizes = cuzk_fil_sizes_get(proof);
    cuzk_circuit_inputs request = {inputs->field, sizes.field, inputs->word, sizes.word};
    cuzk_direct_options options = {.inputs = &request};
    cuzk_fil_circuit circuit;
    cuzk_direct *direct = NULL;
    cuzk_fil_circuit_init(&circuit, proof);
    assert_ok(cuzk_direct_new(&direct, &options, &err));
    assert_ok(cuzk_direct_run(direct, &circuit.circuit, &err));
    const cuzk_row_violation *violation = cuzk_direct_violation(direct);
    if (violation != NULL)
        fail_msg("row %zu: %s", violation->row, violation->path);
    const cuzk_fr *own = cuzk_direct_inputs(direct);
    assert_int_equal(cuzk_direct_counts(direct)->inputs, 1 + sizes.statement);
    for (size_t i = 0; i < sizes.statement; i++) {
        cuzk_scalar value;
        bls12_381_fr_to_canon(&value, &own[1 + i]);
        assert_memory_equal(&value, &inputs->statement[i], sizeof value);
    }
    if (statement != NULL)
        test_assert_scalars(inputs->statement, sizes.statement, statement);
    check_aux(direct, aux_sha256);
    cuzk_direct_free(direct);
    cuzk_arena_release(&arena);
}

static uint8_t *read_blob(size_t file, size_t *size)
{
    return test_read_data(vanilla_files[file].name, size);
}

static cuzk_post_sector read_post(size_t file, const cuzk_fil_proof *proof)
{
    size_t size = 0;
    uint8_t *blob = read_blob(file, &size);
    cuzk_post_sector sector;
    assert_ok(cuzk_post_read(&sector, &arena, proof, blob, size, "blob", &err));
    free(blob);
    return sector;
}

static void check_member(const cuzk_fil_proof *proof, const cuzk_fil_inputs *inputs,
                         const char *name, const char *statement)
{
    json_t *model = test_fil_json("model-2kib.json");
    const json_t *member = test_member(model, name);
    check_circuit(proof, inputs,
                  statement != NULL ? test_member(model, statement)
                                    : test_member(member, "public_inputs"),
                  json_string_value(test_member(member, "aux_sha256")));
    json_decref(model);
}

static void test_window(void **state)
{
    (void)state;
    cuzk_fil_proof proof = vanilla_proof_of(&vanilla_files[VANILLA_WINDOW]);
    cuzk_post_sector sector = read_post(VANILLA_WINDOW, &proof);
    cuzk_fil_inputs inputs = new_inputs(&proof);
    cuzk_window_inputs(&inputs, &proof, &sector, 1); /* of 2 */
    check_member(&proof, &inputs, "window", NULL);
}

static void test_winning(void **state)
{
    (void)state;
    cuzk_fil_proof proof = vanilla_proof_of(&vanilla_files[VANILLA_WINNING]);
    cuzk_post_sector sector = read_post(VANILLA_WINNING, &proof);
    cuzk_fil_inputs inputs = new_inputs(&proof);
    cuzk_winning_inputs(&inputs, &proof, &sector);
    check_member(&proof, &inputs, "winning", NULL);
}

static void test_top(void **state)
{
    (void)state;
    cuzk_fil_proof proof = vanilla_proof_of(&vanilla_files[VANILLA_TOP]);
    cuzk_post_sector sector = read_post(VANILLA_TOP, &proof);
    cuzk_fil_inputs inputs = new_inputs(&proof);
    cuzk_window_inputs(&inputs, &proof, &sector, 1);
    check_circuit(&proof, &inputs, NULL,
                  "942d7fda37b1f1d671c268f1150679d15e236aebda7ac924a8be2780d814f901");
}

static void test_snap(void **state)
{
    (void)state;
    cuzk_fil_proof proof = vanilla_proof_of(&vanilla_files[VANILLA_SNAP]);
    size_t size = 0;
    uint8_t *blob = read_blob(VANILLA_SNAP, &size);
    cuzk_snap_partition partition;
    assert_ok(cuzk_snap_read(&partition, &arena, &proof, blob, size, "blob", &err));
    free(blob);
    json_t *model = test_fil_json("model-2kib.json");
    const json_t *snap = test_member(model, "snap");
    cuzk_snap_public comms = {
        .comm_r_old = test_fil_scalar(test_member(model, "comm_r")),
        .comm_d_new = test_fil_scalar(test_member(snap, "comm_d_new")),
        .comm_r_new = test_fil_scalar(test_member(snap, "comm_r_new")),
    };
    json_decref(model);
    cuzk_fil_inputs inputs = new_inputs(&proof);
    cuzk_snap_inputs(&inputs, &proof, &comms, &partition, 0);
    check_member(&proof, &inputs, "snap", NULL);
}

static void read_c1(cuzk_porep_vanilla *c1, size_t file, const cuzk_fil_proof *proof)
{
    size_t size = 0;
    char *text = (char *)read_blob(file, &size);
    assert_ok(cuzk_c1_read(c1, &arena, proof, text, size, "c1", &err));
    free(text);
}

static void test_porep(void **state)
{
    (void)state;
    cuzk_fil_proof proof = vanilla_proof_of(&vanilla_files[VANILLA_C1]);
    cuzk_porep_vanilla c1;
    read_c1(&c1, VANILLA_C1, &proof);
    cuzk_fil_inputs inputs = new_inputs(&proof);
    cuzk_porep_inputs(&inputs, &proof, &c1, 0);
    check_member(&proof, &inputs, "porep_circuit", "porep_public_inputs");
}

static void test_porep_sub(void **state)
{
    (void)state;
    cuzk_fil_proof proof = vanilla_proof_of(&vanilla_files[VANILLA_C1_SUB]);
    cuzk_porep_vanilla c1;
    read_c1(&c1, VANILLA_C1_SUB, &proof);
    cuzk_fil_inputs inputs = new_inputs(&proof);
    cuzk_porep_inputs(&inputs, &proof, &c1, 0);
    check_circuit(&proof, &inputs, NULL,
                  "0ea4b192339660dc9cb53837f26b3e1fe7e84e95579c651b659d3019668362ec");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_window), cmocka_unit_test(test_winning),
        cmocka_unit_test(test_top),    cmocka_unit_test(test_snap),
        cmocka_unit_test(test_porep),  cmocka_unit_test(test_porep_sub),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
