#include "circuit/filecoin/circuit_update.h"

#include "circuit/filecoin/update_challenges.h"
#include "circuit/gadget/insert.h"
#include "circuit/gadget/number.h"
#include "circuit/gadget/por.h"
#include "circuit/gadget/poseidon_gadget.h"
#include "hash/poseidon.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BITS = 64, MAX_SIBLINGS = 256, MAX_APEX_BITS = 7, MAX_APEX = 1 << MAX_APEX_BITS };

typedef struct update_state {
    cuzk_bit k_bits[MAX_BITS]; /* of k_h: the partition's, then which number of high bits */
    cuzk_var partition;
    cuzk_var comm_r_old, comm_d_new, comm_r_new, phi;
    cuzk_var comm_c, root_r_old, root_r_new;
    cuzk_var apex[MAX_APEX];
    cuzk_var partition_path[MAX_BITS];
} update_state;

static cuzk_var take_public(cuzk_cs *cs)
{
    const cuzk_var x = cuzk_number_take(cs);
    cuzk_number_expose(cs, x);
    return x;
}

/* The bits of k_h; sum of bits * 1 = k_h. */
static void build_partition(cuzk_cs *cs, const cuzk_update_params *p, update_state *s)
{
    const cuzk_var k_h = take_public(cs);
    const cuzk_op op = {.kind = CUZK_OP_BITS, .n = p->partition_bits + CUZK_UPDATE_HIGHS, .a = k_h};
    cuzk_lc sum = {0};
    cuzk_bits_alloc(cs, s->k_bits, &op);
    cuzk_lc_add_bits(&sum, s->k_bits, op.n);
    cuzk_number_equal_lc(cs, &sum, k_h);
    cuzk_lc_release(&sum);
    s->partition = cuzk_bits_pack(cs, s->k_bits, p->partition_bits);
}

static void build_commitments(cuzk_cs *cs, const cuzk_update_params *p, update_state *s)
{
    s->comm_r_old = take_public(cs);
    s->comm_d_new = take_public(cs);
    s->comm_r_new = take_public(cs);
    const cuzk_var pair[2] = {s->comm_d_new, s->comm_r_old};
    s->phi = cuzk_poseidon_number(cs, 2, CUZK_POSEIDON_TAG_SNAP, pair);
    s->comm_c = cuzk_number_take(cs);
    s->root_r_old = cuzk_number_take(cs);
    s->root_r_new = cuzk_number_take(cs);
    cuzk_number_take_many(cs, s->apex, (size_t)1 << p->apex_bits);
    cuzk_number_take_many(cs, s->partition_path, p->partition_bits);
    const cuzk_var old_parts[2] = {s->comm_c, s->root_r_old};
    cuzk_number_equal(cs, cuzk_poseidon_node(cs, 2, old_parts), s->comm_r_old);
    const cuzk_var new_parts[2] = {s->comm_c, s->root_r_new};
    cuzk_number_equal(cs, cuzk_poseidon_node(cs, 2, new_parts), s->comm_r_new);
}

static cuzk_tree_shape binary_shape(uint32_t levels)
{
    return (cuzk_tree_shape){.base = 2, .base_levels = levels};
}

/* The partition's apex leaves hash to its root in tree D, and that to comm_d_new. */
static void build_apex(cuzk_cs *cs, const cuzk_update_params *p, const update_state *s)
{
    cuzk_var row[MAX_APEX];
    const cuzk_tree_shape above = binary_shape(p->partition_bits);
    size_t n = (size_t)1 << p->apex_bits;
    memcpy(row, s->apex, n * sizeof *row);
    for (; n > 1; n /= 2) {
        for (size_t i = 0; i < n / 2; i++)
            row[i] = cuzk_sha256_numbers(cs, row + 2 * i, 2);
    }
    cuzk_por_given(cs, CUZK_TREE_SHA256, &above, row[0], s->k_bits, s->partition_path,
                   s->comm_d_new);
}

/* Ports: the apex leaves, then the bits that choose. */
static void run_choice(cuzk_cs *cs, const void *params, const cuzk_bit *ports, cuzk_bit *results)
{
    const uint32_t n = *(const uint32_t *)params;
    cuzk_var list[MAX_APEX];
    for (uint32_t i = 0; i < n; i++)
        list[i] = ports[i].var;
    results[0] = cuzk_bit_of(cuzk_select(cs, list, n, ports + n));
}

