/* Labels: the published ones of the last node of the eleventh layer (Filecoin sealing, section 3),
 * and the published comm_r of a tiny sector.
 */
#include "circuit/filecoin/challenges.h"
#include "circuit/filecoin/identity.h"
#include "circuit/filecoin/labels.h"
#include "field/bls12_381_fr.h"
#include "hash/poseidon.h"
#include "support/filecoin.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    uint64_t nodes;
    uint8_t porep_byte;
    cuzk_fil_api api;
    uint64_t limbs[4];
} published[] = {
    {64,
     0,
     CUZK_FIL_V1_0,
     {0xd3faa96b9a0fba04, 0xea81a283d106485e, 0xe3d51b9afa5ac2b3, 0x0462f4f4f1a68d37}},
    {128,
     0,
     CUZK_FIL_V1_0,
     {0x7e191e52c4a8da86, 0x5ae8a1c9e6fac148, 0xce239f3b88a894b8, 0x234c00d1dc1d53be}},
    {64,
     123,
     CUZK_FIL_V1_1,
     {0xabb3f38bb70defcf, 0x777a2e4d7769119f, 0x3448959d495490bc, 0x06021188c7a71cb5}},
    {64,
     123,
     CUZK_FIL_V1_2,
     {0xabb3f38bb70defcf, 0x777a2e4d7769119f, 0x3448959d495490bc, 0x06021188c7a71cb5}},
    {128,
     123,
     CUZK_FIL_V1_1,
     {0x22ab81cf68c4676d, 0x7a77a82fc7c9c189, 0xc6c03d32c1e42d23, 0x0f777c18cc2c55bd}},
    {128,
     123,
     CUZK_FIL_V1_2,
     {0x22ab81cf68c4676d, 0x7a77a82fc7c9c189, 0xc6c03d32c1e42d23, 0x0f777c18cc2c55bd}},
};

static void published_labels(void **state)
{
    (void)state;
    enum { LAYERS = 11 };
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        uint8_t porep_id[32];
        cuzk_scalar replica_id;
        cuzk_graph graph;
        size_t n = LAYERS * published[i].nodes;
        cuzk_scalar *label = malloc(n * sizeof *label);
        assert_non_null(label);
        memset(porep_id, published[i].porep_byte, sizeof porep_id);
        memset(&replica_id, 9, sizeof replica_id);
        assert_int_equal(
            cuzk_graph_init(&graph, published[i].nodes, porep_id, published[i].api, NULL), CUZK_OK);
        assert_int_equal(cuzk_labels_make(label, &graph, LAYERS, &replica_id, NULL), CUZK_OK);
        assert_memory_equal(label[n - 1].l, published[i].limbs, sizeof label[n - 1].l);
        cuzk_graph_release(&graph);
        free(label);
    }
}

/* The published test of the Stacked circuit (Filecoin circuits, section 15.4): 8 nodes, 2 layers,
 * binary trees; everything from the test generator. */
static void stacked_test(void **state)
{
    (void)state;
    enum { NODES = 8, LAYERS = 2 };
    static const uint64_t expected[4] = {0x607227c154bc07b3, 0x1facfc18a0c9e1bf, 0xa9066e449598cfe9,
                                         0x1b51d5ac94256b8c};
    const cuzk_tree_form form = {CUZK_TREE_POSEIDON, 3, {2, 2, 2}};
    test_xorshift rng = test_xorshift_new();
    cuzk_porep_draw draw = {.rule = CUZK_POREP_INTERACTIVE, .nodes = NODES};
    cuzk_scalar data[NODES], label[LAYERS * NODES], column[2 * NODES], hash[NODES], comm_r;
    uint8_t porep_id[32];
    uint64_t challenge;
    cuzk_graph graph;
    cuzk_tree c, r;
    memset(porep_id, 0x2c, sizeof porep_id);
    draw.replica_id = test_xorshift_scalar(&rng);
    for (size_t i = 0; i < NODES; i++)
        data[i] = test_xorshift_scalar(&rng);
    for (size_t i = 0; i < 32; i++)
        draw.seed[i] = (uint8_t)test_xorshift_next(&rng);
    assert_int_equal(cuzk_porep_challenges(&challenge, &draw, 0, 1, NULL), CUZK_OK);
    assert_int_equal(challenge, 3);

    assert_int_equal(cuzk_graph_init(&graph, NODES, porep_id, CUZK_FIL_V1_1, NULL), CUZK_OK);
    assert_int_equal(cuzk_labels_make(label, &graph, LAYERS, &draw.replica_id, NULL), CUZK_OK);
    for (size_t v = 0; v < NODES; v++) {
        cuzk_fr key, node;
        column[2 * v] = label[v];
        column[2 * v + 1] = label[NODES + v];
        bls12_381_fr_from_canon(&key, &label[NODES + v]);
        bls12_381_fr_from_canon(&node, &data[v]);
        bls12_381_fr_add(&node, &node, &key);
        bls12_381_fr_to_canon(&data[v], &node);
    }
    cuzk_poseidon_hash_many(hash, cuzk_poseidon_get(2), 3, column, NODES, NULL);
    assert_int_equal(cuzk_tree_init(&c, &form, hash, NULL, NULL), CUZK_OK);
    assert_int_equal(cuzk_tree_init(&r, &form, data, NULL, NULL), CUZK_OK);
    cuzk_comm_r(&comm_r, cuzk_tree_root(&c), cuzk_tree_root(&r));
    assert_memory_equal(comm_r.l, expected, sizeof expected);
    cuzk_tree_release(&c);
    cuzk_tree_release(&r);
    cuzk_graph_release(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(published_labels),
                                       cmocka_unit_test(stacked_test)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
