/* Sparse sectors up to 64 GiB: all that a verifier checks holds, from comm_d of zero data to the
 * last hash of every path. Whole sectors are held to the same checks, so that these are known to be
 * right. and a changed value fails them. */
#include "circuit/filecoin/bincode.h"
#include "circuit/filecoin/bincode_write.h"
#include "circuit/filecoin/c1.h"
#include "circuit/filecoin/c1_write.h"
#include "circuit/filecoin/challenges.h"
#include "circuit/filecoin/deal.h"
#include "circuit/filecoin/places_sorted.h"
#include "circuit/filecoin/sparse_sector.h"
#include "support/circuit.h"
#include "support/filecoin.h"
#include "support/vanilla_check.h"

#include <stdlib.h>
#include <string.h>

static cuzk_error err;
static cuzk_arena arena;

static cuzk_fil_proof registered(cuzk_fil_kind kind, unsigned id)
{
    cuzk_fil_proof proof;
    TEST_EXPECT(cuzk_fil_proof_get(&proof, kind, id, &err), CUZK_OK, &err);
    return proof;
}

static cuzk_sparse_source porep_source(unsigned id)
{
    cuzk_sparse_source source = {.proof = registered(CUZK_FIL_POREP, id), .miner = 9, .sector = 5};
    memset(source.ticket, 1, 32);
    memset(source.challenge_seed, 2, 32);
    memset(source.seed, 3, 32);
    return source;
}

