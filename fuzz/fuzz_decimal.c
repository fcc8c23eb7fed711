/* Decimal text: what is accepted is exactly what is written for the same value. */
#include "base/decimal.h"
#include "base/status.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first byte chooses the width, the rest is the text. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    size_t n = data[0] % (CUZK_DECIMAL_MAX_BYTES + 1);
    uint8_t value[CUZK_DECIMAL_MAX_BYTES];
    const char *text = (const char *)data + 1;
    if (cuzk_decimal_parse(value, n, text, size - 1) != CUZK_DECIMAL_OK)
        return 0;
    char written[CUZK_DECIMAL_MAX_TEXT];
    CUZK_ASSERT(cuzk_decimal_format(written, value, n) == size - 1);
    CUZK_ASSERT(memcmp(written, text, size - 1) == 0);
    return 0;
}
