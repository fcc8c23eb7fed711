/* Labels: the published ones of the last node of the eleventh layer (Filecoin sealing, section 3).
 */
#include "circuit/filecoin/labels.h"
#include "support/test.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(published_labels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