/* Writing, reading and writing again gives the same text. */
static void check_c1(const cuzk_porep_vanilla *vanilla, const cuzk_fil_proof *proof)
{
    cuzk_porep_vanilla again;
    uint8_t *text, *text_again;
    size_t size, size_again;
    TEST_EXPECT(cuzk_c1_write(&text, &size, vanilla, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_c1_read(&again, &arena, proof, (const char *)text, size, "c1", &err), CUZK_OK,
                &err);
    TEST_EXPECT(cuzk_c1_write(&text_again, &size_again, &again, &err), CUZK_OK, &err);
    assert_int_equal(size, size_again);
    assert_memory_equal(text, text_again, size);
    free(text);
    free(text_again);
}

/* partitions 0: all. Opens the PoSt leaves too. */
static void check_size(unsigned id, size_t partitions)
{
    uint64_t leaf[3];
    cuzk_sparse_source source = porep_source(id);
    cuzk_sparse_sector sector;
    cuzk_porep_vanilla vanilla;
    cuzk_post_sector post;
    cuzk_scalar zero_root;
    if (partitions != 0)
        source.proof.partitions = partitions;
    leaf[0] = source.proof.nodes - 1;
    leaf[1] = 0;
    leaf[2] = source.proof.nodes / 3;
    source.leaf = leaf;
    source.n_leaves = 3;
    TEST_EXPECT(cuzk_sparse_sector_init(&sector, &source, NULL, &err), CUZK_OK, &err);
    cuzk_sector_view view = cuzk_sparse_sector_view(&sector);
    TEST_EXPECT(cuzk_porep_open(&vanilla, &arena, &view, source.challenge_seed, &err), CUZK_OK,
                &err);
    test_check_porep(&vanilla, &source.proof);
    check_c1(&vanilla, &source.proof);
    TEST_EXPECT(cuzk_post_open(&post, &arena, &view, leaf, 3, &err), CUZK_OK, &err);
    test_check_post(&post, &source.proof, leaf, 3);
    TEST_EXPECT(cuzk_tree_zero_root(&zero_root, source.proof.data.base_levels, &err), CUZK_OK,
                &err);
    assert_memory_equal(&zero_root, &vanilla.comm_d, sizeof zero_root);
    cuzk_sparse_sector_release(&sector);
    cuzk_arena_release(&arena);
}

static void sparse_porep(void **state)
{
    (void)state;
    for (unsigned id = 5; id < 10; id++)
        check_size(id, id == 9 ? 1 : 0);
    check_size(3, 1);
}

static void whole_porep(void **state)
{
    (void)state;
    uint8_t seed[32] = {77};
    cuzk_sector sector;
    cuzk_porep_vanilla vanilla;
    test_seal_16kib(&sector);
    cuzk_sector_view view = cuzk_sector_view_of(&sector);
    for (int rule = CUZK_POREP_INTERACTIVE; rule <= CUZK_POREP_NON_INTERACTIVE; rule++) {
        sector.proof.rule = (cuzk_porep_rule)rule;
        TEST_EXPECT(cuzk_porep_open(&vanilla, &arena, &view, seed, &err), CUZK_OK, &err);
        test_check_porep(&vanilla, &sector.proof);
    }
    cuzk_sector_release(&sector);
    cuzk_arena_release(&arena);
}

static void rules_that_need_comm_r(void **state)
{
    (void)state;
    cuzk_sparse_sector sector;
    for (unsigned id = 10; id < 20; id += 5) {
        cuzk_sparse_source source = porep_source(id);
        TEST_EXPECT(cuzk_sparse_sector_init(&sector, &source, NULL, &err), CUZK_ERR_UNSUPPORTED,
                    &err);
    }
    uint64_t leaf = 64;
    cuzk_sparse_source source = porep_source(5);
    source.leaf = &leaf;
    source.n_leaves = 1;
    TEST_EXPECT(cuzk_sparse_sector_init(&sector, &source, NULL, &err), CUZK_ERR_ARGUMENT, &err);
}

/* Sizes: Filecoin circuits, sections 12.1 and 12.4. */
static void check_post_blob(const cuzk_post_sector *post, const cuzk_fil_proof *proof)
{
    static const size_t path_sizes[CUZK_FIL_SIZES] = {556, 1516, 1996, 2484, 2540};
    cuzk_post_sector again;
    uint8_t *blob;
    size_t size;
    TEST_EXPECT(cuzk_post_write(&blob, &size, post, &err), CUZK_OK, &err);
    assert_int_equal(size, 120 + post->n_paths * path_sizes[proof->size]);
    TEST_EXPECT(cuzk_post_read(&again, &arena, proof, blob, size, "blob", &err), CUZK_OK, &err);
    assert_memory_equal(&again.comm_r, &post->comm_r, sizeof post->comm_r);
    free(blob);
}

static void check_post(cuzk_fil_kind kind, unsigned id, size_t n)
{
    uint8_t randomness[32] = {4}, seed[32] = {5};
    uint64_t leaf[66];
    cuzk_post_sector post;
    cuzk_fil_proof proof = registered(kind, id);
    for (size_t i = 0; i < n; i++)
        TEST_EXPECT(cuzk_post_leaf(&leaf[i], randomness, 11, i, proof.nodes, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_sparse_post_open(&post, &arena, &proof, 11, seed, leaf, n, &err), CUZK_OK,
                &err);
    assert_int_equal(post.sector_id, 11);
    test_check_post(&post, &proof, leaf, n);
    check_post_blob(&post, &proof);
    cuzk_arena_release(&arena);
}

static void sparse_post(void **state)
{
    (void)state;
    for (unsigned size = 0; size < CUZK_FIL_SIZES; size++) {
        check_post(CUZK_FIL_WINDOW, 5 + size, 10);
        check_post(CUZK_FIL_WINNING, size, 66);
    }
}

static void check_snap_blob(const cuzk_snap_partition *snap, const cuzk_fil_proof *proof)
{
    cuzk_snap_partition again;
    uint8_t *blob, *blob_again;
    size_t size, size_again;
    TEST_EXPECT(cuzk_snap_write(&blob, &size, snap, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_snap_read(&again, &arena, proof, blob, size, "blob", &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_snap_write(&blob_again, &size_again, &again, &err), CUZK_OK, &err);
    assert_int_equal(size, size_again);
    assert_memory_equal(blob, blob_again, size);
    free(blob);
    free(blob_again);
}

static void check_deal(const cuzk_deal_view *view, size_t partitions)
{
    for (size_t k = 0; k < partitions; k++) {
        cuzk_snap_partition snap;
        TEST_EXPECT(cuzk_snap_open(&snap, &arena, view, k, &err), CUZK_OK, &err);
        test_check_snap(&snap, view, k);
        check_snap_blob(&snap, view->proof);
        cuzk_arena_release(&arena);
    }
}

static void sparse_snap(void **state)
{
    (void)state;
    static const size_t partitions[] = {1, 4, 2, 16, 1};
    const uint8_t seed[32] = {6};
    for (unsigned id = 0; id < CUZK_FIL_SIZES; id++) {
        cuzk_fil_proof proof = registered(CUZK_FIL_SNAP, id);
        cuzk_sparse_deal deal;
        TEST_EXPECT(cuzk_sparse_deal_init(&deal, &proof, seed, NULL, &err), CUZK_OK, &err);
        cuzk_deal_view view = cuzk_sparse_deal_view(&deal);
        check_deal(&view, partitions[id]);
        cuzk_sparse_deal_release(&deal);
    }
}

static void whole_snap(void **state)
{
    (void)state;
    cuzk_sector sector;
    cuzk_deal deal;
    cuzk_scalar data[64];
    cuzk_fil_proof proof = registered(CUZK_FIL_SNAP, 0);
    test_xorshift rng = test_xorshift_new();
    test_fil_nodes(data, 64, &rng);
    test_seal_2kib(&sector);
    TEST_EXPECT(cuzk_deal_encode(&deal, &proof, &sector, data, NULL, &err), CUZK_OK, &err);
    cuzk_deal_view view = cuzk_deal_view_of(&deal, &sector);
    check_deal(&view, 1);
    cuzk_deal_release(&deal);
    cuzk_sector_release(&sector);
}

/* The same seed gives the same sector, another one another. */
static void seeds(void **state)
{
    (void)state;
    cuzk_sparse_sector a, b, c;
    cuzk_sparse_source source = porep_source(8);
    source.proof.partitions = 1;
    TEST_EXPECT(cuzk_sparse_sector_init(&a, &source, NULL, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_sparse_sector_init(&b, &source, NULL, &err), CUZK_OK, &err);
    source.seed[31] ^= 1;
    TEST_EXPECT(cuzk_sparse_sector_init(&c, &source, NULL, &err), CUZK_OK, &err);
    assert_memory_equal(&a.comm_r, &b.comm_r, sizeof a.comm_r);
    assert_memory_not_equal(&a.comm_c, &c.comm_c, sizeof a.comm_r);
    assert_memory_not_equal(&a.comm_r_last, &c.comm_r_last, sizeof a.comm_r);
    cuzk_sparse_sector_release(&a);
    cuzk_sparse_sector_release(&b);
    cuzk_sparse_sector_release(&c);
}

static void places(void **state)
{
    (void)state;
    uint64_t place[] = {7, 3, 7, 1, UINT64_MAX, 3, 1};
    static const uint64_t sorted[] = {1, 3, 7, UINT64_MAX};
    assert_int_equal(cuzk_places_sort(place, 7), 4);
    assert_memory_equal(place, sorted, sizeof sorted);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(cuzk_places_find(sorted, 4, sorted[i]), i);
    assert_int_equal(cuzk_places_find(sorted, 4, 0), 4);
    assert_int_equal(cuzk_places_find(sorted, 4, 5), 4);
    assert_int_equal(cuzk_places_find(sorted, 3, 8), 3);
    assert_int_equal(cuzk_places_sort(place, 0), 0);
    assert_int_equal(cuzk_places_find(NULL, 0, 5), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places),      cmocka_unit_test(whole_porep),
        cmocka_unit_test(whole_snap),  cmocka_unit_test(sparse_porep),
        cmocka_unit_test(sparse_post), cmocka_unit_test(sparse_snap),
        cmocka_unit_test(seeds),       cmocka_unit_test(rules_that_need_comm_r),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
