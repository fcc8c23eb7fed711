#include "circuit/gadget/por.h"

#include "circuit/gadget/insert.h"
#include "circuit/gadget/number.h"
#include "circuit/gadget/poseidon_gadget.h"
#include "circuit/gadget/sha256.h"

#include <stdlib.h>

#define MAX_ARITY     CUZK_INSERT_MAX
#define MAX_BITS      6 /* of a level's index */
#define MAX_PATH_BITS 64
#define HASH_BITS     256u

typedef struct level_params {
    uint32_t hash, arity;
} level_params;

static void run_sha_numbers(cuzk_cs *cs, const void *params, const cuzk_bit *ports,
                            cuzk_bit *results)
{
    const uint32_t n = *(const uint32_t *)params;
    cuzk_bit digest[CUZK_SHA256_DIGEST_BITS];
    cuzk_bit *bits = malloc(n * HASH_BITS * sizeof *bits);
    results[0] = cuzk_bit_of(0);
    if (bits == NULL) {
        cuzk_cs_fail(cs, CUZK_ERR_MEMORY, "no memory for the bits of %u numbers", n);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        cuzk_number_bits(cs, bits + HASH_BITS * i, ports[i].var, CUZK_NUMBER_LE);
        bits[HASH_BITS * i + CUZK_NUMBER_BITS] = cuzk_bit_constant(false);
    }
    cuzk_sha256_bits(cs, digest, bits, n * HASH_BITS / 8);
    results[0] = cuzk_bit_of(cuzk_bits_pack(cs, digest, CUZK_PACKED_BITS));
    free(bits);
}

cuzk_var cuzk_sha256_numbers(cuzk_cs *cs, const cuzk_var *numbers, uint32_t n)
{
    const cuzk_gadget gadget = {.name = "sha256 of numbers",
                                .fn = run_sha_numbers,
                                .params = &n,
                                .params_size = sizeof n,
                                .n_ports = n,
                                .n_results = 1};
    cuzk_bit ports[MAX_ARITY], result;
    for (uint32_t i = 0; i < n; i++)
        ports[i] = cuzk_bit_of(numbers[i]);
    cuzk_cs_call(cs, &gadget, ports, &result);
    return result.var;
}

static cuzk_var hash_up(cuzk_cs *cs, const level_params *p, cuzk_var cur, const cuzk_bit *bits,
                        const cuzk_var *siblings)
{
    cuzk_var placed[MAX_ARITY];
    cuzk_insert(cs, placed, p->arity, cur, bits, siblings);
    return p->hash == CUZK_TREE_SHA256 ? cuzk_sha256_numbers(cs, placed, p->arity)
                                       : cuzk_poseidon_node(cs, p->arity, placed);
}

/* Ports: the node. Results: its parent, the bits of its index. */
static void run_level(cuzk_cs *cs, const void *params, const cuzk_bit *ports, cuzk_bit *results)
{
    const level_params *p = params;
    cuzk_var siblings[MAX_ARITY - 1];
    cuzk_bits_take(cs, results + 1, cuzk_arity_bits(p->arity));
    cuzk_number_take_many(cs, siblings, p->arity - 1);
    results[0] = cuzk_bit_of(hash_up(cs, p, ports[0].var, results + 1, siblings));
}

cuzk_var cuzk_por_root(cuzk_cs *cs, cuzk_tree_hash hash, const cuzk_tree_shape *shape,
                       cuzk_var leaf)
{
    cuzk_bit place[MAX_PATH_BITS], results[1 + MAX_BITS];
    cuzk_bit cur = cuzk_bit_of(leaf);
    size_t n = 0;
    for (uint32_t level = 0; level < cuzk_shape_levels(shape); level++) {
        const level_params params = {hash, cuzk_shape_arity(shape, level)};
        const uint32_t bits = cuzk_arity_bits(params.arity);
        const cuzk_gadget gadget = {.name = "tree level",
                                    .fn = run_level,
                                    .params = &params,
                                    .params_size = sizeof params,
                                    .n_ports = 1,
                                    .n_results = 1 + bits};
        cuzk_cs_call(cs, &gadget, &cur, results);
        cur = results[0];
        CUZK_ASSERT(n + bits <= MAX_PATH_BITS);
        for (uint32_t i = 0; i < bits; i++)
            place[n++] = results[1 + i];
    }
    cuzk_bits_expose(cs, place, n);
    return cur.var;
}

void cuzk_por(cuzk_cs *cs, cuzk_tree_hash hash, const cuzk_tree_shape *shape, cuzk_var leaf,
              cuzk_var root)
{
    cuzk_number_equal(cs, cuzk_por_root(cs, hash, shape, leaf), root);
}

/* Ports: the node, its siblings, the bits of its index. Results: its parent. */
static void run_given_level(cuzk_cs *cs, const void *params, const cuzk_bit *ports,
                            cuzk_bit *results)
{
    const level_params *p = params;
    cuzk_var siblings[MAX_ARITY - 1];
    for (uint32_t i = 0; i + 1 < p->arity; i++)
        siblings[i] = ports[1 + i].var;
    results[0] = cuzk_bit_of(hash_up(cs, p, ports[0].var, ports + p->arity, siblings));
}

void cuzk_por_given(cuzk_cs *cs, cuzk_tree_hash hash, const cuzk_tree_shape *shape, cuzk_var leaf,
                    const cuzk_bit *bits, const cuzk_var *siblings, cuzk_var root)
{
    cuzk_bit ports[MAX_ARITY + MAX_BITS], cur = cuzk_bit_of(leaf);
    for (uint32_t level = 0; level < cuzk_shape_levels(shape); level++) {
        const level_params params = {hash, cuzk_shape_arity(shape, level)};
        const uint32_t n_bits = cuzk_arity_bits(params.arity);
        const cuzk_gadget gadget = {.name = "tree level, given",
                                    .fn = run_given_level,
                                    .params = &params,
                                    .params_size = sizeof params,
                                    .n_ports = params.arity + n_bits,
                                    .n_results = 1};
        ports[0] = cur;
        for (uint32_t i = 0; i + 1 < params.arity; i++)
            ports[1 + i] = cuzk_bit_of(*siblings++);
        for (uint32_t i = 0; i < n_bits; i++)
            ports[params.arity + i] = *bits++;
        cuzk_cs_call(cs, &gadget, ports, &cur);
    }
    cuzk_number_equal(cs, cur.var, root);
}
