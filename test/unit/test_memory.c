#include "base/memory.h"
#include "support/test.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void blocks_are_aligned(void **state)
{
    (void)state;
    const size_t sizes[] = {
        0, 1, 63, 64, 65, 4096, ((size_t)8 << 20) - 1, (size_t)8 << 20, ((size_t)9 << 20) + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint8_t *memory = cuzk_memory_new(sizes[i], 1);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % CUZK_ALIGNMENT, 0);
        memset(memory, 0xa5, sizes[i]);
        free(memory);
    }
}

static void overflow_is_refused(void **state)
{
    (void)state;
    assert_null(cuzk_memory_new(SIZE_MAX / 2 + 1, 2));
    assert_null(cuzk_memory_new(SIZE_MAX, SIZE_MAX));
    assert_null(cuzk_memory_new(SIZE_MAX, 1));
    assert_null(cuzk_memory_new((size_t)1 << 62, 1));
}

static void align_up(void **state)
{
    (void)state;
    assert_int_equal(cuzk_align_up(0), 0);
    assert_int_equal(cuzk_align_up(1), 64);
    assert_int_equal(cuzk_align_up(64), 64);
    assert_int_equal(cuzk_align_up(65), 128);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_aligned),
        cmocka_unit_test(overflow_is_refused),
        cmocka_unit_test(align_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
