#include "base/status.h"
#include "support/test.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail_fills_error(void **state)
{
    (void)state;
    cuzk_error err;
    assert_int_equal(cuzk_fail(&err, CUZK_ERR_FORMAT, "%s: section %d", "a.zkey", 4),
                     CUZK_ERR_FORMAT);
    assert_int_equal(err.status, CUZK_ERR_FORMAT);
    assert_string_equal(err.message, "a.zkey: section 4");
    assert_int_equal(cuzk_fail(NULL, CUZK_ERR_IO, "nobody asks"), CUZK_ERR_IO);
}

static void fail_may_quote_itself(void **state)
{
    (void)state;
    cuzk_error err;
    cuzk_fail(&err, CUZK_ERR_IO, "inner");
    cuzk_fail(&err, CUZK_ERR_FORMAT, "outer (%s)", err.message);
    assert_string_equal(err.message, "outer (inner)");
}

static void context_goes_before(void **state)
{
    (void)state;
    cuzk_error err;
    cuzk_fail(&err, CUZK_ERR_MISMATCH, "too short");
    assert_int_equal(cuzk_fail_context(&err, "file %s", "x"), CUZK_ERR_MISMATCH);
    assert_string_equal(err.message, "file x: too short");
}

static void long_messages_are_cut(void **state)
{
    (void)state;
    char text[3000];
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '\0';
    cuzk_error err;
    cuzk_fail(&err, CUZK_ERR_IO, "%s", text);
    assert_int_equal(strlen(err.message), sizeof err.message - 1);
    cuzk_fail_context(&err, "%s", text);
    assert_int_equal(strlen(err.message), sizeof err.message - 1);
}

static cuzk_status forward(cuzk_status status, int *reached)
{
    CUZK_TRY(status);
    *reached = 1;
    return CUZK_OK;
}

static void try_forwards(void **state)
{
    (void)state;
    int reached = 0;
    assert_int_equal(forward(CUZK_ERR_MEMORY, &reached), CUZK_ERR_MEMORY);
    assert_int_equal(reached, 0);
    assert_int_equal(forward(CUZK_OK, &reached), CUZK_OK);
    assert_int_equal(reached, 1);
}

static void assertion_aborts(void **state)
{
    (void)state;
    int out[2];
    assert_int_equal(pipe(out), 0);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        dup2(out[1], STDERR_FILENO);
        CUZK_ASSERT(1 + 1 == 3);
        _exit(0);
    }
    close(out[1]);
    char text[512] = {0};
    ssize_t got = read(out[0], text, sizeof text - 1);
    close(out[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_true(got > 0);
    assert_non_null(strstr(text, "1 + 1 == 3"));
    assert_non_null(strstr(text, "test_status.c"));
}

static void names_are_distinct(void **state)
{
    (void)state;
    for (int a = 0; a <= CUZK_ERR_DEVICE; a++)
        for (int b = 0; b < a; b++)
            assert_string_not_equal(cuzk_status_name((cuzk_status)a),
                                    cuzk_status_name((cuzk_status)b));
    assert_string_equal(cuzk_status_name(CUZK_ERR_UNSATISFIED), "UNSATISFIED");
    assert_string_equal(cuzk_status_name((cuzk_status)99), "UNKNOWN");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fail_fills_error),    cmocka_unit_test(fail_may_quote_itself),
        cmocka_unit_test(context_goes_before), cmocka_unit_test(long_messages_are_cut),
        cmocka_unit_test(try_forwards),        cmocka_unit_test(assertion_aborts),
        cmocka_unit_test(names_are_distinct),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
