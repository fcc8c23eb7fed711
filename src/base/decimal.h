/* Big numbers as decimal text, the way iden3's JSON files write them. */
#ifndef CUZK_BASE_DECIMAL_H
#define CUZK_BASE_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

/* Values are little-endian bytes, at most this many. */
#define CUZK_DECIMAL_MAX_BYTES 48

/* Digits of 2^384 - 1 and a NUL: floor(384 * log10(2)) + 1 + 1. */
#define CUZK_DECIMAL_MAX_TEXT 117

typedef enum cuzk_decimal_status {
    CUZK_DECIMAL_OK = 0,
    CUZK_DECIMAL_MALFORMED, /* not 0|[1-9][0-9]* */
    CUZK_DECIMAL_TOO_LARGE  /* does not fit the bytes */
} cuzk_decimal_status;

/* Sets the n bytes of value from length characters of text, which must be 0|[1-9][0-9]* and nothing
 * else. On error value is unchanged. */
cuzk_decimal_status cuzk_decimal_parse(uint8_t *value, size_t n, const char *text, size_t length);

/* Writes value in decimal with a NUL to out and returns the number of digits. out: room for
 * CUZK_DECIMAL_MAX_TEXT. */
size_t cuzk_decimal_format(char *out, const uint8_t *value, size_t n);

#endif
