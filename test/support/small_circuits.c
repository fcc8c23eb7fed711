#include "support/small_circuits.h"

#include "circuit/gadget/number.h"

void test_por_build(cuzk_cs *cs, const void *params)
{
    const test_por_params *p = params;
    const cuzk_var leaf = cuzk_number_take(cs);
    const cuzk_var computed = cuzk_por_root(cs, p->hash, &p->tree, leaf);
    const cuzk_var root = cuzk_number_take(cs);
    cuzk_number_equal(cs, computed, root);
    if (!p->private_root)
        cuzk_number_expose(cs, root);
}
