#include "circuit/filecoin/json_reader.h"

#include "base/bytes.h"
#include "circuit/filecoin/json_scan.h"
#include "field/bls12_381_fr.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NAME_ROOM = 64 };

void cuzk_json_reader_init(cuzk_json_reader *in, const char *text, size_t n, const char *name,
                           cuzk_error *err)
{
    *in = (cuzk_json_reader){.start = text, .at = text, .end = text + n, .name = name, .err = err};
}

bool cuzk_json_fail(cuzk_json_reader *in, cuzk_status status, const char *format, ...)
{
    char what[300], place[CUZK_PLACE_TEXT];
    if (in->failed)
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    cuzk_place_write(place, &in->place);
    in->failed = true;
    cuzk_fail(in->err, status, "%s: %s (byte %" PRIu64 "): %s", in->name, place,
              in->before + (uint64_t)(in->at - in->start), what);
    return false;
}

bool cuzk_json_expect(cuzk_json_reader *in, char c)
{
    int found = cuzk_json_next(in);
    if (found == c) {
        in->at++;
        return true;
    }
    if (found < 0)
        return cuzk_json_fail(in, CUZK_ERR_FORMAT, "the text ends, expected '%c'", c);
    if (found < 0x20 || found >= 0x7f)
        return cuzk_json_fail(in, CUZK_ERR_FORMAT, "found byte 0x%02x, expected '%c'", found, c);
    return cuzk_json_fail(in, CUZK_ERR_FORMAT, "found '%c', expected '%c'", found, c);
}

static void leave_part(cuzk_json_reader *in, cuzk_json_scope *scope)
{
    if (scope->inside)
        cuzk_place_pop(&in->place);
    scope->inside = false;
}

/* Steps to the next part. Returns 1 if there is one, 0 behind the closing bracket, -1 on failure.
 */
static int next_part(cuzk_json_reader *in, cuzk_json_scope *scope, char open, char close)
{
    if (in->failed)
        return -1;
    leave_part(in, scope);
    const bool first = scope->count == 0;
    if (first && !cuzk_json_expect(in, open))
        return -1;
    if (cuzk_json_next(in) == close) {
        in->at++;
        return 0;
    }
    if (!first && !cuzk_json_expect(in, ','))
        return -1;
    scope->count++;
    return 1;
}

