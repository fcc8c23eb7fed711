/* Building JSON text with the exact layout of the programs that cuzk is exchanged for. */
#ifndef CUZK_IDEN3_JSON_TEXT_H
#define CUZK_IDEN3_JSON_TEXT_H

#include "iden3/json.h"

/* Grows by itself; a failed allocation is remembered and reported by cuzk_json_text_take. */
typedef struct cuzk_json_text {
    char *data;
    size_t length, capacity;
    bool indented; /* snarkjs: each value on its own line, one space per level; else no white space
                    */
    bool first;    /* no value yet at this level */
    bool named;    /* the key of the next value has been written */
    bool failed;
    unsigned depth;
} cuzk_json_text;

void cuzk_json_text_init(cuzk_json_text *text, cuzk_json_style style);

/* bracket: '[' or '{'; closed with the matching one. */
void cuzk_json_text_open(cuzk_json_text *text, char bracket);
void cuzk_json_text_close(cuzk_json_text *text, char bracket);

/* The name of the member that comes next. */
void cuzk_json_text_key(cuzk_json_text *text, const char *name);

/* value needs no escapes. */
void cuzk_json_text_string(cuzk_json_text *text, const char *value);
void cuzk_json_text_number(cuzk_json_text *text, size_t value);

/* n little-endian bytes as a decimal string. */
void cuzk_json_text_decimal(cuzk_json_text *text, const uint8_t *value, size_t n);

/* Moves the NUL-terminated text out. On failure nothing is left to free. */
cuzk_status cuzk_json_text_take(cuzk_json_text *text, char **out, cuzk_error *err);

#endif
