/* The arena: zeroed, aligned, disjoint, and large requests beside small ones. */
#include "support/test.h"

#include "base/arena.h"

#include <stdalign.h>
#include <string.h>

static void test_blocks(void **state)
{
    (void)state;
    enum { N = 4000 };
    cuzk_arena arena = {0};
    test_rng rng = test_rng_seeded(1);
    static unsigned char *part[N];
    static size_t size[N];
    for (size_t i = 0; i < N; i++) {
        size[i] = i % 500 == 0 ? 100000 : test_rng_below(&rng, 300);
        part[i] = cuzk_arena_new(&arena, size[i], 1);
        assert_non_null(part[i]);
        assert_int_equal((uintptr_t)part[i] % alignof(max_align_t), 0);
        for (size_t j = 0; j < size[i]; j++)
            assert_int_equal(part[i][j], 0);
        memset(part[i], (int)(i % 255 + 1), size[i]);
    }
    size_t sum = 0;
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < size[i]; j++)
            assert_int_equal(part[i][j], i % 255 + 1);
        sum += size[i];
    }
    assert_true(arena.size >= sum && arena.size < 2 * sum);
    cuzk_arena_release(&arena);
    assert_null(arena.block);
    cuzk_arena_release(&arena);
}

static void test_overflow(void **state)
{
    (void)state;
    cuzk_arena arena = {0};
    assert_null(cuzk_arena_new(&arena, SIZE_MAX / 2, 3));
    assert_null(cuzk_arena_new(&arena, SIZE_MAX, 1));
    assert_non_null(cuzk_arena_new(&arena, 0, 8));
    assert_non_null(cuzk_arena_new(&arena, 8, 0));
    cuzk_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
