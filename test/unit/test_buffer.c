#include "base/buffer.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void grows(void **state)
{
    (void)state;
    cuzk_buffer buffer = {0};
    uint8_t *data;
    size_t size;
    for (unsigned i = 0; i < 1000; i++)
        cuzk_buffer_add(&buffer, "abc", 3);
    cuzk_buffer_add(&buffer, NULL, 0);
    assert_int_equal(cuzk_buffer_take(&buffer, &data, &size, NULL), CUZK_OK);
    assert_int_equal(size, 3000);
    for (size_t i = 0; i < size; i++)
        assert_int_equal(data[i], "abc"[i % 3]);
    assert_int_equal(data[size], 0);
    assert_null(buffer.data);
    free(data);
}

static void text_and_numbers(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {0, 9, 10, 12345, UINT64_MAX};
    char expected[128] = "";
    cuzk_buffer buffer = {0};
    uint8_t *data;
    size_t size;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        cuzk_buffer_add_decimal(&buffer, numbers[i]);
        cuzk_buffer_add_text(&buffer, ";");
        size_t at = strlen(expected);
        snprintf(expected + at, sizeof expected - at, "%llu;", (unsigned long long)numbers[i]);
    }
    assert_int_equal(cuzk_buffer_take(&buffer, &data, &size, NULL), CUZK_OK);
    assert_string_equal((const char *)data, expected);
    free(data);
    assert_int_equal(cuzk_buffer_take(&buffer, &data, &size, NULL), CUZK_OK);
    assert_int_equal(size, 0);
    assert_int_equal(data[0], 0);
    free(data);
}

static void refused(void **state)
{
    (void)state;
    cuzk_error err = {0};
    cuzk_buffer buffer = {0};
    uint8_t *data;
    size_t size;
    cuzk_buffer_add_text(&buffer, "abc");
    cuzk_buffer_add(&buffer, "x", SIZE_MAX - 8);
    cuzk_buffer_add_text(&buffer, "def");
    assert_int_equal(cuzk_buffer_take(&buffer, &data, &size, &err), CUZK_ERR_MEMORY);
    assert_non_null(strstr(err.message, "3 bytes"));
    assert_null(buffer.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows),
        cmocka_unit_test(text_and_numbers),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
