#include "circuit/filecoin/update_challenges.h"

#include "circuit/gadget/number.h"
#include "circuit/gadget/poseidon_gadget.h"
#include "hash/poseidon.h"

#include <string.h>

/* The bits of digest number j of n: H(comm_r_new, partition * n + j). */
static void build_digest(cuzk_cs *cs, cuzk_bit bits[CUZK_NUMBER_BITS], cuzk_var comm_r_new,
                         cuzk_var partition, uint32_t n, uint32_t j)
{
    cuzk_lc place = {0};
    cuzk_lc_add_small(&place, partition, n);
    cuzk_lc_add_small(&place, CUZK_VAR_ONE, j);
    const cuzk_var pair[2] = {comm_r_new, cuzk_number_of_lc(cs, &place)};
    cuzk_lc_release(&place);
    cuzk_number_bits(cs, bits, cuzk_poseidon_number(cs, 2, CUZK_POSEIDON_TAG_SNAP, pair),
                     CUZK_NUMBER_SNAP);
}

void cuzk_update_challenges(cuzk_cs *cs, const cuzk_update_params *p, cuzk_bit *bits,
                            cuzk_var comm_r_new, cuzk_var partition, const cuzk_bit *partition_bits)
{
    const uint32_t each = p->node_bits - p->partition_bits;
    const uint32_t per_digest = CUZK_PACKED_BITS / each;
    const uint32_t digests = (p->challenges + per_digest - 1) / per_digest;
    cuzk_bit digest[CUZK_NUMBER_BITS];
    for (uint32_t i = 0; i < p->challenges; i++) {
        cuzk_bit *to = bits + (size_t)i * p->node_bits;
        if (i % per_digest == 0)
            build_digest(cs, digest, comm_r_new, partition, digests, i / per_digest);
        memcpy(to, digest + i % per_digest * each, each * sizeof *to);
        memcpy(to + each, partition_bits, p->partition_bits * sizeof *to);
    }
}

/* y = the last h bits; z = y if selected, else 0; y * selected = z. */
static cuzk_var select_high(cuzk_cs *cs, const cuzk_bit *bits, uint32_t n, uint32_t h,
                            cuzk_bit selected)
{
    return cuzk_number_mul(cs, cuzk_bits_pack(cs, bits + n - h, h), selected.var);
}

/* Ports: the challenge's bits, then which is selected. */
static void run_high(cuzk_cs *cs, const void *params, const cuzk_bit *ports, cuzk_bit *results)
{
    const cuzk_update_params *p = params;
    cuzk_lc sum = {0};
    for (size_t i = 0; i < CUZK_UPDATE_HIGHS; i++)
        cuzk_lc_add_small(
            &sum, select_high(cs, ports, p->node_bits, p->high[i], ports[p->node_bits + i]), 1);
    results[0] = cuzk_bit_of(cuzk_number_of_lc(cs, &sum));
    cuzk_lc_release(&sum);
}

cuzk_var cuzk_update_high(cuzk_cs *cs, const cuzk_update_params *p, const cuzk_bit *bits,
                          const cuzk_bit *selected)
{
    cuzk_bit ports[64 + CUZK_UPDATE_HIGHS], result;
    const cuzk_gadget gadget = {.name = "high bits of a challenge",
                                .fn = run_high,
                                .params = p,
                                .params_size = sizeof *p,
                                .n_ports = p->node_bits + CUZK_UPDATE_HIGHS,
                                .n_results = 1};
    memcpy(ports, bits, p->node_bits * sizeof *ports);
    memcpy(ports + p->node_bits, selected, CUZK_UPDATE_HIGHS * sizeof *ports);
    cuzk_cs_call(cs, &gadget, ports, &result);
    return result.var;
}
