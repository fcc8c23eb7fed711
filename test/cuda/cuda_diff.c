/* All tests of the CUDA back end on a card.
 *
 * Usage: cuda_diff [part of a test's name]. Exit status 77: there is no device. */
#include "cuda_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_GROUPS = 64, MAX_TESTS = 64 };

static struct {
    const char *subject;
    const struct CMUnitTest *tests;
    size_t count;
} groups[MAX_GROUPS];
static size_t group_count;

void cuda_tests_add(const char *subject, const struct CMUnitTest *tests, size_t count)
{
    if (group_count == MAX_GROUPS || count > MAX_TESTS)
        abort();
    groups[group_count].subject = subject;
    groups[group_count].tests = tests;
    groups[group_count++].count = count;
}

/* Runs the tests of a group whose name has this part; adds to the counts. */
static void run_group(size_t group, const char *part, size_t *passed, size_t *failed)
{
    struct CMUnitTest chosen[MAX_TESTS];
    size_t n = 0;
    for (size_t i = 0; i < groups[group].count; i++)
        if (part == NULL || strstr(groups[group].tests[i].name, part) != NULL)
            chosen[n++] = groups[group].tests[i];
    if (n == 0)
        return;
    int bad = _cmocka_run_group_tests(groups[group].subject, chosen, n, NULL, NULL);
    *failed += (size_t)bad;
    *passed += n - (size_t)bad;
}

int main(int argc, char **argv)
{
    cuzk_error error = {0};
    if (cuzk_cuda_count(&error) == 0) {
        printf("no device: %s\n", error.message);
        return 77;
    }
    cuzk_cuda_info info;
    if (cuzk_cuda_info_get(&info, 0, &error) != CUZK_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("%s at %s, %d.%d, %u processors, %zu MiB\n", info.name, info.pci, info.major, info.minor,
           info.processors, info.memory >> 20);
    size_t passed = 0, failed = 0;
    for (size_t i = 0; i < group_count; i++)
        run_group(i, argc > 1 ? argv[1] : NULL, &passed, &failed);
    printf("%zu passed, %zu failed\n", passed, failed);
    return failed == 0 && passed > 0 ? 0 : 1;
}
