#include "cmd/filecoin_options.h"

#include "base/hex.h"

#include <errno.h>
#include <stdlib.h>

uint64_t cuzk_option_number(struct argp_state *state, const char *option, const char *text)
{
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value > INT64_MAX)
        argp_error(state, "%s=%s: expected a number from 0 to %lld", option, text,
                   (long long)INT64_MAX);
    return value;
}

void cuzk_option_hex_32(uint8_t out[32], struct argp_state *state, const char *option,
                        const char *text)
{
    if (!cuzk_hex_32_read(out, text))
        argp_error(state, "%s=%s: expected 32 bytes as 64 hexadecimal digits", option, text);
}
