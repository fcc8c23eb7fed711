#include "base/hex.h"

#include <stddef.h>

int cuzk_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

cuzk_hex_32 cuzk_hex_32_write(const void *bytes)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *b = bytes;
    cuzk_hex_32 hex = {{0}};
    for (size_t i = 0; i < 32; i++) {
        hex.text[2 * i] = digits[b[i] >> 4];
        hex.text[2 * i + 1] = digits[b[i] & 15];
    }
    return hex;
}

bool cuzk_hex_32_read(uint8_t bytes[32], const char *text)
{
    size_t n = 0;
    while (n < 64 && cuzk_hex_digit(text[n]) >= 0)
        n++;
    if (n != 64 || text[64] != '\0')
        return false;
    for (size_t i = 0; i < 32; i++)
        bytes[i] = (uint8_t)(cuzk_hex_digit(text[2 * i]) * 16 + cuzk_hex_digit(text[2 * i + 1]));
    return true;
}