/* The apex leaf above a challenge; a template. */
static cuzk_var choose_apex(cuzk_cs *cs, const cuzk_update_params *p, const update_state *s,
                            const cuzk_bit *bits)
{
    const uint32_t n = UINT32_C(1) << p->apex_bits;
    cuzk_bit ports[MAX_APEX + MAX_APEX_BITS], result;
    const cuzk_gadget gadget = {.name = "choice of an apex leaf",
                                .fn = run_choice,
                                .params = &n,
                                .params_size = sizeof n,
                                .n_ports = n + p->apex_bits,
                                .n_results = 1};
    for (uint32_t i = 0; i < n; i++)
        ports[i] = cuzk_bit_of(s->apex[i]);
    memcpy(ports + n, bits, p->apex_bits * sizeof *bits);
    cuzk_cs_call(cs, &gadget, ports, &result);
    return result.var;
}

/* bits: of the challenge's place in the sector. */
static void build_challenge(cuzk_cs *cs, const cuzk_update_params *p, const update_state *s,
                            const cuzk_bit *bits)
{
    cuzk_var siblings[MAX_SIBLINGS];
    const uint32_t low = p->node_bits - p->partition_bits - p->apex_bits;
    const cuzk_tree_shape below = binary_shape(low);
    const cuzk_var pair[2] = {s->phi, cuzk_update_high(cs, p, bits, s->k_bits + p->partition_bits)};
    const cuzk_var rho = cuzk_poseidon_number(cs, 2, CUZK_POSEIDON_TAG_SNAP, pair);
    const cuzk_var leaf_r_old = cuzk_number_take(cs);
    const cuzk_var leaf_d_new = cuzk_number_take(cs);
    const cuzk_var blinded = cuzk_number_mul(cs, leaf_d_new, rho);
    const cuzk_var leaf_r_new = cuzk_number_add(cs, leaf_r_old, blinded);
    cuzk_number_take_many(cs, siblings, cuzk_shape_siblings(&p->tree));
    cuzk_por_given(cs, CUZK_TREE_POSEIDON, &p->tree, leaf_r_old, bits, siblings, s->root_r_old);
    cuzk_number_take_many(cs, siblings, cuzk_shape_siblings(&p->tree));
    cuzk_por_given(cs, CUZK_TREE_POSEIDON, &p->tree, leaf_r_new, bits, siblings, s->root_r_new);
    const cuzk_var root = choose_apex(cs, p, s, bits + low);
    cuzk_number_take_many(cs, siblings, low);
    cuzk_por_given(cs, CUZK_TREE_SHA256, &below, leaf_d_new, bits, siblings, root);
}

static bool fits(cuzk_cs *cs, const cuzk_update_params *p)
{
    if (p->node_bits <= 40 && p->apex_bits <= MAX_APEX_BITS && p->apex_bits > 0 &&
        p->partition_bits + p->apex_bits < p->node_bits &&
        cuzk_shape_siblings(&p->tree) <= MAX_SIBLINGS)
        return true;
    cuzk_cs_fail(cs, CUZK_ERR_ARGUMENT,
                 "update circuit: 2^%u nodes, 2^%u partitions, 2^%u apex leaves, %u siblings on a "
                 "path are not supported",
                 p->node_bits, p->partition_bits, p->apex_bits, cuzk_shape_siblings(&p->tree));
    return false;
}

static void build(cuzk_cs *cs, const cuzk_update_params *p, update_state *s, cuzk_bit *challenges)
{
    build_partition(cs, p, s);
    build_commitments(cs, p, s);
    build_apex(cs, p, s);
    cuzk_update_challenges(cs, p, challenges, s->comm_r_new, s->partition, s->k_bits);
    for (size_t i = 0; i < p->challenges; i++)
        build_challenge(cs, p, s, challenges + i * p->node_bits);
}

void cuzk_update_build(cuzk_cs *cs, const void *params)
{
    const cuzk_update_params *p = params;
    if (!fits(cs, p))
        return;
    update_state *s = malloc(sizeof *s);
    cuzk_bit *challenges = calloc((size_t)p->challenges * p->node_bits, sizeof *challenges);
    if (s != NULL && challenges != NULL)
        build(cs, p, s, challenges);
    else
        cuzk_cs_fail(cs, CUZK_ERR_MEMORY, "no memory for an update circuit");
    free(s);
    free(challenges);
}
