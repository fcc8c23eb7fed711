#include "circuit/filecoin/circuit_post.h"

#include "circuit/gadget/number.h"
#include "circuit/gadget/por.h"
#include "circuit/gadget/poseidon_gadget.h"

static void build_sector(cuzk_cs *cs, const cuzk_post_params *p)
{
    const cuzk_var comm_r_last = cuzk_number_take(cs);
    const cuzk_var comm_c = cuzk_number_take(cs);
    const cuzk_var comm_r = cuzk_number_take(cs);
    cuzk_number_expose(cs, comm_r);
    const cuzk_var parts[2] = {comm_c, comm_r_last};
    cuzk_number_equal(cs, comm_r, cuzk_poseidon_node(cs, 2, parts));
    for (uint32_t i = 0; i < p->challenges; i++)
        cuzk_por(cs, CUZK_TREE_POSEIDON, &p->tree, cuzk_number_take(cs), comm_r_last);
}

void cuzk_post_build(cuzk_cs *cs, const void *params)
{
    const cuzk_post_params *p = params;
    for (uint32_t i = 0; i < p->sectors; i++)
        build_sector(cs, p);
}
