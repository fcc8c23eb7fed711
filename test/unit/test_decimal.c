#include "base/decimal.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>

/* Values with their text, computed with Python integers. */
typedef struct sample {
    size_t n;
    const char *hex; /* big-endian */
    const char *text;
} sample;

static const sample samples[] = {
    {1, "00", "0"},
    {1, "ff", "255"},
    {4, "3b9aca00", "1000000000"},
    {4, "3b9ac9ff", "999999999"},
    {8, "0de0b6b3a7640000", "1000000000000000000"},
    {32, "30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001",
     "21888242871839275222246405745257275088548364400416034343698204186575808495617"},
    {32, "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001",
     "52435875175126190479447740508185965837690552500527637822603658699938581184513"},
    {48,
     "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffa"
     "aab",
     "400240955522166739341778982573590415655688281993900788533205813612403165049083786444268762912"
     "9015664"
     "037894272559787"},
    {48,
     "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
     "fff",
     "394020061963944792122790401001436138050797392704654466679482934042457217714972106114142662"
     "54884915640806627990306815"},
};

static void decode_hex(uint8_t *value, const sample *s)
{
    for (size_t i = 0; i < s->n; i++) {
        unsigned byte;
        assert_int_equal(sscanf(s->hex + 2 * (s->n - 1 - i), "%2x", &byte), 1);
        value[i] = (uint8_t)byte;
    }
}

static void samples_convert_both_ways(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        uint8_t value[CUZK_DECIMAL_MAX_BYTES], parsed[CUZK_DECIMAL_MAX_BYTES];
        decode_hex(value, &samples[i]);
        char text[CUZK_DECIMAL_MAX_TEXT];
        assert_int_equal(cuzk_decimal_format(text, value, samples[i].n), strlen(samples[i].text));
        assert_string_equal(text, samples[i].text);
        assert_int_equal(cuzk_decimal_parse(parsed, samples[i].n, text, strlen(text)),
                         CUZK_DECIMAL_OK);
        assert_memory_equal(parsed, value, samples[i].n);
    }
}

static void random_values_return(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(1);
    for (int i = 0; i < 5000; i++) {
        size_t n = 1 + (size_t)test_rng_below(&rng, CUZK_DECIMAL_MAX_BYTES);
        uint8_t value[CUZK_DECIMAL_MAX_BYTES], parsed[CUZK_DECIMAL_MAX_BYTES];
        test_rng_bytes(&rng, value, n);
        char text[CUZK_DECIMAL_MAX_TEXT];
        size_t length = cuzk_decimal_format(text, value, n);
        assert_int_equal(strlen(text), length);
        assert_int_equal(cuzk_decimal_parse(parsed, n, text, length), CUZK_DECIMAL_OK);
        assert_memory_equal(parsed, value, n);
    }
}

static void anything_else_is_malformed(void **state)
{
    (void)state;
    const char *const wrong[] = {"",   "00",  "01",  "-1",  "+1", " 1", "1 ",
                                 "1.", "1e3", "0x1", "1_0", "a",  "1a", "\xd9\xa1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint8_t value = 77;
        assert_int_equal(cuzk_decimal_parse(&value, 1, wrong[i], strlen(wrong[i])),
                         CUZK_DECIMAL_MALFORMED);
        assert_int_equal(value, 77);
    }
    uint8_t value;
    assert_int_equal(cuzk_decimal_parse(&value, 1, "1\0002", 3), CUZK_DECIMAL_MALFORMED);
}

static void too_large_is_told(void **state)
{
    (void)state;
    uint8_t value[48] = {5};
    assert_int_equal(cuzk_decimal_parse(value, 1, "256", 3), CUZK_DECIMAL_TOO_LARGE);
    assert_int_equal(value[0], 5);
    assert_int_equal(cuzk_decimal_parse(value, 0, "1", 1), CUZK_DECIMAL_TOO_LARGE);
    assert_int_equal(cuzk_decimal_parse(value, 0, "0", 1), CUZK_DECIMAL_OK);
    /* 2^384 */
    const char *text =
        "39402006196394479212279040100143613805079739270465446667948293404245721771497210"
        "611414266254884915640806627990306816";
    assert_int_equal(cuzk_decimal_parse(value, 48, text, strlen(text)), CUZK_DECIMAL_TOO_LARGE);
    static char nines[100000];
    memset(nines, '9', sizeof nines);
    assert_int_equal(cuzk_decimal_parse(value, 48, nines, sizeof nines), CUZK_DECIMAL_TOO_LARGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_convert_both_ways),
        cmocka_unit_test(random_values_return),
        cmocka_unit_test(anything_else_is_malformed),
        cmocka_unit_test(too_large_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
