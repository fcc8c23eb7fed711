/* SHA-256 over booleans (Filecoin circuits, sections 3.4 and 3.5).
 *
 * Bits come byte after byte, the lowest bit of each byte first: so a field element's bits, the
 * lowest first and 256 of them, are its 32 bytes little-endian without any shuffling. (The
 * circuits' description reverses bits within bytes instead; the rows are the same.) */
#ifndef CUZK_CIRCUIT_GADGET_SHA256_H
#define CUZK_CIRCUIT_GADGET_SHA256_H

#include "circuit/cs.h"

#define CUZK_SHA256_BLOCK_BITS  512u
#define CUZK_SHA256_STATE_BITS  256u
#define CUZK_SHA256_DIGEST_BITS 256u

/* One compression: a template. Ports: the block's bits as above, then the state's 8 words, each the
 * lowest bit first. Results: the new state. */
extern const cuzk_gadget cuzk_sha256_block;

/* digest: bits as above. */
void cuzk_sha256_bits(cuzk_cs *cs, cuzk_bit digest[CUZK_SHA256_DIGEST_BITS], const cuzk_bit *bits,
                      size_t n_bytes);

#endif
