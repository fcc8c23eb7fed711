/* The ChaCha key stream, a block at a time (RFC 8439; with 8 rounds in place of 20 for Filecoin's
 * graph). */
#ifndef CUZK_HASH_CHACHA_H
#define CUZK_HASH_CHACHA_H

#include <stdint.h>

#define CUZK_CHACHA_WORDS 16

/* out = the block of this key and tail: the tail's words are counter and nonce, however the variant
 * divides them. rounds is even. */
void cuzk_chacha_block(uint32_t out[CUZK_CHACHA_WORDS], const uint8_t key[32],
                       const uint32_t tail[4], unsigned rounds);

#endif
