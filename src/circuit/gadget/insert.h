/* Placing an element among others, and choosing one (Filecoin circuits, sections 4.1 and 4.2). */
#ifndef CUZK_CIRCUIT_GADGET_INSERT_H
#define CUZK_CIRCUIT_GADGET_INSERT_H

#include "circuit/cs.h"

#define CUZK_INSERT_MAX 64u /* elements */

/* log2 of a power of two. */
static inline uint32_t cuzk_arity_bits(uint32_t arity)
{
    uint32_t bits = 0;
    while (UINT32_C(1) << bits < arity)
        bits++;
    return bits;
}

/* out: the n - 1 others in order, with el put in at the place that bits tell, the lowest first.
 * n: a power of two, 2 to CUZK_INSERT_MAX. */
void cuzk_insert(cuzk_cs *cs, cuzk_var *out, uint32_t n, cuzk_var el, const cuzk_bit *bits,
                 const cuzk_var *others);

/* list[place], the place told by bits, the lowest first. n: a power of two. list is overwritten. */
cuzk_var cuzk_select(cuzk_cs *cs, cuzk_var *list, size_t n, const cuzk_bit *bits);

#endif
