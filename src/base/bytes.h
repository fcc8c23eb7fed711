/* Unaligned little-endian loads and stores. */
#ifndef CUZK_BASE_BYTES_H
#define CUZK_BASE_BYTES_H

#include <stdint.h>

static inline uint32_t cuzk_load_le32(const uint8_t *in)
{
    return (uint32_t)in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

static inline uint64_t cuzk_load_le64(const uint8_t *in)
{
    return (uint64_t)cuzk_load_le32(in) | (uint64_t)cuzk_load_le32(in + 4) << 32;
}

static inline void cuzk_store_le32(uint8_t *out, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        out[i] = (uint8_t)(value >> 8 * i);
}

static inline void cuzk_store_le64(uint8_t *out, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        out[i] = (uint8_t)(value >> 8 * i);
}

#endif
