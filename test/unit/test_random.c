#include "base/random.h"
#include "support/test.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void every_byte_is_filled(void **state)
{
    (void)state;
    /* Over the 256 bytes that getrandom gives in one piece at most when interrupted. A byte that
     * stays zero in all of 64 draws would do so by chance once in 2^512. */
    enum { N = 3000 };
    static unsigned char seen[N], out[N + 1];
    for (int draw = 0; draw < 64; draw++) {
        memset(out, 0, sizeof out);
        assert_int_equal(cuzk_random(out, N, NULL), CUZK_OK);
        assert_int_equal(out[N], 0);
        for (int i = 0; i < N; i++)
            seen[i] |= out[i];
    }
    for (int i = 0; i < N; i++)
        assert_int_not_equal(seen[i], 0);
    assert_int_equal(cuzk_random(out, 0, NULL), CUZK_OK);
}

static void a_child_draws_its_own(void **state)
{
    (void)state;
    int out[2];
    unsigned char ours[32], childs[32];
    assert_int_equal(pipe(out), 0);
    assert_int_equal(cuzk_random(ours, sizeof ours, NULL), CUZK_OK);
    pid_t child = fork();
    if (child == 0) {
        if (cuzk_random(childs, sizeof childs, NULL) != CUZK_OK)
            _exit(1);
        _exit(write(out[1], childs, sizeof childs) == sizeof childs ? 0 : 1);
    }
    assert_int_equal(cuzk_random(ours, sizeof ours, NULL), CUZK_OK);
    assert_int_equal(read(out[0], childs, sizeof childs), sizeof childs);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_memory_not_equal(ours, childs, sizeof ours);
    close(out[0]);
    close(out[1]);
}

static void wipe_zeroes(void **state)
{
    (void)state;
    unsigned char data[5] = {1, 2, 3, 4, 5};
    cuzk_wipe(data, 4);
    const unsigned char expected[5] = {0, 0, 0, 0, 5};
    assert_memory_equal(data, expected, sizeof data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_is_filled),
        cmocka_unit_test(a_child_draws_its_own),
        cmocka_unit_test(wipe_zeroes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