static int find_name(const char *name, const char *const *names, int n)
{
    for (int i = 0; i < n; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return -1;
}

static int end_object(cuzk_json_reader *in, const cuzk_json_scope *scope, const char *const *names,
                      int n)
{
    for (int i = 0; i < n; i++)
        if ((scope->seen >> i & 1) == 0)
            cuzk_json_fail(in, CUZK_ERR_FORMAT, "member \"%s\" is missing", names[i]);
    return -1;
}

static bool read_name(cuzk_json_reader *in, char name[NAME_ROOM])
{
    return cuzk_json_scan_string(in, name, NAME_ROOM) && cuzk_json_expect(in, ':');
}

static bool enter_member(cuzk_json_reader *in, cuzk_json_scope *scope, const char *name, int i)
{
    if (scope->seen >> i & 1)
        return cuzk_json_fail(in, CUZK_ERR_FORMAT, "member \"%s\" is there twice", name);
    scope->seen |= UINT32_C(1) << i;
    cuzk_place_push(&in->place, name, 0);
    scope->inside = true;
    return true;
}

int cuzk_json_member(cuzk_json_reader *in, cuzk_json_scope *scope, const char *const *names, int n)
{
    char name[NAME_ROOM];
    for (;;) {
        int part = next_part(in, scope, '{', '}');
        if (part == 0)
            return end_object(in, scope, names, n);
        if (part < 0 || !read_name(in, name))
            return -1;
        int i = find_name(name, names, n);
        if (i >= 0)
            return enter_member(in, scope, names[i], i) ? i : -1;
        if (!cuzk_json_skip(in))
            return -1;
    }
}

bool cuzk_json_variant(cuzk_json_reader *in, cuzk_json_scope *scope, const char *name)
{
    char found[NAME_ROOM];
    int part = next_part(in, scope, '{', '}');
    if (part == 0)
        end_object(in, scope, &name, 1);
    if (part <= 0 || !read_name(in, found))
        return false;
    if (strcmp(found, name) != 0)
        return cuzk_json_fail(in, CUZK_ERR_FORMAT, "found member \"%s\", expected only \"%s\"",
                              found, name);
    return enter_member(in, scope, name, 0);
}

bool cuzk_json_item(cuzk_json_reader *in, cuzk_json_scope *scope, size_t n)
{
    int part = next_part(in, scope, '[', ']');
    if (part == 0 && scope->count != n)
        return cuzk_json_fail(in, CUZK_ERR_FORMAT, "found %zu elements, expected %zu", scope->count,
                              n);
    if (part <= 0)
        return false;
    if (scope->count > n)
        return cuzk_json_fail(in, CUZK_ERR_FORMAT, "found more than %zu elements, expected %zu", n,
                              n);
    cuzk_place_push(&in->place, NULL, scope->count - 1);
    scope->inside = true;
    return true;
}

bool cuzk_json_u64(cuzk_json_reader *in, uint64_t *value, uint64_t most)
{
    uint64_t v = 0;
    int c = cuzk_json_next(in);
    const bool zero = c == '0';
    if (in->failed)
        return false;
    for (size_t n = 0;; n++, in->at++) {
        c = cuzk_json_peek(in);
        if (!cuzk_json_is_digit(c)) {
            if (n == 0 || c == '.' || c == 'e' || c == 'E')
                break;
            *value = v;
            return true;
        }
        uint64_t digit = (uint64_t)(c - '0');
        if ((zero && n > 0) || digit > most || v > (most - digit) / 10)
            break;
        v = v * 10 + digit;
    }
    return cuzk_json_fail(in, CUZK_ERR_FORMAT, "expected an integer from 0 to %" PRIu64, most);
}

/* A number of one to three digits and the character behind it, which must be `behind`, without a
 * branch that depends on them. Adds 1 to *bad if it is not that, or above 255. Returns its end, at
 * most 4 characters on; reads 4. */
static inline const char *scan_byte(const char *p, char behind, uint8_t *out, unsigned *bad)
{
    uint32_t text = cuzk_load_le32((const uint8_t *)p);
    uint32_t digits = text ^ UINT32_C(0x30303030); /* 0 to 9 in bytes that are digits */
    /* The top bit of the first byte that is none; of the last one if all are. Sums carry into bytes
     * behind that one only. */
    uint32_t others = (digits | (digits + UINT32_C(0x76767676))) & UINT32_C(0x80808080);
    unsigned n = (unsigned)__builtin_ctz(others | UINT32_C(0x80000000)) / 8;
    const bool zero_first = (digits & 0xff) == 0 && n > 1;
    digits = (uint32_t)((uint64_t)digits << 8 * (4 - n));
    unsigned value = (digits >> 8 & 0xff) * 100 + (digits >> 16 & 0xff) * 10 + (digits >> 24);
    *out = (uint8_t)value;
    *bad += (n == 0) | zero_first | (value > 255) | (p[n] != behind);
    return p + n + 1;
}

/* The bytes of "[1,2,...,32]" without white space, where it is wholly in hand. Returns the
 * character behind it, or NULL: it is written in another way, or wrong. */
static const char *scan_bytes32(const char *p, const char *end, uint8_t out[32])
{
    enum { LONGEST = 1 + 32 * 4, READ_BEYOND = 3 };
    unsigned bad = 0;
    if (end - p < LONGEST + READ_BEYOND || *p++ != '[')
        return NULL;
    for (int i = 0; i < 31; i++)
        p = scan_byte(p, ',', &out[i], &bad);
    p = scan_byte(p, ']', &out[31], &bad);
    return bad == 0 ? p : NULL;
}

bool cuzk_json_bytes32(cuzk_json_reader *in, uint8_t out[32])
{
    uint64_t value = 0;
    cuzk_json_scope scope = {0};
    if (in->failed)
        return false;
    cuzk_json_next(in);
    const char *behind = scan_bytes32(in->at, in->end, out);
    if (behind != NULL) {
        in->at = behind;
        return true;
    }
    while (cuzk_json_item(in, &scope, 32)) {
        cuzk_json_u64(in, &value, 255);
        out[scope.count - 1] = (uint8_t)value;
    }
    return !in->failed;
}

bool cuzk_json_fr(cuzk_json_reader *in, cuzk_scalar *value)
{
    uint8_t bytes[32] = {0};
    if (!cuzk_json_bytes32(in, bytes))
        return false;
    for (size_t i = 0; i < 4; i++)
        value->l[i] = cuzk_load_le64(bytes + 8 * i);
    return bls12_381_fr_limbs_valid(value->l) ||
           cuzk_json_fail(in, CUZK_ERR_FORMAT,
                          "the value that ends here is not below r, so not a field element");
}

bool cuzk_json_string(cuzk_json_reader *in, char *out, size_t room)
{
    return !in->failed && cuzk_json_scan_string(in, out, room);
}

bool cuzk_json_span(cuzk_json_reader *in, const char **text, size_t *n)
{
    if (in->failed || !cuzk_json_expect(in, '"'))
        return false;
    const char *quote = memchr(in->at, '"', (size_t)(in->end - in->at));
    if (quote == NULL)
        return cuzk_json_fail(in, CUZK_ERR_FORMAT, "the text ends inside a string");
    *text = in->at;
    *n = (size_t)(quote - in->at);
    in->at = quote + 1;
    return true;
}

bool cuzk_json_end(cuzk_json_reader *in)
{
    if (in->failed)
        return false;
    int c = cuzk_json_next(in);
    return in->failed || c >= 0
               ? cuzk_json_fail(in, CUZK_ERR_FORMAT, "text follows the value, expected its end")
               : true;
}
