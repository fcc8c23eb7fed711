#include "server/config_scan.h"

#include <stdbool.h>
#include <string.h>

/* How often the byte at `at` is repeated from there. */
static size_t run_at(const char *text, size_t size, size_t at)
{
    size_t end = at;
    while (end < size && text[end] == text[at])
        end++;
    return end - at;
}

/* From the quote at `at` to after the one that ends the string; or to the end of the line or text
 * if none does, which the parser then says. */
static size_t skip_string(const char *text, size_t size, size_t at)
{
    const char quote = text[at];
    size_t run = run_at(text, size, at);
    if (run == 2)
        return at + 2;
    const bool many_lines = run >= 3;
    at += many_lines ? 3 : 1;
    while (at < size) {
        run = text[at] == quote ? run_at(text, size, at) : 0;
        if (text[at] == '\\' && quote == '"')
            at += 2;
        else if (many_lines && run >= 3)
            return at + (run < 5 ? run : 5);
        else if (!many_lines && (run > 0 || text[at] == '\n'))
            return at + 1;
        else
            at++;
    }
    return size;
}

/* Whether a string may start there: a quote within a word is none for the parser. */
static bool may_start(const char *text, size_t at)
{
    return at == 0 || strchr(" \t\r\n=[,{", text[at - 1]) != NULL;
}

static cuzk_status fail_at(const char *source, const char *text, size_t at, cuzk_error *err)
{
    unsigned line = 1, column = 1;
    for (size_t i = 0; i < at; i++) {
        column = text[i] == '\n' ? 1 : column + 1;
        line += text[i] == '\n';
    }
    return cuzk_fail(err, CUZK_ERR_FORMAT,
                     "%s:%u:%u: byte 0x%02x is not allowed there: strings and comments apart, only "
                     "printable ASCII is, and no quote in the middle of a word",
                     source, line, column, (unsigned)(unsigned char)text[at]);
}

cuzk_status cuzk_config_scan(const char *source, const char *text, size_t size, cuzk_error *err)
{
    for (size_t at = 0; at < size;) {
        const char c = text[at];
        if ((c == '"' || c == '\'') && may_start(text, at)) {
            at = skip_string(text, size, at);
        } else if (c == '#') {
            const char *end = memchr(text + at, '\n', size - at);
            at = end == NULL ? size : (size_t)(end - text);
        } else if ((c >= 32 && c < 127 && c != '"' && c != '\'') || c == '\t' || c == '\n' ||
                   c == '\r') {
            at++;
        } else {
            return fail_at(source, text, at, err);
        }
    }
    return CUZK_OK;
}
