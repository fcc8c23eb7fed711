/* Vanilla proofs of small sectors, written: byte for byte the model's files, which the original
 * code accepts. */
#include "circuit/filecoin/bincode_write.h"
#include "circuit/filecoin/c1_write.h"
#include "circuit/filecoin/challenges.h"
#include "circuit/filecoin/deal.h"
#include "support/circuit.h"
#include "support/filecoin.h"

#include <stdlib.h>
#include <string.h>

static cuzk_error err;
static cuzk_arena arena;

static void assert_file(const uint8_t *bytes, size_t size, const char *name)
{
    size_t expected_size;
    uint8_t *expected = test_read_data(name, &expected_size);
    assert_int_equal(size, expected_size);
    assert_memory_equal(bytes, expected, size);
    free(expected);
}

static void check_c1(cuzk_sector *sector, const char *name, uint8_t **text, size_t *size)
{
    uint8_t seed[32];
    cuzk_porep_vanilla vanilla;
    cuzk_sector_view view = cuzk_sector_view_of(sector);
    memset(seed, 5, sizeof seed);
    TEST_EXPECT(cuzk_porep_open(&vanilla, &arena, &view, seed, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_c1_write(text, size, &vanilla, &err), CUZK_OK, &err);
    assert_file(*text, *size, name);
}

static void porep(void **state)
{
    (void)state;
    cuzk_sector sector;
    uint8_t *text, *wrapped;
    size_t size, wrapped_size;
    test_seal_16kib(&sector);
    check_c1(&sector, "filecoin/model-16kib-sub-c1.json", &text, &size);
    free(text);
    cuzk_sector_release(&sector);

    test_seal_2kib(&sector);
    check_c1(&sector, "filecoin/model-2kib-c1.json", &text, &size);
    TEST_EXPECT(cuzk_c1_wrap(&wrapped, &wrapped_size, text, size, 7, 2048, &err), CUZK_OK, &err);
    json_t *expected = test_fil_json("model-2kib-c1-wrapper.json");
    json_t *found = json_loadb((const char *)wrapped, wrapped_size, 0, NULL);
    assert_true(json_equal(found, expected));
    json_decref(found);
    json_decref(expected);
    free(wrapped);
    free(text);
    cuzk_sector_release(&sector);
}

static void check_post(cuzk_sector *sector, const uint8_t randomness[32], size_t n,
                       const char *name)
{
    uint64_t leaf[66];
    cuzk_post_sector post;
    uint8_t *blob;
    size_t size;
    cuzk_sector_view view = cuzk_sector_view_of(sector);
    for (size_t i = 0; i < n; i++)
        TEST_EXPECT(
            cuzk_post_leaf(&leaf[i], randomness, sector->sector, i, sector->proof.nodes, &err),
            CUZK_OK, &err);
    TEST_EXPECT(cuzk_post_open(&post, &arena, &view, leaf, n, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_post_write(&blob, &size, &post, &err), CUZK_OK, &err);
    assert_file(blob, size, name);
    free(blob);
}

static void post(void **state)
{
    (void)state;
    cuzk_sector sector;
    uint8_t randomness[32];
    for (unsigned i = 0; i < 32; i++)
        randomness[i] = (uint8_t)i;
    test_seal_2kib(&sector);
    check_post(&sector, randomness, 10, "filecoin/model-2kib-window.vproof");
    check_post(&sector, randomness, 66, "filecoin/model-2kib-winning.vproof");
    cuzk_sector_release(&sector);
    test_seal_32kib(&sector);
    check_post(&sector, randomness, 10, "filecoin/model-32kib-top-window.vproof");
    cuzk_sector_release(&sector);
}

static void snap(void **state)
{
    (void)state;
    cuzk_sector sector;
    cuzk_deal deal;
    cuzk_fil_proof proof;
    cuzk_snap_partition partition;
    cuzk_scalar data[64];
    uint8_t *blob;
    size_t size;
    json_t *model = test_fil_json("model-2kib.json"), *expected = test_member(model, "snap");
    test_xorshift rng = test_xorshift_new();
    test_fil_nodes(data, 64, &rng); /* the first data */
    test_fil_nodes(data, 64, &rng);
    test_assert_scalars(data, 64, test_member(expected, "data_new"));

    test_seal_2kib(&sector);
    TEST_EXPECT(cuzk_fil_proof_get(&proof, CUZK_FIL_SNAP, 0, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_deal_encode(&deal, &proof, &sector, data, NULL, &err), CUZK_OK, &err);
    test_assert_scalar(&deal.comm_d_new, test_member(expected, "comm_d_new"));
    test_assert_scalars(deal.r.row[0], 64, test_member(expected, "replica_new"));
    test_assert_scalar(cuzk_tree_root(&deal.r), test_member(expected, "root_r_new"));
    test_assert_scalar(&deal.comm_r_new, test_member(expected, "comm_r_new"));
    cuzk_deal_view view = cuzk_deal_view_of(&deal, &sector);
    TEST_EXPECT(cuzk_snap_open(&partition, &arena, &view, 0, &err), CUZK_OK, &err);
    test_assert_scalars(partition.apex, partition.n_apex, test_member(expected, "apex"));
    TEST_EXPECT(cuzk_snap_write(&blob, &size, &partition, &err), CUZK_OK, &err);
    assert_file(blob, size, "filecoin/model-2kib-snap-0.vproof");
    free(blob);
    cuzk_deal_release(&deal);

    proof.nodes = 128;
    TEST_EXPECT(cuzk_deal_encode(&deal, &proof, &sector, data, NULL, &err), CUZK_ERR_MISMATCH,
                &err);
    proof.nodes = 64;
    data[9].l[3] = UINT64_MAX;
    TEST_EXPECT(cuzk_deal_encode(&deal, &proof, &sector, data, NULL, &err), CUZK_ERR_ARGUMENT,
                &err);
    cuzk_sector_release(&sector);
    json_decref(model);
}

static int release(void **state)
{
    (void)state;
    cuzk_arena_release(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(porep),
        cmocka_unit_test(post),
        cmocka_unit_test(snap),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
