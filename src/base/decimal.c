/* Schoolbook conversion, nine digits or 32 bits at a time: values are at most 384 bits long. */
#include "base/decimal.h"

#include "base/status.h"

#include <stdbool.h>
#include <string.h>

#define WORDS        (CUZK_DECIMAL_MAX_BYTES / 4)
#define CHUNK_DIGITS 9
#define CHUNK        1000000000u

static bool is_number(const char *text, size_t length)
{
    if (length == 0 || (length > 1 && text[0] == '0'))
        return false;
    for (size_t i = 0; i < length; i++)
        if (text[i] < '0' || text[i] > '9')
            return false;
    return true;
}

/* words := words * factor + addend; false when that overflows. */
static bool mul_add(uint32_t words[WORDS], uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (size_t i = 0; i < WORDS; i++) {
        carry += (uint64_t)words[i] * factor;
        words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return carry == 0;
}

static uint32_t byte_at(const uint32_t words[WORDS], size_t i)
{
    return words[i / 4] >> 8 * (i % 4) & 0xff;
}

cuzk_decimal_status cuzk_decimal_parse(uint8_t *value, size_t n, const char *text, size_t length)
{
    CUZK_ASSERT(n <= CUZK_DECIMAL_MAX_BYTES);
    if (!is_number(text, length))
        return CUZK_DECIMAL_MALFORMED;

    uint32_t words[WORDS] = {0};
    for (size_t at = 0; at < length;) {
        uint32_t chunk = 0, factor = 1;
        for (int i = 0; i < CHUNK_DIGITS && at < length; i++, at++) {
            chunk = chunk * 10 + (uint32_t)(text[at] - '0');
            factor *= 10;
        }
        if (!mul_add(words, factor, chunk))
            return CUZK_DECIMAL_TOO_LARGE;
    }
    for (size_t i = n; i < CUZK_DECIMAL_MAX_BYTES; i++)
        if (byte_at(words, i) != 0)
            return CUZK_DECIMAL_TOO_LARGE;
    for (size_t i = 0; i < n; i++)
        value[i] = (uint8_t)byte_at(words, i);
    return CUZK_DECIMAL_OK;
}

/* words := words / CHUNK; returns the remainder. */
static uint32_t divide(uint32_t words[WORDS])
{
    uint64_t rest = 0;
    for (size_t i = WORDS; i-- > 0;) {
        rest = rest << 32 | words[i];
        words[i] = (uint32_t)(rest / CHUNK);
        rest %= CHUNK;
    }
    return (uint32_t)rest;
}

size_t cuzk_decimal_format(char *out, const uint8_t *value, size_t n)
{
    CUZK_ASSERT(n <= CUZK_DECIMAL_MAX_BYTES);
    uint32_t words[WORDS] = {0};
    for (size_t i = 0; i < n; i++)
        words[i / 4] |= (uint32_t)value[i] << 8 * (i % 4);

    /* All chunks, right to left, with leading zeros; these are cut afterwards. */
    enum { CHUNKS = (CUZK_DECIMAL_MAX_TEXT - 1 + CHUNK_DIGITS - 1) / CHUNK_DIGITS };
    char digits[CHUNKS * CHUNK_DIGITS];
    size_t first = sizeof digits - 1;
    for (size_t at = sizeof digits; at > 0;) {
        uint32_t chunk = divide(words);
        for (int i = 0; i < CHUNK_DIGITS; i++, chunk /= 10) {
            digits[--at] = (char)('0' + chunk % 10);
            if (digits[at] != '0')
                first = at;
        }
    }
    size_t length = sizeof digits - first;
    memcpy(out, digits + first, length);
    out[length] = '\0';
    return length;
}
