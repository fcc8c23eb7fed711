/* How the EmptySectorUpdate circuit derives challenges (Filecoin circuits, section 9, steps 8 and
 * 9a). */
#ifndef CUZK_CIRCUIT_FILECOIN_UPDATE_CHALLENGES_H
#define CUZK_CIRCUIT_FILECOIN_UPDATE_CHALLENGES_H

#include "circuit/filecoin/circuit_update.h"

/* bits: p->node_bits for each challenge, the lowest first; the last of them are partition_bits. */
void cuzk_update_challenges(cuzk_cs *cs, const cuzk_update_params *p, cuzk_bit *bits,
                            cuzk_var comm_r_new, cuzk_var partition,
                            const cuzk_bit *partition_bits);

/* The challenge's high bits as a number: as many as p->high[i] for the i that has selected[i]; a
 * template. */
cuzk_var cuzk_update_high(cuzk_cs *cs, const cuzk_update_params *p, const cuzk_bit *bits,
                          const cuzk_bit *selected);

#endif
