/* Circuits that only tests have. */
#ifndef CUZK_TEST_SMALL_CIRCUITS_H
#define CUZK_TEST_SMALL_CIRCUITS_H

#include "circuit/gadget/por.h"

/* Inclusion alone (Filecoin circuits, section 6.2): takes the leaf, the path, the root. */
typedef struct test_por_params {
    cuzk_tree_hash hash;
    cuzk_tree_shape tree;
    bool private_root;
} test_por_params;
void test_por_build(cuzk_cs *cs, const void *params);

#endif
