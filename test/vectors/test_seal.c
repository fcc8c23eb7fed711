/* A sealed 2 KiB sector against the model's, value by value. */
#include "circuit/filecoin/identity.h"
#include "support/circuit.h"
#include "support/filecoin.h"
#include "support/vanilla_check.h"

#include <stdlib.h>
#include <string.h>

static void every_value(void **state)
{
    (void)state;
    cuzk_sector s;
    json_t *model = test_fil_json("model-2kib.json");
    test_seal_2kib(&s);
    test_assert_scalars(s.d.row[0], 64, test_member(model, "data"));
    test_assert_scalar(&s.comm_d, test_member(model, "comm_d"));
    test_assert_scalar(&s.replica_id, test_member(model, "replica_id"));
    for (uint32_t v = 0; v < 64; v++) {
        uint32_t parents[CUZK_GRAPH_PARENTS];
        const json_t *row = json_array_get(test_member(model, "parents"), v);
        assert_int_equal(cuzk_graph_parents(parents, &s.graph, v, NULL), CUZK_OK);
        for (unsigned i = 0; i < CUZK_GRAPH_PARENTS; i++)
            assert_int_equal(parents[i], json_integer_value(json_array_get(row, i)));
    }
    for (size_t layer = 0; layer < 2; layer++)
        test_assert_scalars(s.label + 64 * layer, 64,
                            json_array_get(test_member(model, "labels"), layer));
    test_assert_scalars(s.c.row[0], 64, test_member(model, "column_hashes"));
    test_assert_scalars(s.r.row[0], 64, test_member(model, "replica"));
    test_assert_scalar(&s.comm_c, test_member(model, "comm_c"));
    test_assert_scalar(&s.comm_r_last, test_member(model, "comm_r_last"));
    test_assert_scalar(&s.comm_r, test_member(model, "comm_r"));
    cuzk_sector_release(&s);
    json_decref(model);
}

static void prover_ids(void **state)
{
    (void)state;
    static const struct {
        uint64_t miner;
        uint8_t bytes[11];
    } known[] = {
        {0, {0}},
        {127, {127}},
        {128, {0x80, 1}},
        {1000, {0xe8, 7}},
        {UINT64_MAX, {255, 255, 255, 255, 255, 255, 255, 255, 255, 1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint8_t id[32], expected[32] = {0};
        memcpy(expected, known[i].bytes, sizeof known[i].bytes);
        memset(id, 0x5a, sizeof id);
        cuzk_prover_id(id, known[i].miner);
        assert_memory_equal(id, expected, sizeof id);
    }
}

static void data_above_254_bits(void **state)
{
    (void)state;
    cuzk_error err = {0};
    cuzk_sector s;
    cuzk_scalar data[64];
    cuzk_seal_source source = {.data = data};
    memset(data, 0, sizeof data);
    data[63].l[3] = UINT64_C(1) << 62;
    assert_int_equal(cuzk_fil_proof_get(&source.proof, CUZK_FIL_POREP, 5, NULL), CUZK_OK);
    TEST_EXPECT(cuzk_sector_seal(&s, &source, NULL, &err), CUZK_ERR_ARGUMENT, &err);
    assert_non_null(strstr(err.message, "node 63"));
    assert_null(s.label);
}

static void padding(void **state)
{
    (void)state;
    uint8_t raw[254];
    cuzk_scalar nodes[8];
    for (size_t i = 0; i < sizeof raw; i++)
        raw[i] = (uint8_t)(i * 37 + 11);
    cuzk_fr32_pad(nodes, raw, 8);
    for (size_t bit = 0; bit < 8 * 256; bit++) {
        size_t from = bit / 256 * 254 + bit % 256;
        unsigned expected = bit % 256 < 254 ? raw[from / 8] >> from % 8 & 1 : 0;
        assert_int_equal(nodes[bit / 256].l[bit % 256 / 64] >> bit % 64 & 1, expected);
    }
}

/* 8 MiB of zeros on several threads; its proofs hold. Takes ten core-seconds, so only
 * when CUZK_TEST_LONG is set. */
static void eight_mib(void **state)
{
    (void)state;
    if (getenv("CUZK_TEST_LONG") == NULL)
        skip();
    cuzk_error err = {0};
    cuzk_sector sector;
    cuzk_porep_vanilla vanilla;
    cuzk_arena arena = {0};
    cuzk_pool *pool = cuzk_pool_new(0);
    cuzk_seal_source source = {.miner = 1000, .sector = 1};
    const uint8_t seed[32] = {1};
    assert_int_equal(cuzk_fil_proof_get(&source.proof, CUZK_FIL_POREP, 6, NULL), CUZK_OK);
    TEST_EXPECT(cuzk_sector_seal(&sector, &source, pool, &err), CUZK_OK, &err);
    cuzk_scalar zero_root;
    TEST_EXPECT(cuzk_tree_zero_root(&zero_root, 18, &err), CUZK_OK, &err);
    assert_memory_equal(&sector.comm_d, &zero_root, sizeof zero_root);
    cuzk_sector_view view = cuzk_sector_view_of(&sector);
    TEST_EXPECT(cuzk_porep_open(&vanilla, &arena, &view, seed, &err), CUZK_OK, &err);
    test_check_porep(&vanilla, &source.proof);
    cuzk_arena_release(&arena);
    cuzk_sector_release(&sector);
    cuzk_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value),         cmocka_unit_test(prover_ids),
        cmocka_unit_test(data_above_254_bits), cmocka_unit_test(padding),
        cmocka_unit_test(eight_mib),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
