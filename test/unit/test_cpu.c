#include "base/cpu.h"
#include "support/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the kernel says about the processor, which is not our own cpuid code. */
static bool kernel_lists(const char *flag)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    assert_non_null(file);
    static char line[16384];
    bool found = false;
    while (!found && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "flags", 5) != 0)
            continue;
        for (char *word = strtok(line, " \t\n:"); word != NULL; word = strtok(NULL, " \t\n:"))
            found = found || strcmp(word, flag) == 0;
        break;
    }
    fclose(file);
    return found;
}

static bool kernel_lists_all(const char *const *flags)
{
    for (; *flags != NULL; flags++)
        if (!kernel_lists(*flags))
            return false;
    return true;
}

static cuzk_cpu_level expected_level(void)
{
    const char *const adx[] = {"adx", "bmi2", NULL};
    const char *const avx2[] = {"avx2", "fma", NULL};
    const char *const ifma[] = {"avx512f", "avx512dq", "avx512vl", "avx512bw", "avx512ifma", NULL};
    if (!CUZK_X86_LEVELS || !kernel_lists_all(adx))
        return CUZK_CPU_PORTABLE;
    if (!kernel_lists_all(avx2))
        return CUZK_CPU_ADX;
    return kernel_lists_all(ifma) ? CUZK_CPU_IFMA : CUZK_CPU_AVX2;
}

static void best_agrees_with_the_kernel(void **state)
{
    (void)state;
    assert_int_equal(cuzk_cpu_best(), expected_level());
}

static void environment_is_checked(void **state)
{
    (void)state;
    cuzk_error err;
    assert_int_equal(cuzk_cpu_check(&err), CUZK_OK);
    setenv("CUZK_CPU", "sse", 1);
    assert_int_equal(cuzk_cpu_check(&err), CUZK_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "sse"));
    assert_non_null(strstr(err.message, "portable"));
    for (int level = 0; level < CUZK_CPU_LEVELS; level++) {
        setenv("CUZK_CPU", cuzk_cpu_name((cuzk_cpu_level)level), 1);
        assert_int_equal(cuzk_cpu_check(&err),
                         level <= (int)cuzk_cpu_best() ? CUZK_OK : CUZK_ERR_UNSUPPORTED);
    }
    setenv("CUZK_CPU", "portable", 1);
}

/* After environment_is_checked, which leaves CUZK_CPU=portable; the choice is made once. */
static void environment_selects(void **state)
{
    (void)state;
    assert_int_equal(cuzk_cpu_selected(), CUZK_CPU_PORTABLE);
    unsetenv("CUZK_CPU");
    assert_int_equal(cuzk_cpu_selected(), CUZK_CPU_PORTABLE);
    cuzk_cpu_force(cuzk_cpu_best());
    assert_int_equal(cuzk_cpu_selected(), cuzk_cpu_best());
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(cuzk_cpu_name(CUZK_CPU_PORTABLE), "portable");
    assert_string_equal(cuzk_cpu_name(CUZK_CPU_ADX), "adx");
    assert_string_equal(cuzk_cpu_name(CUZK_CPU_AVX2), "avx2");
    assert_string_equal(cuzk_cpu_name(CUZK_CPU_IFMA), "ifma");
}

int main(void)
{
    unsetenv("CUZK_CPU");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_agrees_with_the_kernel),
        cmocka_unit_test(environment_is_checked),
        cmocka_unit_test(environment_selects),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
