/* The pull reader: what JSON is and what it is not, members, elements, integers, arrays of bytes;
 * the same whatever the size of the parts in which the text comes. */
#include "support/fixtures.h"

#include "circuit/filecoin/json_reader.h"

static cuzk_error err;

/* A text brought in parts of `step` characters. */
typedef struct parts {
    const char *text;
    size_t left, step;
} parts;

static bool bring(cuzk_json_reader *in, void *context)
{
    parts *p = context;
    size_t n = p->left < p->step ? p->left : p->step;
    in->before += (uint64_t)(in->end - in->start);
    in->start = in->at = p->text;
    in->end = p->text + n;
    p->text += n;
    p->left -= n;
    return n > 0;
}

static cuzk_json_reader reader_of(parts *p, const char *text, size_t step)
{
    cuzk_json_reader in;
    *p = (parts){text, strlen(text), step};
    memset(&err, 0, sizeof err);
    cuzk_json_reader_init(&in, "", 0, "text", &err);
    in.more = bring;
    in.source = p;
    return in;
}

/* {"number": u64 up to 1000, "list": [2 numbers below 10], "bytes": 32 bytes}. */
typedef struct result {
    uint64_t number, list[2];
    uint8_t bytes[32];
} result;

static bool read_object(cuzk_json_reader *in, result *out)
{
    static const char *const names[] = {"number", "list", "bytes"};
    cuzk_json_scope scope = {0};
    for (int i; (i = cuzk_json_member(in, &scope, names, 3)) >= 0;) {
        if (i == 0)
            cuzk_json_u64(in, &out->number, 1000);
        if (i == 1) {
            cuzk_json_scope list = {0};
            while (cuzk_json_item(in, &list, 2))
                cuzk_json_u64(in, &out->list[list.count - 1], 9);
        }
        if (i == 2)
            cuzk_json_bytes32(in, out->bytes);
    }
    return cuzk_json_end(in);
}

#define BYTES                                                                                      \
    "[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,99,100,101,128,200,255]"
#define GOOD "{\"number\":1000,\"list\":[3,9],\"bytes\":" BYTES "}"

static const char *const good[] = {
    GOOD,
    " { \"bytes\" : " BYTES "\n,\t\"list\": [ 3 , 9 ]\r\n, \"number\" : 1000 } ",
    "{\"x\":[1,2.5,-0,1e9,-1.25E-7,{\"number\":1,\"y\":[[],{}]},null,true,false,\"\\\"}\"],"
    "\"number\":1000,\"x\":\"\\u0041\\n\",\"list\":[3,9],\"bytes\":" BYTES "}",
    "{\"n\\u0075mber\":1000,\"l\\u0069st\":[3,9],\"bytes\":[0, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,"
    "16,17,18,19,20,21,22,23,24,25,99,100,101,128,200,255 ]}",
    "{\"a-name-that-is-longer-than-any-that-is-known-and-must-be-passed-over-in-one-piece\":0,"
    "\"number\\u0000\":1,\"num\xc3\xbc\":0,\"number\":1000,\"list\":[3,9],\"bytes\":" BYTES "}",
};

static void test_good(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        for (size_t step = 1; step < 400; step += step < 8 ? 1 : 61) {
            parts p;
            result out = {0};
            cuzk_json_reader in = reader_of(&p, good[i], step);
            if (!read_object(&in, &out))
                fail_msg("text %zu: %s", i, err.message);
            assert_int_equal(out.number, 1000);
            assert_int_equal(out.list[0], 3);
            assert_int_equal(out.list[1], 9);
            for (size_t b = 0; b < 26; b++)
                assert_int_equal(out.bytes[b], b);
            assert_int_equal(out.bytes[31], 255);
        }
}

static const struct {
    const char *text, *message;
} bad[] = {
    {"", "text: the outermost object (byte 0): the text ends, expected '{'"},
    {"[]", "(byte 0): found '[', expected '{'"},
    {"{", "(byte 1): the text ends, expected '\"'"},
    {"{}", "member \"number\" is missing"},
    {"{\"number\":1}", "member \"list\" is missing"},
    {"{\"number\":1,}", "found '}', expected '\"'"},
    {"{,\"number\":1}", "found ',', expected '\"'"},
    {"{\"number\" 1}", "found '1', expected ':'"},
    {"{\"number\":1,\"number\":1}", "member \"number\" is there twice"},
    {"{\"number\":01", "text: number (byte 11): expected an integer from 0 to 1000"},
    {"{\"number\":-1", "number (byte 10): expected an integer"},
    {"{\"number\":1.0", "number (byte 11): expected an integer"},
    {"{\"number\":1e2", "expected an integer"},
    {"{\"number\":1001", "expected an integer from 0 to 1000"},
    {"{\"number\":18446744073709551617", "expected an integer from 0 to 1000"},
    {"{\"number\":\"1\"", "expected an integer"},
    {"{\"number\":null", "expected an integer"},
    {"{\"number\":1]", "found ']', expected ','"},
    {"{\"number\":1\x01", "found byte 0x01, expected ','"},
    {"{\"list\":[1]}", "list (byte 11): found 1 elements, expected 2"},
    {"{\"list\":[1,2,3]}", "found more than 2 elements"},
    {"{\"list\":[1,2,]}", "found more than 2 elements"},
    {"{\"list\":[1 2]}", "found '2', expected ','"},
    {"{\"list\":{}}", "found '{', expected '['"},
    {"{\"list\":[1,10]}", "text: list[1] (byte 12): expected an integer from 0 to 9"},
    {"{\"bytes\":[1,2]}", "found 2 elements, expected 32"},
    {"{\"bytes\":[256,", "bytes[0] (byte 12): expected an integer from 0 to 255"},
    {"{\"x\":tru}", "this is no JSON value"},
    {"{\"x\":+1}", "this is no JSON value"},
    {"{\"x\":1.}", "this is no JSON value"},
    {"{\"x\":.5}", "this is no JSON value"},
    {"{\"x\":1e}", "this is no JSON value"},
    {"{\"x\":00}", "found '0', expected ','"},
    {"{\"x\":[1,]}", "this is no JSON value"},
    {"{\"x\":\"\n\"}", "a string has a control character"},
    {"{\"x\":\"\\x\"}", "unknown escape"},
    {"{\"x\":\"\\u00g0\"}", "unknown escape"},
    {"{\"x\":\"abc", "the text ends inside a string"},
    {GOOD " 1", "text follows the value"},
};

