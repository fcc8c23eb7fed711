#include "hash/chacha.h"

#include <string.h>

static uint32_t rotate(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

static void quarter(uint32_t *x, unsigned a, unsigned b, unsigned c, unsigned d)
{
    x[a] += x[b];
    x[d] = rotate(x[d] ^ x[a], 16);
    x[c] += x[d];
    x[b] = rotate(x[b] ^ x[c], 12);
    x[a] += x[b];
    x[d] = rotate(x[d] ^ x[a], 8);
    x[c] += x[d];
    x[b] = rotate(x[b] ^ x[c], 7);
}

void cuzk_chacha_block(uint32_t out[CUZK_CHACHA_WORDS], const uint8_t key[32],
                       const uint32_t tail[4], unsigned rounds)
{
    /* "expand 32-byte k" */
    uint32_t start[CUZK_CHACHA_WORDS] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    uint32_t x[CUZK_CHACHA_WORDS];
    memcpy(start + 4, key, 32);
    memcpy(start + 12, tail, 4 * sizeof *tail);
    memcpy(x, start, sizeof x);
    for (unsigned round = 0; round < rounds; round += 2) {
        for (unsigned i = 0; i < 4; i++)
            quarter(x, i, 4 + i, 8 + i, 12 + i);
        for (unsigned i = 0; i < 4; i++)
            quarter(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
    }
    for (unsigned i = 0; i < CUZK_CHACHA_WORDS; i++)
        out[i] = x[i] + start[i];
}
