/* Field elements as variables (Filecoin circuits, section 4). */
#ifndef CUZK_CIRCUIT_GADGET_NUMBER_H
#define CUZK_CIRCUIT_GADGET_NUMBER_H

#include "circuit/gadget/bit.h"

#define CUZK_NUMBER_BITS 255u /* of a field element */
#define CUZK_PACKED_BITS 254u /* that any sequence of bits may have and still fit */

/* How a row says that bits are those of x. */
typedef enum cuzk_number_row {
    CUZK_NUMBER_LE,   /* 0 * 0 = bits - x: for hashing */
    CUZK_NUMBER_SNAP, /* bits * 1 = x: for SnapDeals' challenges */
} cuzk_number_row;

/* The next field element of the request. */
cuzk_var cuzk_number_take(cuzk_cs *cs);
void cuzk_number_take_many(cuzk_cs *cs, cuzk_var *vars, size_t n);
/* Makes x a public input too. */
void cuzk_number_expose(cuzk_cs *cs, cuzk_var x);
/* x * 1 = y */
void cuzk_number_equal(cuzk_cs *cs, cuzk_var x, cuzk_var y);
/* lc * 1 = y. Normalises lc. */
void cuzk_number_equal_lc(cuzk_cs *cs, cuzk_lc *lc, cuzk_var y);
cuzk_var cuzk_number_mul(cuzk_cs *cs, cuzk_var x, cuzk_var y);
cuzk_var cuzk_number_add(cuzk_cs *cs, cuzk_var x, cuzk_var y);
/* c ? x : y */
cuzk_var cuzk_number_pick(cuzk_cs *cs, cuzk_bit c, cuzk_var x, cuzk_var y);
/* A new variable that is lc; the row is lc * 1 = it. Normalises lc. */
cuzk_var cuzk_number_of_lc(cuzk_cs *cs, cuzk_lc *lc);

/* The bits of x, the lowest first; a template. */
void cuzk_number_bits(cuzk_cs *cs, cuzk_bit bits[CUZK_NUMBER_BITS], cuzk_var x,
                      cuzk_number_row row);
/* Adds the number that bits are, n <= CUZK_PACKED_BITS or all of a number's, the lowest first. */
void cuzk_lc_add_bits(cuzk_lc *lc, const cuzk_bit *bits, size_t n);
/* The number as a variable, n <= CUZK_PACKED_BITS; no bits: 0. */
cuzk_var cuzk_bits_pack(cuzk_cs *cs, const cuzk_bit *bits, size_t n);
/* The number as public inputs, one for each CUZK_PACKED_BITS bits. */
void cuzk_bits_expose(cuzk_cs *cs, const cuzk_bit *bits, size_t n);

#endif
