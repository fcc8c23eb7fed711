#include "circuit/filecoin/seeded.h"

#include "hash/chacha.h"

#include <string.h>

cuzk_scalar cuzk_seeded_value(const uint8_t seed[32], cuzk_seeded_use use, uint32_t row,
                              uint64_t index)
{
    const uint32_t tail[4] = {(uint32_t)index, (uint32_t)(index >> 32), row, (uint32_t)use};
    uint32_t block[CUZK_CHACHA_WORDS];
    cuzk_scalar value;
    cuzk_chacha_block(block, seed, tail, 8);
    memcpy(value.l, block, sizeof value.l);
    value.l[3] &= UINT64_MAX >> 2;
    return value;
}
