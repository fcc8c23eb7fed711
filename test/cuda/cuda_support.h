/* What tests of the CUDA back end share. The same files run twice: on the emulated device, one
 * program each, in CI; and on a card, all in build/test/cuda_diff. */
#ifndef CUZK_TEST_CUDA_SUPPORT_H
#define CUZK_TEST_CUDA_SUPPORT_H

#include "support/test.h"

#include "compute/cuda/cuda.h"

/* CUDA_TESTS(subject, cmocka_unit_test(...), ...): once in each test file, at its end. In a program
 * of its own that is main, in cuda_diff the tests are added to the others. */
#ifdef CUZK_CUDA_DEVICE
void cuda_tests_add(const char *subject, const struct CMUnitTest *tests, size_t count);
#define CUDA_TESTS(subject, ...)                                                                   \
    __attribute__((constructor)) static void add_tests(void)                                       \
    {                                                                                              \
        static const struct CMUnitTest tests[] = {__VA_ARGS__};                                    \
        cuda_tests_add(#subject, tests, sizeof tests / sizeof *tests);                             \
    }
#else
#define CUDA_TESTS(subject, ...)                                                                   \
    int main(void)                                                                                 \
    {                                                                                              \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                                           \
        return cmocka_run_group_tests_name(#subject, tests, NULL, NULL);                           \
    }
#endif

/* How large a test is to be: on the emulation, and on a card. */
size_t cuda_test_size(size_t emulated, size_t device);

/* Fails the test with the error's message; use CUDA_OK(call that takes &error). */
void cuda_test_expect_ok(cuzk_status status, const cuzk_error *err, const char *call);
#define CUDA_OK(call)                                                                              \
    do {                                                                                           \
        cuzk_error error;                                                                          \
        cuda_test_expect_ok((call), &error, #call);                                                \
    } while (0)

/* The stream of the tests, made at the first call, on device 0. */
cuzk_stream cuda_test_stream(void);

/* Device memory of so many bytes between guard bytes, filled with 0xa5; or with the host's bytes.
 * Fails the test where there is none. */
void *cuda_test_new(size_t bytes);
void *cuda_test_new_from(const void *host, size_t bytes);

/* Waits for the stream and copies to the host. */
void cuda_test_read(void *host, const void *device, size_t bytes);

/* Releases what cuda_test_new made, and fails the test if a guard byte has changed. */
void cuda_test_free(void *device);

#endif
