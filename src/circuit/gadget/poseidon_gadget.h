/* Poseidon as a circuit (Filecoin circuits, section 5.6: the older of neptune's two circuits, which
 * all published keys were made for). */
#ifndef CUZK_CIRCUIT_GADGET_POSEIDON_GADGET_H
#define CUZK_CIRCUIT_GADGET_POSEIDON_GADGET_H

#include "circuit/cs.h"

/* The hash of `arity` variables under a tag (hash/poseidon.h); a template. arity: as
 * cuzk_poseidon_get has it. */
cuzk_var cuzk_poseidon_number(cuzk_cs *cs, uint32_t arity, uint64_t tag, const cuzk_var *preimage);
/* The same under the Merkle tag: nodes, columns, comm_r. */
cuzk_var cuzk_poseidon_node(cuzk_cs *cs, uint32_t arity, const cuzk_var *preimage);

#endif
