#include "iden3/json_text.h"

#include "base/decimal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 1024

void cuzk_json_text_init(cuzk_json_text *text, cuzk_json_style style)
{
    memset(text, 0, sizeof *text);
    text->indented = style == CUZK_JSON_SNARKJS;
    text->first = true;
}

/* Makes room for n more characters and a NUL. */
static bool reserve(cuzk_json_text *text, size_t n)
{
    if (text->failed)
        return false;
    if (text->capacity - text->length > n)
        return true;
    size_t capacity = text->capacity == 0 ? FIRST_CAPACITY : text->capacity;
    while (capacity - text->length <= n)
        capacity *= 2;
    char *data = realloc(text->data, capacity);
    if (data == NULL) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

static void append(cuzk_json_text *text, const char *data, size_t n)
{
    if (!reserve(text, n))
        return;
    memcpy(text->data + text->length, data, n);
    text->length += n;
    text->data[text->length] = 0;
}

static void new_line(cuzk_json_text *text)
{
    if (!text->indented)
        return;
    append(text, "\n", 1);
    for (unsigned i = 0; i < text->depth; i++)
        append(text, " ", 1);
}

/* Before a value: a comma and a new line, but for the outermost one and those that follow their
 * key. */
static void separate(cuzk_json_text *text)
{
    bool inline_value = text->depth == 0 || text->named;
    text->named = false;
    if (inline_value)
        return;
    if (!text->first)
        append(text, ",", 1);
    new_line(text);
}

void cuzk_json_text_open(cuzk_json_text *text, char bracket)
{
    separate(text);
    append(text, &bracket, 1);
    text->depth++;
    text->first = true;
}

void cuzk_json_text_close(cuzk_json_text *text, char bracket)
{
    text->depth--;
    new_line(text);
    append(text, &bracket, 1);
    text->first = false;
}

void cuzk_json_text_key(cuzk_json_text *text, const char *name)
{
    cuzk_json_text_string(text, name);
    append(text, ": ", text->indented ? 2 : 1);
    text->named = true;
}

void cuzk_json_text_string(cuzk_json_text *text, const char *value)
{
    separate(text);
    append(text, "\"", 1);
    append(text, value, strlen(value));
    append(text, "\"", 1);
    text->first = false;
}

void cuzk_json_text_number(cuzk_json_text *text, size_t value)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%zu", value);
    separate(text);
    append(text, digits, (size_t)n);
    text->first = false;
}

void cuzk_json_text_decimal(cuzk_json_text *text, const uint8_t *value, size_t n)
{
    char digits[CUZK_DECIMAL_MAX_TEXT];
    cuzk_decimal_format(digits, value, n);
    cuzk_json_text_string(text, digits);
}

cuzk_status cuzk_json_text_take(cuzk_json_text *text, char **out, cuzk_error *err)
{
    if (text->failed) {
        free(text->data);
        memset(text, 0, sizeof *text);
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a JSON text");
    }
    *out = text->data;
    memset(text, 0, sizeof *text);
    return CUZK_OK;
}
