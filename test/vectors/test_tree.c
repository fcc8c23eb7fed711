/* Merkle trees: published roots over zeros (Filecoin sealing, section 5), and paths that hash to
 * the root. */
#include "hash/poseidon.h"
#include "hash/tree.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* comm_d of a sector of zeros, by the levels of tree D. */
static const struct {
    uint32_t levels;
    const char *root;
} zeros[] = {
    {6, "fc7e928296e516faade986b28f92d44a4f24b935485223376a799027bc18f833"},
    {18, "65f29e5d98d246c38b388cfc06db1f6b021303c5a289000bdce832a9c3ec421c"},
    {24, "39560e7b13a93b07a243fd2720ffa7cb3e1d2e505ab3629e79f46313512cda06"},
    {30, "077e5fde35c50a9303a55009e3498a4ebedff39c42b710b730d8ec7ac7afa63e"},
    {31, "e64005a6bfe3777953b8ad6ef93f0fca1049b2041654f2a411f7702799cece02"},
};

static void assert_hex(const cuzk_scalar *value, const char *expected)
{
    const uint8_t *bytes = (const uint8_t *)value->l;
    char text[65];
    for (unsigned i = 0; i < 32; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    assert_string_equal(text, expected);
}

static void published_zero_roots(void **state)
{
    (void)state;
    cuzk_scalar root;
    for (size_t i = 0; i < sizeof zeros / sizeof zeros[0]; i++) {
        assert_int_equal(cuzk_tree_zero_root(&root, zeros[i].levels, NULL), CUZK_OK);
        assert_hex(&root, zeros[i].root);
    }
}

static void whole_tree_of_zeros(void **state)
{
    (void)state;
    cuzk_tree tree;
    cuzk_tree_form form = {CUZK_TREE_SHA256, 6, {2, 2, 2, 2, 2, 2}};
    cuzk_scalar leaves[64];
    memset(leaves, 0, sizeof leaves);
    assert_int_equal(cuzk_tree_form_leaves(&form), 64);
    assert_int_equal(cuzk_tree_init(&tree, &form, leaves, NULL, NULL), CUZK_OK);
    assert_hex(cuzk_tree_root(&tree), zeros[0].root);
    cuzk_tree_release(&tree);
}

static const cuzk_tree_form forms[] = {
    {CUZK_TREE_SHA256, 0, {0}},         {CUZK_TREE_SHA256, 5, {2, 2, 2, 2, 2}},
    {CUZK_TREE_POSEIDON, 2, {8, 8}},    {CUZK_TREE_POSEIDON, 3, {8, 8, 2}},
    {CUZK_TREE_POSEIDON, 3, {8, 4, 2}},
};

static void check_paths(const cuzk_tree *tree)
{
    size_t n = cuzk_tree_form_leaves(&tree->form);
    cuzk_tree_source source = cuzk_tree_as_source(tree);
    for (size_t leaf = 0; leaf < n; leaf++) {
        cuzk_scalar sibling[32], root;
        uint32_t index[8];
        size_t place = 0;
        cuzk_tree_path(sibling, index, &source, leaf);
        for (uint32_t level = tree->form.levels; level-- > 0;)
            place = place * tree->form.arity[level] + index[level];
        assert_int_equal(place, leaf);
        assert_int_equal(
            cuzk_tree_path_root(&root, &tree->form, &tree->row[0][leaf], sibling, index, NULL),
            CUZK_OK);
        assert_memory_equal(&root, cuzk_tree_root(tree), sizeof root);
        if (tree->form.levels == 0)
            continue;
        sibling[0].l[0] ^= 1;
        assert_int_equal(
            cuzk_tree_path_root(&root, &tree->form, &tree->row[0][leaf], sibling, index, NULL),
            CUZK_OK);
        assert_memory_not_equal(&root, cuzk_tree_root(tree), sizeof root);
    }
}

static void paths(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(1);
    cuzk_scalar leaves[128];
    for (size_t i = 0; i < 128; i++) {
        test_rng_bytes(&rng, &leaves[i], sizeof leaves[i]);
        leaves[i].l[3] &= UINT64_MAX >> 2;
    }
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        cuzk_tree tree;
        assert_int_equal(cuzk_tree_init(&tree, &forms[i], leaves, NULL, NULL), CUZK_OK);
        check_paths(&tree);
        cuzk_tree_release(&tree);
    }
}

/* An upper level groups consecutive roots of the lower one. */
static void compound(void **state)
{
    (void)state;
    cuzk_scalar leaves[16], roots[2], top;
    memset(leaves, 0, sizeof leaves);
    for (uint64_t i = 0; i < 16; i++)
        leaves[i].l[0] = i;
    cuzk_tree_form form = {CUZK_TREE_POSEIDON, 2, {8, 2}};
    cuzk_tree tree;
    assert_int_equal(cuzk_tree_init(&tree, &form, leaves, NULL, NULL), CUZK_OK);
    cuzk_poseidon_hash_many(roots, cuzk_poseidon_get(8), 255, leaves, 2, NULL);
    cuzk_poseidon_hash_many(&top, cuzk_poseidon_get(2), 3, roots, 1, NULL);
    assert_memory_equal(&top, cuzk_tree_root(&tree), sizeof top);
    cuzk_tree_release(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_zero_roots),
        cmocka_unit_test(whole_tree_of_zeros),
        cmocka_unit_test(paths),
        cmocka_unit_test(compound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
