/* What every test needs: cmocka with its prerequisites, seeded random data, files. */
#ifndef CUZK_TEST_SUPPORT_H
#define CUZK_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* 1 under a sanitizer, which makes what computes five to ten times slower: tests then leave out
 * sizes whose text smaller ones pass through as well. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TEST_SANITIZED 1
#endif
#endif
#ifndef TEST_SANITIZED
#define TEST_SANITIZED 0
#endif

/* A xorshift generator. Seed from CUZK_TEST_SEED (decimal or 0x..) if set, else from the clock; the
 * first call of test_rng in a process prints the seed, so that a failure can be repeated. */
typedef struct test_rng {
    uint64_t state;
} test_rng;

/* Returns a generator; salt tells the generators of one process apart. */
test_rng test_rng_seeded(uint64_t salt);
uint64_t test_rng_next(test_rng *rng);

/* A number below bound, bound > 0. */
uint64_t test_rng_below(test_rng *rng, uint64_t bound);

/* Fills out with n bytes: half of the time uniform ones, else long runs of 0 and 1 bits, which find
 * carry and sign errors that uniform data never meets. */
void test_rng_bytes(test_rng *rng, void *out, size_t n);

/* The bytes of test/data/<name>, with a NUL after them that *size does not count; fails the test
 * when it cannot be read. Freed by the caller with free. size may be NULL. */
uint8_t *test_read_data(const char *name, size_t *size);

/* The same for any path. */
uint8_t *test_read_file(const char *path, size_t *size);

/* The path of test/data/<name>, in one of four buffers of this thread that are used in
 * turn. */
const char *test_data_path(const char *name);

/* The path of a file below the folder that CUZK_SHARED names (unset: ../shared beside the source),
 * which holds vectors that are not part of this project, in a static buffer; NULL when it is not
 * there: the test then calls skip(). */
const char *test_shared_path(const char *name);

/* Writes a new temporary file with these bytes and returns its path: the caller unlinks and frees
 * it. */
char *test_write_temp(const void *data, size_t size);

#endif
