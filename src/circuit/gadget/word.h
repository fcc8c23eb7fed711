/* 32-bit words of booleans, and their addition (Filecoin circuits, sections 3.1 to 3.3). */
#ifndef CUZK_CIRCUIT_GADGET_WORD_H
#define CUZK_CIRCUIT_GADGET_WORD_H

#include "circuit/gadget/bit.h"

#define CUZK_WORD_BITS    32u
#define CUZK_WORD_ADDENDS 10u /* in one sum */

typedef struct cuzk_word {
    cuzk_bit bit[CUZK_WORD_BITS]; /* the lowest first */
} cuzk_word;

cuzk_word cuzk_word_constant(uint32_t value);
cuzk_word cuzk_word_rotr(const cuzk_word *a, unsigned n);
cuzk_word cuzk_word_shr(const cuzk_word *a, unsigned n);
cuzk_word cuzk_word_xor(cuzk_cs *cs, const cuzk_word *a, const cuzk_word *b);
cuzk_word cuzk_word_choose(cuzk_cs *cs, const cuzk_word *a, const cuzk_word *b, const cuzk_word *c);
cuzk_word cuzk_word_majority(cuzk_cs *cs, const cuzk_word *a, const cuzk_word *b,
                             const cuzk_word *c);

/* Equalities of short sums, several of which share a row. Starts as {0}; cuzk_packed_end emits what
 * is left and releases it. */
typedef struct cuzk_packed_rows {
    cuzk_lc left, right;
    unsigned used; /* bits */
} cuzk_packed_rows;
void cuzk_packed_end(cuzk_cs *cs, cuzk_packed_rows *rows);

/* The sum of n words, 2 <= n <= CUZK_WORD_ADDENDS, mod 2^32. */
cuzk_word cuzk_word_add(cuzk_cs *cs, cuzk_packed_rows *rows, const cuzk_word *const *addends,
                        size_t n);

#endif
