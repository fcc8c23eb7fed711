/* The label of a node in one layer, as a circuit (Filecoin circuits, section 7, create_label). */
#ifndef CUZK_CIRCUIT_FILECOIN_LABEL_GADGET_H
#define CUZK_CIRCUIT_FILECOIN_LABEL_GADGET_H

#include "circuit/cs.h"
#include "circuit/filecoin/vanilla.h"

#define CUZK_LABEL_WORD_BITS 256u /* a parent's label, the replica id: 32 bytes, bit 255 is 0 */

/* replica_id, and each of the parents with their repetitions: CUZK_LABEL_WORD_BITS bits; node: 64
 * bits; all the lowest first. */
cuzk_var cuzk_label_create(cuzk_cs *cs, const cuzk_bit *replica_id, uint32_t layer,
                           const cuzk_bit *node, const cuzk_bit *const parents[CUZK_LABEL_PARENTS]);

/* A number's bits, filled up to CUZK_LABEL_WORD_BITS. */
void cuzk_label_word(cuzk_cs *cs, cuzk_bit bits[CUZK_LABEL_WORD_BITS], cuzk_var x);

#endif
