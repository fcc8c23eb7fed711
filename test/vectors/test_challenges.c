/* Challenges and public inputs (Filecoin circuits, section 11): published vectors, the model's
 * sector, parents in the public inputs of real proofs. */
#include "circuit/filecoin/challenges.h"
#include "support/circuit.h"
#include "support/filecoin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static cuzk_error err;

static void assert_numbers(const uint64_t *found, const uint64_t *expected, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_int_equal(found[i], expected[i]);
}

static void synthetic(void **state)
{
    (void)state;
    enum { CANDIDATES = 21 };
    static const uint64_t selected[10] = {176, 781, 801, 986, 290, 211, 692, 856, 986, 332};
    cuzk_porep_draw draw = {.rule = CUZK_POREP_SYNTHETIC,
                            .nodes = 1 << 10,
                            .replica_id = {{55, 0, 0, 0}},
                            .comm_r = {{101, 0, 0, 0}},
                            .candidates = CANDIDATES};
    uint64_t found[10];
    memset(draw.seed, 1, sizeof draw.seed);
    TEST_EXPECT(cuzk_porep_challenges(found, &draw, 0, 10, &err), CUZK_OK, &err);
    assert_numbers(found, selected, 10);
    TEST_EXPECT(cuzk_porep_challenges(found, &draw, 7, 3, &err), CUZK_OK, &err);
    assert_numbers(found, selected + 7, 3);
    assert_int_equal(cuzk_synthetic_candidates(64), 64);
    assert_int_equal(cuzk_synthetic_candidates(1 << 30), 1 << 18);
}

/* Every candidate is drawn by some seed; the published list has 21 of them. */
static void synthetic_candidates(void **state)
{
    (void)state;
    static const uint64_t listed[21] = {178, 297, 869, 211, 875, 477, 94,  781, 124, 332, 856,
                                        801, 176, 692, 429, 691, 290, 204, 986, 210, 973};
    bool seen[1 << 10] = {false};
    cuzk_porep_draw draw = {.rule = CUZK_POREP_SYNTHETIC,
                            .nodes = 1 << 10,
                            .replica_id = {{55, 0, 0, 0}},
                            .comm_r = {{101, 0, 0, 0}},
                            .candidates = 21};
    uint64_t found[600];
    TEST_EXPECT(cuzk_porep_challenges(found, &draw, 0, 600, &err), CUZK_OK, &err);
    for (size_t i = 0; i < 600; i++)
        seen[found[i]] = true;
    size_t n = 0;
    for (size_t i = 0; i < 1 << 10; i++)
        n += seen[i];
    assert_int_equal(n, 21);
    for (size_t i = 0; i < 21; i++)
        assert_true(seen[listed[i]]);
}

/* Expected values by Python's hashlib and integers. */
static void non_interactive(void **state)
{
    (void)state;
    static const uint64_t nodes[3] = {1 << 10, 1 << 30, UINT64_C(1) << 31};
    static const uint64_t expected[3][4] = {{962, 407, 375, 368},
                                            {37871399, 401485964, 300729639, 366266081},
                                            {1531460051, 1211084870, 875815570, 887667778}};
    for (size_t i = 0; i < 3; i++) {
        cuzk_porep_draw draw = {.rule = CUZK_POREP_NON_INTERACTIVE,
                                .nodes = nodes[i],
                                .replica_id = {{55, 0, 0, 0}},
                                .comm_r = {{101, 0, 0, 0}}};
        uint64_t found[4];
        TEST_EXPECT(cuzk_porep_challenges(found, &draw, 0, 3, &err), CUZK_OK, &err);
        TEST_EXPECT(cuzk_porep_challenges(found + 3, &draw, 2252, 1, &err), CUZK_OK, &err);
        assert_numbers(found, expected[i], 4);
    }
}

