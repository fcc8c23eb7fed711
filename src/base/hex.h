/* Hexadecimal text of 32 bytes: digests, commitments, field elements. */
#ifndef CUZK_BASE_HEX_H
#define CUZK_BASE_HEX_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cuzk_hex_32 {
    char text[65];
} cuzk_hex_32;
cuzk_hex_32 cuzk_hex_32_write(const void *bytes);

/* false: not 64 hexadecimal digits and nothing else. */
bool cuzk_hex_32_read(uint8_t bytes[32], const char *text);

/* The value of a digit of either case, or -1. */
int cuzk_hex_digit(char c);

#endif