static void test_bad(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        for (size_t step = 1; step < 400; step += step < 8 ? 1 : 61) {
            parts p;
            result out = {0};
            cuzk_json_reader in = reader_of(&p, bad[i].text, step);
            if (read_object(&in, &out) || strstr(err.message, bad[i].message) == NULL)
                fail_msg("text %zu: \"%s\" instead of \"%s\"", i, err.message, bad[i].message);
        }
}

/* Every text cut short is refused. */
static void test_cut(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        size_t size = strlen(good[i]);
        while (good[i][size - 1] == ' ')
            size--;
        for (size_t n = 0; n < size; n++) {
            result out;
            cuzk_json_reader in;
            char *part = malloc(n + 1);
            assert_non_null(part);
            memcpy(part, good[i], n);
            cuzk_json_reader_init(&in, part, n, "text", &err);
            assert_false(read_object(&in, &out));
            free(part);
        }
    }
}

/* Arrays of bytes: any values, one character changed anywhere, against a plain reading. */
static bool plain_bytes(const char *text, uint8_t out[32])
{
    if (*text++ != '[')
        return false;
    for (int i = 0; i < 32; i++) {
        unsigned value = 0, digits = 0;
        for (; *text >= '0' && *text <= '9' && digits < 4; digits++)
            value = value * 10 + (unsigned)(*text++ - '0');
        if (digits == 0 || value > 255 || (digits > 1 && text[-(int)digits] == '0'))
            return false;
        if (*text++ != (i < 31 ? ',' : ']'))
            return false;
        out[i] = (uint8_t)value;
    }
    return true;
}

static void test_bytes(void **state)
{
    (void)state;
    static const char others[] = "0123456789,][-+.e/:;\"x\x80\xff";
    test_rng rng = test_rng_seeded(1);
    size_t accepted = 0;
    for (int round = 0; round < 200000; round++) {
        char text[400] = "[";
        size_t n = 1;
        const uint64_t bound = round % 3 == 0 ? 256 : round % 3 == 1 ? 12 : 120;
        for (size_t i = 0; i < 32; i++)
            n += (size_t)sprintf(text + n, "%u%s", (unsigned)test_rng_below(&rng, bound),
                                 i < 31 ? "," : "]");
        if (round % 2 == 0)
            text[test_rng_below(&rng, n)] = others[test_rng_below(&rng, sizeof others - 1)];
        uint8_t expected[32] = {0}, found[32] = {0};
        cuzk_json_reader in;
        /* 200 characters: what follows the array is in hand as well, and the short way is taken. */
        cuzk_json_reader_init(&in, text, round % 4 < 2 ? n : 200 + n, "text", &err);
        bool good_text = plain_bytes(text, expected);
        assert_int_equal(cuzk_json_bytes32(&in, found), good_text);
        if (good_text)
            assert_memory_equal(found, expected, 32);
        accepted += good_text;
    }
    assert_true(accepted > 100000 && accepted < 200000);
}

static void test_depth(void **state)
{
    (void)state;
    char text[400] = "{\"x\":";
    size_t n = strlen(text);
    result out;
    memset(text + n, '[', 300);
    cuzk_json_reader in;
    cuzk_json_reader_init(&in, text, n + 300, "text", &err);
    assert_false(read_object(&in, &out));
    assert_non_null(strstr(err.message, "nested deeper than 64 levels"));
}

static void test_variant(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{\"A\":7}", NULL},
        {"{\"B\":7}", "found member \"B\", expected only \"A\""},
        {"{\"A\":7,\"B\":8}", "found member \"B\", expected only \"A\""},
        {"{\"A\":7,\"A\":7}", "member \"A\" is there twice"},
        {"{}", "member \"A\" is missing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t value = 0;
        parts p;
        cuzk_json_scope scope = {0};
        cuzk_json_reader in = reader_of(&p, cases[i].text, 3);
        while (cuzk_json_variant(&in, &scope, "A"))
            cuzk_json_u64(&in, &value, 9);
        if (cases[i].message == NULL)
            assert_true(cuzk_json_end(&in) && value == 7);
        else
            assert_non_null(strstr(err.message, cases[i].message));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),  cmocka_unit_test(test_bad),   cmocka_unit_test(test_cut),
        cmocka_unit_test(test_depth), cmocka_unit_test(test_bytes), cmocka_unit_test(test_variant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
