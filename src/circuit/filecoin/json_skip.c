/* Values that nobody asked for, and strings: their grammar is checked all the same. */
#include "circuit/filecoin/json_scan.h"

enum { SKIP_DEPTH = 64 };

/* Stands for characters that no known name has. */
enum { OTHER = 0x7f };

static int hex_digit(int c)
{
    if (cuzk_json_is_digit(c))
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The four digits of \uXXXX; -1: they are not. */
static int scan_unicode(cuzk_json_reader *in)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(cuzk_json_peek(in));
        if (digit < 0)
            return -1;
        value = value << 4 | digit;
        in->at++;
    }
    return value > 0 && value < 0x80 ? value : OTHER;
}

/* What follows a backslash; -1: it may not. */
static int scan_escape(cuzk_json_reader *in)
{
    int c = cuzk_json_peek(in);
    if (c < 0)
        return -1;
    in->at++;
    switch (c) {
    case '"':
    case '\\':
    case '/':
        return c;
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        return OTHER;
    case 'u':
        return scan_unicode(in);
    default:
        return -1;
    }
}

bool cuzk_json_scan_string(cuzk_json_reader *in, char *out, size_t room)
{
    size_t n = 0;
    if (!cuzk_json_expect(in, '"'))
        return false;
    for (;;) {
        int c = cuzk_json_peek(in);
        if (c < 0x20)
            return cuzk_json_fail(in, CUZK_ERR_FORMAT,
                                  c < 0 ? "the text ends inside a string"
                                        : "a string has a control character");
        in->at++;
        if (c == '"')
            break;
        if (c == '\\' && (c = scan_escape(in)) < 0)
            return cuzk_json_fail(in, CUZK_ERR_FORMAT, "a string has an unknown escape");
        if (out != NULL && n + 1 < room)
            out[n] = c < 0x80 ? (char)c : OTHER;
        n++;
    }
    if (out != NULL && n + 1 > room)
        out[0] = OTHER, n = 1; /* too long for any known name */
    if (out != NULL)
        out[n] = 0;
    return true;
}

static bool skip_digits(cuzk_json_reader *in)
{
    size_t n = 0;
    for (; cuzk_json_is_digit(cuzk_json_peek(in)); n++)
        in->at++;
    return n > 0;
}

static bool skip_number(cuzk_json_reader *in)
{
    if (cuzk_json_peek(in) == '-')
        in->at++;
    if (cuzk_json_peek(in) == '0')
        in->at++;
    else if (!skip_digits(in))
        return false;
    if (cuzk_json_peek(in) == '.') {
        in->at++;
        if (!skip_digits(in))
            return false;
    }
    if (cuzk_json_peek(in) == 'e' || cuzk_json_peek(in) == 'E') {
        in->at++;
        if (cuzk_json_peek(in) == '+' || cuzk_json_peek(in) == '-')
            in->at++;
        if (!skip_digits(in))
            return false;
    }
    return true;
}

static bool skip_word(cuzk_json_reader *in, const char *word)
{
    for (; *word != 0; word++, in->at++)
        if (cuzk_json_peek(in) != *word)
            return false;
    return true;
}

static bool skip_value(cuzk_json_reader *in, int depth);

/* An array or object. */
static bool skip_parts(cuzk_json_reader *in, int depth, char close)
{
    if (depth == SKIP_DEPTH)
        return cuzk_json_fail(in, CUZK_ERR_FORMAT, "nested deeper than %d levels", SKIP_DEPTH);
    in->at++;
    if (cuzk_json_next(in) == close) {
        in->at++;
        return true;
    }
    for (;;) {
        if (close == '}' && (!cuzk_json_scan_string(in, NULL, 0) || !cuzk_json_expect(in, ':')))
            return false;
        if (!skip_value(in, depth + 1))
            return false;
        if (cuzk_json_next(in) == close) {
            in->at++;
            return true;
        }
        if (!cuzk_json_expect(in, ','))
            return false;
    }
}

static bool skip_scalar(cuzk_json_reader *in, int c)
{
    switch (c) {
    case 'n':
        return skip_word(in, "null");
    case 't':
        return skip_word(in, "true");
    case 'f':
        return skip_word(in, "false");
    default:
        return skip_number(in);
    }
}

static bool skip_value(cuzk_json_reader *in, int depth)
{
    int c = cuzk_json_next(in);
    if (c == '{')
        return skip_parts(in, depth, '}');
    if (c == '[')
        return skip_parts(in, depth, ']');
    if (c == '"')
        return cuzk_json_scan_string(in, NULL, 0);
    return skip_scalar(in, c) || cuzk_json_fail(in, CUZK_ERR_FORMAT, "this is no JSON value");
}

bool cuzk_json_skip(cuzk_json_reader *in)
{
    return skip_value(in, 0);
}