static void model_porep(void **state)
{
    (void)state;
    json_t *model = test_fil_json("model-2kib.json");
    cuzk_scalar inputs[3 + 2 * 18];
    uint64_t challenge[2];
    cuzk_graph graph;
    cuzk_fil_proof proof;
    TEST_EXPECT(cuzk_fil_proof_get(&proof, CUZK_FIL_POREP, 5, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_graph_init(&graph, proof.nodes, proof.porep_id, proof.api, &err), CUZK_OK,
                &err);
    cuzk_porep_public head = {test_fil_scalar(test_member(model, "replica_id")),
                              test_fil_scalar(test_member(model, "comm_d")),
                              test_fil_scalar(test_member(model, "comm_r"))};
    cuzk_porep_draw draw = {
        .rule = CUZK_POREP_INTERACTIVE, .nodes = 64, .replica_id = head.replica_id};
    test_hex_32(draw.seed, json_string_value(test_member(model, "seed")));
    TEST_EXPECT(cuzk_porep_challenges(challenge, &draw, 0, 2, &err), CUZK_OK, &err);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(challenge[i], json_integer_value(json_array_get(
                                           test_member(model, "porep_challenges"), i)));
    TEST_EXPECT(cuzk_porep_public_inputs(inputs, &graph, &head, challenge, 2, &err), CUZK_OK, &err);
    test_assert_scalars(inputs, 3 + 2 * 18, test_member(model, "porep_public_inputs"));
    cuzk_graph_release(&graph);
    json_decref(model);
}

static void check_post(const json_t *model, const char *kind, const cuzk_fil_proof *proof,
                       size_t per_sector, size_t sectors)
{
    const json_t *part = test_member(model, kind);
    uint8_t randomness[32];
    cuzk_scalar comm_r = test_fil_scalar(test_member(model, "comm_r")), inputs[2 * 66];
    test_hex_32(randomness, json_string_value(test_member(model, "randomness")));
    for (size_t s = 0; s < sectors; s++) {
        uint64_t leaf[10];
        for (size_t i = 0; i < per_sector; i++) {
            uint64_t index = cuzk_post_index(proof, s, i);
            TEST_EXPECT(cuzk_post_leaf(&leaf[i], randomness, 7, index, 64, &err), CUZK_OK, &err);
            assert_int_equal(leaf[i], json_integer_value(json_array_get(test_member(part, "leaves"),
                                                                        s * per_sector + i)));
        }
        cuzk_post_public_inputs(inputs + s * (1 + per_sector), &comm_r, leaf, per_sector);
    }
    /* A window of one sector is padded by repeating it. */
    size_t n = sectors * (1 + per_sector);
    if (proof->sectors > sectors) {
        memcpy(inputs + n, inputs, n * sizeof *inputs);
        n *= 2;
    }
    test_assert_scalars(inputs, n, test_member(part, "public_inputs"));
}

static void model_post(void **state)
{
    (void)state;
    json_t *model = test_fil_json("model-2kib.json");
    cuzk_fil_proof proof;
    TEST_EXPECT(cuzk_fil_proof_get(&proof, CUZK_FIL_WINNING, 0, &err), CUZK_OK, &err);
    check_post(model, "winning", &proof, 1, 66);
    for (unsigned id = 5; id <= 10; id += 5) {
        TEST_EXPECT(cuzk_fil_proof_get(&proof, CUZK_FIL_WINDOW, id, &err), CUZK_OK, &err);
        check_post(model, "window", &proof, 10, 1);
        assert_int_equal(cuzk_post_index(&proof, 3, 4), id == 5 ? 34 : 4);
    }
    json_decref(model);
}

/* id 9: a size that is not registered, by the log of its nodes and partitions. */
static const struct {
    unsigned id, node_bits, partition_bits, partition;
    uint64_t first[5];
} snap_vectors[] = {
    {9, 5, 0, 0, {21, 7, 3, 31, 0}},
    {0, 6, 0, 0, {53, 51, 56, 3, 0}},
    {9, 7, 0, 0, {117, 25, 62, 0, 72}},
    {9, 8, 0, 0, {245, 140, 15, 128, 28}},
    {9, 9, 1, 1, {286, 308, 493, 510, 508}},
    {9, 10, 1, 0, {245, 454, 3, 400, 193}},
    {9, 10, 1, 1, {542, 666, 955, 927, 911}},
    {1, 18, 2, 0, {36085, 32783, 44060, 10950, 3731}},
    {2, 24, 4, 0, {1019125, 116736, 706220, 59698, 799498}},
    {3, 30, 4, 0, {1019125, 27985696, 15282860, 11586600, 44651330}},
    {3, 30, 4, 15, {1038629497, 1053983614, 1030421316, 1027373887, 1068685433}},
    {4, 31, 4, 15, {2045262457, 2036941247, 2136653521, 2091356007, 2147167623}},
};

static void snap(void **state)
{
    (void)state;
    test_xorshift rng = test_xorshift_new();
    cuzk_scalar comm_r_new = test_xorshift_scalar(&rng);
    for (size_t i = 0; i < sizeof snap_vectors / sizeof snap_vectors[0]; i++) {
        cuzk_fil_proof proof;
        unsigned id = snap_vectors[i].id;
        uint64_t found[86];
        TEST_EXPECT(cuzk_fil_proof_get(&proof, CUZK_FIL_SNAP, id == 9 ? 0 : id, &err), CUZK_OK,
                    &err);
        if (id == 9) {
            proof.data.base_levels = snap_vectors[i].node_bits;
            proof.partition_bits = snap_vectors[i].partition_bits;
        }
        assert_int_equal(proof.data.base_levels, snap_vectors[i].node_bits);
        assert_int_equal(proof.partition_bits, snap_vectors[i].partition_bits);
        cuzk_snap_challenges(found, &proof, &comm_r_new, snap_vectors[i].partition);
        assert_numbers(found, snap_vectors[i].first, 5);
    }
}

static void model_snap(void **state)
{
    (void)state;
    json_t *model = test_fil_json("model-2kib.json"), *part = test_member(model, "snap");
    cuzk_fil_proof proof;
    cuzk_scalar phi, rho, inputs[CUZK_SNAP_INPUTS];
    uint64_t challenge[10];
    TEST_EXPECT(cuzk_fil_proof_get(&proof, CUZK_FIL_SNAP, 0, &err), CUZK_OK, &err);
    cuzk_snap_public comms = {test_fil_scalar(test_member(model, "comm_r")),
                              test_fil_scalar(test_member(part, "comm_d_new")),
                              test_fil_scalar(test_member(part, "comm_r_new"))};
    cuzk_snap_challenges(challenge, &proof, &comms.comm_r_new, 0);
    assert_int_equal(json_array_size(test_member(part, "challenges")), 10);
    for (size_t i = 0; i < 10; i++)
        assert_int_equal(challenge[i],
                         json_integer_value(json_array_get(test_member(part, "challenges"), i)));
    assert_int_equal(cuzk_snap_high_bits(&proof), 1);
    cuzk_snap_phi(&phi, &comms.comm_d_new, &comms.comm_r_old);
    test_assert_scalar(&phi, test_member(part, "phi"));
    for (uint64_t high = 0; high < 2; high++) {
        cuzk_snap_rho(&rho, &phi, high);
        test_assert_scalar(&rho, json_array_get(test_member(part, "rho"), high));
    }
    cuzk_snap_public_inputs(inputs, &proof, &comms, 0);
    test_assert_scalars(inputs, CUZK_SNAP_INPUTS, test_member(part, "public_inputs"));
    TEST_EXPECT(cuzk_fil_proof_get(&proof, CUZK_FIL_SNAP, 3, &err), CUZK_OK, &err);
    assert_int_equal(cuzk_snap_high_bits(&proof), 10);
    assert_int_equal(cuzk_snap_k_h(&proof, 5), 5 + 128);
    json_decref(model);
}

static const char *shared_path(const char *name)
{
    static char path[4096];
    const char *shared = getenv("CUZK_SHARED");
    if (shared != NULL)
        snprintf(path, sizeof path, "%s/spec/vectors/public/%s", shared, name);
    else
        snprintf(path, sizeof path, "%s/../../../shared/spec/vectors/public/%s", CUZK_TEST_DATA,
                 name);
    return access(path, R_OK) == 0 ? path : NULL;
}

static cuzk_scalar read_input(const uint8_t *in)
{
    cuzk_scalar value;
    uint8_t *bytes = (uint8_t *)value.l;
    for (size_t i = 0; i < 32; i++)
        bytes[31 - i] = in[i];
    return value;
}

/* Ten partitions of a real 32 GiB sector: 327 public inputs each, sealed under id 3. */
static void real_parents(void **state)
{
    (void)state;
    enum { PROOFS = 10, INPUTS = 3 + 18 * 18, BLOCK = 192 + 32 * INPUTS };
    const char *path = shared_path("seal32_x10.prf");
    if (path == NULL)
        skip();
    size_t size;
    uint8_t *file = test_read_file(path, &size);
    cuzk_graph graph;
    cuzk_fil_proof proof;
    TEST_EXPECT(cuzk_fil_proof_get(&proof, CUZK_FIL_POREP, 3, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_graph_init(&graph, proof.nodes, proof.porep_id, proof.api, &err), CUZK_OK,
                &err);
    for (size_t i = 0; i < PROOFS; i++) {
        cuzk_scalar given[INPUTS], inputs[INPUTS];
        uint64_t challenge[18];
        const uint8_t *in = file + size - (PROOFS - i) * BLOCK + 192;
        for (size_t j = 0; j < INPUTS; j++)
            given[j] = read_input(in + 32 * j);
        for (size_t j = 0; j < 18; j++)
            challenge[j] = given[3 + 18 * j].l[0];
        cuzk_porep_public head = {given[0], given[1], given[2]};
        TEST_EXPECT(cuzk_porep_public_inputs(inputs, &graph, &head, challenge, 18, &err), CUZK_OK,
                    &err);
        assert_memory_equal(inputs, given, sizeof given);
    }
    cuzk_graph_release(&graph);
    free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(synthetic),       cmocka_unit_test(synthetic_candidates),
        cmocka_unit_test(non_interactive), cmocka_unit_test(model_porep),
        cmocka_unit_test(model_post),      cmocka_unit_test(snap),
        cmocka_unit_test(model_snap),      cmocka_unit_test(real_parents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
