/* Characters of a JSON text, for json_reader.c and json_skip.c. */
#ifndef CUZK_CIRCUIT_FILECOIN_JSON_SCAN_H
#define CUZK_CIRCUIT_FILECOIN_JSON_SCAN_H

#include "circuit/filecoin/json_reader.h"

/* The character at `at`, or -1 at the end of the text. */
static inline int cuzk_json_peek(cuzk_json_reader *in)
{
    if (in->at == in->end &&
        (in->failed || in->more == NULL || !in->more(in, in->source) || in->at == in->end))
        return -1;
    return (unsigned char)*in->at;
}

/* The same behind white space. */
static inline int cuzk_json_next(cuzk_json_reader *in)
{
    for (;;) {
        int c = cuzk_json_peek(in);
        if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
            return c;
        in->at++;
    }
}

static inline bool cuzk_json_is_digit(int c)
{
    return c >= '0' && c <= '9';
}

/* Takes that character, which may have white space before it. */
bool cuzk_json_expect(cuzk_json_reader *in, char c);

/* A string into out, as cuzk_json_string; out NULL: away with it. */
bool cuzk_json_scan_string(cuzk_json_reader *in, char *out, size_t room);

/* Reads a value away. */
bool cuzk_json_skip(cuzk_json_reader *in);

#endif
