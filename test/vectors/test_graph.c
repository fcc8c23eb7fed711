/* Parents: published ids and digests of parent caches (Filecoin sealing, section 2.3). */
#include "circuit/filecoin/graph.h"
#include "support/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    uint64_t nodes;
    uint8_t porep_id;
    cuzk_fil_api api;
    const char *id;
    const char *digest; /* NULL: takes too long here */
    bool is_long;       /* computed when CUZK_TEST_LONG is set */
} caches[] = {
    {1 << 6, 0, CUZK_FIL_V1_0, "3f0eef38bb48af1f48ad65e14eb85b4ebfc167cec18cd81764f6d998836c9899",
     "3da49221e2ed55371b86d0bf3d6526fcf128af61bed904f966428db1b531750d", false},
    {1 << 6, 5, CUZK_FIL_V1_1, "494d91dc80f2df5272c4b9e129bc7ade9405225993af9fe34e6542a39a47554b",
     "840057702eea7652cf97e04306c30fe57174714d90de156a25eddd6075c25b97", false},
    {1 << 18, 1, CUZK_FIL_V1_0, "dcdabb0fbe4364bf0ac28b6a18c66de246409fa1a9020a00f33fb3e3053da6dc",
     "a76604f2f59f2744c7151653bbb1d8596b6b57d295e6fa6c1f0c41d725b502ce", false},
    {1 << 18, 6, CUZK_FIL_V1_1, "5eed212119fd91aa6220a27f31a8966444a9381842bceb3a1ea61525bd47a5b5",
     "03cd13565ded97c240a5f52e54295ad127bd0461b57904cb3a4d79b097bbecab", false},
    {1 << 24, 2, CUZK_FIL_V1_0, "2aa9c77c3e58259481351cc4be2079cc71e1c9af39700866545c043bfa30fb42",
     "3adcc092423aa76d6a7184016893406da44dd974b219a89cd3ece25e4e3018f5", true},
    {1 << 24, 7, CUZK_FIL_V1_1, "7ba215a1d2345774ab90b8cb1158d296e409d6068819d7b8c7baf0b25d63dc34",
     "b5877d1963793efebc261fd8fde4dd6bc59e6b5c7abf52617a4ee023b8dc173a", true},
    {1 << 30, 3, CUZK_FIL_V1_0, "e1fa5d5b811ddbd118be3412c4a8c329156b8b8acc72632bca459455b5a05a13",
     NULL, false},
    {1 << 30, 8, CUZK_FIL_V1_1, "21981246c370f9d76c7a77ab273d94bde0ceb4e938292334960bce05585dc117",
     NULL, false},
    {UINT64_C(1) << 31, 4, CUZK_FIL_V1_0,
     "8a99e8d6b6be7ab87a56b632e6739ff201c23ea14e99737c74690f0e265574d6", NULL, false},
    {UINT64_C(1) << 31, 9, CUZK_FIL_V1_1,
     "4905486b7af19558ac3649bc6261411858b6add534438878c4ee3b29d8b9de0b", NULL, false},
};

enum { CACHES = sizeof caches / sizeof caches[0] };

static void open_graph(cuzk_graph *graph, unsigned i)
{
    uint8_t porep_id[32] = {caches[i].porep_id};
    assert_int_equal(cuzk_graph_init(graph, caches[i].nodes, porep_id, caches[i].api, NULL),
                     CUZK_OK);
}

static void assert_digest(cuzk_digest *digest, const char *expected)
{
    uint8_t bytes[CUZK_SHA256_BYTES];
    char text[65];
    assert_int_equal(cuzk_digest_finish(digest, bytes, NULL), CUZK_OK);
    for (unsigned i = 0; i < sizeof bytes; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    assert_string_equal(text, expected);
}

static void cache_ids(void **state)
{
    (void)state;
    cuzk_digest *digest;
    assert_int_equal(cuzk_digest_new(&digest, CUZK_SHA256, NULL), CUZK_OK);
    for (unsigned i = 0; i < CACHES; i++) {
        cuzk_graph graph;
        char text[256];
        uint32_t nodes = (uint32_t)caches[i].nodes;
        open_graph(&graph, i);
        int n = snprintf(text, sizeof text,
                         "poseidon_hasherstacked_graph::StackedGraph{expansion_degree: 8 "
                         "base_graph: drgraph::BucketGraph{size: %u; degree: 6; hasher: "
                         "poseidon_hasher} }",
                         nodes);
        assert_int_equal(cuzk_digest_update(digest, text, (size_t)n, NULL), CUZK_OK);
        assert_int_equal(cuzk_digest_update(digest, graph.feistel, 32, NULL), CUZK_OK);
        assert_int_equal(cuzk_digest_update(digest, &nodes, 4, NULL), CUZK_OK);
        assert_digest(digest, caches[i].id);
        cuzk_graph_release(&graph);
    }
    cuzk_digest_free(digest);
}

static void cache_digests(void **state)
{
    (void)state;
    cuzk_digest *digest;
    assert_int_equal(cuzk_digest_new(&digest, CUZK_SHA256, NULL), CUZK_OK);
    for (unsigned i = 0; i < CACHES; i++) {
        cuzk_graph graph;
        if (caches[i].digest == NULL || (caches[i].is_long && getenv("CUZK_TEST_LONG") == NULL))
            continue;
        open_graph(&graph, i);
        for (uint32_t v = 0; v < graph.nodes; v++) {
            uint32_t parents[CUZK_GRAPH_PARENTS];
            assert_int_equal(cuzk_graph_parents(parents, &graph, v, NULL), CUZK_OK);
            assert_int_equal(cuzk_digest_update(digest, parents, sizeof parents, NULL), CUZK_OK);
        }
        assert_digest(digest, caches[i].digest);
        cuzk_graph_release(&graph);
    }
    cuzk_digest_free(digest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cache_ids),
        cmocka_unit_test(cache_digests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
