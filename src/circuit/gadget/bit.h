/* Booleans and what is done with them (Filecoin circuits, section 2). Operations on constants emit
 * nothing; results are bits that need no row of their own. */
#ifndef CUZK_CIRCUIT_GADGET_BIT_H
#define CUZK_CIRCUIT_GADGET_BIT_H

#include "circuit/cs.h"

static inline cuzk_bit cuzk_bit_constant(bool value)
{
    return (cuzk_bit){value ? CUZK_BIT_1 : CUZK_BIT_0, 0};
}

static inline cuzk_bit cuzk_bit_of(cuzk_var var)
{
    return (cuzk_bit){CUZK_BIT_VAR, var};
}

static inline bool cuzk_bit_is_constant(cuzk_bit b)
{
    return b.kind == CUZK_BIT_0 || b.kind == CUZK_BIT_1;
}

static inline cuzk_bit cuzk_bit_not(cuzk_bit b)
{
    static const cuzk_bit_kind opposite[] = {
        [CUZK_BIT_0] = CUZK_BIT_1,
        [CUZK_BIT_1] = CUZK_BIT_0,
        [CUZK_BIT_VAR] = CUZK_BIT_NOT,
        [CUZK_BIT_NOT] = CUZK_BIT_VAR,
    };
    return (cuzk_bit){opposite[b.kind], b.var};
}

/* Allocates op->n variables and, for each, the row that says it is 0 or 1. */
void cuzk_bits_alloc(cuzk_cs *cs, cuzk_bit *bits, const cuzk_op *op);
/* The n lowest bits of the request's next word: n <= 64. */
void cuzk_bits_take(cuzk_cs *cs, cuzk_bit *bits, unsigned n);

cuzk_bit cuzk_bit_xor(cuzk_cs *cs, cuzk_bit a, cuzk_bit b);
cuzk_bit cuzk_bit_and(cuzk_cs *cs, cuzk_bit a, cuzk_bit b);
/* a ? b : c */
cuzk_bit cuzk_bit_choose(cuzk_cs *cs, cuzk_bit a, cuzk_bit b, cuzk_bit c);
cuzk_bit cuzk_bit_majority(cuzk_cs *cs, cuzk_bit a, cuzk_bit b, cuzk_bit c);

#endif
