#define _GNU_SOURCE
#include "support/test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static uint64_t base_seed(void)
{
    static uint64_t seed;
    if (seed != 0)
        return seed;
    const char *text = getenv("CUZK_TEST_SEED");
    if (text != NULL) {
        seed = strtoull(text, NULL, 0);
    } else {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        seed =
            (uint64_t)now.tv_sec * 1000000007u ^ (uint64_t)now.tv_nsec ^ (uint64_t)getpid() << 40;
    }
    if (seed == 0)
        seed = 1;
    fprintf(stderr, "seed: CUZK_TEST_SEED=%" PRIu64 "\n", seed);
    return seed;
}

test_rng test_rng_seeded(uint64_t salt)
{
    test_rng rng = {base_seed() ^ salt * UINT64_C(0x9e3779b97f4a7c15)};
    if (rng.state == 0)
        rng.state = 1;
    for (int i = 0; i < 8; i++)
        test_rng_next(&rng);
    return rng;
}

/* xorshift64* (Vigna, 2016). */
uint64_t test_rng_next(test_rng *rng)
{
    uint64_t x = rng->state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    rng->state = x;
    return x * UINT64_C(0x2545f4914f6cdd1d);
}

uint64_t test_rng_below(test_rng *rng, uint64_t bound)
{
    return test_rng_next(rng) % bound;
}

static void fill_uniform(test_rng *rng, uint8_t *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)(test_rng_next(rng) >> 32);
}

static void fill_runs(test_rng *rng, uint8_t *out, size_t n)
{
    memset(out, 0, n);
    size_t bits = n * 8;
    size_t at = 0;
    unsigned bit = test_rng_next(rng) >> 63 ? 1 : 0;
    while (at < bits) {
        size_t run = 1 + (size_t)test_rng_below(rng, 1 + test_rng_below(rng, 128));
        for (; run > 0 && at < bits; run--, at++)
            out[at / 8] = (uint8_t)(out[at / 8] | bit << at % 8);
        bit ^= 1;
    }
}

void test_rng_bytes(test_rng *rng, void *out, size_t n)
{
    if (test_rng_next(rng) >> 63)
        fill_uniform(rng, out, n);
    else
        fill_runs(rng, out, n);
}

uint8_t *test_read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("cannot open %s", path);
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    assert_true(length >= 0);
    uint8_t *data = malloc((size_t)length + 1);
    assert_non_null(data);
    if (fread(data, 1, (size_t)length, file) != (size_t)length)
        fail_msg("cannot read %s", path);
    fclose(file);
    data[length] = 0;
    if (size != NULL)
        *size = (size_t)length;
    return data;
}

const char *test_data_path(const char *name)
{
    static _Thread_local char buffers[4][4096];
    static _Thread_local unsigned next;
    char *path = buffers[next++ % 4];
    snprintf(path, sizeof buffers[0], "%s/%s", CUZK_TEST_DATA, name);
    return path;
}

const char *test_shared_path(const char *name)
{
    static char path[4096];
    const char *folder = getenv("CUZK_SHARED");
    if (folder == NULL)
        folder = CUZK_TEST_DATA "/../../../shared";
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, R_OK) == 0 ? path : NULL;
}

uint8_t *test_read_data(const char *name, size_t *size)
{
    return test_read_file(test_data_path(name), size);
}

char *test_write_temp(const void *data, size_t size)
{
    char *path = strdup("/tmp/cuzk-test-XXXXXX");
    assert_non_null(path);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}
