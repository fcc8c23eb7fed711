#include "cmd/number_text.h"

#include <string.h>

static void to_bytes(uint8_t bytes[32], const cuzk_curve *curve, const cuzk_fr *value)
{
    cuzk_scalar scalar;
    curve->fr_to_scalar(&scalar, value);
    for (size_t i = 0; i < 32; i++)
        bytes[i] = (uint8_t)(scalar.l[i / 8] >> 8 * (i % 8));
}

void cuzk_number_text(char out[CUZK_NUMBER_TEXT_SIZE], const cuzk_curve *curve,
                      const cuzk_fr *value)
{
    uint8_t bytes[32];
    to_bytes(bytes, curve, value);
    cuzk_decimal_format(out, bytes, sizeof bytes);
}

void cuzk_number_text_signed(char out[CUZK_NUMBER_TEXT_SIZE], const cuzk_curve *curve,
                             const cuzk_fr *value)
{
    cuzk_fr negated;
    uint8_t plus[32], minus[32];
    size_t top = 32;
    curve->fr_neg(&negated, value);
    to_bytes(plus, curve, value);
    to_bytes(minus, curve, &negated);
    while (top > 1 && plus[top - 1] == minus[top - 1])
        top--;
    bool negative = minus[top - 1] < plus[top - 1];
    if (negative)
        *out++ = '-';
    cuzk_decimal_format(out, negative ? minus : plus, 32);
}
